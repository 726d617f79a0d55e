package jobs_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
)

// lease is the lease of the jobs of tests.
const lease = 2 * time.Minute

// policy retries after a minute, twice.
var policy = jobs.Policy{Tries: 3, Lease: lease, Backoff: jobs.Schedule(time.Minute, time.Hour)}

// A fixture is a platform with a queue.
type fixture struct {
	*platformtest.World
	*jobs.Queue
	timers *timers
	t      testing.TB
}

// timers are timers that fire when the test says so.
type timers struct {
	mu  sync.Mutex
	all map[time.Duration]chan time.Time
}

func (f *timers) channel(d time.Duration) chan time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all == nil {
		f.all = make(map[time.Duration]chan time.Time)
	}
	if f.all[d] == nil {
		f.all[d] = make(chan time.Time)
	}
	return f.all[d]
}

// set implements Options.Timer.
func (f *timers) set(d time.Duration) (<-chan time.Time, func() bool) {
	return f.channel(d), func() bool { return true }
}

// fire lets a timer of a duration fire, when there is one.
func (f *timers) fire(d time.Duration) { f.channel(d) <- time.Time{} }

func open(t testing.TB, options ...func(*jobs.Options)) *fixture {
	t.Helper()
	f := &fixture{World: platformtest.Open(t), timers: new(timers), t: t}
	f.Queue = f.queue(f.Platform, f.timers, options...)
	return f
}

// queue returns another queue on a platform, as another process has it.
func (f *fixture) queue(p *platform.Platform, timers *timers, options ...func(*jobs.Options)) *jobs.Queue {
	f.t.Helper()
	o := jobs.Options{
		Lanes: []jobs.Lane{{Name: "work"}}, Random: func() float64 { return 0.5 }, Timer: timers.set,
	}
	for _, change := range options {
		change(&o)
	}
	q, err := jobs.New(p, o)
	if err != nil {
		f.t.Fatal(err)
	}
	return q
}

// other returns the queue of another process, and its timers.
func (f *fixture) other(options ...func(*jobs.Options)) (*jobs.Queue, *timers) {
	f.t.Helper()
	return f.otherOn(f.on(f.Database), options...)
}

func (f *fixture) otherOn(p *platform.Platform, options ...func(*jobs.Options)) (*jobs.Queue, *timers) {
	f.t.Helper()
	timers := new(timers)
	return f.queue(p, timers, options...), timers
}

// on returns the platform of another process, which reaches the database in its own way.
func (f *fixture) on(database apptest.Database) *platform.Platform {
	return platformtest.On(f.t, database, f.Box, f.Clock)
}

// lanes declares lanes.
func lanes(all ...jobs.Lane) func(*jobs.Options) { return func(o *jobs.Options) { o.Lanes = all } }

// add queues jobs.
func (f *fixture) add(all ...jobs.Job) {
	f.t.Helper()
	for _, job := range all {
		if added, err := f.Add(f.t.Context(), job); err != nil || !added {
			f.t.Fatalf("job %s is new: %t, error %v", job.ID, added, err)
		}
	}
}

// step runs the due jobs of a queue and checks how many there are.
func (f *fixture) step(q *jobs.Queue, want int) {
	f.t.Helper()
	if n, err := q.Step(f.t.Context()); err != nil || n != want {
		f.t.Fatalf("%d jobs were begun (%v), want %d", n, err, want)
	}
}

// job returns a job as it is stored; nil if there is none.
func (f *fixture) job(id string) *platformdb.Job {
	f.t.Helper()
	for job, err := range f.DB.ScanJob().All(f.t.Context()) {
		if err != nil {
			f.t.Fatal(err)
		}
		if job.JobID == id {
			return &job
		}
	}
	return nil
}

// done checks that a job has been finished.
func (f *fixture) done(id string) {
	f.t.Helper()
	if job := f.job(id); job != nil {
		f.t.Errorf("the job is still there: %+v", *job)
	}
}

// A record collects the ids of jobs in the order in which they ran.
type record struct {
	mu  sync.Mutex
	ids []string
}

func (r *record) handle(_ context.Context, job jobs.Job) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids = append(r.ids, job.ID)
	return nil
}

// in runs a function that waits for jobs, and returns what waits for its end.
func (f *fixture) in(do func()) (wait func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		do()
	}()
	return func() {
		f.t.Helper()
		select {
		case <-ended:
		case <-time.After(time.Minute):
			f.t.Fatal("it does not end")
		}
	}
}

// numbered returns n jobs of a kind.
func numbered(n int, kind string) []jobs.Job {
	all := make([]jobs.Job, n)
	for i := range all {
		all[i] = jobs.Job{ID: fmt.Sprintf("%s-%04d", kind, i), Kind: kind}
	}
	return all
}
