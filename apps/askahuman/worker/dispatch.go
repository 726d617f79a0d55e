package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// dispatch notifies people of a new question. People that an earlier attempt of the job
// notified count.
func (w *Worker) dispatch(ctx context.Context, payload askahuman.JobPayload, again bool) error {
	q, err := w.openQuestion(ctx, payload.QuestionID)
	if err != nil || q == nil {
		return err
	}
	if q.CallbackURL != nil && !w.following.Load() {
		// Without streams, a job polls for the end of the question.
		job, err := w.watchJob(q.QuestionID, 1, w.now())
		if err != nil {
			return err
		}
		if _, err := w.db.QueueJob(ctx, job); err != nil && !errors.Is(err, access.ErrExists) {
			return fmt.Errorf("queue job %s: %w", job.JobID, err)
		}
	}
	chosen := int(q.NotifiedCount)
	if again {
		// NotifiedCount is written after the notifications; the record of each recipient
		// before.
		pushes, err := w.db.ListPushesForQuestion(q.QuestionID).Limit(0).Count(ctx)
		if err != nil {
			return fmt.Errorf("count notifications of question %s: %w", q.QuestionID, err)
		}
		chosen = max(chosen, int(pushes))
	}
	return w.notifyFor(ctx, *q, wanted(*q)-chosen)
}

// catchUp notifies more people of a question that lacks answers, and schedules the next
// catch-up.
func (w *Worker) catchUp(ctx context.Context, payload askahuman.JobPayload) error {
	q, err := w.openQuestion(ctx, payload.QuestionID)
	if err != nil || q == nil {
		return err
	}
	if err := w.notifyFor(ctx, *q, wanted(*q)); err != nil {
		return err
	}
	next, err := w.domain.Questions.CatchUpJob(*q)
	if err != nil || next == nil {
		return err
	}
	return &nextJob{*next}
}

// openQuestion returns a question that people can be notified of; nil if it is over or hidden.
func (w *Worker) openQuestion(ctx context.Context, id string) (*askahumandb.Question, error) {
	q, err := w.domain.Questions.Question(ctx, id)
	switch {
	case errors.Is(err, askahuman.ErrNoQuestion):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read question %s: %w", id, err)
	case over(q) || q.Hidden:
		return nil, nil
	}
	return &q, nil
}

// over reports whether a question accepts no more answers.
func over(q askahumandb.Question) bool {
	return q.Status == askahumandb.QuestionStatusClosed || q.Status == askahumandb.QuestionStatusExpired
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
func (w *Worker) notifyFor(ctx context.Context, q askahumandb.Question, target int) error {
	if target <= 0 {
		return nil
	}
	eligible, err := w.eligible(ctx, q)
	if err != nil {
		return err
	}
	people := w.shuffled(peopleOf(eligible))
	for target > 0 && len(people) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		some := people[:min(target, len(people))]
		people = people[len(some):]
		if some, err = w.withoutIneligible(ctx, q, some); err != nil {
			return err
		}
		taken, err := w.notifyAll(ctx, q, some)
		if err != nil {
			return err
		}
		target -= taken
	}
	return nil
}

// eligible returns the subscriptions that are eligible now and match a question.
func (w *Worker) eligible(ctx context.Context, q askahumandb.Question) ([]askahumandb.Subscription, error) {
	var fitting []askahumandb.Subscription
	for s, err := range w.db.ListEligible(w.now()).Limit(eligibleRead).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list eligible subscriptions: %w", err)
		}
		if fits(s, q) {
			fitting = append(fitting, s)
		}
		if len(fitting) == eligibleMost {
			break
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
func (w *Worker) shuffled(people []recipient) []recipient {
	for i := len(people) - 1; i > 0; i-- {
		j := int(w.Random() * float64(i+1))
		people[i], people[j] = people[j], people[i]
	}
	return people
}

// withoutIneligible removes people who have answered the question and people whose answers do
// not count.
func (w *Worker) withoutIneligible(ctx context.Context, q askahumandb.Question, people []recipient) ([]recipient, error) {
	answers := make([]askahumandb.ResponseKey, len(people))
	stats := make([]askahumandb.UserStatsKey, len(people))
	for i, p := range people {
		answers[i] = askahumandb.ResponseKey{QuestionID: q.QuestionID, FingerprintHash: p.hash}
		stats[i] = askahumandb.UserStatsKey{FingerprintHash: p.hash}
	}
	cannot := make(map[string]bool)
	answered, err := w.db.GetOwnResponseBatch(ctx, answers)
	if err != nil {
		return nil, fmt.Errorf("read answers of recipients: %w", err)
	}
	for _, a := range answered {
		cannot[a.FingerprintHash] = true
	}
	known, err := w.db.GetUserStatsBatch(ctx, stats)
	if err != nil {
		return nil, fmt.Errorf("read moderation status of recipients: %w", err)
	}
	for _, s := range known {
		if s.Standing != askahumandb.UserStatsStandingGood {
			cannot[s.FingerprintHash] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(people), func(p recipient) bool { return cannot[p.hash] }), nil
}
