package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// The rules of a regrade.
const (
	AcceptAlso = string(exambuddydb.RegradeRuleAcceptAlso) // further options are right, too
	NewKey     = string(exambuddydb.RegradeRuleNewKey)     // another answer is right
	FullMarks  = string(exambuddydb.RegradeRuleFullMarks)  // the question is right for all
	Drop       = string(exambuddydb.RegradeRuleDrop)       // the question does not count
)

// A Change says how the attempts of a question are regraded.
type Change struct {
	QuestionID string
	Rule       string
	Key        question.Key // of NewKey; of AcceptAlso its field Also
	Reason     string
	Repeat     exambuddy.Repeat // of Regrade
}

// An Outcome says what a regrade changes.
type Outcome struct {
	Attempts  int // that had the question
	Changed   int // whose score changes
	NowPassed int
	NowFailed int
}

// Preview returns what a regrade would change. It writes nothing.
func (s *Service) Preview(ctx context.Context, admin exambuddy.Admin, projectID string, change Change) (Outcome, error) {
	if err := s.checkChange(ctx, admin, projectID, change); err != nil {
		return Outcome{}, err
	}
	return s.preview(ctx, projectID, change)
}

func (s *Service) checkChange(ctx context.Context, admin exambuddy.Admin, projectID string, change Change) error {
	if _, err := s.bank.Project(ctx, admin, projectID); err != nil {
		return err
	}
	switch {
	case !exambuddy.IsID(change.QuestionID):
		return exambuddy.ErrNoQuestion
	case !exambuddydb.RegradeRule(change.Rule).Valid():
		return refusal.OfField(refusal.Field{Name: "rule", Constraint: "allowed", Allowed: []string{AcceptAlso, NewKey, FullMarks, Drop}}, "There is no such rule.")
	case change.Rule == AcceptAlso && len(change.Key.Also) == 0:
		return refusal.OfField(refusal.Field{Name: "also", Constraint: "required"}, "Name the options that are right, too.")
	case len(change.Reason) > exambuddy.MaxNote:
		return refusal.OutOfRange("reason", "length", 0, exambuddy.MaxNote, "The reason has at most %d characters.", exambuddy.MaxNote)
	}
	return nil
}

func (s *Service) preview(ctx context.Context, projectID string, change Change) (Outcome, error) {
	var out Outcome
	for attempt, err := range s.attempts(projectID).All(ctx) {
		if err != nil {
			return Outcome{}, err
		}
		r, err := s.regraded(ctx, attempt, change)
		if err != nil {
			return Outcome{}, err
		}
		if r != nil {
			out.count(attempt, r.totals)
		}
	}
	return out, nil
}

func (o *Outcome) count(attempt exambuddydb.Attempt, totals exambuddy.Totals) {
	o.Attempts++
	if int64(totals.Tenths) == attempt.ScoreTenths && int64(totals.Correct) == attempt.Score {
		return
	}
	o.Changed++
	switch passed := passes(attempt, totals); {
	case passed && !attempt.Passed:
		o.NowPassed++
	case !passed && attempt.Passed:
		o.NowFailed++
	}
}

func passes(attempt exambuddydb.Attempt, totals exambuddy.Totals) bool {
	return int64(totals.Tenths) >= attempt.PassMark*10
}

// attempts lists all attempts of a project.
func (s *Service) attempts(projectID string) access.List[exambuddydb.Attempt] {
	return s.env.DB.ListAttemptsByProject(projectID, time.Unix(0, 0), s.env.Now()).Limit(0)
}

// A regraded is an attempt with a changed question.
type regraded struct {
	paper  exambuddydb.PaperQuestion
	marked exambuddy.Marked
	totals exambuddy.Totals
}

// regraded returns an attempt as it is after a change, or nil if it does not have the question.
func (s *Service) regraded(ctx context.Context, attempt exambuddydb.Attempt, change Change) (*regraded, error) {
	loaded, err := s.env.DB.LoadSession(ctx, attempt.AttemptID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(loaded.PaperQuestions, func(p exambuddydb.PaperQuestion) bool { return p.QuestionID == change.QuestionID })
	if i < 0 {
		return nil, nil
	}
	paper := &loaded.PaperQuestions[i]
	if err := change.apply(paper); err != nil {
		return nil, err
	}
	marked, totals, err := exambuddy.Grade(loaded.PaperQuestions, loaded.AnswerSelections)
	if err != nil {
		return nil, err
	}
	m := slices.IndexFunc(marked, func(m exambuddy.Marked) bool { return m.Paper.QuestionID == change.QuestionID })
	return &regraded{paper: *paper, marked: marked[m], totals: totals}, nil
}

// apply changes the question of a paper.
func (c Change) apply(paper *exambuddydb.PaperQuestion) error {
	key, err := exambuddy.DecodeKey(paper.Solution, paper.Explanation)
	if err != nil {
		return err
	}
	switch c.Rule {
	case AcceptAlso:
		for _, id := range c.Key.Also {
			if !slices.Contains(key.Also, id) {
				key.Also = append(key.Also, id)
			}
		}
	case NewKey:
		scheme, images := key.Scheme, key.ExplanationImages
		key = c.Key
		if key.Scheme == "" {
			key.Scheme = scheme
		}
		key.ExplanationImages = images
	case FullMarks:
		paper.FullMarks = true
	case Drop:
		paper.Dropped = true
	}
	paper.Solution, err = exambuddy.EncodeKey(key)
	return err
}

// Regrade queues a regrade, with the outcome that a preview shows now.
func (s *Service) Regrade(ctx context.Context, admin exambuddy.Admin, projectID string, change Change) (exambuddydb.Regrade, error) {
	if err := s.checkChange(ctx, admin, projectID, change); err != nil {
		return exambuddydb.Regrade{}, err
	}
	request := change.Repeat.Request(admin.ID, "regrade in "+projectID)
	id, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return s.queueRegrade(ctx, admin, projectID, change, request) })
	if err != nil {
		return exambuddydb.Regrade{}, err
	}
	return s.env.DB.GetRegrade(ctx, projectID, id)
}

// queueRegrade stores a regrade and its job with the receipt of the request. It returns the id of the regrade.
func (s *Service) queueRegrade(ctx context.Context, admin exambuddy.Admin, projectID string, change Change, request receipt.Request) (string, error) {
	out, err := s.preview(ctx, projectID, change)
	if err != nil {
		return "", err
	}
	solution, err := exambuddy.EncodeKey(change.Key)
	if err != nil {
		return "", err
	}
	now := s.env.Now()
	regrade := exambuddydb.Regrade{
		RegradeID: s.env.NewID(now), ProjectID: projectID, QuestionID: change.QuestionID, Rule: exambuddydb.RegradeRule(change.Rule), Solution: solution, Reason: change.Reason,
		Status: exambuddydb.RegradeStatusRunning, Changed: int64(out.Changed), NowPassed: int64(out.NowPassed), NowFailed: int64(out.NowFailed), RequestedBy: admin.ID, RequestedAt: now,
		TTL: now.Add(exambuddy.KeepRegrade),
	}
	tx := s.env.DB.Tx()
	tx.StartRegrade(regrade)
	s.env.Record(tx, admin.ID, "regrade", change.QuestionID, projectID, map[string]string{"rule": change.Rule, "reason": change.Reason})
	job := jobs.Job{ID: exambuddy.JobRegrade + "/" + regrade.RegradeID, Kind: exambuddy.JobRegrade, Payload: exambuddy.JobPayload{ProjectID: projectID, RegradeID: regrade.RegradeID}}
	if err := s.env.Jobs.AddTo(tx, job); err != nil {
		return "", err
	}
	if err := s.env.Receipts.Add(tx, request, regrade.RegradeID); err != nil {
		return "", err
	}
	if err := tx.Commit(ctx); err != nil {
		return "", fmt.Errorf("queue a regrade: %w", err)
	}
	return regrade.RegradeID, nil
}

// Regrades returns the newest regrades of a project.
func (s *Service) Regrades(ctx context.Context, admin exambuddy.Admin, projectID string) ([]exambuddydb.Regrade, error) {
	if _, err := s.bank.Project(ctx, admin, projectID); err != nil {
		return nil, err
	}
	return s.env.DB.ListRegrades(projectID).Slice(ctx)
}

// RunRegrade applies a regrade to all attempts that had its question, each once. The worker calls
// it; it goes on where a worker that died has stopped.
func (s *Service) RunRegrade(ctx context.Context, projectID, id string) error {
	regrade, err := s.env.DB.GetRegrade(ctx, projectID, id)
	if err != nil || regrade.Status != exambuddydb.RegradeStatusRunning {
		return err
	}
	key, err := exambuddy.DecodeKey(json.RawMessage(regrade.Solution), "")
	if err != nil {
		return err
	}
	change := Change{QuestionID: regrade.QuestionID, Rule: string(regrade.Rule), Key: key}
	for attempt, err := range s.attempts(projectID).All(ctx) {
		if err == nil {
			err = s.regradeOne(ctx, attempt, id, change)
		}
		if err != nil {
			return fmt.Errorf("regrade project %s: %w", projectID, err)
		}
	}
	now := s.env.Now()
	_, err = s.env.DB.FinishRegrade(ctx, exambuddydb.RegradeKey{ProjectID: projectID, RegradeID: id}, exambuddydb.FinishRegradeParams{
		Changed: regrade.Changed, NowPassed: regrade.NowPassed, NowFailed: regrade.NowFailed, FinishedAt: &now,
	})
	if exambuddy.Changed[exambuddydb.Regrade](err) {
		return nil
	}
	return err
}

func (s *Service) regradeOne(ctx context.Context, listed exambuddydb.Attempt, id string, change Change) error {
	return access.RetryOnConflict(ctx, func() (bool, error) {
		attempt, err := s.env.DB.GetAttempt(ctx, listed.CandidateID, listed.AttemptID)
		if errors.Is(err, access.ErrNotFound) || err == nil && attempt.RegradeID != nil && *attempt.RegradeID >= id {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		r, err := s.regraded(ctx, attempt, change)
		if err != nil || r == nil {
			return false, err
		}
		now := s.env.Now()
		tx := s.env.DB.Tx()
		tx.RegradeAttempt(exambuddydb.RegradeAttemptParams{
			AttemptID: attempt.AttemptID, Position: r.paper.Position, Solution: r.paper.Solution, Dropped: r.paper.Dropped, FullMarks: r.paper.FullMarks, CandidateID: attempt.CandidateID,
			Score: int64(r.totals.Correct), Marks: int64(r.totals.Marks), ScoreTenths: int64(r.totals.Tenths), Passed: passes(attempt, r.totals), TotalQuestions: int64(r.totals.Questions),
			RegradeID: id, RegradedAt: &now, OldScoreTenths: attempt.ScoreTenths,
		})
		if r.marked.Answer != nil {
			tx.RegradeAnswer(r.marked.Answer.Key(), exambuddydb.RegradeAnswerParams{IsCorrect: r.marked.Correct, Mark: int64(r.marked.Mark)})
		}
		if err := tx.Commit(ctx); err != nil {
			return exambuddy.Changed[exambuddydb.Attempt](err), err
		}
		if attempt.Passed && !passes(attempt, r.totals) {
			return false, s.revoke(ctx, s.code(attempt.AttemptID), "The exam was regraded.")
		}
		return false, nil
	})
}
