package askahuman

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// Forget removes what is stored of a person: statistics, places on boards, subscriptions and
// the words of their answers. What they answered stays counted. Doing it again is no error.
func (s *Service) Forget(ctx context.Context, p Person) error {
	if p.Hash == "" {
		return errNobody
	}
	if err := s.forgetWords(ctx, p); err != nil {
		return fmt.Errorf("erase the answers of a person: %w", err)
	}
	if err := s.forgetSubscriptions(ctx, p); err != nil {
		return fmt.Errorf("delete the subscriptions of a person: %w", err)
	}
	// An answer in between writes places anew and makes the statistics another version, so
	// both go again.
	err := s.untilSettled(ctx, func() (bool, error) { return false, s.forgetStats(ctx, p) })
	if err != nil {
		return fmt.Errorf("delete the statistics of a person: %w", err)
	}
	return nil
}

func (s *Service) forgetWords(ctx context.Context, p Person) error {
	for response, err := range s.db.ListOwnResponses(p.Hash).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		if _, err := s.db.EraseResponse(ctx, response.Key()); err != nil && !errors.Is(err, access.ErrNotFound) {
			return err
		}
	}
	return nil
}

func (s *Service) forgetSubscriptions(ctx context.Context, p Person) error {
	subscriptions, err := s.db.ListSubscriptionsByPerson(p.Hash).Limit(0).Slice(ctx)
	if err != nil || len(subscriptions) == 0 {
		return err
	}
	keys := make([]askahumandb.SubscriptionKey, len(subscriptions))
	for i, subscription := range subscriptions {
		keys[i] = subscription.Key()
	}
	return s.db.DeleteSubscriptionBatch(ctx, keys)
}

func (s *Service) forgetStats(ctx context.Context, p Person) error {
	stats, known, err := s.userStats(ctx, p)
	if err != nil {
		return err
	}
	if err := s.db.DeleteBoardEntryBatch(ctx, keptPlaces(p, s.Now())); err != nil {
		return err
	}
	if !known {
		return nil
	}
	return s.db.DeleteUserStats(ctx, stats.Key(), askahumandb.DeleteUserStatsParams{Version: stats.Version})
}

// keptPlaces are the places a person may have on boards that are still kept.
func keptPlaces(p Person, now time.Time) []askahumandb.BoardEntryKey {
	keys := []askahumandb.BoardEntryKey{{Board: boardOfAll, FingerprintHash: p.Hash}}
	add := func(board string) {
		if key := (askahumandb.BoardEntryKey{Board: board, FingerprintHash: p.Hash}); keys[len(keys)-1] != key {
			keys = append(keys, key)
		}
	}
	first := now.Add(-KeepBoard)
	for day := first; !day.After(now); day = day.AddDate(0, 0, 1) {
		add(boardOfDay(access.DateOf(day)))
	}
	for day := first; !day.After(now); day = day.AddDate(0, 0, 1) {
		add(boardOfWeek(access.WeekOf(day)))
	}
	return keys
}
