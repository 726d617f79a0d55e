package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// Forget deletes a person's data: statistics, board entries, subscriptions, reports,
// notifications and the text of their answers. Their answers stay counted, and a ban is kept.
// Forget is idempotent.
//
// A concurrent answer is either deleted completely or stored completely afterwards: the
// statistics are deleted first, and an answer needs them. If new statistics with an answer
// exist at the end, they are deleted as well.
func (s *Service) Forget(ctx context.Context, p askahuman.Person) error {
	if p.Hash == "" {
		return askahuman.ErrNobody
	}
	return access.RetryOnConflict(ctx, func() (again bool, err error) {
		for _, part := range []struct {
			name   string
			forget func(context.Context, askahuman.Person) error
		}{
			{"statistics", s.forgetStats},
			{"places", s.forgetPlaces},
			{"answers", s.forgetWords},
			{"subscriptions", s.forgetSubscriptions},
			{"notifications", s.forgetPushes},
			{"reports", s.forgetReports},
		} {
			if err := part.forget(ctx, p); err != nil {
				return askahuman.Changed[askahumandb.UserStats](err), fmt.Errorf("forget the %s of a person: %w", part.name, err)
			}
		}
		stats, _, err := s.Stored(ctx, p)
		return err == nil && stats.TotalAnswers > 0, err
	})
}

// forgetStats deletes a person's statistics except for a ban.
func (s *Service) forgetStats(ctx context.Context, p askahuman.Person) error {
	stats, known, err := s.Stored(ctx, p)
	if err != nil || !known {
		return err
	}
	if stats.Standing == askahumandb.UserStatsStandingGood {
		err := s.env.DB.DeleteUserStats(ctx, stats.Key(), askahumandb.DeleteUserStatsParams{Version: stats.Version})
		if errors.Is(err, access.ErrNotFound) {
			return nil
		}
		return err
	}
	rest := NewStats(askahuman.Person{Hash: p.Hash}, s.env.Now().Truncate(time.Millisecond))
	rest.Standing, rest.Version = stats.Standing, stats.Version
	_, err = s.env.DB.KeepStanding(ctx, rest, askahumandb.KeepStandingParams{Was: stats.Standing})
	return err
}

func (s *Service) forgetPlaces(ctx context.Context, p askahuman.Person) error {
	return s.env.DB.DeleteBoardEntryBatch(ctx, s.keptPlaces(p, s.env.Now()))
}

func (s *Service) forgetWords(ctx context.Context, p askahuman.Person) error {
	for response, err := range s.env.DB.ListOwnResponses(p.Hash).Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		if _, err := s.env.DB.EraseResponse(ctx, response.Key()); err != nil && !errors.Is(err, access.ErrNotFound) {
			return err
		}
	}
	return nil
}

// forgetSubscriptions needs no list: person and channel determine the id of a subscription.
func (s *Service) forgetSubscriptions(ctx context.Context, p askahuman.Person) error {
	return s.env.DB.DeleteSubscriptionBatch(ctx, s.env.SubscriptionKeys(p))
}

// forgetPushes leaves notifications that are being sent; they expire after KeepPush.
func (s *Service) forgetPushes(ctx context.Context, p askahuman.Person) error {
	pushes, err := s.env.DB.ListInbox(p.Hash).Limit(0).Slice(ctx)
	if err != nil || len(pushes) == 0 {
		return err
	}
	keys := make([]askahumandb.PushSentKey, len(pushes))
	for i, push := range pushes {
		keys[i] = push.Key()
	}
	return s.env.DB.DeletePushBatch(ctx, keys)
}

// forgetReports also deletes open reports: a report without its text is of no use.
func (s *Service) forgetReports(ctx context.Context, p askahuman.Person) error {
	reports, err := s.env.DB.ListReportsByPerson(p.Hash).Limit(0).Slice(ctx)
	if err != nil || len(reports) == 0 {
		return err
	}
	keys := make([]askahumandb.QuestionReportKey, len(reports))
	for i, report := range reports {
		keys[i] = askahumandb.QuestionReportKey{QuestionID: report.QuestionID, FingerprintHash: report.FingerprintHash}
	}
	return s.env.DB.DeleteReportBatch(ctx, keys)
}

// keptPlaces returns the keys of all entries a person may have on boards that are still kept.
func (s *Service) keptPlaces(p askahuman.Person, now time.Time) []askahumandb.BoardEntryKey {
	keys := []askahumandb.BoardEntryKey{{Board: s.partOf(boardOfAll, p.Hash), FingerprintHash: p.Hash}}
	add := func(board string) {
		if key := (askahumandb.BoardEntryKey{Board: s.partOf(board, p.Hash), FingerprintHash: p.Hash}); keys[len(keys)-1] != key {
			keys = append(keys, key)
		}
	}
	first := now.Add(-askahuman.KeepBoard)
	for day := first; !day.After(now); day = day.AddDate(0, 0, 1) {
		add(boardOfDay(access.DateOf(day)))
	}
	for day := first; !day.After(now); day = day.AddDate(0, 0, 1) {
		add(boardOfWeek(access.WeekOf(day)))
	}
	return keys
}
