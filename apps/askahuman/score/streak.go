package score

import "time"

// goOn continues a streak to the day of an answer. After travelling west or setting a clock
// back, a person may answer on a day before the last one; that is no new day.
func goOn(c *Career, at time.Time) {
	today := dayOf(at)
	switch {
	case c.StreakLast == "" || today > dayAfter(c.StreakLast):
		c.StreakDays = 1
	case today > c.StreakLast:
		c.StreakDays++
	default:
		return
	}
	c.StreakLast = today
}

// Streak returns the current streak at a time in the person's zone: 0 after a missed day.
func Streak(c Career, at time.Time) int {
	if c.StreakLast == "" || dayOf(at) > dayAfter(c.StreakLast) {
		return 0
	}
	return c.StreakDays
}

// dayAfter returns the next calendar day; "" if day is invalid.
func dayAfter(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return dayOf(t.AddDate(0, 0, 1))
}

// miss takes a day out of a streak, which then begins after that day. Without its last day it ends
// on the day before.
func miss(c *Career, day string) {
	missed, err := time.Parse(time.DateOnly, day)
	last, lastErr := time.Parse(time.DateOnly, c.StreakLast)
	if err != nil || lastErr != nil || c.StreakDays == 0 {
		return
	}
	later := int(last.Sub(missed) / (24 * time.Hour)) // days of the streak after the missed one
	switch {
	case later < 0 || later >= c.StreakDays:
	case later > 0:
		c.StreakDays = later
	case c.StreakDays == 1:
		c.StreakDays, c.StreakLast = 0, ""
	default:
		c.StreakDays, c.StreakLast = c.StreakDays-1, dayOf(missed.AddDate(0, 0, -1))
	}
}
