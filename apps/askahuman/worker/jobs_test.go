package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/notify"
)

// queue queues a job that is due now.
func (p *fixture) queue(id string, kind askahumandb.JobKind, payload askahuman.JobPayload) {
	p.t.Helper()
	if _, err := p.World.Env.QueueJob(p.t.Context(), id, kind, payload, p.Clock.Now()); err != nil {
		p.t.Fatal(err)
	}
}

func TestConcurrentWorkersRunEveryJobOnce(t *testing.T) {
	p := open(t)
	const people = 60
	for i := range people {
		q := p.Ask(t, fmt.Sprintf("agent-%d", i), 1)
		_, s := p.subscriber(q.QuestionID)
		p.queue("push-"+q.QuestionID, askahumandb.JobKindDispatch, askahuman.JobPayload{QuestionID: q.QuestionID, SubscriptionID: s.SubscriptionID})
	}
	p.devices.take()
	other, _ := p.worker()
	var mu sync.Mutex
	total := 0
	var both sync.WaitGroup
	for _, w := range []*Worker{p.Worker, other} {
		both.Go(func() {
			n, err := w.StepJobs(t.Context())
			if err != nil {
				t.Errorf("do jobs: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			total += n
		})
	}
	both.Wait()
	if want := 2 * people; total != want { // a push and the dispatch of each question
		t.Errorf("%d jobs were begun, want %d", total, want)
	}
	if left := p.jobs(askahumandb.JobStatusRunning); len(left) != 0 {
		t.Errorf("jobs still run: %q", left)
	}
}

func TestTheJobOfALostWorkerIsTakenOver(t *testing.T) {
	p := open(t)
	p.subscriber("phone")
	p.Ask(t, "agent-1", 1)
	due := p.DueJobs(t, p.Clock.Now())[0]
	// A worker claims the job and is never seen again.
	now := p.Clock.Now()
	held, err := p.DB.ClaimJob(t.Context(), due.Key(), now.Add(jobLease), askahumandb.ClaimJobParams{OldDueAt: due.DueAt, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	p.Clock.Advance(jobLease - time.Second)
	if n := p.work(); n != 0 {
		t.Fatalf("%d jobs were taken from a worker that may be alive", n)
	}
	p.Clock.Advance(time.Second)
	if n := p.work(); n != 1 {
		t.Fatalf("%d jobs were taken over, want 1", n)
	}
	if got := p.devices.take(); len(got) != 1 {
		t.Errorf("%d were notified, want 1", len(got))
	}
	// The lost worker comes back and has nothing to say any more.
	err = p.DB.FinishJob(t.Context(), held.Key(), askahumandb.FinishJobParams{Lease: held.DueAt})
	if !access.Refused(err) {
		t.Errorf("the lost worker's job was finished again: %v", err)
	}
}

func TestWorkerWithAnExpiredLeaseFinishesNothing(t *testing.T) {
	p := open(t)
	p.subscriber("phone")
	q := p.Ask(t, "agent-1", 1)
	other, _ := p.worker()
	calls := 0
	p.devices.answer = func(string) error {
		if calls++; calls == 1 { // it takes longer than its lease, and another worker takes the job
			p.Clock.Advance(jobLease)
			p.devices.mu.Unlock()
			defer p.devices.mu.Lock()
			step(t, other)
		}
		return nil
	}
	p.work()
	if left := append(p.jobs(askahumandb.JobStatusRunning), p.jobs(askahumandb.JobStatusDead)...); len(left) != 0 {
		t.Errorf("jobs are left: %q", left)
	}
	if got := p.question(q.QuestionID).NotifiedCount; got != 1 {
		t.Errorf("%d were notified, want 1", got)
	}
}

func TestJobThatCrashesEveryWorkerBecomesDead(t *testing.T) {
	p := open(t)
	p.queue("dispatch-x", askahumandb.JobKindDispatch, askahuman.JobPayload{QuestionID: access.NewULID(p.Clock.Now())})
	for range scheduleOf(askahumandb.JobKindDispatch).tries {
		job := p.DueJobs(t, p.Clock.Now())[0]
		now := p.Clock.Now()
		_, err := p.DB.ClaimJob(t.Context(), job.Key(), now.Add(jobLease), askahumandb.ClaimJobParams{OldDueAt: job.DueAt, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		p.Clock.Advance(jobLease)
	}
	p.work()
	if diff := cmp.Diff([]string{"dispatch-x"}, p.jobs(askahumandb.JobStatusDead)); diff != "" {
		t.Errorf("dead jobs (-want +got):\n%s", diff)
	}
	p.Clock.Advance(askahuman.KeepDeadJob)
	if dead, _, err := p.Operators.DeadJobs(t.Context(), 10, ""); err != nil || len(dead) != 0 {
		t.Errorf("%d dead jobs are shown after their time (%v)", len(dead), err)
	}
}

func TestUnknownJobsBecomeDeadAtOnce(t *testing.T) {
	p := open(t)
	p.queue("erase-nobody", askahumandb.JobKindErase, askahuman.JobPayload{})
	_, err := p.DB.QueueJob(t.Context(), askahumandb.Job{
		JobID: "odd", Kind: askahumandb.JobKindDispatch, Lane: askahuman.LaneOf(askahumandb.JobKindDispatch), Payload: []byte(`[]`),
		DueAt: p.Clock.Now(), CreatedAt: p.Clock.Now(), TTL: p.Clock.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	p.work()
	if dead := p.jobs(askahumandb.JobStatusDead); len(dead) != 2 {
		t.Errorf("dead jobs: %q", dead)
	}
}

// wild is a sender with a fault.
type wild struct{}

func (wild) Send(context.Context, notify.Target, notify.Message) error { panic("out of bounds") }

func TestAPanicIsAFailureOfItsJob(t *testing.T) {
	p := open(t, func(o *Options) {
		o.Senders = map[askahumandb.SubscriptionChannel]notify.Sender{askahumandb.SubscriptionChannelFCM: wild{}}
	})
	p.subscriber("phone")
	q := p.Ask(t, "agent-1", 1)
	if n := p.work(); n != 1 {
		t.Fatalf("%d jobs were begun, want 1", n)
	}
	for job, err := range p.DB.ScanJob().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if job.JobID != "dispatch-"+q.QuestionID {
			continue
		}
		if job.Status != askahumandb.JobStatusQueued || job.LastError == nil || !strings.HasPrefix(*job.LastError, "panic: out of bounds") {
			t.Errorf("the job is %+v", job)
		}
		return
	}
	t.Error("the job is gone")
}

func TestAPersonIsForgotten(t *testing.T) {
	p := open(t)
	person, s := p.subscriber("phone")
	p.answer(person, p.Ask(t, "agent-1", 5))
	p.queue("erase-"+person.Hash, askahumandb.JobKindErase, askahuman.JobPayload{PersonHash: person.Hash})
	p.work()
	if _, err := p.DB.GetSubscription(t.Context(), s.SubscriptionID); !errors.Is(err, access.ErrNotFound) {
		t.Errorf("the subscription is still there: %v", err)
	}
	if _, err := p.DB.GetUserStats(t.Context(), person.Hash); !errors.Is(err, access.ErrNotFound) {
		t.Errorf("the statistics are still there: %v", err)
	}
}

func TestStoppedWorkerLeavesItsJobToOthers(t *testing.T) {
	p := open(t)
	p.subscriber("phone")
	p.Ask(t, "agent-1", 1)
	ctx, stop := context.WithCancel(t.Context())
	p.devices.answer = func(string) error {
		stop()
		return &notify.RetryError{Err: ctx.Err()}
	}
	if _, err := p.StepJobs(ctx); err != nil {
		t.Fatal(err)
	}
	if dead := p.jobs(askahumandb.JobStatusDead); len(dead) != 0 {
		t.Errorf("dead jobs: %q", dead)
	}
	if running := p.jobs(askahumandb.JobStatusRunning); len(running) != 1 {
		t.Errorf("the job is not left under its lease: %q", running)
	}
}

func TestBackoffOfJobs(t *testing.T) {
	p := open(t, func(o *Options) { o.Random = func() float64 { return 0 } })
	for kind, want := range map[askahumandb.JobKind][]time.Duration{
		askahumandb.JobKindDispatch: {15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute},
		askahumandb.JobKindWebhook: {
			5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour,
		},
	} {
		var got []time.Duration
		for tried := 1; tried < scheduleOf(kind).tries; tried++ {
			got = append(got, p.backoff(kind, int64(tried), errors.New("not now")))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("rests of %s (-want +got):\n%s", kind, diff)
		}
	}
}

func TestBackoffIsBounded(t *testing.T) {
	p := open(t, func(o *Options) { o.Random = func() float64 { return 0.5 } })
	if got := p.backoff(askahumandb.JobKindDispatch, 100, nil); got != 11*time.Minute {
		t.Errorf("the longest backoff is %v, want 11m", got)
	}
	if got := p.backoff(askahumandb.JobKindWebhook, 100, nil); got != 6*time.Hour+36*time.Minute {
		t.Errorf("the longest backoff of a webhook is %v, want 6h36m", got)
	}
	greedy := &notify.RetryError{After: 100 * time.Hour, Err: errors.New("later")}
	if got := p.backoff(askahumandb.JobKindDispatch, 1, greedy); got != maxRetryAfter {
		t.Errorf("a service that asks for 100 hours gets %v, want %v", got, maxRetryAfter)
	}
}
