package sitting

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// Resume returns the state of a session, with the answers that the server has, for a client that
// was reloaded or another device. The clock has gone on.
func (s *Service) Resume(ctx context.Context, candidate exambuddy.Candidate, id string) (State, []Answered, error) {
	session, err := s.session(ctx, candidate, id)
	if err != nil {
		return State{}, nil, err
	}
	var all []Answered
	for stored, err := range s.env.DB.ListAnswersByAttempt(id).Limit(0).All(ctx) {
		if err != nil {
			return State{}, nil, err
		}
		answer, err := exambuddy.DecodeAnswer(stored.Reply)
		if err != nil {
			return State{}, nil, err
		}
		all = append(all, Answered{Position: int(stored.Position), ID: stored.QuestionID, Answer: answer, Sequence: stored.Seq, SavedAt: stored.AnsweredAt})
	}
	slices.SortFunc(all, func(a, b Answered) int { return a.Position - b.Position })
	return s.state(session), all, nil
}

// Paper returns all questions of a session without keys. Only an exam in free navigation, or one
// that tolerates candidates without a connection, shows questions ahead.
func (s *Service) Paper(ctx context.Context, candidate exambuddy.Candidate, id string) ([]Question, error) {
	session, err := s.session(ctx, candidate, id)
	if err != nil {
		return nil, err
	}
	if session.Status != exambuddydb.ExamSessionStatusStarted {
		return nil, exambuddy.ErrOver
	}
	if session.Navigation != exambuddydb.ExamSessionNavigationFree && session.Offline != exambuddydb.ExamSessionOfflineTolerant {
		return nil, exambuddy.ErrNotCurrent
	}
	var all []Question
	for view, err := range s.env.DB.ListPaperViews(id).All(ctx) {
		if err != nil {
			return nil, err
		}
		q, err := questionOf(view)
		if err != nil {
			return nil, err
		}
		all = append(all, q)
	}
	return all, nil
}

// Take lets another tab or device go on with a session. The one before is refused from here on.
func (s *Service) Take(ctx context.Context, candidate exambuddy.Candidate, id string) (State, error) {
	session, err := s.session(ctx, candidate, id)
	if err != nil {
		return State{}, err
	}
	session, err = s.env.DB.TakeSession(ctx, session.Key(), exambuddydb.TakeSessionParams{Writer: s.env.Random(), LastSeenAt: s.env.Now()})
	if err != nil {
		return State{}, s.refuse(err, "")
	}
	out := s.state(session)
	out.Writer = session.Writer
	return out, nil
}

// Flag marks a question for review, or removes the mark.
func (s *Service) Flag(ctx context.Context, candidate exambuddy.Candidate, id, writer, questionID string, flagged bool) (State, error) {
	session, err := s.writable(ctx, candidate, id, writer)
	if err != nil {
		return State{}, err
	}
	if !exambuddy.IsID(questionID) {
		return State{}, exambuddy.ErrNoQuestion
	}
	if flagged {
		session, err = s.env.DB.FlagQuestion(ctx, session.Key(), exambuddydb.FlagQuestionParams{LastSeenAt: s.env.Now(), Questions: []string{questionID}, Writer: writer})
	} else {
		session, err = s.env.DB.UnflagQuestion(ctx, session.Key(), exambuddydb.UnflagQuestionParams{LastSeenAt: s.env.Now(), Questions: []string{questionID}, Writer: writer})
	}
	if err != nil {
		return State{}, s.refuse(err, writer)
	}
	return s.state(session), nil
}

// Active returns the sessions that a candidate can resume.
func (s *Service) Active(ctx context.Context, candidate exambuddy.Candidate) ([]exambuddydb.ActiveExam, error) {
	return s.env.DB.ListActiveExams(candidate.ID).Slice(ctx)
}

// An Entry is an exam of the catalogue.
type Entry struct {
	ID          string
	Title       string
	Description string
	Questions   int
	PassMark    int
	Practice    bool
	Count       int    // questions of an exam; 0 if the candidate chooses
	Difficulty  string // of an exam; "" if the candidate chooses
	MaxAttempts int    // 0 without a limit
	Navigation  string
	OpensAt     *time.Time
	LastStartAt *time.Time
	ClosesAt    *time.Time
}

// Catalogue returns the exams that a candidate may sit, newest first.
func (s *Service) Catalogue(ctx context.Context, candidate exambuddy.Candidate, limit int, cursor string) (access.Page[Entry], error) {
	groups, err := s.people.GroupsOf(ctx, candidate.ID)
	if err != nil {
		return access.Page[Entry]{}, err
	}
	page, err := s.bank.Catalogue(ctx, groups, limit, cursor)
	if err != nil {
		return access.Page[Entry]{}, err
	}
	out := access.Page[Entry]{Next: page.Next}
	for _, p := range page.Items {
		e := Entry{
			ID: p.ProjectID, Title: p.Title, Description: p.Description, Questions: int(p.QuestionCount), PassMark: int(p.PassMark), Practice: p.Rules.Practice,
			Navigation: p.Rules.Navigation, OpensAt: p.Rules.OpensAt, LastStartAt: p.Rules.LastStartAt, ClosesAt: p.Rules.ClosesAt,
		}
		if p.Rules.ExamCount != nil {
			e.Count = int(*p.Rules.ExamCount)
		}
		if p.Rules.ExamDifficulty != nil {
			e.Difficulty = *p.Rules.ExamDifficulty
		}
		if p.Rules.MaxAttempts != nil {
			e.MaxAttempts = int(*p.Rules.MaxAttempts)
		}
		out.Items = append(out.Items, e)
	}
	return out, nil
}

// Running returns the sessions of an exam that run now, for its admin.
func (s *Service) Running(ctx context.Context, admin exambuddy.Admin, projectID string) ([]exambuddydb.ExamSession, error) {
	if _, err := s.bank.Project(ctx, admin, projectID); err != nil {
		return nil, err
	}
	active, err := s.env.DB.ListSittings(projectID).Slice(ctx)
	if err != nil || len(active) == 0 {
		return nil, err
	}
	ids := make([]string, len(active))
	for i, a := range active {
		ids[i] = a.AttemptID
	}
	found, err := s.env.DB.GetSessions(ctx, ids)
	if err != nil {
		return nil, err
	}
	var all []exambuddydb.ExamSession
	for _, session := range found {
		if session != nil && session.Status == exambuddydb.ExamSessionStatusStarted {
			all = append(all, *session)
		}
	}
	return all, nil
}

// Extend gives a running session more time, with a message to its candidate. A repeated request extends it
// once.
func (s *Service) Extend(ctx context.Context, admin exambuddy.Admin, id string, more time.Duration, notice string, repeat exambuddy.Repeat) error {
	if !exambuddy.IsID(id) {
		return exambuddy.ErrNoSession
	}
	if more < time.Second || more > 4*time.Hour {
		return refusal.OfField(refusal.Field{Name: "seconds", Constraint: "range", Min: new(1), Max: new(4 * 3600)}, "The extra time is one second to four hours.")
	}
	request := repeat.Request(admin.ID, "extend session "+id)
	_, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return id, s.extend(ctx, admin, id, more, notice, request) })
	return err
}

// extend stores more time with the receipt of the request.
func (s *Service) extend(ctx context.Context, admin exambuddy.Admin, id string, more time.Duration, notice string, request receipt.Request) error {
	session, err := s.env.DB.GetSession(ctx, id)
	if err != nil {
		return exambuddy.Missing(err, exambuddy.ErrNoSession)
	}
	if _, err := s.bank.Project(ctx, admin, session.ProjectID); err != nil {
		return exambuddy.ErrNoSession
	}
	if session.Status != exambuddydb.ExamSessionStatusStarted {
		return refusal.New(refusal.Gone, exambuddy.CodeOver, "The candidate has already handed in.")
	}
	longer := session
	longer.ExtraSeconds += int64(more / time.Second)
	if session.ClosesAt != nil {
		longer.ClosesAt = new(session.ClosesAt.Add(more))
	}
	tx := s.env.DB.Tx()
	tx.ExtendSession(session.Key(), expires(longer), exambuddydb.ExtendSessionParams{Notice: &notice, ClosesAt: longer.ClosesAt, More: int64(more / time.Second), OldExpiresAt: session.ExpiresAt})
	s.env.Audit.Record(tx, audit.Event{Actor: admin.ID, Action: "extend session", Target: id, About: session.ProjectID, Detail: map[string]string{"more": more.String()}})
	if err := s.env.Receipts.Add(tx, request, id); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		if exambuddy.Changed[exambuddydb.ExamSession](err) {
			return exambuddy.ErrChanged
		}
		return fmt.Errorf("extend session %s: %w", id, err)
	}
	return nil
}
