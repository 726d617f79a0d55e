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
func (e *Env) NewJob(id string, kind askahumandb.JobKind, payload JobPayload, due time.Time) (askahumandb.Job, error) {
	encoded, err := json.Marshal(payload)
	if err != nil {
		return askahumandb.Job{}, fmt.Errorf("encode the payload of job %s: %w", id, err)
	}
	return askahumandb.Job{
		JobID: id, Kind: kind, Lane: LaneOf(kind), Payload: encoded, DueAt: due, CreatedAt: e.Now(), TTL: due.Add(MaxTimeout + KeepDeadJob),
	}, nil
}

// LaneOf returns the lane of pending jobs of a kind. Dead jobs are in no lane.
func LaneOf(kind askahumandb.JobKind) *askahumandb.JobLane { return new(askahumandb.JobLane(kind)) }

// QueueJob queues a job, and reports whether it is new.
func (e *Env) QueueJob(ctx context.Context, id string, kind askahumandb.JobKind, payload JobPayload, due time.Time) (bool, error) {
	job, err := e.NewJob(id, kind, payload, due)
	if err != nil {
		return false, err
	}
	_, err = e.DB.QueueJob(ctx, job)
	switch {
	case errors.Is(err, access.ErrExists):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("queue job %s: %w", id, err)
	}
	return true, nil
}
