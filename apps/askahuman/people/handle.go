package people

import (
	"context"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/handle"
)

// nameRows sets the names of a board's rows. hashes are the people of the rows.
func (s *Service) nameRows(ctx context.Context, rows []BoardRow, hashes []string) error {
	if len(rows) == 0 {
		return nil
	}
	stored, err := s.StoredOf(ctx, hashes)
	if err != nil {
		return err
	}
	chosen := make(map[string]int64, len(stored))
	for hash, stats := range stored {
		chosen[hash] = chosenOf(stats)
	}
	for i, name := range handle.OfAll(hashes, chosen) {
		rows[i].Handle = name
	}
	return nil
}

// chosenOf returns how often a person chose another name.
func chosenOf(stats askahumandb.UserStats) int64 {
	if stats.Handle == nil {
		return 0
	}
	return *stats.Handle
}

// ChangeHandle gives a person another invented name on all boards and returns it.
func (s *Service) ChangeHandle(ctx context.Context, p askahuman.Person) (string, error) {
	var name string
	err := access.RetryOnConflict(ctx, func() (again bool, err error) {
		stats, known, err := s.Stored(ctx, p)
		if err != nil {
			return false, err
		}
		if !known {
			return false, askahuman.ErrNobody
		}
		next := chosenOf(stats) + 1
		for handle.Of(p.Hash, next) == handle.Of(p.Hash, next-1) {
			next++
		}
		_, err = s.env.DB.ChangeHandle(ctx, stats.Key(), askahumandb.ChangeHandleParams{Handle: &next, UpdatedAt: s.env.Now(), Version: stats.Version})
		name = handle.Of(p.Hash, next)
		return askahuman.Changed[askahumandb.UserStats](err), err
	})
	if err != nil {
		return "", fmt.Errorf("change the name of a person: %w", err)
	}
	return name, nil
}
