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
