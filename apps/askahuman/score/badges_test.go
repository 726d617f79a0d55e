package score_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman/score"
)

func TestThereAreEighteenBadges(t *testing.T) {
	want := []string{
		"first_steps 1", "getting_started 10", "century 100", "veteran 500", "legend 1000",
		"on_a_roll 3", "week_warrior 7", "monthly_maven 30", "centurion 100",
		"tech_expert 25", "product_pro 25", "ethics_advocate 25", "creative_mind 25", "generalist 25",
		"early_bird 1", "night_owl 10", "speed_demon 5", "confident 10",
	}
	var got []string
	for _, badge := range score.Badges {
		got = append(got, fmt.Sprint(badge.ID, " ", badge.Goal))
		if badge.Name == "" || badge.Doc == "" || badge.Kind == "" || badge.Goal < 1 {
			t.Errorf("%s says too little: %+v", badge.ID, badge)
		}
		if found, ok := score.Find(badge.ID); !ok || found != badge {
			t.Errorf("%s is not found", badge.ID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, ok := score.Find("first_answer"); ok {
		t.Error("there is a badge first_answer")
	}
}

// TestEachBadgeIsEarned brings a career to the answer before a badge, and then over it.
func TestEachBadgeIsEarned(t *testing.T) {
	night := time.Date(2026, time.February, 2, 5, 59, 0, 0, time.UTC)
	category := func(name string) func(*score.Career, *score.Answer) {
		return func(c *score.Career, a *score.Answer) { c.ByCategory[name] = 24; a.Category = name }
	}
	tests := map[string]func(*score.Career, *score.Answer){
		"first_steps":     func(*score.Career, *score.Answer) {},
		"getting_started": func(c *score.Career, _ *score.Answer) { c.TotalAnswers = 9 },
		"century":         func(c *score.Career, _ *score.Answer) { c.TotalAnswers = 99 },
		"veteran":         func(c *score.Career, _ *score.Answer) { c.TotalAnswers = 499 },
		"legend":          func(c *score.Career, _ *score.Answer) { c.TotalAnswers = 999 },
		"on_a_roll":       func(c *score.Career, _ *score.Answer) { c.StreakDays = 2 },
		"week_warrior":    func(c *score.Career, _ *score.Answer) { c.StreakDays = 6 },
		"monthly_maven":   func(c *score.Career, _ *score.Answer) { c.StreakDays = 29 },
		"centurion":       func(c *score.Career, _ *score.Answer) { c.StreakDays = 99 },
		"tech_expert":     category("technical"),
		"product_pro":     category("product"),
		"ethics_advocate": category("ethics"),
		"creative_mind":   category("creative"),
		"generalist":      category("general"),
		"early_bird":      func(_ *score.Career, a *score.Answer) { a.Asked = a.At.Add(-2 * time.Minute) },
		"night_owl":       func(c *score.Career, a *score.Answer) { c.Night = 9; a.At = night },
		"speed_demon":     func(c *score.Career, a *score.Answer) { c.Fast = 4; a.Took = new(29999 * time.Millisecond) },
		"confident":       func(c *score.Career, a *score.Answer) { c.Confident = 9; a.Confidence = 5 },
	}
	for _, badge := range score.Badges {
		t.Run(badge.ID, func(t *testing.T) {
			before := score.Career{StreakLast: "2026-02-01", ByCategory: map[string]int{}}
			a := plain(noon)
			tests[badge.ID](&before, &a)
			got := score.Apply(before, a)
			if !slices.Contains(got.Earned, badge) || !got.Career.Badges[badge.ID] {
				t.Fatalf("not earned; earned was %v", got.Earned)
			}
			if again := score.Apply(got.Career, a); slices.Contains(again.Earned, badge) {
				t.Error("earned twice")
			}
		})
	}
}

func TestWhatDoesNotCountForSpecialBadges(t *testing.T) {
	a := plain(time.Date(2026, time.February, 2, 6, 0, 0, 0, time.UTC))
	a.Took, a.Confidence, a.Asked = new(30*time.Second), 4, a.At.Add(-2*time.Minute-time.Millisecond)
	c := score.Apply(score.Career{}, a).Career
	if c.Night+c.Fast+c.Confident+c.EarlyBird != 0 {
		t.Errorf("six o'clock, 30 s, confidence 4 and over 2 minutes counted: %+v", c)
	}
	a.Took, a.Flagged = new(3*time.Second), true
	if c := score.Apply(score.Career{}, a).Career; c.Fast != 0 {
		t.Error("a flagged answer counted as fast")
	}
	a.Took, a.Flagged = nil, false
	if c := score.Apply(score.Career{}, a).Career; c.Fast != 0 {
		t.Error("an answer of unknown time counted as fast")
	}
}

func TestABadgeThatWasSkippedIsStillEarned(t *testing.T) {
	got := score.Apply(score.Career{TotalAnswers: 150}, plain(noon))
	for _, id := range []string{"first_steps", "getting_started", "century"} {
		if !got.Career.Badges[id] {
			t.Errorf("%s is missing", id)
		}
	}
}

func TestRemainingAndNearest(t *testing.T) {
	c := score.Career{TotalAnswers: 9, StreakDays: 40, Confident: 5, Badges: map[string]bool{"first_steps": true, "on_a_roll": true}}
	remaining := score.Remaining(c)
	if len(remaining) != 16 || remaining[0].ID != "getting_started" || remaining[0].Have != 9 {
		t.Fatalf("%d remain, first %+v", len(remaining), remaining[0])
	}
	for _, p := range remaining {
		if p.Have > p.Goal {
			t.Errorf("%s: %d of %d", p.ID, p.Have, p.Goal)
		}
	}
	if got := score.Nearest(score.Remaining(c)); got.ID != "getting_started" {
		t.Errorf("nearest is %s", got.ID)
	}
	if got := score.Nearest(nil); got != nil {
		t.Errorf("nearest of none is %v", got)
	}
	streaks := slices.DeleteFunc(remaining, func(p score.Progress) bool { return p.Kind != "streak" })
	if got := score.Nearest(streaks); got == nil || got.ID != "week_warrior" {
		t.Errorf("nearest of streaks alone is %v", got)
	}
}
