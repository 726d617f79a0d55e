// Package score holds the scoring rules: points of an answer, streaks and badges. It is pure:
// it has no clock and no database. The domain calls it with what it has read and stores the
// result.
package score

import (
	"fmt"
	"maps"
	"time"
)

// Points of an answer, and the daily maximum.
const (
	TextPoints       = 10
	ChoicePoints     = 5
	ConfidencePoints = 2
	ThoughtfulPoints = 5
	QuickPoints      = 3
	InDemandPoints   = 5
	// DailyCap is the maximum number of points for answers within a UTC day. Streak bonuses are
	// not capped.
	DailyCap = 500
)

// Thresholds of the rules.
const (
	thoughtfulLength = 100              // a text of more characters is thoughtful
	fastAnswer       = 30 * time.Second // an answer that took less is fast
	earlyAnswer      = 2 * time.Minute  // after asking
	nightEnds        = 6                // o'clock; it begins at midnight
	fullConfidence   = 5
)

// An Item is one component of an answer's points, such as thoughtful: 5.
type Item struct {
	Name   string // answer, confidence, thoughtful, quick, in_demand, streak
	Points int
	Label  string // for people: "Thoughtful answer"
}

// A Career is a person's history.
type Career struct {
	TotalPoints, TotalAnswers int
	Day                       string // 2026-02-02, of UTC
	DayPoints, DayAnswers     int    // without streak bonuses; the cap applies to them
	Week                      string // 2026-W06, of UTC
	WeekPoints, WeekAnswers   int    // without streak bonuses
	StreakDays                int
	StreakLast                string // 2026-02-02, on the person's own calendar; "" before the first answer
	// Night, Fast, Confident and EarlyBird count answers of their kind.
	Night, Fast, Confident, EarlyBird int
	ByCategory                        map[string]int
	Badges                            map[string]bool // earned, by id
}

// An Answer holds the properties of an answer that the rules use.
type Answer struct {
	At         time.Time      // its zone is the person's own
	Text       bool           // not a choice
	Length     int            // of a text, in characters
	Confidence int            // 0 if not given
	Took       *time.Duration // nil if not known
	Flagged    bool
	Category   string // first audience of the question
	Asked      time.Time
	Have, Want int  // answers of the question before this one, and how many it needs
	Notified   bool // notified within the last five minutes
}

// A Result holds the points of an answer and the career after it.
type Result struct {
	Career Career
	Items  []Item
	Points int  // points added to the total
	Capped bool // less than the sum of the items, because of the daily cap
	Earned []Badge
}

// Apply applies all rules to an answer and returns the result. It does not change before.
func Apply(before Career, a Answer) Result {
	c := before
	c.ByCategory = maps.Clone(before.ByCategory)
	c.Badges = maps.Clone(before.Badges)
	turnPages(&c, a.At)
	goOn(&c, a.At)
	count(&c, a)

	r := Result{Items: items(a)}
	sum := 0
	for _, item := range r.Items {
		sum += item.Points
	}
	r.Points = min(sum, max(0, DailyCap-c.DayPoints))
	r.Capped = r.Points < sum
	c.DayPoints += r.Points
	c.WeekPoints += r.Points

	r.Earned = award(&c)
	for _, badge := range r.Earned {
		if bonus := streakBonus[badge.ID]; bonus > 0 {
			r.Items = append(r.Items, Item{Name: "streak", Points: bonus, Label: fmt.Sprintf("%d-day streak", badge.Goal)})
			r.Points += bonus
		}
	}
	c.TotalPoints += r.Points
	r.Career = c
	return r
}

// turnPages resets the daily and weekly counters when a UTC day or week begins. A clock that is
// behind does not bring yesterday back, which would reset the cap.
func turnPages(c *Career, at time.Time) {
	if day := dayOf(at.UTC()); day > c.Day {
		c.Day, c.DayPoints, c.DayAnswers = day, 0, 0
	}
	if week := weekOf(at); week > c.Week {
		c.Week, c.WeekPoints, c.WeekAnswers = week, 0, 0
	}
}

// count updates all counters for an answer.
func count(c *Career, a Answer) {
	c.TotalAnswers++
	c.DayAnswers++
	c.WeekAnswers++
	if a.At.Hour() < nightEnds {
		c.Night++
	}
	if a.Took != nil && *a.Took < fastAnswer && !a.Flagged {
		c.Fast++
	}
	if a.Confidence == fullConfidence {
		c.Confident++
	}
	if a.At.Sub(a.Asked) <= earlyAnswer {
		c.EarlyBird++
	}
	if a.Category != "" {
		if c.ByCategory == nil {
			c.ByCategory = make(map[string]int)
		}
		c.ByCategory[a.Category]++
	}
}

// items returns the points of an answer before the cap.
func items(a Answer) []Item {
	all := []Item{{Name: "answer", Points: ChoicePoints, Label: "Answer"}}
	if a.Text {
		all[0].Points = TextPoints
	}
	if a.Confidence > 0 {
		all = append(all, Item{Name: "confidence", Points: ConfidencePoints, Label: "Said how sure you are"})
	}
	if a.Text && a.Length > thoughtfulLength {
		all = append(all, Item{Name: "thoughtful", Points: ThoughtfulPoints, Label: "Thoughtful answer"})
	}
	if a.Notified {
		all = append(all, Item{Name: "quick", Points: QuickPoints, Label: "Came quickly"})
	}
	if a.Have*2 < a.Want {
		all = append(all, Item{Name: "in_demand", Points: InDemandPoints, Label: "Few had answered yet"})
	}
	return all
}

// dayOf returns the day of a time in its own zone.
func dayOf(at time.Time) string { return at.Format(time.DateOnly) }

// weekOf returns the ISO week of a time in UTC.
func weekOf(at time.Time) string {
	year, week := at.UTC().ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}
