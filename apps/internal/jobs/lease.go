package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// heartbeats is the number of heartbeats during a lease.
const heartbeats = 4

// A lease is a worker's right to run a job. Its end is stored as the due time of the job and is
// the fencing token: every write of the worker requires it.
type lease struct {
	q      *Queue
	key    platformdb.JobKey
	length time.Duration
	end    time.Time   // as it is stored, unless one of maybe is
	maybe  []time.Time // ends of extensions whose result is unknown
}

// keep extends the lease periodically until stop is called. It calls lost if the lease cannot be
// kept. No call is in progress when stop returns.
func (l *lease) keep(ctx context.Context, lost func()) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			after, stopTimer := l.q.o.Timer(l.length / heartbeats)
			select {
			case <-quit:
				stopTimer()
				return
			case <-after:
			}
			if !l.extend(ctx) {
				lost()
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// extend moves the end of the lease, and reports whether the worker may go on.
func (l *lease) extend(ctx context.Context) bool {
	now := l.q.p.Now()
	next := now.Add(l.length)
	if !next.After(l.end) {
		return true
	}
	// A stopping worker still needs to know the result.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.length/heartbeats)
	defer cancel()
	err := l.write(func(end time.Time) error {
		_, err := l.q.p.DB.ExtendJob(ctx, l.key, next, platformdb.ExtendJobParams{Lease: end})
		return err
	})
	switch {
	case err == nil:
		l.end, l.maybe = next, nil
		return true
	case access.Refused(err):
		return false
	}
	l.maybe = append(l.maybe, next)
	l.q.p.Log.Warn("the lease of a job cannot be extended", slog.String("job", l.key.JobID), slog.Any("error", err))
	return now.Add(l.length / heartbeats).Before(l.end)
}

// write calls a write that requires the lease. If the stored lease is that of an extension whose
// result was unknown, the write is repeated with it.
func (l *lease) write(write func(end time.Time) error) error {
	err := write(l.end)
	unmet, ok := errors.AsType[*access.ConditionError[platformdb.Job]](err)
	if !ok || unmet.Current == nil {
		return err
	}
	stored := unmet.Current.DueAt
	if !slices.ContainsFunc(l.maybe, stored.Equal) {
		return err
	}
	l.end = stored
	return write(stored)
}
