package score

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/internal/effort"
)

// TestTakingBackTheLastAnswerRestoresTheCareer: of random answers, except for the streak.
func TestTakingBackTheLastAnswerRestoresTheCareer(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for range effort.Rounds(100) {
		c := Career{Badges: map[string]bool{}, ByCategory: map[string]int{}}
		at := time.Date(2026, time.February, 2, 12, 0, 0, 0, time.UTC)
		for range 60 {
			at = at.Add(time.Duration(random.IntN(20)) * time.Hour)
			took := time.Duration(random.IntN(60)) * time.Second
			a := Answer{
				At: at, Text: random.IntN(2) == 0, Length: random.IntN(200), Confidence: random.IntN(6), Took: &took,
				Category: []string{"technical", "general"}[random.IntN(2)], Asked: at.Add(-time.Duration(random.IntN(5)) * time.Minute),
				Have: random.IntN(3), Want: 3,
			}
			result := Apply(c, a)
			rejected := Rejected{
				At: a.At, Points: result.Points, Confident: IsConfident(a.Confidence), Fast: IsFast(took), Category: a.Category,
				Earned: map[string]bool{},
			}
			for _, badge := range result.Earned {
				rejected.Earned[badge.ID] = true
			}
			got, _ := TakeBack(result.Career, rejected)
			want := c
			turnPages(&want, at) // the day and the week have begun
			want.StreakDays, want.StreakLast, want.EarlyBird = got.StreakDays, got.StreakLast, got.EarlyBird
			if want.ByCategory[a.Category] == 0 {
				delete(got.ByCategory, a.Category)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
			}
			c = result.Career
		}
	}
}

// TestABadgeIsLostWithItsCount: also if a later answer earned it.
func TestABadgeIsLostWithItsCount(t *testing.T) {
	at := time.Date(2026, time.February, 2, 12, 0, 0, 0, time.UTC)
	c := Career{TotalPoints: 100, TotalAnswers: 10, Badges: map[string]bool{"first_steps": true, "getting_started": true, "early_bird": true, "on_a_roll": true}}
	after, points := TakeBack(c, Rejected{At: at, Points: 10})
	if diff := cmp.Diff(map[string]bool{"first_steps": true, "early_bird": true, "on_a_roll": true}, after.Badges); diff != "" || points != 10 || after.TotalPoints != 90 {
		t.Errorf("%d points (-want +got):\n%s", points, diff)
	}
	after, points = TakeBack(c, Rejected{At: at, Points: 20, Earned: map[string]bool{"on_a_roll": true}})
	if diff := cmp.Diff(map[string]bool{"first_steps": true, "early_bird": true}, after.Badges); diff != "" || points != 10 || after.TotalPoints != 80 {
		t.Errorf("with a bonus of 10: %d points (-want +got):\n%s", points, diff)
	}
	if len(c.Badges) != 4 {
		t.Error("the career before is changed")
	}
}

func TestTakeBackOfTheOnlyAnswerOfADayBreaksTheStreak(t *testing.T) {
	for name, test := range map[string]struct {
		streak   int
		last     string
		rejected string
		alone    bool
		days     int
		ends     string
	}{
		"the last day":            {3, "2026-02-04", "2026-02-04", true, 2, "2026-02-03"},
		"a day within":            {3, "2026-02-04", "2026-02-03", true, 1, "2026-02-04"},
		"the first day":           {3, "2026-02-04", "2026-02-02", true, 2, "2026-02-04"},
		"the day before it":       {3, "2026-02-04", "2026-02-01", true, 3, "2026-02-04"},
		"a later day":             {3, "2026-02-04", "2026-02-05", true, 3, "2026-02-04"},
		"the only day":            {1, "2026-02-04", "2026-02-04", true, 0, ""},
		"a day with more":         {3, "2026-02-04", "2026-02-04", false, 3, "2026-02-04"},
		"no streak":               {0, "", "2026-02-04", true, 0, ""},
		"over the end of a month": {2, "2026-03-01", "2026-03-01", true, 1, "2026-02-28"},
	} {
		at, err := time.Parse(time.DateOnly, test.rejected)
		if err != nil {
			t.Fatal(err)
		}
		after, _ := TakeBack(Career{StreakDays: test.streak, StreakLast: test.last, Badges: map[string]bool{}}, Rejected{At: at.Add(13 * time.Hour), Alone: test.alone})
		if after.StreakDays != test.days || after.StreakLast != test.ends {
			t.Errorf("%s: %d days until %q, want %d until %q", name, after.StreakDays, after.StreakLast, test.days, test.ends)
		}
	}
}
