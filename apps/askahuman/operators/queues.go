package operators

import (
	"context"
	"fmt"
)

// MaxQueueCount is the limit up to which queues are counted, because counting reads the
// entries.
const MaxQueueCount = 1000

// Queues holds the lengths of the queues of operators and background jobs, each up to
// MaxQueueCount.
type Queues struct {
	Flags    int64 // flagged answers
	Reports  int64 // open reports of questions
	DeadJobs int64 // jobs that ran out of retries
	DueJobs  int64 // pending jobs that are due
}

// Queues counts the queues.
func (s *Service) Queues(ctx context.Context) (Queues, error) {
	var q Queues
	for _, queue := range []struct {
		name   string
		count  func(context.Context) (int64, error)
		result *int64
	}{
		{"flagged answers", s.CountFlagged, &q.Flags},
		{"open reports", s.CountReports, &q.Reports},
		{"dead jobs", s.env.Jobs.CountDead, &q.DeadJobs},
		{"due jobs", s.countDueJobs, &q.DueJobs},
	} {
		n, err := queue.count(ctx)
		if err != nil {
			return Queues{}, fmt.Errorf("count the %s: %w", queue.name, err)
		}
		*queue.result = n
	}
	return q, nil
}

// CountFlagged counts the flagged answers, up to MaxQueueCount.
func (s *Service) CountFlagged(ctx context.Context) (int64, error) {
	return s.env.DB.ListFlagged().Limit(MaxQueueCount).Count(ctx)
}

// CountReports counts the open reports of questions, up to MaxQueueCount.
func (s *Service) CountReports(ctx context.Context) (int64, error) {
	return s.env.DB.ListOpenReports().Limit(MaxQueueCount).Count(ctx)
}

// countDueJobs counts the jobs of all lanes that are due.
func (s *Service) countDueJobs(ctx context.Context) (int64, error) {
	lanes, err := s.env.Jobs.CountLanes(ctx)
	var all int64
	for _, lane := range lanes {
		all += lane.Due
	}
	return min(all, MaxQueueCount), err
}
