package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// wakeDelay is the time after which a lane looks for a job of a transaction, which is committed
// by then as a rule. If it is not, the next poll finds the job.
const wakeDelay = 100 * time.Millisecond

// Add queues a job and reports whether it is new: if a job with the same id exists, Add changes
// nothing. A job that is due starts at once if this process runs its lane.
func (q *Queue) Add(ctx context.Context, job Job) (added bool, err error) {
	stored, k, err := q.stored(job)
	if err != nil {
		return false, err
	}
	_, err = q.p.DB.QueueJob(ctx, stored)
	switch {
	case errors.Is(err, access.ErrExists):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("queue job %s: %w", job.ID, err)
	}
	q.wake(k, stored.DueAt)
	return true, nil
}

// AddTo adds the job to a transaction of any generated package, so that it is queued if and only
// if the transaction commits. Commit fails with access.ErrExists if a job of this id exists. The
// error reports a job that cannot be queued.
func (q *Queue) AddTo(tx access.Tx, job Job) error {
	stored, k, err := q.stored(job)
	if err != nil {
		return err
	}
	q.p.DB.Join(tx).QueueJob(stored)
	if k.lane.listening.Load() > 0 && !stored.DueAt.After(q.p.Now()) {
		time.AfterFunc(wakeDelay, k.lane.wake)
	}
	return nil
}

// stored returns a new job as it is stored.
func (q *Queue) stored(job Job) (platformdb.Job, *kind, error) {
	k := q.kind(job.Kind)
	switch {
	case job.ID == "":
		return platformdb.Job{}, nil, fmt.Errorf("jobs: a job of kind %q has no id", job.Kind)
	case k.lane == nil:
		return platformdb.Job{}, nil, fmt.Errorf("jobs: job %s is of kind %q, which is not registered", job.ID, job.Kind)
	}
	payload, err := encode(job.Payload)
	if err != nil {
		return platformdb.Job{}, nil, fmt.Errorf("jobs: encode the payload of job %s: %w", job.ID, err)
	}
	now := q.p.Now()
	if job.Due.IsZero() {
		job.Due = now
	}
	part := k.lane.part(job.ID)
	stored := platformdb.Job{
		JobID: job.ID, Kind: job.Kind, Lane: part, Home: part, Payload: payload,
		DueAt: job.Due.UTC().Truncate(time.Millisecond), CreatedAt: now, TTL: job.Due.Add(keepPending),
	}
	if job.Group != "" {
		stored.Group = new(job.Group)
	}
	return stored, k, nil
}

// wake lets a lane look for a new job, if the job is due.
func (q *Queue) wake(k *kind, due time.Time) {
	if !due.After(q.p.Now()) {
		k.lane.wake()
	}
}
