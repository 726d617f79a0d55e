// Package jobs is the durable job queue of the systems. A job is queued in the transaction of
// the change that causes it, waits in a lane until it is due, and is run by one worker under a
// lease, which the worker extends while it works. A job that fails is retried with backoff; a
// job that ran out of attempts is dead, and an operator replays or drops it. Any number of
// processes work on the same queue.
//
// A job is run at least once: a worker that crashes after its work and before it can record the
// success leaves the job to another worker. Handlers must be idempotent.
//
// The package knows no kind of job. The systems' domains and the packages webhook, notify and
// mail queue jobs and register handlers; the systems' servers run Loops.
package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// A Job is work to do later.
type Job struct {
	// ID is an idempotency key, derived from the subject of the job: while a job of an id
	// exists, dead or not, queueing another one of that id does nothing.
	ID   string
	Kind string // determines the handler and the lane
	// Group names jobs that share a resource, such as the host they call; "" if there is none.
	// Jobs of one group take turns with those of other groups.
	Group string
	// Payload holds the arguments, as encoding/json encodes them. Of jobs that were stored it is
	// a json.RawMessage; the function Payload decodes it.
	Payload any
	Due     time.Time // the earliest start; zero means now

	// The queue sets the following fields.
	Lane      string
	Status    Status
	Tries     int // attempts that have begun, with the current one
	LastError string
	Created   time.Time
}

// A Status is the state of a job.
type Status = platformdb.JobStatus

// The states of a job. A job that succeeds is deleted.
const (
	Queued  = platformdb.JobStatusQueued
	Running = platformdb.JobStatusRunning
	Dead    = platformdb.JobStatusDead
)

// Payload decodes the payload of a job. The error is final: a payload does not get better.
func Payload[T any](job Job) (T, error) {
	var payload T
	encoded, err := encode(job.Payload)
	if err == nil {
		err = json.Unmarshal(encoded, &payload)
	}
	if err != nil {
		return payload, Final(fmt.Errorf("decode the payload: %w", err))
	}
	return payload, nil
}

func encode(payload any) (json.RawMessage, error) {
	switch payload := payload.(type) {
	case nil:
		return json.RawMessage("{}"), nil
	case json.RawMessage:
		return payload, nil
	}
	return json.Marshal(payload)
}

// A Lane is a part of the queue whose jobs do not wait for those of other lanes. Work that
// depends on slow hosts has a lane of its own.
type Lane struct {
	Name     string
	AtOnce   int // jobs that one process runs in parallel; 4 by default
	Most     int // jobs that one read of the queue returns; four times AtOnce by default
	PerGroup int // jobs of one group that one process runs in parallel; 0 means AtOnce
	// InOrder makes one process run the jobs of a group one at a time and in the order of their due
	// times. It does not postpone them in favour of other groups. Handlers that need the order over
	// several processes look at the job before theirs with Get.
	InOrder bool
	// Parts is the number of index partitions that the lane is spread over; 1 by default. A
	// partition takes about 1,000 job changes per second. Parts may grow at any time, after all
	// processes know the new number; it may shrink when the lane is empty.
	Parts int
	// Every is the interval at which an idle lane is read; 5 seconds by default. Jobs that the
	// same process queues do not wait for it.
	Every time.Duration
}

// A Policy says how jobs of a kind are run. The zero value works.
type Policy struct {
	Tries   int                           // attempts before the job is dead; 6 by default
	Backoff func(tried int) time.Duration // delay after the attempt; Exponential(15s, 10m) by default
	Lease   time.Duration                 // time after which the job of a lost worker is taken over; 2 minutes by default
	Timeout time.Duration                 // maximum duration of an attempt; 15 minutes by default
}

// Exponential returns a backoff that doubles from first to longest.
func Exponential(first, longest time.Duration) func(tried int) time.Duration {
	return func(tried int) time.Duration {
		delay := first
		for range tried - 1 {
			if delay = 2 * delay; delay >= longest {
				return longest
			}
		}
		return min(delay, longest)
	}
}

// Schedule returns a backoff of given delays. The last one repeats.
func Schedule(delays ...time.Duration) func(tried int) time.Duration {
	return func(tried int) time.Duration { return delays[min(max(tried, 1), len(delays))-1] }
}

// A Handler runs a job. Its context ends when the worker stops, when the attempt takes too long
// and when the lease is lost; then another worker may be running the job already. The returned
// error is the outcome: nil, a plain error, or one of Final, RetryAfter and Next.
type Handler func(ctx context.Context, job Job) error

// Options configures a Queue. Only Lanes is required.
type Options struct {
	Lanes []Lane
	// Trail takes the records of replayed and dropped jobs; that of the platform by default.
	Trail *audit.Trail
	// KeepDead is the time after which dead jobs are deleted; 7 days by default.
	KeepDead time.Duration
	// Observe is told about every attempt that has ended, from many goroutines; nil if nothing
	// counts them.
	Observe func(Attempt)
	// Random returns a random number in [0, 1), for jitter.
	Random func() float64
	// Timer returns a channel that receives once after a duration, for heartbeats and polls, and
	// a function that stops it.
	Timer func(d time.Duration) (after <-chan time.Time, stop func() bool)
}

// keepPending is the time after its due time at which a job without a worker is deleted.
const keepPending = 365 * 24 * time.Hour

// deadLane is the lane of dead jobs in the database.
const deadLane = "dead"

// A Queue is the job queue of one system. It is safe for concurrent use.
type Queue struct {
	p     *platform.Platform
	o     Options
	lanes []*lane

	mu    sync.RWMutex
	kinds map[string]*kind
}

// A kind is a registered kind of job.
type kind struct {
	lane   *lane
	policy Policy
	handle Handler
}

// New returns the queue of a platform.
func New(p *platform.Platform, options Options) (*Queue, error) {
	if p == nil || len(options.Lanes) == 0 {
		return nil, errors.New("jobs: a queue needs a platform and a lane")
	}
	if options.Trail == nil {
		options.Trail = audit.New(p, audit.Options{})
	}
	options.KeepDead = cmp.Or(options.KeepDead, 7*24*time.Hour)
	if options.Random == nil {
		options.Random = rand.Float64
	}
	if options.Timer == nil {
		options.Timer = func(d time.Duration) (<-chan time.Time, func() bool) {
			timer := time.NewTimer(d)
			return timer.C, timer.Stop
		}
	}
	q := &Queue{p: p, o: options, kinds: make(map[string]*kind)}
	for _, declared := range options.Lanes {
		if err := q.addLane(declared); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (q *Queue) addLane(l Lane) error {
	switch {
	case l.Name == "" || l.Name == deadLane || strings.Contains(l.Name, "/"):
		return fmt.Errorf("jobs: a lane cannot have the name %q", l.Name)
	case q.lane(l.Name) != nil:
		return fmt.Errorf("jobs: there are two lanes with the name %q", l.Name)
	}
	l.AtOnce = cmp.Or(max(l.AtOnce, 0), 4)
	l.Most = cmp.Or(max(l.Most, 0), 4*l.AtOnce)
	if l.InOrder {
		l.PerGroup = 1
	}
	l.Parts = cmp.Or(max(l.Parts, 0), 1)
	l.Every = cmp.Or(max(l.Every, 0), 5*time.Second)
	q.lanes = append(q.lanes, &lane{Lane: l, q: q, kick: make(chan struct{}, 1)})
	return nil
}

// lane returns a lane by its name; nil if there is none.
func (q *Queue) lane(name string) *lane {
	for _, l := range q.lanes {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// Handle registers the handler of a kind of job. Processes that only queue jobs register it too,
// because the kind determines the lane. Handle panics if the lane was not declared or the kind
// is registered already.
func (q *Queue) Handle(name, laneName string, policy Policy, handle Handler) {
	l := q.lane(laneName)
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case l == nil:
		panic(fmt.Sprintf("jobs: kind %q is registered for lane %q, which is not declared", name, laneName))
	case name == "" || handle == nil:
		panic(fmt.Sprintf("jobs: kind %q needs a name and a handler", name))
	case q.kinds[name] != nil:
		panic(fmt.Sprintf("jobs: kind %q is registered twice", name))
	}
	q.kinds[name] = &kind{lane: l, policy: policy.withDefaults(), handle: handle}
}

func (p Policy) withDefaults() Policy {
	p.Tries = cmp.Or(max(p.Tries, 0), 6)
	p.Lease = cmp.Or(max(p.Lease, 0), 2*time.Minute)
	p.Timeout = cmp.Or(max(p.Timeout, 0), 15*time.Minute)
	if p.Backoff == nil {
		p.Backoff = Exponential(15*time.Second, 10*time.Minute)
	}
	return p
}

// unknown is the kind of jobs without a handler. They are retried for a while, because a newer
// process may know their kind.
var unknown = &kind{
	policy: Policy{Tries: 10}.withDefaults(),
	handle: func(_ context.Context, job Job) error {
		return fmt.Errorf("there is no handler for jobs of kind %q", job.Kind)
	},
}

func (q *Queue) kind(name string) *kind {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return cmp.Or(q.kinds[name], unknown)
}

// part returns the partition of a job in a lane. Parts are named name/0, name/1 and so on.
func (l *Lane) part(id string) string {
	if l.Parts == 1 {
		return l.Name
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	return l.Name + "/" + strconv.Itoa(int(h.Sum32()%uint32(l.Parts)))
}

// parts returns all partitions of a lane: also that from before the lane was spread.
func (l *Lane) parts() []string {
	all := []string{l.Name}
	if l.Parts > 1 {
		for i := range l.Parts {
			all = append(all, l.Name+"/"+strconv.Itoa(i))
		}
	}
	return all
}

// Loops returns the loops that run the jobs, one for each lane.
func (q *Queue) Loops() []background.Loop {
	loops := make([]background.Loop, len(q.lanes))
	for i, l := range q.lanes {
		loops[i] = background.Loop{Name: "jobs of " + l.Name, Every: l.Every, Do: l.listen, Listens: true}
	}
	return loops
}

// Step runs all jobs that are due, with those that they queue for now, and returns how many
// attempts it has begun. It is for tests; Loops run jobs in a program.
func (q *Queue) Step(ctx context.Context) (begun int, err error) {
	for {
		before := begun
		for _, l := range q.lanes {
			n, err := l.drain(ctx)
			begun += n
			if err != nil || ctx.Err() != nil {
				return begun, err
			}
		}
		if begun == before {
			return begun, nil
		}
	}
}

// view returns a stored job.
func view(stored platformdb.Job) Job {
	job := Job{
		ID: stored.JobID, Kind: stored.Kind, Payload: stored.Payload, Due: stored.DueAt,
		Lane: stored.Home, Status: stored.Status, Tries: int(stored.Tries), Created: stored.CreatedAt,
	}
	job.Lane, _, _ = strings.Cut(job.Lane, "/")
	if stored.Group != nil {
		job.Group = *stored.Group
	}
	if stored.LastError != nil {
		job.LastError = *stored.LastError
	}
	return job
}
