// Package worker runs the background work of HomeOps: it has messages understood, sends what the
// bot decided to say, settles what was answered or ignored, closes days and weeks, reminds of
// promises and erases members. Everything is a job of the platform's queue: any number of processes
// run it on the same tables, a job whose worker crashed is taken over, and every handler may run
// twice. The rules are in the rooms of the domain. Package server starts the worker.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/conversation"
	"sortkey.dev/apps/homeops/domain"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
)

// A Bot sends to Telegram; a *telegram.Client is one. The errors are *telegram.Error if Telegram
// says why not.
type Bot interface {
	Send(ctx context.Context, m telegram.SendMessage, d telegram.Delivery) (telegram.Message, error)
	React(ctx context.Context, chat, message int64, reactions ...telegram.ReactionType) error
	AnswerCallback(ctx context.Context, id, text string) error
}

// Options configures a Worker. Env, Bot and Conversation.Classifier are required.
type Options struct {
	Env          *homeops.Env
	Bot          Bot
	Conversation conversation.Options
}

// A Worker runs the background work of one process.
type Worker struct {
	env          *homeops.Env
	domain       *domain.Domain
	conversation *conversation.Service
	bot          Bot
}

// New returns a worker and registers the handlers of its jobs.
func New(options Options) (*Worker, error) {
	if options.Env == nil || options.Bot == nil {
		return nil, errors.New("worker: a worker needs an environment and a bot")
	}
	d := domain.New(options.Env)
	talk, err := conversation.New(options.Env, conversation.Rooms{
		Households: d.Households, Vocabulary: d.Vocabulary, Ledger: d.Ledger, Policy: d.Policy, Insights: d.Insights,
	}, options.Conversation)
	if err != nil {
		return nil, err
	}
	w := &Worker{env: options.Env, domain: d, conversation: talk, bot: options.Bot}
	for kind, handler := range map[string]jobs.Handler{
		homeops.JobMessage: w.message, homeops.JobUpdate: w.update, homeops.JobSend: w.send, homeops.JobSettle: w.settle,
		homeops.JobPromise: w.promise, homeops.JobDay: w.day, homeops.JobWeek: w.week, homeops.JobSweep: w.sweep, homeops.JobErase: w.erase,
	} {
		options.Env.Handle(kind, handler)
	}
	return w, nil
}

// Conversation returns the room that understands messages, for the page on which it is tried.
func (w *Worker) Conversation() *conversation.Service { return w.conversation }

// Start queues the jobs that exist once for the system.
func (w *Worker) Start(ctx context.Context) error {
	_, err := w.env.Jobs.Add(ctx, homeops.SweepJob(w.env.Now()))
	return err
}

func (w *Worker) settle(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[homeops.MessageRef](job)
	if err != nil {
		return err
	}
	return w.domain.Policy.Settle(ctx, ref.ChatID, ref.OutKey)
}

// promise reminds of a promise or expires it, and looks again later.
func (w *Worker) promise(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[homeops.PromiseRef](job)
	if err != nil {
		return err
	}
	again, err := w.domain.Planner.Due(ctx, ref.UserID, ref.PromiseID)
	if err != nil || again.IsZero() {
		return err
	}
	return jobs.Next(homeops.PromiseJob(ref.UserID, ref.PromiseID, again))
}

// day closes the days up to yesterday: usually one, several after an outage. It ends old habits and
// lets the planner choose.
func (w *Worker) day(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[homeops.HouseholdRef](job)
	if err != nil {
		return err
	}
	home, err := w.home(ctx, job)
	if err != nil || home.HouseholdID == "" {
		return err
	}
	now, zone := w.env.Now(), home.Zone()
	today := homeops.Day(now, zone)
	from := max(ref.FromDay, homeops.DayBefore(today, homeops.KnownDays))
	if ref.FromDay == "" { // queued before jobs had it
		from = homeops.DayBefore(today, 1)
	}
	for day := from; day < today; day = homeops.DayBefore(day, -1) {
		if err := w.closeDay(ctx, home, day); err != nil {
			return err
		}
	}
	if err := w.domain.Planner.Lapse(ctx, home.HouseholdID); err != nil {
		return err
	}
	if _, err := w.domain.Planner.Tick(ctx, home.HouseholdID); err != nil {
		return err
	}
	return jobs.Next(homeops.DayJob(home.HouseholdID, max(from, today), now, zone))
}

// closeDay closes a day of every member who had come by then.
func (w *Worker) closeDay(ctx context.Context, home households.Home, day access.Date) error {
	_, end := homeops.DayRange(day, home.Zone())
	for _, member := range home.Active() {
		if !member.JoinedAt.Before(end) {
			continue
		}
		if err := w.domain.Policy.CloseDay(ctx, home, member.UserID, day); err != nil {
			return err
		}
	}
	return nil
}

// week closes the weeks up to the last time of insights: the one that the last run closed, which is
// complete now, and those that followed, of which there are several after an outage. It sends every
// member their own week, unless that is a day late.
func (w *Worker) week(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[homeops.HouseholdRef](job)
	if err != nil {
		return err
	}
	home, err := w.home(ctx, job)
	if err != nil || home.HouseholdID == "" {
		return err
	}
	now, zone := w.env.Now(), home.Zone()
	at := homeops.NextAt(now.In(zone).AddDate(0, 0, -7), zone, homeops.InsightHour, homeops.InsightDay) // the last one
	last := homeops.Week(at, zone)
	from := ref.From
	if earliest := homeops.Week(at.Add(-homeops.KeepEvents), zone); from < earliest {
		from = earliest
	}
	for week := from; week <= last; week = homeops.WeekAfter(week) {
		if err := w.domain.Insights.CloseWeek(ctx, home.HouseholdID, week); err != nil {
			return err
		}
	}
	if now.Sub(at) <= homeops.InsightLate {
		for _, userID := range home.ActiveIDs() {
			if _, err := w.domain.Insights.Send(ctx, home, userID, last); err != nil {
				return err
			}
		}
	}
	return jobs.Next(homeops.WeekJob(home.HouseholdID, max(from, last), now, zone))
}

// home returns the household of a job; an empty one if it was dissolved.
func (w *Worker) home(ctx context.Context, job jobs.Job) (households.Home, error) {
	ref, err := jobs.Payload[homeops.HouseholdRef](job)
	if err != nil {
		return households.Home{}, err
	}
	home, err := w.domain.Households.Get(ctx, ref.HouseholdID)
	if errors.Is(err, households.ErrNoHousehold) {
		return households.Home{}, nil
	}
	return home, err
}

// sweep expires overdue promises whose grace has ended, and queues the job of others, in case it
// was lost.
func (w *Worker) sweep(ctx context.Context, _ jobs.Job) error {
	overdue, err := w.domain.Promises.Overdue(ctx)
	if err != nil {
		return err
	}
	for _, p := range overdue {
		expired, err := w.domain.Promises.Expire(ctx, p)
		if err != nil {
			return err
		}
		if expired {
			continue
		}
		if err := w.restore(ctx, homeops.PromiseJob(p.UserID, p.PromiseID, w.env.Now())); err != nil {
			return err
		}
	}
	return jobs.Next(homeops.SweepJob(w.env.Now().Add(homeops.SweepEvery)))
}

// restore queues a job that was lost. A promise is open for days after its deadline and hardly ever
// without its job, so restore looks first: a read costs less than a write that is refused.
func (w *Worker) restore(ctx context.Context, job jobs.Job) error {
	_, err := w.env.Jobs.Get(ctx, job.ID)
	if _, lost := refusal.As(err, refusal.NotFound); lost {
		_, err = w.env.Jobs.Add(ctx, job)
	}
	return err
}

func (w *Worker) erase(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[homeops.UserRef](job)
	if err != nil {
		return err
	}
	if err := w.domain.Households.Erase(ctx, ref.UserID); err != nil {
		return fmt.Errorf("erase a member: %w", err)
	}
	w.env.Log.InfoContext(ctx, "a member was erased", slog.String("job", job.ID))
	return nil
}
