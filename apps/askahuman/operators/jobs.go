package operators

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// DeadJobs returns the dead jobs, latest first, and the cursor of the next page.
func (s *Service) DeadJobs(ctx context.Context, limit int, cursor string) ([]askahumandb.Job, string, error) {
	page, err := s.env.DB.ListDeadJobs().PageSize(limit).Page(ctx, cursor)
	if err != nil {
		return nil, "", askahuman.BadCursor(fmt.Errorf("list dead jobs: %w", err))
	}
	kept := page.Items[:0]
	for _, job := range page.Items {
		if job.TTL.After(s.env.Now()) {
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
		job, err := s.env.DB.GetJob(ctx, id)
		if err != nil {
			return false, err
		}
		tx := s.env.DB.Tx()
		tx.ReviveJob(job.Key(), s.env.Now(), askahumandb.ReviveJobParams{Lane: askahuman.LaneOf(job.Kind)})
		s.env.RecordAudit(tx, operator, "revive job", id)
		return false, tx.Commit(ctx)
	})
	switch {
	case errors.Is(err, access.ErrNotFound):
		return errNoJob
	case askahuman.Changed[askahumandb.Job](err):
		return refusal.New(refusal.Conflict, "", "This job is not dead.")
	case err != nil:
		return fmt.Errorf("revive job %s: %w", id, err)
	}
	return nil
}

var errNoJob = refusal.New(refusal.NotFound, "", "There is no such job.")
