package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
)

const (
	// lookAhead is the number of due jobs that are read at least for a lane with groups, to find
	// jobs of other groups behind those of a group that has many.
	lookAhead = 500
	// maxAhead is the number of due jobs that are read at most for a lane that keeps the order.
	maxAhead = 8000
	// postponeTime is the minimum delay of jobs that are postponed in favour of other groups.
	postponeTime = 5 * time.Minute
	// wakePause is the minimum time between two reads of a lane that wakes cause. Many jobs that
	// are added one after the other are read together.
	wakePause = 20 * time.Millisecond
	// pollJitter is the random share of a poll interval, so that processes that were started
	// together do not stay in step.
	pollJitter = 0.1
)

// A lane is a declared lane at run time.
type lane struct {
	Lane
	q         *Queue
	kick      chan struct{}
	listening atomic.Int32 // running calls of listen
}

// wake makes a running lane read the queue now.
func (l *lane) wake() {
	select {
	case l.kick <- struct{}{}:
	default: // it is about to
	}
}

// listen runs the jobs of the lane until ctx is done or the queue cannot be accessed.
func (l *lane) listen(ctx context.Context) error {
	l.listening.Add(1)
	defer l.listening.Add(-1)
	s := newShift(l)
	s.listens = true
	s.schedulePoll()
	defer func() { s.stopPoll() }()
	return s.run(ctx)
}

// drain runs the jobs that are due.
func (l *lane) drain(ctx context.Context) (begun int, err error) {
	s := newShift(l)
	err = s.run(ctx)
	return s.begun, err
}

// A shift runs the jobs of a lane, as many in parallel as the lane allows. A slow group occupies
// only its share of the lane. Only the goroutine of run uses its fields.
type shift struct {
	l        *lane
	listens  bool             // for jobs that become due
	poll     <-chan time.Time // fires when the lane is to be read; never if it does not listen
	stopPoll func() bool
	woken    <-chan time.Time // fires when the pause after a read is over; nil if no wake waits for it
	lastRead time.Time        // in the time of the machine
	ready    []platformdb.Job // due jobs that are not begun, longest due first
	full     bool             // the last read may have left out due jobs
	ahead    int              // due jobs to read for a lane with groups
	stale    bool             // read before the next job is begun
	running  map[string]bool  // by job id
	groups   map[string]int   // running jobs of each group
	ended    chan result
	paused   bool // begin no job until the next poll
	begun    int
	lost     int // claims since the last read that other workers were faster with
	err      error
}

// A result is the end of the work on a job.
type result struct {
	job  platformdb.Job
	ours bool
	err  error
}

func newShift(l *lane) *shift {
	return &shift{l: l, stale: true, ahead: lookAhead, running: make(map[string]bool), groups: make(map[string]int), ended: make(chan result, l.AtOnce)}
}

// run runs jobs. It returns when no job is running.
func (s *shift) run(ctx context.Context) error {
	for ctx.Err() == nil {
		s.fill(ctx)
		if s.err != nil && s.listens && len(s.running) > 0 {
			s.pause()
		}
		if s.err != nil || !s.wait(ctx) {
			break
		}
	}
	for len(s.running) > 0 {
		s.end(<-s.ended)
	}
	if ctx.Err() != nil && errors.Is(s.err, ctx.Err()) {
		return nil
	}
	return s.err
}

// pause begins no job until the next poll. A lane with a slow job does not wait for it before it
// tries to reach the queue again.
func (s *shift) pause() {
	s.l.q.p.Log.Error("the job queue cannot be accessed", slog.String("lane", s.l.Name), slog.Any("error", s.err))
	s.err, s.paused, s.stale = nil, true, true
}

// wait waits for something to do, and reports whether there may be something.
func (s *shift) wait(ctx context.Context) bool {
	if !s.listens && len(s.running) == 0 {
		select {
		case <-s.l.kick:
			s.stale = true
			return true
		default:
			return false
		}
	}
	select {
	case <-ctx.Done():
		return false
	case ended := <-s.ended:
		s.end(ended)
	case <-s.l.kick:
		s.wake()
	case <-s.woken:
		s.stale, s.woken = true, nil
	case <-s.poll:
		s.stale, s.paused = true, false
		s.schedulePoll()
	}
	return true
}

// wake reads the queue, now or after a pause.
func (s *shift) wake() {
	pause := wakePause - time.Since(s.lastRead)
	switch {
	case pause <= 0 || !s.listens:
		s.stale = true
	case s.woken == nil:
		s.woken = time.After(pause)
	}
}

// schedulePoll sets the time of the next poll.
func (s *shift) schedulePoll() {
	every := time.Duration(float64(s.l.Every) * (1 - pollJitter + 2*pollJitter*s.l.q.o.Random()))
	s.poll, s.stopPoll = s.l.q.o.Timer(every)
}

// fill begins jobs until the lane is busy or no job can begin.
func (s *shift) fill(ctx context.Context) {
	progress := true // since the last read
	for !s.paused && len(s.running) < s.l.AtOnce && s.err == nil && ctx.Err() == nil {
		if s.stale {
			s.read(ctx)
			progress = false
			continue
		}
		if i := slices.IndexFunc(s.ready, s.mayBegin); i >= 0 {
			s.begin(ctx, s.ready[i])
			s.ready = slices.Delete(s.ready, i, i+1)
			progress = true
			continue
		}
		if !s.full || !progress && len(s.ready) == 0 {
			return
		}
		// The jobs that were read wait for busy groups. Jobs of other groups may be behind them
		// and would not be read the next time either.
		switch {
		case !s.l.InOrder:
			s.postpone(ctx)
		case s.ahead >= maxAhead:
			return
		default:
			s.ahead *= 2
		}
		s.stale = true
	}
}

func (s *shift) mayBegin(job platformdb.Job) bool {
	return job.Group == nil || s.l.PerGroup <= 0 || s.groups[*job.Group] < s.l.PerGroup
}

// read reads the jobs that are due.
func (s *shift) read(ctx context.Context) {
	most := s.l.Most
	if s.l.PerGroup > 0 {
		most = max(most, s.ahead)
	}
	due, err := s.l.q.p.DB.ListDueJobs(s.l.parts(), s.l.q.p.Now()).Limit(most).Slice(ctx)
	if err != nil {
		s.err = fmt.Errorf("list due jobs of lane %s: %w", s.l.Name, err)
		return
	}
	s.stale, s.full, s.woken, s.lastRead = false, len(due) == most, nil, time.Now()
	s.ready = slices.DeleteFunc(due, func(job platformdb.Job) bool { return s.running[job.JobID] })
	if !s.full {
		s.ahead = lookAhead
	}
	if s.lost > 0 && !s.l.InOrder {
		// Many workers take the same jobs; the order is theirs already.
		rand.Shuffle(len(s.ready), func(i, j int) { s.ready[i], s.ready[j] = s.ready[j], s.ready[i] })
	}
	s.lost = 0
}

// begin starts the work on a job.
func (s *shift) begin(ctx context.Context, job platformdb.Job) {
	s.running[job.JobID] = true
	if job.Group != nil {
		s.groups[*job.Group]++
	}
	go func() {
		r := result{job: job}
		defer func() { s.ended <- r }()
		defer recovered(&r.err)
		r.ours, r.err = s.l.q.work(ctx, job)
	}()
}

// end records the end of the work on a job.
func (s *shift) end(r result) {
	delete(s.running, r.job.JobID)
	if r.job.Group != nil {
		if s.groups[*r.job.Group]--; s.groups[*r.job.Group] == 0 {
			delete(s.groups, *r.job.Group)
		}
	}
	s.err = cmp.Or(s.err, r.err)
	if r.ours {
		s.begun++
	} else {
		s.lost++
	}
}

// postpone delays the jobs that were read, each by a random time. Jobs that another worker has
// claimed are not changed.
func (s *shift) postpone(ctx context.Context) {
	for _, job := range s.ready {
		now := s.l.q.p.Now()
		due := now.Add(postponeTime + time.Duration(s.l.q.o.Random()*float64(postponeTime)))
		_, err := s.l.q.p.DB.PostponeJob(ctx, job.Key(), due, platformdb.PostponeJobParams{OldDueAt: job.DueAt, Now: now})
		if err != nil && !access.Refused(err) {
			s.err = fmt.Errorf("postpone job %s: %w", job.JobID, err)
			return
		}
	}
	s.ready = nil
}
