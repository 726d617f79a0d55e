package score

import (
	"maps"
	"time"
)

// A Rejected holds the properties of a rejected answer that the rules use.
type Rejected struct {
	At        time.Time // its zone is the person's own
	Points    int       // that it earned, with streak bonuses
	Confident bool      // it was given with full confidence
	Fast      bool      // it was counted as fast
	Category  string
	Earned    map[string]bool // badges that it earned, by id
	Alone     bool            // the person has no other answer of its day
}

// TakeBack returns the career as if an answer had not been given, and the points that it added to
// the boards of its day and week. Badges that need a count are lost
// if the count is not reached any more; other badges if the answer earned them. TakeBack does not
// change before.
func TakeBack(before Career, r Rejected) (after Career, boardPoints int) {
	c := before
	c.ByCategory, c.Badges = maps.Clone(before.ByCategory), maps.Clone(before.Badges)
	boardPoints = r.Points
	for id := range r.Earned {
		boardPoints -= streakBonus[id]
	}
	boardPoints = max(boardPoints, 0)
	less := func(n *int, by int) { *n = max(*n-by, 0) }
	less(&c.TotalPoints, r.Points)
	less(&c.TotalAnswers, 1)
	if c.Day == dayOf(r.At.UTC()) {
		less(&c.DayPoints, boardPoints)
		less(&c.DayAnswers, 1)
	}
	if c.Week == weekOf(r.At) {
		less(&c.WeekPoints, boardPoints)
		less(&c.WeekAnswers, 1)
	}
	if r.At.Hour() < nightEnds {
		less(&c.Night, 1)
	}
	if r.Fast {
		less(&c.Fast, 1)
	}
	if r.Confident {
		less(&c.Confident, 1)
	}
	if n, ok := c.ByCategory[r.Category]; ok {
		c.ByCategory[r.Category] = max(n-1, 0)
	}
	if r.Alone {
		miss(&c, dayOf(r.At))
	}
	for _, badge := range Badges {
		counted := badge.Kind != streakKind && badge.ID != "early_bird" // their counts are not stored
		if counted && badge.have(c) < badge.Goal || !counted && r.Earned[badge.ID] {
			delete(c.Badges, badge.ID)
		}
	}
	return c, boardPoints
}

// IsFast reports whether an answer that was not flagged counts as fast.
func IsFast(took time.Duration) bool { return took < fastAnswer }

// IsConfident reports whether a confidence is full.
func IsConfident(confidence int) bool { return confidence == fullConfidence }
