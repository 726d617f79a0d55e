package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
)

// died returns a fixture with n dead jobs of the kind send, one a second, and one of the kind call.
// They succeed when alive is set.
func died(t testing.TB, n int, options ...func(*jobs.Options)) (f *fixture, alive *atomic.Bool) {
	t.Helper()
	f, alive = open(t, options...), new(atomic.Bool)
	for _, kind := range []string{"call", "send"} {
		f.Handle(kind, "work", policy, func(context.Context, jobs.Job) error {
			if alive.Load() {
				return nil
			}
			return jobs.Final(errors.New("no such host"))
		})
	}
	for _, job := range append(numbered(1, "call"), numbered(n, "send")...) {
		f.add(job)
		f.step(f.Queue, 1)
		f.Clock.Advance(time.Second)
	}
	return f, alive
}

// refusedAs checks the kind of a refusal.
func refusedAs(t testing.TB, err error, want refusal.Kind) {
	t.Helper()
	var refused *refusal.Error
	if !errors.As(err, &refused) || refused.Kind != want {
		t.Errorf("error %v, want a refusal of kind %v", err, want)
	}
}

func ids(page access.Page[jobs.Job]) []string {
	var all []string
	for _, job := range page.Items {
		all = append(all, job.ID)
	}
	return all
}

func TestDeadJobsAreListedAndCounted(t *testing.T) {
	f, _ := died(t, 4)
	first, err := f.Dead(t.Context(), 3, "")
	if err != nil {
		t.Fatal(err)
	}
	second, err := f.Dead(t.Context(), 3, first.Next)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"send-0003", "send-0002", "send-0001", "send-0000", "call-0000"}
	if diff := cmp.Diff(want, append(ids(first), ids(second)...)); diff != "" {
		t.Errorf("dead jobs (-want +got):\n%s", diff)
	}
	if job := first.Items[0]; job.Status != jobs.Dead || job.LastError != "no such host" || job.Lane != "work" || job.Tries != 1 {
		t.Errorf("the job is %+v", job)
	}
	if n, err := f.CountDead(t.Context()); err != nil || n != 5 {
		t.Errorf("%d jobs are dead (%v), want 5", n, err)
	}
	_, err = f.Dead(t.Context(), 3, "nonsense")
	refusedAs(t, err, refusal.Invalid)

	f.Clock.Advance(7*24*time.Hour - 3*time.Second) // send-0001 died then
	page, err := f.Dead(t.Context(), 0, "")
	if diff := cmp.Diff([]string{"send-0003", "send-0002"}, ids(page)); err != nil || diff != "" {
		t.Errorf("after a week (%v) (-want +got):\n%s", err, diff)
	}
	refusedAs(t, f.Replay(t.Context(), "ann", "send-0001"), refusal.NotFound)
}

func TestAnOperatorReplaysAJob(t *testing.T) {
	f, alive := died(t, 2)
	trail := audit.New(f.Platform, audit.Options{})
	alive.Store(true)
	if err := f.Replay(t.Context(), "ann", "send-0001"); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, f.Replay(t.Context(), "ann", "send-0001"), refusal.Conflict)
	refusedAs(t, f.Drop(t.Context(), "ann", "send-0001"), refusal.Conflict)
	if job, err := f.Get(t.Context(), "send-0001"); err != nil || job.Status != jobs.Queued || job.Tries != 0 || job.Lane != "work" {
		t.Errorf("the job is %+v (%v)", job, err)
	}
	f.Clock.Advance(8 * 24 * time.Hour) // longer than dead jobs are kept
	f.step(f.Queue, 1)
	f.done("send-0001")
	refusedAs(t, f.Replay(t.Context(), "ann", "send-0001"), refusal.NotFound)
	for _, id := range []string{"", "\xff", strings.Repeat("x", 3000)} {
		refusedAs(t, f.Replay(t.Context(), "ann", id), refusal.NotFound)
		refusedAs(t, f.Drop(t.Context(), "ann", id), refusal.NotFound)
		_, err := f.Get(t.Context(), id)
		refusedAs(t, err, refusal.NotFound)
	}
	_, err := f.Get(t.Context(), "send-0001")
	refusedAs(t, err, refusal.NotFound)

	f.Clock.Advance(-8 * 24 * time.Hour)
	page, err := trail.Day(t.Context(), access.DateOf(f.Now()), 0, "")
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("the audit trail has %+v (%v), want one event", page.Items, err)
	}
	event := page.Items[0]
	if event.Actor != "ann" || event.Action != "replay job" || event.Target != "send-0001" || event.Detail["error"] != "no such host" {
		t.Errorf("the event is %+v", event)
	}
}

func TestAnOperatorReplaysAllJobsOfAKind(t *testing.T) {
	f, alive := died(t, 150)
	grown, _ := f.other(lanes(jobs.Lane{Name: "work", Parts: 3}))
	grown.Handle("send", "work", policy, func(context.Context, jobs.Job) error { return nil })
	alive.Store(true)
	// Two operators at once replay every job once.
	var both sync.WaitGroup
	var replayed atomic.Int64
	for range 2 {
		both.Go(func() {
			n, err := grown.ReplayAll(t.Context(), "ann", "send")
			if err != nil {
				t.Errorf("replay: %v", err)
			}
			replayed.Add(int64(n))
		})
	}
	both.Wait()
	if replayed.Load() != 150 {
		t.Errorf("%d jobs were replayed, want 150", replayed.Load())
	}
	if lane := f.job("send-0001").Lane; lane == "work" || lane == "dead" {
		t.Errorf("the job is in lane %s, want a part of it", lane)
	}
	f.step(grown, 150)
	page, err := f.Dead(t.Context(), 0, "")
	if diff := cmp.Diff([]string{"call-0000"}, ids(page)); err != nil || diff != "" {
		t.Errorf("dead jobs (%v) (-want +got):\n%s", err, diff)
	}
	if n, err := f.ReplayAll(t.Context(), "ann", ""); err != nil || n != 1 {
		t.Errorf("%d jobs were replayed (%v), want 1", n, err)
	}
}

func TestAnOperatorDropsAJob(t *testing.T) {
	f, _ := died(t, 1)
	if err := f.Drop(t.Context(), "ann", "send-0000"); err != nil {
		t.Fatal(err)
	}
	f.done("send-0000")
	page, err := audit.New(f.Platform, audit.Options{}).Day(t.Context(), access.DateOf(f.Now()), 0, "")
	if err != nil || len(page.Items) != 1 || page.Items[0].Action != "drop job" {
		t.Errorf("the audit trail has %+v (%v)", page.Items, err)
	}
}

func TestAnOperatorDropsAllJobsOfAKind(t *testing.T) {
	f, _ := died(t, 3)
	if n, err := f.DropAll(t.Context(), "ann", "send"); err != nil || n != 3 {
		t.Errorf("%d jobs were dropped (%v), want 3", n, err)
	}
	page, err := f.Dead(t.Context(), 0, "")
	if diff := cmp.Diff([]string{"call-0000"}, ids(page)); err != nil || diff != "" {
		t.Errorf("dead jobs (%v) (-want +got):\n%s", err, diff)
	}
}

func TestLanesAreCounted(t *testing.T) {
	f := open(t, lanes(jobs.Lane{Name: "work", Parts: 2}, jobs.Lane{Name: "post"}))
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	f.Handle("call", "post", policy, ran.handle)
	f.add(numbered(3, "send")...)
	f.add(jobs.Job{ID: "later", Kind: "send", Due: f.Now().Add(time.Hour)}, jobs.Job{ID: "call", Kind: "call", Due: f.Now().Add(time.Minute)})
	counts, err := f.CountLanes(t.Context())
	want := []jobs.LaneCount{{Lane: "work", Waiting: 4, Due: 3}, {Lane: "post", Waiting: 1}}
	if diff := cmp.Diff(want, counts); err != nil || diff != "" {
		t.Errorf("lanes (%v) (-want +got):\n%s", err, diff)
	}
	var all []string
	for cursor, again := "", true; again; again = cursor != "" {
		page, err := f.Waiting(t.Context(), "", 2, cursor)
		if err != nil {
			t.Fatal(err)
		}
		all, cursor = append(all, ids(page)...), page.Next
	}
	if diff := cmp.Diff([]string{"send-0000", "send-0001", "send-0002", "call", "later"}, all); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	_, err = f.Waiting(t.Context(), "air", 2, "")
	refusedAs(t, err, refusal.NotFound)
}
