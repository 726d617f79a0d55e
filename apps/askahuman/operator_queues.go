package askahuman

import (
	"context"
	"fmt"

	"sortkey.dev/apps/askahuman/askahumandb"
)

// MaxQueueCount is how far the entries of a queue are counted; counting reads them.
const MaxQueueCount = 1000

// Queues are how much waits for operators and for the work of the background, each up to
// MaxQueueCount.
type Queues struct {
	Flags    int64 // answers to look at
	Reports  int64 // of questions that somebody finds improper
	DeadJobs int64 // given up
	DueJobs  int64 // whose time has come
}

// Queues counts what waits now.
func (s *Service) Queues(ctx context.Context) (Queues, error) {
	var q Queues
	for _, queue := range []struct {
		name   string
		count  func(context.Context) (int64, error)
		result *int64
	}{
		{"flagged answers", s.db.ListFlagged().Limit(MaxQueueCount).Count, &q.Flags},
		{"open reports", s.db.ListOpenReports().Limit(MaxQueueCount).Count, &q.Reports},
		{"dead jobs", s.db.ListDeadJobs().Limit(MaxQueueCount).Count, &q.DeadJobs},
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

// countDueJobs counts the jobs of all kinds whose time has come.
func (s *Service) countDueJobs(ctx context.Context) (int64, error) {
	var all int64
	for _, lane := range askahumandb.JobLaneValues() {
		n, err := s.db.ListDueJobs(lane, s.Now()).Limit(MaxQueueCount).Count(ctx)
		if err != nil {
			return 0, err
		}
		all += n
	}
	return min(all, MaxQueueCount), nil
}
