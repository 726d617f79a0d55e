package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
)

// perChunk is the number of questions whose sums one transaction adds: with six options each, and
// the totals, they stay below a hundred actions.
const perChunk = 12

// unit is the unit of marks in sums: a full mark is a million.
const unit = 1_000_000

// A contribution holds what a part of an attempt adds to the statistics. It is stored with the
// attempt, so that a change of the attempt adds the difference, and a second delivery nothing.
type contribution struct {
	Totals    totals                  `json:"totals,omitzero"`
	Questions map[string]questionSums `json:"questions,omitempty"` // by id and revision
	Options   map[string]optionSums   `json:"options,omitempty"`   // by id, revision and option
}

type totals struct {
	Attempts  int64 `json:"attempts,omitempty"`
	Practices int64 `json:"practices,omitempty"`
	Passed    int64 `json:"passed,omitempty"`
	Abandoned int64 `json:"abandoned,omitempty"`
	Score     int64 `json:"score,omitempty"`
	Seconds   int64 `json:"seconds,omitempty"`
}

func (t totals) minus(o totals) totals {
	return totals{t.Attempts - o.Attempts, t.Practices - o.Practices, t.Passed - o.Passed, t.Abandoned - o.Abandoned, t.Score - o.Score, t.Seconds - o.Seconds}
}

type questionSums struct {
	Question         string `json:"question"`
	Revision         int64  `json:"revision"`
	N                int64  `json:"n,omitempty"`
	Answered         int64  `json:"answered,omitempty"`
	Late             int64  `json:"late,omitempty"`
	Correct          int64  `json:"correct,omitempty"`
	Milliseconds     int64  `json:"milliseconds,omitempty"`
	X                int64  `json:"x,omitempty"`
	XX               int64  `json:"xx,omitempty"`
	R                int64  `json:"r,omitempty"`
	RR               int64  `json:"rr,omitempty"`
	XR               int64  `json:"xr,omitempty"`
	T                int64  `json:"t,omitempty"`
	TT               int64  `json:"tt,omitempty"`
	Practised        int64  `json:"practised,omitempty"`
	PractisedCorrect int64  `json:"practised_correct,omitempty"`
}

func (q questionSums) minus(o questionSums) questionSums {
	return questionSums{
		q.Question, q.Revision, q.N - o.N, q.Answered - o.Answered, q.Late - o.Late, q.Correct - o.Correct, q.Milliseconds - o.Milliseconds, q.X - o.X, q.XX - o.XX,
		q.R - o.R, q.RR - o.RR, q.XR - o.XR, q.T - o.T, q.TT - o.TT, q.Practised - o.Practised, q.PractisedCorrect - o.PractisedCorrect,
	}
}

type optionSums struct {
	Question string `json:"question"`
	Revision int64  `json:"revision"`
	Option   string `json:"option"`
	Chosen   int64  `json:"chosen,omitempty"`
	T        int64  `json:"t,omitempty"`
}

// Settle adds an attempt to the statistics, or what a regrade has changed of it. It can be called
// any number of times with the same attempt.
func (s *Service) Settle(ctx context.Context, attempt exambuddydb.Attempt) error {
	// The record of the stream may be older than the attempt.
	attempt, err := s.env.DB.GetAttempt(ctx, attempt.CandidateID, attempt.AttemptID)
	if errors.Is(err, access.ErrNotFound) {
		return nil // deleted
	}
	if err != nil {
		return err
	}
	marked, sum, err := s.graded(ctx, attempt.AttemptID)
	if err != nil {
		return err
	}
	first, err := s.first(ctx, attempt)
	if err != nil {
		return err
	}
	for i := 0; i == 0 || i*perChunk < len(marked); i++ {
		part := contribution{Questions: map[string]questionSums{}, Options: map[string]optionSums{}}
		if i == 0 {
			part.Totals = totalsOf(attempt)
		}
		for _, m := range marked[min(i*perChunk, len(marked)):min((i+1)*perChunk, len(marked))] {
			part.add(m, sum, attempt, first)
		}
		if err := s.apply(ctx, source{attempt.AttemptID, attempt.ProjectID, attempt.AdminID, access.DateOf(attempt.StartedAt)}, int64(i), part); err != nil {
			return fmt.Errorf("add attempt %s to the statistics: %w", attempt.AttemptID, err)
		}
	}
	return nil
}

// SettleAbandoned adds a session that ended without an attempt to the statistics.
func (s *Service) SettleAbandoned(ctx context.Context, session exambuddydb.ExamSession) error {
	part := contribution{Totals: totals{Abandoned: 1}}
	return s.apply(ctx, source{session.AttemptID, session.ProjectID, session.AdminID, access.DateOf(session.StartedAt)}, 0, part)
}

func totalsOf(a exambuddydb.Attempt) totals {
	if a.Mode == exambuddydb.AttemptModeTest {
		return totals{Practices: 1}
	}
	t := totals{Attempts: 1, Score: a.ScoreTenths, Seconds: a.TimeTakenSeconds}
	if a.Passed {
		t.Passed = 1
	}
	return t
}

// add adds a question. Item analysis counts the first exam of a candidate; the rest of the exam is a
// share, because candidates get different questions.
func (c *contribution) add(m exambuddy.Marked, sum exambuddy.Totals, attempt exambuddydb.Attempt, first bool) {
	if m.Paper.Dropped {
		return
	}
	q := questionSums{Question: m.Paper.QuestionID, Revision: m.Paper.Revision}
	key := fmt.Sprintf("%s/%d", q.Question, q.Revision)
	accepted := m.Answer != nil && m.Answer.Accepted
	switch {
	case attempt.Mode == exambuddydb.AttemptModeTest && accepted:
		q.Practised = 1
		q.PractisedCorrect = one(m.Correct)
	case first:
		x := int64(m.Mark) * 1000
		t := int64(sum.Marks) * 1000 / int64(sum.Questions)
		r := int64(0)
		if sum.Questions > 1 {
			r = int64(sum.Marks-m.Mark) * 1000 / int64(sum.Questions-1)
		}
		q.N, q.Answered, q.Correct, q.Late = 1, one(accepted), one(m.Correct), one(m.Answer != nil && m.Answer.LateMs > 0)
		q.X, q.XX, q.R, q.RR, q.XR, q.T, q.TT = x, x*x/unit, r, r*r/unit, x*r/unit, t, t*t/unit
		if m.Answer != nil {
			q.Milliseconds = m.Answer.TimeSpentMs
		}
		c.options(m, key, t, accepted)
	default:
		return
	}
	c.Questions[key] = q
}

func (c *contribution) options(m exambuddy.Marked, key string, t int64, accepted bool) {
	if !accepted || len(m.Question.Options) == 0 || len(m.Given.Chosen) > 6 {
		return
	}
	for _, option := range m.Given.Chosen {
		c.Options[key+"/"+option] = optionSums{Question: m.Paper.QuestionID, Revision: m.Paper.Revision, Option: option, Chosen: 1, T: t}
	}
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// A source says where a contribution belongs.
type source struct {
	attempt, project, admin string
	day                     access.Date
}

// apply makes the statistics hold a contribution in place of the one before it.
func (s *Service) apply(ctx context.Context, of source, chunk int64, now contribution) error {
	return access.RetryOnConflict(ctx, func() (bool, error) {
		stored, err := s.env.DB.GetStatMark(ctx, of.attempt, chunk)
		created := errors.Is(err, access.ErrNotFound)
		if err != nil && !created {
			return false, err
		}
		var before contribution
		if !created {
			if err := json.Unmarshal(stored.Contribution, &before); err != nil {
				return false, fmt.Errorf("decode a contribution: %w", err)
			}
		}
		encoded, err := json.Marshal(now)
		if err != nil {
			return false, err
		}
		tx := s.env.DB.Tx()
		if created {
			tx.CreateStatMark(exambuddydb.CreateStatMarkParams{StatMark: exambuddydb.StatMark{AttemptID: of.attempt, Chunk: chunk, Contribution: encoded, AppliedAt: s.env.Now()}})
		} else {
			tx.AmendStatMark(exambuddydb.AmendStatMarkParams{AttemptID: of.attempt, Chunk: chunk, Contribution: encoded, AppliedAt: s.env.Now(), OldRevision: stored.Revision})
		}
		empty := tx.Len()
		s.addDifference(tx, of, before, now)
		if !created && tx.Len() == empty {
			return false, nil
		}
		err = tx.Commit(ctx)
		return errors.Is(err, access.ErrExists) || exambuddy.Changed[exambuddydb.StatMark](err), err
	})
}

func (s *Service) addDifference(tx *exambuddydb.Tx, of source, before, now contribution) {
	if d := now.Totals.minus(before.Totals); d != (totals{}) {
		s.addTotals(tx, of, d)
	}
	for _, key := range keys(before.Questions, now.Questions) {
		d := now.Questions[key].minus(before.Questions[key])
		if d.Question == "" { // it was dropped
			d.Question, d.Revision = before.Questions[key].Question, before.Questions[key].Revision
		}
		if d != (questionSums{Question: d.Question, Revision: d.Revision}) {
			tx.AddQuestionStat(exambuddydb.AddQuestionStatParams{
				ProjectID: of.project, QuestionID: d.Question, Revision: d.Revision,
				UpdatedAt: s.env.Now(), N: d.N, Answered: d.Answered, Late: d.Late, Correct: d.Correct, Milliseconds: d.Milliseconds, SumX: d.X, SumXx: d.XX, SumR: d.R, SumRr: d.RR,
				SumXr: d.XR, SumT: d.T, SumTt: d.TT, Practised: d.Practised, PractisedCorrect: d.PractisedCorrect,
			})
		}
	}
	for _, key := range keys(before.Options, now.Options) {
		was, is := before.Options[key], now.Options[key]
		if is == was {
			continue
		}
		name := is
		if name.Question == "" {
			name = was
		}
		tx.AddOptionStat(exambuddydb.AddOptionStatParams{
			ProjectID: of.project, QuestionID: name.Question, Revision: name.Revision, OptionID: name.Option,
			UpdatedAt: s.env.Now(), Chosen: is.Chosen - was.Chosen, SumT: is.T - was.T,
		})
	}
}

func (s *Service) addTotals(tx *exambuddydb.Tx, of source, d totals) {
	now := s.env.Now()
	tx.AddProjectStat(exambuddydb.AddProjectStatParams{
		AdminID: of.admin, ProjectID: of.project,
		UpdatedAt: now, Attempts: d.Attempts, Practices: d.Practices, Passed: d.Passed, Abandoned: d.Abandoned, ScoreSum: d.Score, Seconds: d.Seconds,
	})
	tx.AddDayStat(exambuddydb.AddDayStatParams{
		ProjectID: of.project, Day: of.day,
		UpdatedAt: now, TTL: now.Add(exambuddy.KeepTotals), Attempts: d.Attempts, Practices: d.Practices, Passed: d.Passed, Abandoned: d.Abandoned, ScoreSum: d.Score, Seconds: d.Seconds,
	})
	tx.AddMonthStat(exambuddydb.AddMonthStatParams{
		Month: string(of.day)[:7], ProjectID: of.project,
		AdminID: of.admin, UpdatedAt: now, TTL: now.Add(exambuddy.KeepTotals), Attempts: d.Attempts, Practices: d.Practices, Passed: d.Passed, Abandoned: d.Abandoned, ScoreSum: d.Score, Seconds: d.Seconds,
	})
}

// keys returns the keys of two maps, in order.
func keys[V any](a, b map[string]V) []string {
	all := map[string]bool{}
	for key := range a {
		all[key] = true
	}
	for key := range b {
		all[key] = true
	}
	return slices.Sorted(maps.Keys(all))
}
