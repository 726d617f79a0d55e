package askahuman

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// A JobPayload holds the arguments of a job. Its kind determines which fields are set.
type JobPayload struct {
	QuestionID string `json:"question_id,omitempty"` // of dispatch, catch_up and webhook
	// SubscriptionID limits a dispatch to one person whose notification failed.
	SubscriptionID string `json:"subscription_id,omitempty"`
	// Watch makes a webhook job poll for the end of the question; Look counts the polls.
	Watch bool `json:"watch,omitempty"`
	Look  int  `json:"look,omitempty"`
	// Host is the host a webhook goes to. It is part of the payload so that jobs can be
	// grouped by host without reading their questions.
	Host       string `json:"host,omitempty"`
	PersonHash string `json:"person_hash,omitempty"` // of erase
}

// NewJob returns a job that is due at a time. The id is an idempotency key: two jobs of the
// same id are one.
func (s *Service) NewJob(id string, kind askahumandb.JobKind, payload JobPayload, due time.Time) (askahumandb.Job, error) {
	encoded, err := json.Marshal(payload)
	if err != nil {
		return askahumandb.Job{}, fmt.Errorf("encode the payload of job %s: %w", id, err)
	}
	return askahumandb.Job{
		JobID: id, Kind: kind, Lane: LaneOf(kind), Payload: encoded, DueAt: due, CreatedAt: s.Now(), TTL: due.Add(MaxTimeout + KeepDeadJob),
	}, nil
}

// LaneOf returns the lane of pending jobs of a kind. Dead jobs are in no lane.
func LaneOf(kind askahumandb.JobKind) *askahumandb.JobLane { return new(askahumandb.JobLane(kind)) }

// QueueJob queues a job, and reports whether it is new.
func (s *Service) QueueJob(ctx context.Context, id string, kind askahumandb.JobKind, payload JobPayload, due time.Time) (bool, error) {
	job, err := s.NewJob(id, kind, payload, due)
	if err != nil {
		return false, err
	}
	_, err = s.db.QueueJob(ctx, job)
	switch {
	case errors.Is(err, access.ErrExists):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("queue job %s: %w", id, err)
	}
	return true, nil
}

// DeadJobs returns the dead jobs, latest first, and the cursor of the next page.
func (s *Service) DeadJobs(ctx context.Context, limit int, cursor string) ([]askahumandb.Job, string, error) {
	page, err := s.db.ListDeadJobs().PageSize(limit).Page(ctx, cursor)
	if err != nil {
		return nil, "", badCursor(fmt.Errorf("list dead jobs: %w", err))
	}
	kept := page.Items[:0]
	for _, job := range page.Items {
		if job.TTL.After(s.Now()) {
			kept = append(kept, job)
		}
	}
	return kept, page.Next, nil
}

// ReviveJob queues a dead job again. It returns a conflict if the job is not dead any more.
func (s *Service) ReviveJob(ctx context.Context, operator, id string) error {
	if id == "" {
		return errNoJob
	}
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		job, err := s.db.GetJob(ctx, id)
		if err != nil {
			return false, err
		}
		tx := s.db.Tx()
		tx.ReviveJob(job.Key(), s.Now(), askahumandb.ReviveJobParams{Lane: LaneOf(job.Kind)})
		s.audit(tx, operator, "revive job", id)
		return false, tx.Commit(ctx)
	})
	switch {
	case errors.Is(err, access.ErrNotFound):
		return errNoJob
	case changedMeanwhile[askahumandb.Job](err):
		return refusal.New(refusal.Conflict, "", "This job is not dead.")
	case err != nil:
		return fmt.Errorf("revive job %s: %w", id, err)
	}
	return nil
}

var errNoJob = refusal.New(refusal.NotFound, "", "There is no such job.")
