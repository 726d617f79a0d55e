package score

import "time"

// goOn takes a streak to the day of an answer. Somebody who travels west, or whose clock
// is set back, may answer on a day before the last one; that is no new day.
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

// Streak returns the streak as it stands at a time in the person's zone: 0 once a day was left
// out.
func Streak(c Career, at time.Time) int {
	if c.StreakLast == "" || dayOf(at) > dayAfter(c.StreakLast) {
		return 0
	}
	return c.StreakDays
}

// dayAfter returns the next day of the calendar; what is no day has none.
func dayAfter(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return dayOf(t.AddDate(0, 0, 1))
}
