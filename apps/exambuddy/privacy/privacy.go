// Package privacy is the room of ExamBuddy's domain for the rights of a person over their data: a
// copy of everything about a candidate, and its deletion. Statistics hold sums without names and stay.
//
// It makes no pages and deletes no account: package accounts of the platform does, and calls Erase in
// the same transaction. The worker deletes the rest through Forget.
package privacy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/learning"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// A Service holds the rules of privacy.
type Service struct {
	env      *exambuddy.Env
	bank     *bank.Service
	sitting  *sitting.Service
	results  *results.Service
	learning *learning.Service
}

// New returns the privacy of an environment.
func New(env *exambuddy.Env, bank *bank.Service, sitting *sitting.Service, results *results.Service, learning *learning.Service) *Service {
	return &Service{env: env, bank: bank, sitting: sitting, results: results, learning: learning}
}

// Data is everything about a candidate.
type Data struct {
	Name       string
	Email      string
	TimeFactor int // per cent; 0 without one
	Groups     []string
	Attempts   []Attempt
	Cards      []Card
}

// An Attempt is a result of a candidate. Its answers have no keys: they may not be shown yet.
type Attempt struct {
	Exam        string
	Mode        string
	StartedAt   time.Time
	CompletedAt time.Time
	ScoreTenths int64
	Passed      bool
	Answers     []Answer
}

// An Answer holds the answer of a candidate to a question.
type Answer struct {
	Question string
	Given    string
	Spent    time.Duration
	Accepted bool
}

// A Card says when a question is due in practice.
type Card struct {
	QuestionID string
	Reviews    int64
	ReviewedAt time.Time
	DueAt      time.Time
}

// Export returns everything about a candidate.
func (s *Service) Export(ctx context.Context, candidate exambuddy.Candidate) (Data, error) {
	data := Data{Name: candidate.Name, Email: candidate.Email}
	factor, err := s.env.DB.GetTimeFactor(ctx, candidate.ID)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return Data{}, err
	}
	data.TimeFactor = int(factor.Percent)
	for member, err := range s.env.DB.ListGroupsByCandidate(candidate.ID).Limit(0).All(ctx) {
		if err != nil {
			return Data{}, err
		}
		data.Groups = append(data.Groups, member.GroupID)
	}
	for attempt, err := range s.env.DB.ListAttemptsByCandidate(candidate.ID).Limit(0).All(ctx) {
		if err != nil {
			return Data{}, err
		}
		one, err := s.attempt(ctx, attempt)
		if err != nil {
			return Data{}, err
		}
		data.Attempts = append(data.Attempts, one)
	}
	for card, err := range s.env.DB.ListCards(candidate.ID).Limit(0).All(ctx) {
		if err != nil {
			return Data{}, err
		}
		data.Cards = append(data.Cards, Card{QuestionID: card.QuestionID, Reviews: card.Reviews, ReviewedAt: card.ReviewedAt, DueAt: card.DueAt})
	}
	return data, nil
}

func (s *Service) attempt(ctx context.Context, a exambuddydb.Attempt) (Attempt, error) {
	out := Attempt{Exam: a.ProjectTitle, Mode: string(a.Mode), StartedAt: a.StartedAt, CompletedAt: a.CompletedAt, ScoreTenths: a.ScoreTenths, Passed: a.Passed}
	loaded, err := s.env.DB.LoadSession(ctx, a.AttemptID)
	if err != nil {
		return Attempt{}, fmt.Errorf("read attempt %s: %w", a.AttemptID, err)
	}
	marked, _, err := exambuddy.Grade(loaded.PaperQuestions, loaded.AnswerSelections)
	if err != nil {
		return Attempt{}, err
	}
	for _, m := range marked {
		answer := Answer{Question: m.Question.Text, Given: question.Describe(m.Question, m.Given)}
		if m.Answer != nil {
			answer.Spent, answer.Accepted = time.Duration(m.Answer.TimeSpentMs)*time.Millisecond, m.Answer.Accepted
		}
		out.Answers = append(out.Answers, answer)
	}
	return out, nil
}

// Erase queues the deletion of everything about a person in the transaction that deletes the account.
func (s *Service) Erase(tx access.Tx, account platformdb.Account, _ json.RawMessage) error {
	return s.env.Jobs.AddTo(tx, jobs.Job{ID: exambuddy.JobErase + "/" + account.AccountID, Kind: exambuddy.JobErase, Payload: exambuddy.JobPayload{PersonID: account.AccountID}})
}

// Forget deletes what is left of a person whose account is erased: the profile, running sessions,
// attempts with their papers and answers, certificates, cards, the time factor and memberships of groups. The exams
// of an admin are archived. The worker calls it; it can be repeated.
func (s *Service) Forget(ctx context.Context, personID string) error {
	user, err := s.env.DB.GetUserByID(ctx, personID)
	if err == nil {
		err = s.env.DB.DeleteUser(ctx, user.Key(), exambuddydb.DeleteUserParams{Version: user.Version})
	}
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("delete the profile of %s: %w", personID, err)
	}
	active, err := s.env.DB.ListActiveExams(personID).Slice(ctx)
	if err != nil {
		return err
	}
	for _, a := range active {
		err := s.sitting.Cancel(ctx, exambuddy.Candidate{ID: personID}, a.AttemptID)
		if err != nil && !errors.Is(err, exambuddy.ErrOver) && !errors.Is(err, exambuddy.ErrNoSession) {
			return err
		}
	}
	for attempt, err := range s.env.DB.ListAttemptsByCandidate(personID).Limit(0).All(ctx) {
		if err == nil {
			err = s.results.Delete(ctx, attempt)
		}
		if err != nil {
			return fmt.Errorf("delete the attempts of %s: %w", personID, err)
		}
	}
	if err := s.learning.Forget(ctx, personID); err != nil {
		return err
	}
	if err := s.memberships(ctx, personID); err != nil {
		return err
	}
	return s.archive(ctx, personID)
}

func (s *Service) memberships(ctx context.Context, personID string) error {
	for taken, err := range s.env.DB.ListTaken(personID).Limit(0).All(ctx) {
		if err == nil {
			err = s.env.DB.DeleteTaken(ctx, taken.Key())
		}
		if err != nil {
			return err
		}
	}
	for member, err := range s.env.DB.ListGroupsByCandidate(personID).Limit(0).All(ctx) {
		if err == nil {
			err = s.env.DB.RemoveGroupMember(ctx, exambuddydb.RemoveGroupMemberParams{CandidateID: personID, GroupID: member.GroupID, AdminID: member.AdminID})
		}
		if err != nil && !errors.Is(err, access.ErrNotFound) {
			return err
		}
	}
	return s.env.DB.DeleteTimeFactor(ctx, exambuddydb.TimeFactorKey{CandidateID: personID})
}

// archive hides the exams of an admin from candidates. Their results belong to candidates, and stay.
func (s *Service) archive(ctx context.Context, personID string) error {
	admin, active := exambuddy.Admin{ID: personID}, false
	for cursor := ""; ; {
		page, err := s.bank.List(ctx, admin, &active, exambuddy.MaxPage, cursor)
		if err != nil {
			return err
		}
		for _, project := range page.Items {
			if _, err := s.bank.Archive(ctx, admin, project.ProjectID); err != nil {
				return fmt.Errorf("archive project %s: %w", project.ProjectID, err)
			}
		}
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
}
