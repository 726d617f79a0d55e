package score_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman/score"
)

// life returns a random sequence of answers: at times that mostly go on and sometimes
// back, in zones that sometimes change.
func life(random *rand.Rand, answers int) []score.Answer {
	categories := []string{"technical", "product", "ethics", "creative", "general"}
	at := time.Date(2026, time.Month(1+random.IntN(12)), 1+random.IntN(28), random.IntN(24), 0, 0, 0, time.UTC)
	zone := time.UTC
	all := make([]score.Answer, answers)
	for i := range all {
		switch random.IntN(10) {
		case 0:
			zone = time.FixedZone("", (random.IntN(27)-12)*3600)
		case 1:
			at = at.Add(-time.Duration(random.IntN(120)) * time.Minute)
		case 2:
			at = at.Add(time.Duration(random.IntN(70)) * time.Hour)
		default:
			at = at.Add(time.Duration(random.IntN(40)) * time.Minute)
		}
		all[i] = score.Answer{
			At: at.In(zone), Text: random.IntN(2) == 0, Length: random.IntN(300), Confidence: random.IntN(6),
			Flagged: random.IntN(5) == 0, Category: categories[random.IntN(len(categories))],
			Asked: at.Add(-time.Duration(random.IntN(5)) * time.Minute), Have: random.IntN(5), Want: 5, Notified: random.IntN(4) == 0,
		}
		if random.IntN(3) > 0 {
			all[i].Took = new(time.Duration(random.IntN(60)) * time.Second)
		}
	}
	return all
}

// lives calls check for the lives of many seeds.
func lives(t *testing.T, check func(t *testing.T, life []score.Answer)) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			check(t, life(rand.New(rand.NewPCG(seed, 6)), 400))
		})
	}
}

func TestPointsAddUp(t *testing.T) {
	lives(t, func(t *testing.T, life []score.Answer) {
		var c score.Career
		total := 0
		byWeek, byDay := map[string]int{}, map[string]int{}
		for i, a := range life {
			r := score.Apply(c, a)
			bonus, sum := 0, 0
			for _, item := range r.Items {
				if sum += item.Points; item.Name == "streak" {
					bonus += item.Points
				}
			}
			if r.Points < 0 || r.Points > sum || r.Capped != (r.Points < sum) {
				t.Fatalf("answer %d: %d points of %d, capped %v", i, r.Points, sum, r.Capped)
			}
			total += r.Points
			byDay[r.Career.Day] += r.Points - bonus
			byWeek[r.Career.Week] += r.Points - bonus
			if c = r.Career; c.TotalPoints != total || c.TotalAnswers != i+1 {
				t.Fatalf("answer %d: total %d of %d answers, want %d", i, c.TotalPoints, c.TotalAnswers, total)
			}
			if c.DayPoints != byDay[c.Day] || c.WeekPoints != byWeek[c.Week] {
				t.Fatalf("answer %d: day %d, week %d; want %d, %d", i, c.DayPoints, c.WeekPoints, byDay[c.Day], byWeek[c.Week])
			}
		}
		for day, points := range byDay {
			if points > score.DailyCap {
				t.Errorf("%d points on %s", points, day)
			}
		}
	})
}

func TestStreaksFollowTheDays(t *testing.T) {
	lives(t, func(t *testing.T, life []score.Answer) {
		var c score.Career
		for i, a := range life {
			before := c
			c = score.Apply(c, a).Career
			today := a.At.Format(time.DateOnly)
			switch {
			case c.StreakDays < 1 || c.StreakDays > before.StreakDays+1:
				t.Fatalf("answer %d: the streak went from %d to %d", i, before.StreakDays, c.StreakDays)
			case c.StreakLast < before.StreakLast:
				t.Fatalf("answer %d: the last day went back from %s to %s", i, before.StreakLast, c.StreakLast)
			case c.StreakLast == before.StreakLast && c.StreakDays != before.StreakDays:
				t.Fatalf("answer %d: the same day changed the streak", i)
			case today > before.StreakLast && c.StreakLast != today:
				t.Fatalf("answer %d: on %s the last day is %s", i, today, c.StreakLast)
			case score.Streak(c, a.At) != c.StreakDays:
				t.Fatalf("answer %d: right after it the streak stands at %d of %d", i, score.Streak(c, a.At), c.StreakDays)
			case score.Streak(c, a.At.AddDate(0, 0, 4)) != 0:
				t.Fatalf("answer %d: the streak stands after days were left out", i)
			}
		}
	})
}

func TestBadgesAreEarnedOnceAndKept(t *testing.T) {
	lives(t, func(t *testing.T, life []score.Answer) {
		var c score.Career
		times := map[string]int{}
		for i, a := range life {
			before := maps.Clone(c.Badges)
			r := score.Apply(c, a)
			if diff := cmp.Diff(before, c.Badges); diff != "" {
				t.Fatalf("answer %d: the career before was changed: %s", i, diff)
			}
			for _, badge := range r.Earned {
				times[badge.ID]++
			}
			c = r.Career
			if len(c.Badges)+len(score.Remaining(c)) != len(score.Badges) || len(c.Badges) != len(times) {
				t.Fatalf("answer %d: %d badges and %d to go", i, len(c.Badges), len(score.Remaining(c)))
			}
		}
		for id, n := range times {
			if n != 1 {
				t.Errorf("%s was earned %d times", id, n)
			}
		}
	})
}
