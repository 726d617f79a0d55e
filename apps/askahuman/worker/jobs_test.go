package worker

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/notify"
)

// queue queues a job that is due now.
func (p *fixture) queue(id, kind, group string, payload askahuman.JobPayload) {
	p.t.Helper()
	if _, err := p.Jobs.Add(p.t.Context(), jobs.Job{ID: id, Kind: kind, Group: group, Payload: payload}); err != nil {
		p.t.Fatal(err)
	}
}

func TestConcurrentWorkersRunEveryJobOnce(t *testing.T) {
	p := open(t)
	const people = 60
	for i := range people {
		q := p.Ask(t, fmt.Sprintf("agent-%d", i), 1)
		_, s := p.subscriber(q.QuestionID)
		p.queue("push-"+q.QuestionID, askahuman.JobPush, "", askahuman.JobPayload{QuestionID: q.QuestionID, SubscriptionID: s.SubscriptionID})
	}
	p.devices.take()
	other, _ := p.worker()
	var mu sync.Mutex
	total := 0
	var both sync.WaitGroup
	for _, w := range []*Worker{p.Worker, other} {
		both.Go(func() {
			n, err := w.Domain.Jobs.Step(t.Context())
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
	if left := p.jobs(jobs.Running); len(left) != 0 {
		t.Errorf("jobs still run: %q", left)
	}
}

// wild is a sender with a fault.
type wild struct{}

func (wild) Send(context.Context, notify.Target, notify.Message) error { panic("out of bounds") }

func TestAPanicIsAFailureOfItsJob(t *testing.T) {
	p := open(t, func(o *domain.Options) {
		o.Notices.Senders = map[notices.Channel]notify.Sender{notices.ChannelFCM: wild{}}
	})
	p.subscriber("phone")
	q := p.Ask(t, "agent-1", 1)
	if n := p.work(); n != 1 {
		t.Fatalf("%d jobs were begun, want 1", n)
	}
	job, err := p.Jobs.Get(t.Context(), "dispatch-"+q.QuestionID)
	if err != nil || job.Status != jobs.Queued || !strings.HasPrefix(job.LastError, "panic: out of bounds") {
		t.Errorf("the job is %+v (%v)", job, err)
	}
}
