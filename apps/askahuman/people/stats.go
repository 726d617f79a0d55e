package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/handle"
	"sortkey.dev/apps/askahuman/score"
)

// Ensure returns a person's statistics and creates them if there are none.
func (s *Service) Ensure(ctx context.Context, personHash string) (askahumandb.UserStats, error) {
	stats, err := s.env.DB.GetUserStats(ctx, personHash)
	if !errors.Is(err, access.ErrNotFound) {
		return stats, err
	}
	stats, err = s.env.DB.CreateUserStats(ctx, NewStats(askahuman.Person{Hash: personHash}, s.env.Now()))
	if errors.Is(err, access.ErrExists) { // the person just answered for the first time
		return s.env.DB.GetUserStats(ctx, personHash)
	}
	return stats, err
}

func (s *Service) StoredOf(ctx context.Context, people []string) (map[string]askahumandb.UserStats, error) {
	keys := make([]askahumandb.UserStatsKey, len(people))
	for i, hash := range people {
		keys[i] = askahumandb.UserStatsKey{FingerprintHash: hash}
	}
	stored, err := s.env.DB.GetUserStatsBatch(ctx, askahuman.Distinct(keys))
	if err != nil {
		return nil, fmt.Errorf("read the people of a list: %w", err)
	}
	stats := make(map[string]askahumandb.UserStats, len(stored))
	for _, u := range stored {
		stats[u.FingerprintHash] = u
	}
	return stats, nil
}

// Stats holds a person's points, streak and badges. It is empty for a person who has
// never answered.
type Stats struct {
	TotalPoints  int
	TotalAnswers int
	DayPoints    int    // of today's answers in UTC; score.DailyCap is the most there can be
	StreakDays   int    // 0 when a day was left out
	Rank         int    // on the board of all time; 0 if not on it
	Estimated    bool   // Rank is an estimate, because the board has parts
	Handle       string // the invented name on the boards
	Badges       []EarnedBadge
	Progress     []score.Progress // of the badges not earned yet, in the order of score.Badges
	ByCategory   map[string]int
	Since        time.Time // zero if never
}

// An EarnedBadge is a badge and when it was earned.
type EarnedBadge struct {
	score.Badge
	EarnedAt time.Time
}

// Stats returns a person's statistics.
func (s *Service) Stats(ctx context.Context, p askahuman.Person) (Stats, error) {
	stored, known, err := s.Stored(ctx, p)
	if err != nil {
		return Stats{}, err
	}
	if !known || stored.TotalAnswers == 0 { // the item may exist for a subscription or a ban only
		return Stats{Progress: score.Remaining(score.Career{}), ByCategory: map[string]int{}}, nil
	}
	now := s.env.Now()
	career := CareerOf(stored)
	career.StreakDays = score.Streak(career, p.InLastZone(stored).Here(now))
	stats := Stats{
		TotalPoints:  career.TotalPoints,
		TotalAnswers: career.TotalAnswers,
		StreakDays:   career.StreakDays,
		Progress:     score.Remaining(career),
		ByCategory:   career.ByCategory,
		Since:        stored.CreatedAt,
	}
	if stored.Day == access.DateOf(now) {
		stats.DayPoints = career.DayPoints
	}
	for _, earned := range stored.Badges {
		if badge, ok := score.Find(earned.ID); ok {
			stats.Badges = append(stats.Badges, EarnedBadge{Badge: badge, EarnedAt: earned.EarnedAt})
		}
	}
	place, err := s.place(ctx, boardOfAll, p)
	stats.Rank, stats.Handle = place.Rank, handle.Of(p.Hash, chosenOf(stored))
	stats.Estimated = place.Rank > 0 && len(s.env.AllParts()) > 1
	return stats, err
}

// Stored returns the stored statistics of a person, if there are any.
func (s *Service) Stored(ctx context.Context, p askahuman.Person) (_ askahumandb.UserStats, known bool, err error) {
	if p.Hash == "" {
		return askahumandb.UserStats{}, false, askahuman.ErrNobody
	}
	stats, err := s.env.DB.GetUserStats(ctx, p.Hash)
	if errors.Is(err, access.ErrNotFound) {
		return askahumandb.UserStats{}, false, nil
	}
	if err != nil {
		return askahumandb.UserStats{}, false, fmt.Errorf("read the statistics of a person: %w", err)
	}
	return stats, true, nil
}

// IsBanned reports whether a person is banned.
func (s *Service) IsBanned(ctx context.Context, p askahuman.Person) (bool, error) {
	if p.Hash == "" {
		return false, nil
	}
	stats, _, err := s.Stored(ctx, p)
	return stats.Standing == askahumandb.UserStatsStandingBanned, err
}

// NewStats returns the statistics of a person before the first answer.
func NewStats(p askahuman.Person, now time.Time) askahumandb.UserStats {
	return askahumandb.UserStats{
		FingerprintHash:   p.Hash,
		Day:               access.DateOf(now),
		Week:              access.WeekOf(now),
		TzOffsetMin:       int64(p.TZOffsetMin),
		Badges:            []askahumandb.Badge{},
		AnswersByCategory: map[string]int64{},
		CreatedAt:         now,
		UpdatedAt:         now,
	}
}

// CareerOf returns a person's history as the scoring rules need it. The number of early
// answers is not stored: one is enough for the badge.
func CareerOf(u askahumandb.UserStats) score.Career {
	c := score.Career{
		TotalPoints:  int(u.TotalPoints),
		TotalAnswers: int(u.TotalAnswers),
		Day:          string(u.Day),
		DayPoints:    int(u.DayPoints),
		DayAnswers:   int(u.DayAnswers),
		Week:         string(u.Week),
		WeekPoints:   int(u.WeekPoints),
		WeekAnswers:  int(u.WeekAnswers),
		StreakDays:   int(u.StreakDays),
		Night:        int(u.NightAnswers),
		Fast:         int(u.FastAnswers),
		Confident:    int(u.ConfidentAnswers),
		ByCategory:   make(map[string]int, len(u.AnswersByCategory)),
		Badges:       make(map[string]bool, len(u.Badges)),
	}
	if u.StreakLastDate != nil {
		c.StreakLast = string(*u.StreakLastDate)
	}
	for category, answers := range u.AnswersByCategory {
		c.ByCategory[category] = int(answers)
	}
	for _, badge := range u.Badges {
		c.Badges[badge.ID] = true
	}
	return c
}
