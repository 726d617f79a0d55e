package bank

import (
	"context"

	"sortkey.dev/apps/exambuddy/exambuddydb"
)

// Available returns the number of questions that a pick can choose from.
func (s *Service) Available(ctx context.Context, project exambuddydb.Project, pick Pick) (int, error) {
	pool, err := s.pool(ctx, project)
	if err != nil {
		return 0, err
	}
	return len(pool.choose(project, pick)), nil
}
