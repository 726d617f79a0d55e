// Package learning is the room of ExamBuddy's domain for what candidates remember: a card for each
// question that a candidate has answered, when it is due again, and the topics in which a candidate
// is weak. The schedule is that of package practice.
//
// It draws no papers and sees no keys: a practice session is started in package sitting with the
// questions that this package names. The worker feeds it with attempts; the doors call it for
// candidates.
package learning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/practice"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
)

// A Service holds the rules of learning.
type Service struct {
	env     *exambuddy.Env
	bank    *bank.Service
	people  *people.Service
	results *results.Service
}

// New returns the learning of an environment.
func New(env *exambuddy.Env, bank *bank.Service, people *people.Service, results *results.Service) *Service {
	return &Service{env: env, bank: bank, people: people, results: results}
}

// again is the time after which an attempt is looked at again whose answers are still hidden although
// their time has come.
const again = 5 * time.Minute

// Learn updates the cards of the questions that a candidate answered in an attempt, if the candidate
// may see the right answers: the date at which a card is due says whether the answer was right. If they are
// shown later, a job does it then; if they never are, there are no cards until the rules change. Learn can be called any
// number of times with the same attempt.
func (s *Service) Learn(ctx context.Context, attempt exambuddydb.Attempt) error {
	later, err := s.learnIfShown(ctx, attempt)
	if err != nil || later == nil {
		return err
	}
	if _, err := s.env.Jobs.Add(ctx, learnJob(attempt, *later)); err != nil {
		return fmt.Errorf("queue the cards of attempt %s: %w", attempt.AttemptID, err)
	}
	return nil
}

// RunLearn runs the job of Learn. If the answers are still hidden, the job follows itself later.
func (s *Service) RunLearn(ctx context.Context, candidateID, attemptID string) error {
	attempt, err := s.env.DB.GetAttempt(ctx, candidateID, attemptID)
	if errors.Is(err, access.ErrNotFound) {
		return nil // deleted
	}
	if err != nil {
		return err
	}
	later, err := s.learnIfShown(ctx, attempt)
	if err != nil || later == nil {
		return err
	}
	due := s.env.Now().Add(again)
	if later.After(due) {
		due = *later
	}
	return jobs.Next(learnJob(attempt, due))
}

// RunRelearn runs Learn for all attempts of an exam whose answers were never shown until now.
func (s *Service) RunRelearn(ctx context.Context, projectID string) error {
	for attempt, err := range s.env.DB.ListAttemptsByProject(projectID, time.Unix(0, 0), s.env.Now()).Limit(0).All(ctx) {
		if err == nil {
			err = s.Learn(ctx, attempt)
		}
		if err != nil {
			return fmt.Errorf("make the cards of project %s: %w", projectID, err)
		}
	}
	return nil
}

// learnIfShown updates the cards of an attempt whose answers are shown. It returns the earliest time at which
// they are shown if they are still hidden, and nil if there is nothing more to do.
func (s *Service) learnIfShown(ctx context.Context, attempt exambuddydb.Attempt) (later *time.Time, err error) {
	reveal, err := s.results.Reveal(ctx, attempt)
	switch {
	case err != nil:
		return nil, err
	case reveal.Shown:
		return nil, s.learn(ctx, attempt)
	}
	return reveal.At, nil
}

func learnJob(attempt exambuddydb.Attempt, due time.Time) jobs.Job {
	return jobs.Job{
		ID: exambuddy.JobLearn + "/" + attempt.AttemptID, Kind: exambuddy.JobLearn, Due: due,
		Payload: exambuddy.JobPayload{PersonID: attempt.CandidateID, AttemptID: attempt.AttemptID},
	}
}

// learn updates the cards of an attempt.
func (s *Service) learn(ctx context.Context, attempt exambuddydb.Attempt) error {
	loaded, err := s.env.DB.LoadSession(ctx, attempt.AttemptID)
	if errors.Is(err, access.ErrNotFound) {
		return nil // deleted
	}
	if err != nil {
		return err
	}
	marked, _, err := exambuddy.Grade(loaded.PaperQuestions, loaded.AnswerSelections)
	if err != nil {
		return err
	}
	exam := attempt.Mode == exambuddydb.AttemptModeExam // in practice an empty answer says: I do not know
	marked = slices.DeleteFunc(marked, func(m exambuddy.Marked) bool {
		return m.Answer == nil || m.Paper.Dropped || exam && m.Given.Empty()
	})
	if len(marked) == 0 {
		return nil
	}
	ids := make([]string, len(marked))
	for i, m := range marked {
		ids[i] = m.Paper.QuestionID
	}
	stored, err := s.env.DB.GetCards(ctx, attempt.CandidateID, ids)
	if err != nil {
		return fmt.Errorf("read the cards of attempt %s: %w", attempt.AttemptID, err)
	}
	for i, m := range marked {
		if err := s.review(ctx, attempt, m, stored[i]); err != nil {
			return err
		}
	}
	return nil
}

// review saves the card of a question after an answer, unless a newer review is known.
func (s *Service) review(ctx context.Context, attempt exambuddydb.Attempt, m exambuddy.Marked, stored *exambuddydb.Card) error {
	var before practice.Card
	if stored != nil {
		if !stored.ReviewedAt.Before(attempt.CompletedAt) {
			return nil
		}
		before = cardOf(*stored)
	}
	spent, limit := time.Duration(m.Answer.TimeSpentMs)*time.Millisecond, time.Duration(m.Paper.TimeLimitSeconds)*time.Second
	after := before.Review(practice.GradeOf(m.Mark, spent, limit), attempt.CompletedAt)
	due := after.Due(practice.Retention).Add(time.Millisecond) // stored in whole milliseconds, and not before it is due
	_, err := s.env.DB.SaveCard(ctx, exambuddydb.CardKey{CandidateID: attempt.CandidateID, QuestionID: m.Paper.QuestionID}, due, exambuddydb.SaveCardParams{
		ProjectID: attempt.ProjectID, Tags: m.Paper.Tags, Stability: after.Stability, Hardness: after.Difficulty, Reviews: int64(after.Reviews), Lapses: int64(after.Lapses), ReviewedAt: attempt.CompletedAt,
	})
	if exambuddy.Changed[exambuddydb.Card](err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("save a card of attempt %s: %w", attempt.AttemptID, err)
	}
	return nil
}

// cardOf returns the card that was stored. Only a question that was not known is due so soon.
func cardOf(c exambuddydb.Card) practice.Card {
	return practice.Card{Stability: c.Stability, Difficulty: c.Hardness, Last: c.ReviewedAt, Reviews: int(c.Reviews), Lapses: int(c.Lapses), Missed: c.DueAt.Sub(c.ReviewedAt) < 2*practice.Relearn}
}

// A Deck holds the questions of an exam that a candidate should practise.
type Deck struct {
	ProjectID string
	Title     string
	Due       int      // all that are due
	Questions []string // those to practise now, the least remembered first
}

// A Plan says what a candidate should practise.
type Plan struct {
	Decks  []Deck // the exam with the most due questions first
	Known  int    // questions with a card
	Missed int    // of them, those whose last answer was wrong
	Topics []practice.Topic
	// NextAt is when the next question is due; nil if there is none, or if some are due now.
	NextAt *time.Time
}

// MaxDeck is the number of questions to practise at once.
const MaxDeck = 20

// Plan returns what a candidate should practise. Exams that the candidate no longer sees, or that
// allow no practice, are left out.
func (s *Service) Plan(ctx context.Context, candidate exambuddy.Candidate) (Plan, error) {
	groups, err := s.people.GroupsOf(ctx, candidate.ID)
	if err != nil {
		return Plan{}, err
	}
	now, byProject := s.env.Now(), map[string][]exambuddydb.Card{}
	for card, err := range s.env.DB.ListCards(candidate.ID).Limit(0).All(ctx) {
		if err != nil {
			return Plan{}, fmt.Errorf("list the cards of %s: %w", candidate.ID, err)
		}
		byProject[card.ProjectID] = append(byProject[card.ProjectID], card)
	}
	var plan Plan
	var answered []practice.Answered
	for projectID, cards := range byProject {
		project, err := s.bank.Published(ctx, projectID)
		if _, missing := refusal.As(err, refusal.NotFound); missing || err == nil && (!project.Rules.Practice || !bank.Visible(project, groups)) {
			continue
		}
		if err != nil {
			return Plan{}, err
		}
		if cards, err = s.existing(ctx, projectID, cards); err != nil {
			return Plan{}, err
		}
		plan.Known += len(cards)
		for _, card := range cards {
			if cardOf(card).Missed {
				plan.Missed++
			}
			answered = append(answered, practice.Answered{Tags: card.Tags, Mark: int(math.Round(cardOf(card).Known(now) * question.Full))})
			if card.DueAt.After(now) && (plan.NextAt == nil || card.DueAt.Before(*plan.NextAt)) {
				plan.NextAt = &card.DueAt
			}
		}
		if deck := deckOf(project, cards, now); deck.Due > 0 {
			plan.Decks = append(plan.Decks, deck)
		}
	}
	slices.SortFunc(plan.Decks, func(a, b Deck) int {
		if a.Due != b.Due {
			return b.Due - a.Due
		}
		return compare(a.ProjectID, b.ProjectID)
	})
	if len(plan.Decks) > 0 {
		plan.NextAt = nil
	}
	plan.Topics = practice.Topics(answered)
	return plan, nil
}

func compare(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

// existing returns the cards whose questions are still in the exam.
func (s *Service) existing(ctx context.Context, projectID string, cards []exambuddydb.Card) ([]exambuddydb.Card, error) {
	here := map[string]bool{}
	for row, err := range s.env.DB.ListQuestionTable(projectID).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the questions of project %s: %w", projectID, err)
		}
		here[row.QuestionID] = true
	}
	return slices.DeleteFunc(cards, func(c exambuddydb.Card) bool { return !here[c.QuestionID] }), nil
}

func deckOf(project exambuddydb.Project, cards []exambuddydb.Card, now time.Time) Deck {
	deck := Deck{ProjectID: project.ProjectID, Title: project.Title}
	var items []practice.Item
	for _, card := range cards {
		if !card.DueAt.After(now) {
			deck.Due++
		}
		items = append(items, practice.Item{ID: card.QuestionID, Card: cardOf(card)})
	}
	deck.Questions = practice.Pick(items, now, practice.Options{Reviews: MaxDeck})
	return deck
}

// Forget deletes the cards of a candidate whose account is erased. The worker calls it.
func (s *Service) Forget(ctx context.Context, candidateID string) error {
	var keys []exambuddydb.CardKey
	for card, err := range s.env.DB.ListCards(candidateID).Limit(0).All(ctx) {
		if err != nil {
			return fmt.Errorf("list the cards of %s: %w", candidateID, err)
		}
		keys = append(keys, card.Key())
	}
	if len(keys) == 0 {
		return nil
	}
	return s.env.DB.DeleteCardBatch(ctx, keys)
}
