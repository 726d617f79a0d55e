package score_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman/score"
)

// noon is a Monday, at UTC.
var noon = time.Date(2026, time.February, 2, 12, 0, 0, 0, time.UTC)

// plain returns an answer that earns nothing but itself.
func plain(at time.Time) score.Answer {
	return score.Answer{At: at, Asked: at.Add(-time.Hour), Category: "general", Have: 4, Want: 5}
}

func TestWhatAnAnswerEarns(t *testing.T) {
	tests := []struct {
		name   string
		change func(*score.Answer)
		want   int
		items  []string
	}{
		{"a choice", func(*score.Answer) {}, 5, []string{"answer"}},
		{"a text", func(a *score.Answer) { a.Text = true }, 10, []string{"answer"}},
		{"a text of 100 characters", func(a *score.Answer) { a.Text, a.Length = true, 100 }, 10, []string{"answer"}},
		{"a text of 101 characters", func(a *score.Answer) { a.Text, a.Length = true, 101 }, 15, []string{"answer", "thoughtful"}},
		{"the least confidence", func(a *score.Answer) { a.Confidence = 1 }, 7, []string{"answer", "confidence"}},
		{"notified", func(a *score.Answer) { a.Notified = true }, 8, []string{"answer", "quick"}},
		{"half of the answers are there", func(a *score.Answer) { a.Have, a.Want = 2, 4 }, 5, []string{"answer"}},
		{"less than half are there", func(a *score.Answer) { a.Have, a.Want = 2, 5 }, 10, []string{"answer", "in_demand"}},
		{"none is there and one is wanted", func(a *score.Answer) { a.Have, a.Want = 0, 1 }, 10, []string{"answer", "in_demand"}},
		{"a thoughtful text with confidence", func(a *score.Answer) { a.Text, a.Length, a.Confidence = true, 120, 3 }, 17, []string{"answer", "confidence", "thoughtful"}},
		{"the best text", func(a *score.Answer) { a.Text, a.Length, a.Confidence, a.Notified, a.Have = true, 101, 5, true, 0 }, 25, []string{"answer", "confidence", "thoughtful", "quick", "in_demand"}},
		{"the best choice", func(a *score.Answer) { a.Confidence, a.Notified, a.Have = 5, true, 0 }, 15, []string{"answer", "confidence", "quick", "in_demand"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := plain(noon)
			test.change(&a)
			got := score.Apply(score.Career{}, a)
			var names []string
			for _, item := range got.Items {
				names = append(names, item.Name)
				if item.Label == "" {
					t.Errorf("%s has no label", item.Name)
				}
			}
			if got.Points != test.want || got.Capped || got.Career.TotalPoints != test.want {
				t.Errorf("it earned %d, capped %v, total %d; want %d", got.Points, got.Capped, got.Career.TotalPoints, test.want)
			}
			if diff := cmp.Diff(test.items, names); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheDailyCap(t *testing.T) {
	a := plain(noon)
	a.Text, a.Length, a.Confidence, a.Have = true, 120, 4, 1 // 22
	before := score.Career{TotalPoints: 1000, Day: "2026-02-02", DayPoints: 495, Week: "2026-W06", WeekPoints: 700}
	got := score.Apply(before, a)
	if got.Points != 5 || !got.Capped || got.Career.TotalPoints != 1005 || got.Career.DayPoints != 500 {
		t.Errorf("at 495: %d points, capped %v, total %d, day %d", got.Points, got.Capped, got.Career.TotalPoints, got.Career.DayPoints)
	}
	got = score.Apply(got.Career, a)
	if got.Points != 0 || !got.Capped || got.Career.TotalAnswers != 2 {
		t.Errorf("at 500: %d points, capped %v, %d answers; answers past the cap still count", got.Points, got.Capped, got.Career.TotalAnswers)
	}
	a.At = time.Date(2026, time.February, 3, 0, 0, 0, 0, time.UTC)
	got = score.Apply(got.Career, a)
	if got.Points != 22 || got.Capped || got.Career.DayPoints != 22 || got.Career.WeekPoints != 727 {
		t.Errorf("after midnight: %d points, capped %v, day %d, week %d", got.Points, got.Capped, got.Career.DayPoints, got.Career.WeekPoints)
	}
}

func TestTheCapIsOfTheDayOfUTC(t *testing.T) {
	auckland := time.FixedZone("", 13*3600)
	before := score.Career{Day: "2026-02-02", DayPoints: 500}
	a := plain(time.Date(2026, time.February, 3, 9, 0, 0, 0, auckland)) // still the 2nd in UTC
	if got := score.Apply(before, a); got.Points != 0 {
		t.Errorf("a new day of one's own brought %d points", got.Points)
	}
}

// A week of the board begins on Monday at midnight of UTC, wherever the person is.
func TestTheWeekIsOneOfUTC(t *testing.T) {
	before := score.Career{Week: "2026-W06", WeekPoints: 40, WeekAnswers: 4}
	for _, test := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, time.February, 9, 9, 0, 0, 0, time.FixedZone("", 13*3600)), "2026-W06 45 5"}, // Sunday in UTC
		{time.Date(2026, time.February, 8, 17, 0, 0, 0, time.FixedZone("", -8*3600)), "2026-W07 5 1"}, // Monday in UTC
		{time.Date(2026, time.February, 8, 23, 59, 59, 0, time.UTC), "2026-W06 45 5"},
		{time.Date(2026, time.February, 9, 0, 0, 0, 0, time.UTC), "2026-W07 5 1"},
	} {
		c := score.Apply(before, plain(test.at)).Career
		if got := fmt.Sprint(c.Week, " ", c.WeekPoints, " ", c.WeekAnswers); got != test.want {
			t.Errorf("after an answer at %s the week, its points and answers are %s, want %s", test.at, got, test.want)
		}
	}
}

func TestStreakBonusIsOutsideTheCapAndComesOnce(t *testing.T) {
	before := score.Career{
		Day: "2026-02-02", DayPoints: 500, StreakDays: 2, StreakLast: "2026-02-01",
		Badges: map[string]bool{"first_steps": true},
	}
	got := score.Apply(before, plain(noon))
	if got.Points != 10 || got.Career.DayPoints != 500 || got.Career.StreakDays != 3 || !got.Capped {
		t.Errorf("%d points, %d of the day, %d days, capped %v", got.Points, got.Career.DayPoints, got.Career.StreakDays, got.Capped)
	}
	again := got.Career
	again.StreakDays, again.StreakLast = 2, "2026-02-02"
	if got := score.Apply(again, plain(noon.AddDate(0, 0, 1))); got.Points != 5 || len(got.Earned) != 0 {
		t.Errorf("the second time: %d points, badges %v", got.Points, got.Earned)
	}
	for _, test := range []struct {
		days  int
		badge string
		bonus int
	}{{7, "week_warrior", 25}, {30, "monthly_maven", 100}, {100, "centurion", 500}} {
		career := score.Career{StreakDays: test.days - 1, StreakLast: "2026-02-01", Badges: map[string]bool{}}
		for _, badge := range score.Badges {
			career.Badges[badge.ID] = badge.ID != test.badge
		}
		if got := score.Apply(career, plain(noon)); got.Points != 5+test.bonus || len(got.Earned) != 1 {
			t.Errorf("%d days: %d points and badges %v", test.days, got.Points, got.Earned)
		}
	}
}

func TestAStreakThroughAWeek(t *testing.T) {
	var c score.Career
	for _, step := range []struct {
		day    int // from Monday
		streak int
		badge  bool
	}{{0, 1, false}, {0, 1, false}, {1, 2, false}, {2, 3, true}, {2, 3, true}, {4, 1, true}} {
		c = score.Apply(c, plain(noon.AddDate(0, 0, step.day))).Career
		if c.StreakDays != step.streak || c.Badges["on_a_roll"] != step.badge {
			t.Errorf("day %d: a streak of %d, badge %v; want %d, %v", step.day, c.StreakDays, c.Badges["on_a_roll"], step.streak, step.badge)
		}
	}
	for day, want := range map[int]int{4: 1, 5: 1, 6: 0} {
		if got := score.Streak(c, noon.AddDate(0, 0, day)); got != want {
			t.Errorf("on day %d the streak stands at %d, want %d", day, got, want)
		}
	}
}

func TestStreaksGoByOnesOwnCalendar(t *testing.T) {
	east, west := time.FixedZone("", 13*3600), time.FixedZone("", -8*3600)
	// Two instants of the same day in the west are two days in the east.
	first := time.Date(2026, time.February, 2, 10, 0, 0, 0, time.UTC)  // 23:00 there, 02:00 here
	second := time.Date(2026, time.February, 2, 12, 0, 0, 0, time.UTC) // 01:00 there, 04:00 here
	for _, test := range []struct {
		zone *time.Location
		want int
	}{{east, 2}, {west, 1}, {time.UTC, 1}} {
		c := score.Apply(score.Career{}, plain(first.In(test.zone))).Career
		c = score.Apply(c, plain(second.In(test.zone))).Career
		if c.StreakDays != test.want {
			t.Errorf("in %v the streak is %d, want %d", first.In(test.zone).Format("-07"), c.StreakDays, test.want)
		}
	}
}

func TestWeeksAreISOWeeks(t *testing.T) {
	c := score.Apply(score.Career{}, plain(time.Date(2026, time.December, 31, 12, 0, 0, 0, time.UTC))).Career
	c = score.Apply(c, plain(time.Date(2027, time.January, 3, 23, 59, 0, 0, time.UTC))).Career // Sunday of 2026-W53
	if c.Week != "2026-W53" || c.WeekAnswers != 2 {
		t.Errorf("Sunday: week %s with %d answers", c.Week, c.WeekAnswers)
	}
	c = score.Apply(c, plain(time.Date(2027, time.January, 4, 0, 0, 0, 0, time.UTC))).Career
	if c.Week != "2027-W01" || c.WeekAnswers != 1 || c.WeekPoints != 5 {
		t.Errorf("Monday: week %s with %d answers and %d points", c.Week, c.WeekAnswers, c.WeekPoints)
	}
}
