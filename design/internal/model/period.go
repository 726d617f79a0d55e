package model

import "time"

// Period returns the period that a filter makes of a time, in the words of people, and the number
// of characters of its text; "" and 0 if the filter is for something else.
func (f FilterName) Period() (word string, width int) {
	switch f {
	case ByYear:
		return "year", len("2026")
	case ByMon:
		return "month", len("2026-02")
	case ByDate:
		return "day", len("2026-02-17")
	case ByHour:
		return "hour", len("2026-02-17T10")
	}
	return "", 0
}

// Period returns the filter that makes a period of the time of a placeholder: its year, month,
// day or hour; "" if there is none.
func (p Part) Period() FilterName {
	for _, f := range p.Filters {
		if _, width := f.Name.Period(); width > 0 {
			return f.Name
		}
	}
	return ""
}

// PeriodAfter returns the beginning of the n-th period after the one that an instant is in, in UTC;
// 0 is the period itself.
func (f FilterName) PeriodAfter(t time.Time, n int) time.Time {
	t = t.UTC()
	switch f {
	case ByYear:
		return time.Date(t.Year()+n, 1, 1, 0, 0, 0, 0, time.UTC)
	case ByMon:
		return time.Date(t.Year(), t.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	case ByDate:
		return time.Date(t.Year(), t.Month(), t.Day()+n, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour()+n, 0, 0, 0, time.UTC)
}
