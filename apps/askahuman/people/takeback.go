package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/score"
)

// TakeBack adds to a transaction that a person loses what an answer earned: points, badges and
// places on the boards. A person who was forgotten since the answer has nothing of it to lose, also
// if they have begun anew.
func (s *Service) TakeBack(ctx context.Context, tx *askahumandb.Tx, response askahumandb.Response) error {
	p := askahuman.Person{Hash: response.FingerprintHash}
	stats, known, err := s.Stored(ctx, p)
	if err != nil || !known || stats.TotalAnswers == 0 || response.CreatedAt.Before(stats.CreatedAt) {
		return err
	}
	p = askahuman.Person{Hash: p.Hash, TZOffsetMin: int(stats.TzOffsetMin)}
	rejected := rejectedOf(response, stats, p)
	if rejected.Alone, err = s.isAlone(ctx, response, p); err != nil {
		return err
	}
	career, boardPoints := score.TakeBack(CareerOf(stats), rejected)
	now := s.env.Now()
	places, err := s.placesWithout(ctx, response, career, int64(boardPoints))
	if err != nil {
		return err
	}
	tx.TakeBackPoints(statsOf(stats, career, now), askahumandb.TakeBackPointsParams{Was: stats.Standing})
	for _, place := range places {
		if place.UpdatedAt = now; place.Answers > 0 {
			tx.PutBoardEntry(place)
		} else {
			tx.DeleteBoardEntry(place.Key())
		}
	}
	return nil
}

// rejectedOf returns an answer as the scoring rules need it.
func rejectedOf(response askahumandb.Response, stats askahumandb.UserStats, p askahuman.Person) score.Rejected {
	flaggedAtOnce := response.FlaggedAt != nil && response.FlaggedAt.Equal(response.CreatedAt)
	r := score.Rejected{
		At: p.Here(response.CreatedAt), Points: int(response.Points), Category: response.Audience, Earned: make(map[string]bool),
		Confident: response.Confidence != nil && score.IsConfident(int(*response.Confidence)),
		Fast:      response.ResponseTimeMs != nil && !flaggedAtOnce && score.IsFast(time.Duration(*response.ResponseTimeMs)*time.Millisecond),
	}
	for _, badge := range stats.Badges {
		if badge.EarnedAt.Equal(response.CreatedAt) {
			r.Earned[badge.ID] = true
		}
	}
	return r
}

// isAlone reports whether a person has no other answer of the day of an answer, on their own
// calendar. Rejected answers do not count.
func (s *Service) isAlone(ctx context.Context, response askahumandb.Response, p askahuman.Person) (bool, error) {
	day := p.Here(response.CreatedAt).Format(time.DateOnly)
	for other, err := range s.env.DB.ListOwnResponses(p.Hash).Limit(0).All(ctx) {
		if err != nil {
			return false, fmt.Errorf("read the answers of a day: %w", err)
		}
		if other.QuestionID == response.QuestionID || other.FlagState == askahumandb.ResponseFlagStateRejected {
			continue
		}
		switch that := p.Here(other.CreatedAt).Format(time.DateOnly); {
		case that == day:
			return false, nil
		case that < day: // the list goes back in time
			return true, nil
		}
	}
	return true, nil
}

// placesWithout returns a person's entries on the boards that an answer counted on, without it.
func (s *Service) placesWithout(ctx context.Context, response askahumandb.Response, career score.Career, points int64) ([]askahumandb.BoardEntry, error) {
	var places []askahumandb.BoardEntry
	for _, board := range []string{boardOfAll, boardOfDay(access.DateOf(response.CreatedAt)), boardOfWeek(access.WeekOf(response.CreatedAt))} {
		entry, err := s.env.DB.GetBoardEntry(ctx, s.partOf(board, response.FingerprintHash), response.FingerprintHash)
		if errors.Is(err, access.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read a place on a leaderboard: %w", err)
		}
		if board == boardOfAll {
			entry.Points, entry.Answers = int64(career.TotalPoints), int64(career.TotalAnswers)
		} else {
			entry.Points, entry.Answers = max(entry.Points-points, 0), max(entry.Answers-1, 0)
		}
		places = append(places, entry)
	}
	return places, nil
}

// statsOf returns statistics with a career that lost an answer.
func statsOf(stats askahumandb.UserStats, c score.Career, now time.Time) askahumandb.UserStats {
	stats.TotalPoints, stats.TotalAnswers = int64(c.TotalPoints), int64(c.TotalAnswers)
	stats.DayPoints, stats.DayAnswers = int64(c.DayPoints), int64(c.DayAnswers)
	stats.WeekPoints, stats.WeekAnswers = int64(c.WeekPoints), int64(c.WeekAnswers)
	if stats.StreakDays = int64(c.StreakDays); c.StreakLast == "" {
		stats.StreakLastDate = nil
	} else {
		stats.StreakLastDate = new(access.Date(c.StreakLast))
	}
	stats.NightAnswers, stats.FastAnswers, stats.ConfidentAnswers = int64(c.Night), int64(c.Fast), int64(c.Confident)
	stats.Badges = slices.DeleteFunc(slices.Clone(stats.Badges), func(b askahumandb.Badge) bool { return !c.Badges[b.ID] })
	stats.AnswersByCategory = make(map[string]int64, len(c.ByCategory))
	for category, answers := range c.ByCategory {
		stats.AnswersByCategory[category] = int64(answers)
	}
	stats.UpdatedAt = now
	return stats
}

// ShadowPlaces adds to a transaction that other people see a person on the current boards, or do
// not. The transaction also changes the person's statistics, as answers do, so that no answer
// comes in between.
func (s *Service) ShadowPlaces(ctx context.Context, tx *askahumandb.Tx, personHash string, shadow bool) error {
	now := s.env.Now()
	for _, board := range []string{boardOfAll, boardOfDay(access.DateOf(now)), boardOfWeek(access.WeekOf(now))} {
		entry, err := s.env.DB.GetBoardEntry(ctx, s.partOf(board, personHash), personHash)
		if errors.Is(err, access.ErrNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read a place on a leaderboard: %w", err)
		}
		entry.Shadow, entry.UpdatedAt = shadow, now
		tx.PutBoardEntry(entry)
	}
	return nil
}
