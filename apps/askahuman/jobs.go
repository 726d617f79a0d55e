package askahuman

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// A JobPayload is what a job is about. Which fields are set depends on its kind.
type JobPayload struct {
	QuestionID string `json:"question_id,omitempty"` // of dispatch, catch_up and webhook
	// SubscriptionID makes a dispatch about one person who was chosen but not reached.
	SubscriptionID string `json:"subscription_id,omitempty"`
	// Watch makes a webhook wait for the end of the question; Look says how often it has
	// looked.
	Watch bool `json:"watch,omitempty"`
	Look  int  `json:"look,omitempty"`
	// Host is the one a webhook goes to. It is here so that one of many jobs can be told from
	// the others without reading their questions.
	Host       string `json:"host,omitempty"`
	PersonHash string `json:"person_hash,omitempty"` // of erase
}

// NewJob returns a job that is due at a time. Queueing two of the same id is queueing one.
func (s *Service) NewJob(id string, kind askahumandb.JobKind, payload JobPayload, due time.Time) (askahumandb.Job, error) {
	encoded, err := json.Marshal(payload)
	if err != nil {
		return askahumandb.Job{}, fmt.Errorf("encode the payload of job %s: %w", id, err)
	}
	return askahumandb.Job{
		JobID: id, Kind: kind, Lane: LaneOf(kind), Payload: encoded, DueAt: due, CreatedAt: s.Now(), TTL: due.Add(MaxTimeout + KeepDeadJob),
	}, nil
}

// LaneOf returns where jobs of a kind that are to be done are found. Those that were given up
// are in no lane.
func LaneOf(kind askahumandb.JobKind) *askahumandb.JobLane { return new(askahumandb.JobLane(kind)) }

// QueueJob queues a job, and reports whether it was not queued before.
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

// DeadJobs returns the jobs that were given up, the latest first, and the cursor of the next
// page.
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

// ReviveJob gives a job that was given up another chance. That it is not dead any more is a
// conflict.
func (s *Service) ReviveJob(ctx context.Context, operator, id string) error {
	if id == "" {
		return errNoJob
	}
	err := s.untilSettled(ctx, func() (bool, error) {
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
		return &Error{Code: CodeConflict, Message: "This job is not dead."}
	case err != nil:
		return fmt.Errorf("revive job %s: %w", id, err)
	}
	return nil
}

var errNoJob = &Error{Code: CodeNotFound, Message: "There is no such job."}
