package privacy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/question"
)

// Data is everything about a person. Roles change, so that an admin may have attempts, too.
type Data struct {
	Name        string
	Email       string
	Role        string
	TimeFactors []people.GrantedFactor
	Groups      []string  // the names of the groups in which the person is
	Attempts    []Attempt // newest first
	Cards       []Card
	Exams       []Exam   // that the person has built, newest first
	OwnGroups   []string // the names of the groups that the person has made
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

// An Exam is an exam that a person has built. Its questions can be exported at its own page.
type Exam struct {
	Title       string
	Description string
	Status      string
	Questions   int64
	CreatedAt   time.Time
}

// Export returns everything about a person of any role.
func (s *Service) Export(ctx context.Context, person exambuddy.Caller) (Data, error) {
	data := Data{Name: person.Name, Email: person.Email, Role: string(person.Role)}
	var err error
	if data.TimeFactors, err = s.people.TimeFactors(ctx, person.ID); err != nil {
		return Data{}, err
	}
	for attempt, err := range s.env.DB.ListAttemptsByCandidate(person.ID).Limit(0).All(ctx) {
		if err != nil {
			return Data{}, err
		}
		one, err := s.attempt(ctx, attempt)
		if err != nil {
			return Data{}, err
		}
		data.Attempts = append(data.Attempts, one)
	}
	for card, err := range s.env.DB.ListCards(person.ID).Limit(0).All(ctx) {
		if err != nil {
			return Data{}, err
		}
		data.Cards = append(data.Cards, Card{QuestionID: card.QuestionID, Reviews: card.Reviews, ReviewedAt: card.ReviewedAt, DueAt: card.DueAt})
	}
	for project, err := range s.env.DB.ListProjectsByAdmin(person.ID).Limit(0).All(ctx) {
		if err != nil {
			return Data{}, err
		}
		data.Exams = append(data.Exams, Exam{Title: project.Title, Description: project.Description, Status: string(project.Status), Questions: project.QuestionCount, CreatedAt: project.CreatedAt})
	}
	return data, s.groups(ctx, person.ID, &data)
}

// groups adds the groups of a person to the data.
func (s *Service) groups(ctx context.Context, personID string, data *Data) error {
	for member, err := range s.env.DB.ListGroupsByCandidate(personID).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		group, err := s.env.DB.GetGroup(ctx, member.AdminID, member.GroupID)
		if errors.Is(err, access.ErrNotFound) {
			continue // its deletion is under way
		}
		if err != nil {
			return err
		}
		data.Groups = append(data.Groups, group.Name)
	}
	for group, err := range s.env.DB.ListGroupsByAdmin(personID).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		data.OwnGroups = append(data.OwnGroups, group.Name)
	}
	return nil
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
