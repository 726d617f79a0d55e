package jobs

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

const (
	// MaxCount is the limit up to which jobs are counted, because counting reads them.
	MaxCount = 1000
	// maxPage is the maximum length of a page, and its length if the caller asks for none.
	maxPage = 100
)

var errNoJob = refusal.New(refusal.NotFound, "", "There is no such job.")

// Get returns a job.
func (q *Queue) Get(ctx context.Context, id string) (Job, error) {
	stored, err := q.get(ctx, id)
	return view(stored), err
}

func (q *Queue) get(ctx context.Context, id string) (platformdb.Job, error) {
	if id == "" {
		return platformdb.Job{}, errNoJob
	}
	stored, err := q.p.DB.GetJob(ctx, id)
	_, noKey := errors.AsType[*access.KeyError](err) // an id that no key can hold is the id of no job
	switch {
	case noKey, errors.Is(err, access.ErrNotFound), err == nil && !stored.TTL.After(q.p.Now()):
		return platformdb.Job{}, errNoJob
	case err != nil:
		return platformdb.Job{}, fmt.Errorf("get job %s: %w", id, err)
	}
	return stored, nil
}

// Waiting returns the jobs of a lane that are queued or running, in the order of their due
// times; of all lanes if the name is "". The cursor is "" for the first page, and Next of the
// previous page for the others. A limit of 0 means as many as fit on a page.
func (q *Queue) Waiting(ctx context.Context, laneName string, limit int, cursor string) (access.Page[Job], error) {
	var parts []string
	for _, l := range q.lanes {
		if laneName == "" || l.Name == laneName {
			parts = append(parts, l.parts()...)
		}
	}
	if len(parts) == 0 {
		return access.Page[Job]{}, refusal.New(refusal.NotFound, "", "There is no such lane.")
	}
	return q.page(ctx, q.p.DB.ListWaitingJobs(parts), limit, cursor)
}

// Dead returns the dead jobs, latest first, in pages as Waiting does.
func (q *Queue) Dead(ctx context.Context, limit int, cursor string) (access.Page[Job], error) {
	return q.page(ctx, q.p.DB.ListDeadJobs(), limit, cursor)
}

func (q *Queue) page(ctx context.Context, list access.List[platformdb.Job], limit int, cursor string) (access.Page[Job], error) {
	if limit <= 0 || limit > maxPage {
		limit = maxPage
	}
	page, err := list.PageSize(limit).Page(ctx, cursor)
	switch {
	case errors.Is(err, access.ErrBadCursor):
		return access.Page[Job]{}, refusal.BadCursor()
	case err != nil:
		return access.Page[Job]{}, fmt.Errorf("list jobs: %w", err)
	}
	result := access.Page[Job]{Next: page.Next}
	for _, stored := range page.Items {
		if stored.TTL.After(q.p.Now()) {
			result.Items = append(result.Items, view(stored))
		}
	}
	return result, nil
}

// CountDead counts the dead jobs, up to MaxCount.
func (q *Queue) CountDead(ctx context.Context) (int64, error) {
	n, err := q.p.DB.ListDeadJobs().Limit(MaxCount).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count dead jobs: %w", err)
	}
	return n, nil
}

// A LaneCount holds the number of jobs of a lane, each up to MaxCount.
type LaneCount struct {
	Lane    string
	Waiting int64 // queued or running
	Due     int64 // of these, those that could be started now
}

// CountLanes counts the jobs of every lane.
func (q *Queue) CountLanes(ctx context.Context) ([]LaneCount, error) {
	counts := make([]LaneCount, len(q.lanes))
	for i, l := range q.lanes {
		waiting, err := q.p.DB.ListWaitingJobs(l.parts()).Limit(MaxCount).Count(ctx)
		if err != nil {
			return nil, fmt.Errorf("count jobs of lane %s: %w", l.Name, err)
		}
		due, err := q.p.DB.ListDueJobs(l.parts(), q.p.Now()).Limit(MaxCount).Count(ctx)
		if err != nil {
			return nil, fmt.Errorf("count due jobs of lane %s: %w", l.Name, err)
		}
		counts[i] = LaneCount{Lane: l.Name, Waiting: waiting, Due: due}
	}
	return counts, nil
}

// Replay queues a dead job again, with all its attempts. The audit trail names the operator. A
// job that is not dead any more is a conflict.
func (q *Queue) Replay(ctx context.Context, operator, id string) error {
	return q.decide(ctx, operator, "replay job", id, func(tx *platformdb.Tx, job platformdb.Job) {
		now := q.p.Now()
		home := job.Home
		if k := q.kind(job.Kind); k.lane != nil {
			home = k.lane.part(id) // the lane may have more parts by now
		}
		tx.ReviveJob(job.Key(), now, home, platformdb.ReviveJobParams{TTL: now.Add(keepPending)})
	})
}

// ReplayAll replays all dead jobs of a kind, or of all kinds if it is "", and returns their
// number. Jobs that are replayed or dropped meanwhile by others are skipped.
func (q *Queue) ReplayAll(ctx context.Context, operator, kind string) (replayed int, err error) {
	return q.each(ctx, kind, func(id string) error { return q.Replay(ctx, operator, id) })
}

// DropAll drops all dead jobs of a kind, as ReplayAll replays them.
func (q *Queue) DropAll(ctx context.Context, operator, kind string) (dropped int, err error) {
	return q.each(ctx, kind, func(id string) error { return q.Drop(ctx, operator, id) })
}

// each calls a function with the id of every dead job of a kind, and counts those that it does
// not refuse.
func (q *Queue) each(ctx context.Context, kind string, decide func(id string) error) (decided int, err error) {
	for job, err := range q.p.DB.ListDeadJobs().Limit(0).PageSize(maxPage).All(ctx) {
		if err != nil {
			return decided, fmt.Errorf("list dead jobs: %w", err)
		}
		if kind != "" && job.Kind != kind {
			continue
		}
		err := decide(job.JobID)
		if _, refused := errors.AsType[*refusal.Error](err); refused {
			continue
		}
		if err != nil {
			return decided, err
		}
		decided++
	}
	return decided, nil
}

// Drop deletes a dead job. The audit trail names the operator. A job that is not dead any more
// is a conflict.
func (q *Queue) Drop(ctx context.Context, operator, id string) error {
	return q.decide(ctx, operator, "drop job", id, func(tx *platformdb.Tx, job platformdb.Job) { tx.DropJob(job.Key()) })
}

// decide writes an operator's decision about a dead job together with its audit event.
func (q *Queue) decide(ctx context.Context, operator, action, id string, write func(*platformdb.Tx, platformdb.Job)) error {
	var kind string
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		job, err := q.get(ctx, id)
		if err != nil {
			return false, err
		}
		kind = job.Kind
		tx := q.p.DB.Tx()
		write(tx, job)
		event := audit.Event{Actor: operator, Action: action, Target: id, Detail: map[string]string{"kind": job.Kind}}
		if job.LastError != nil {
			event.Detail["error"] = *job.LastError
		}
		q.o.Trail.Record(tx, event)
		return false, tx.Commit(ctx)
	})
	switch {
	case errors.Is(err, access.ErrNotFound):
		return errNoJob
	case access.Refused(err):
		return refusal.New(refusal.Conflict, "", "This job is not dead.")
	case err != nil:
		return fmt.Errorf("%s %s: %w", action, id, err)
	}
	if k := q.kind(kind); k.lane != nil {
		k.lane.wake()
	}
	return nil
}
