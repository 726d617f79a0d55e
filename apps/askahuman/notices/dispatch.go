package notices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
)

// dispatch runs a job: it notifies people of a new question. People that an earlier attempt of
// the job notified count.
func (s *Service) dispatch(ctx context.Context, job jobs.Job) error {
	q, err := s.openQuestion(ctx, job)
	if err != nil || q == nil {
		return err
	}
	chosen := int(q.NotifiedCount)
	if job.Tries > 1 {
		// NotifiedCount is written after the notifications; the record of each recipient
		// before.
		pushes, err := s.env.DB.ListPushesForQuestion(q.QuestionID).Limit(0).Count(ctx)
		if err != nil {
			return fmt.Errorf("count notifications of question %s: %w", q.QuestionID, err)
		}
		chosen = max(chosen, int(pushes))
	}
	return s.notifyFor(ctx, *q, wanted(*q)-chosen)
}

// catchUp runs a job: it notifies more people of a question that lacks answers, and schedules
// the next catch-up.
func (s *Service) catchUp(ctx context.Context, job jobs.Job) error {
	q, err := s.openQuestion(ctx, job)
	if err != nil || q == nil {
		return err
	}
	if err := s.notifyFor(ctx, *q, wanted(*q)); err != nil {
		return err
	}
	if next := s.questions.CatchUpJob(*q); next != nil {
		return jobs.Next(*next)
	}
	return nil
}

// openQuestion returns the question of a job if people can be notified of it; nil if it is over
// or hidden.
func (s *Service) openQuestion(ctx context.Context, job jobs.Job) (*askahumandb.Question, error) {
	payload, err := jobs.Payload[askahuman.JobPayload](job)
	if err != nil {
		return nil, err
	}
	q, err := s.questions.Question(ctx, payload.QuestionID)
	switch {
	case errors.Is(err, askahuman.ErrNoQuestion):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read question %s: %w", payload.QuestionID, err)
	case !questions.IsOpen(q.Status) || q.Hidden:
		return nil, nil
	}
	return &q, nil
}

// wanted returns the number of people to notify for the answers a question still needs.
func wanted(q askahumandb.Question) int {
	return int(max(q.RequiredResponses-q.CurrentResponses, 0)) * askahuman.NotifyFactor
}

// eligibleMost bounds the people to choose from at random. They have waited longest, so
// everyone gets a turn. eligibleRead bounds the subscriptions read to find them: subscriptions
// with a narrow audience wait long and must not block those behind them.
const (
	eligibleMost = 500
	eligibleRead = 10_000
)

// notifyFor notifies target people of a question, chosen at random among the eligible ones.
func (s *Service) notifyFor(ctx context.Context, q askahumandb.Question, target int) error {
	if target <= 0 {
		return nil
	}
	eligible, err := s.eligible(ctx, q)
	if err != nil {
		return err
	}
	people := s.shuffled(peopleOf(eligible))
	for target > 0 && len(people) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		some := people[:min(target, len(people))]
		people = people[len(some):]
		if some, err = s.withoutIneligible(ctx, q, some); err != nil {
			return err
		}
		taken, err := s.notifyAll(ctx, q, some)
		if err != nil {
			return err
		}
		target -= taken
	}
	return nil
}

// eligible returns the subscriptions that are eligible now and match a question.
func (s *Service) eligible(ctx context.Context, q askahumandb.Question) ([]askahumandb.Subscription, error) {
	var fitting []askahumandb.Subscription
	for _, part := range s.env.PartsFor(q.QuestionID) {
		for one, err := range s.env.DB.ListEligible(part, s.env.Now()).Limit(eligibleRead).All(ctx) {
			if err != nil {
				return nil, fmt.Errorf("list eligible subscriptions: %w", err)
			}
			if fits(one, q) {
				fitting = append(fitting, one)
			}
			if len(fitting) == eligibleMost {
				return fitting, nil
			}
		}
	}
	return fitting, nil
}

// fits reports whether a subscription's audience matches a question.
func fits(s askahumandb.Subscription, q askahumandb.Question) bool {
	return len(s.Audience) == 0 ||
		slices.ContainsFunc(s.Audience, func(tag string) bool { return slices.Contains(q.Audience, tag) })
}

// A recipient is a person to notify, through the first of these subscriptions.
type recipient struct {
	hash string
	by   []askahumandb.Subscription
}

// peopleOf groups subscriptions by person. A device is preferred to the inbox.
func peopleOf(eligible []askahumandb.Subscription) []recipient {
	var people []recipient
	places := make(map[string]int)
	for _, s := range eligible {
		place, known := places[s.FingerprintHash]
		if !known {
			place = len(people)
			places[s.FingerprintHash] = place
			people = append(people, recipient{hash: s.FingerprintHash})
		}
		people[place].by = append(people[place].by, s)
	}
	for _, p := range people {
		slices.SortStableFunc(p.by, func(a, b askahumandb.Subscription) int { return strings.Compare(preference(a), preference(b)) })
	}
	return people
}

func preference(s askahumandb.Subscription) string {
	if s.Channel == askahumandb.SubscriptionChannelInbox {
		return "last"
	}
	return "first"
}

// shuffled shuffles people in place (Fisher and Yates).
func (s *Service) shuffled(people []recipient) []recipient {
	for i := len(people) - 1; i > 0; i-- {
		j := int(s.random() * float64(i+1))
		people[i], people[j] = people[j], people[i]
	}
	return people
}

// withoutIneligible removes people who have answered the question and people whose answers do
// not count.
func (s *Service) withoutIneligible(ctx context.Context, q askahumandb.Question, people []recipient) ([]recipient, error) {
	answers := make([]askahumandb.ResponseKey, len(people))
	stats := make([]askahumandb.UserStatsKey, len(people))
	for i, p := range people {
		answers[i] = askahumandb.ResponseKey{QuestionID: q.QuestionID, FingerprintHash: p.hash}
		stats[i] = askahumandb.UserStatsKey{FingerprintHash: p.hash}
	}
	cannot := make(map[string]bool)
	answered, err := s.env.DB.GetOwnResponseBatch(ctx, answers)
	if err != nil {
		return nil, fmt.Errorf("read answers of recipients: %w", err)
	}
	for _, a := range answered {
		cannot[a.FingerprintHash] = true
	}
	known, err := s.env.DB.GetUserStatsBatch(ctx, stats)
	if err != nil {
		return nil, fmt.Errorf("read moderation status of recipients: %w", err)
	}
	for _, person := range known {
		if person.Standing != askahumandb.UserStatsStandingGood {
			cannot[person.FingerprintHash] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(people), func(p recipient) bool { return cannot[p.hash] }), nil
}
