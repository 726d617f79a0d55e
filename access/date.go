package access

import (
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access/internal/timetext"
)

const (
	notADate = "is not a date as 2026-02-17"
	notAWeek = "is not a week as 2026-W07"
)

// A Date is a day of the calendar as it is stored: 2026-02-17. Dates compare as texts.
type Date string

// DateOf returns the day of an instant in UTC; "" outside the years 0000 to 9999.
func DateOf(t time.Time) Date { return Date(timetext.Format(t, timetext.DayWidth)) }

// ParseDate checks a date.
func ParseDate(s string) (Date, error) {
	if !Date(s).Valid() {
		return "", errors.New(notADate)
	}
	return Date(s), nil
}

// Valid reports whether there is such a day.
func (d Date) Valid() bool {
	_, _, _, ok := timetext.ReadDate(string(d))
	return ok
}

// Time returns when the day begins in UTC; the zero time if there is no such day.
func (d Date) Time() time.Time {
	year, month, day, ok := timetext.ReadDate(string(d))
	if !ok {
		return time.Time{}
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// A Week is a week of ISO 8601 as it is stored: 2026-W07. Weeks compare as texts.
type Week string

// WeekOf returns the week of an instant in UTC; "" outside the years 0000 to 9999.
func WeekOf(t time.Time) Week {
	year, week := t.UTC().ISOWeek()
	if year < 0 || year > 9999 {
		return ""
	}
	return Week(fmt.Sprintf("%04d-W%02d", year, week))
}

// ParseWeek checks a week.
func ParseWeek(s string) (Week, error) {
	if !Week(s).Valid() {
		return "", errors.New(notAWeek)
	}
	return Week(s), nil
}

// Valid reports whether there is such a week.
func (w Week) Valid() bool {
	year, week, ok := w.read()
	if !ok || week < 1 || week > 53 {
		return false
	}
	if week < 53 {
		return true
	}
	_, last := time.Date(year, time.December, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
	return last == 53
}

// Start returns when the week's Monday begins in UTC; the zero time if there is no such week.
func (w Week) Start() time.Time {
	year, week, _ := w.read()
	if !w.Valid() {
		return time.Time{}
	}
	inFirst := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // always in week 1
	sinceMonday := (int(inFirst.Weekday()) + 6) % 7
	return inFirst.AddDate(0, 0, 7*(week-1)-sinceMonday)
}

func (w Week) read() (year, week int, ok bool) {
	s := string(w)
	if len(s) != len("2026-W07") || s[4] != '-' || s[5] != 'W' {
		return 0, 0, false
	}
	year, okYear := timetext.ReadNumber(s[:4])
	week, okWeek := timetext.ReadNumber(s[6:])
	return year, week, okYear && okWeek
}
