package marshal

import (
	"errors"
	"strconv"
	"time"

	"sortkey.dev/access/internal/timetext"
)

// FormatTime returns an instant as a timestamp is stored: UTC, with milliseconds, always 24
// characters, so that texts sort as the instants do. What is finer is cut off. It is ""
// outside the years 0000 to 9999, which a key and an item refuse.
func FormatTime(t time.Time) string { return timetext.Format(t, timetext.Width) }

// YearOf returns the year of an instant in UTC: 2026.
func YearOf(t time.Time) string { return timetext.Format(t, timetext.YearWidth) }

// DayOf returns the day of an instant in UTC: 2026-02-17.
func DayOf(t time.Time) string { return timetext.Format(t, timetext.DayWidth) }

// MonthOf returns the month of an instant in UTC: 2026-02.
func MonthOf(t time.Time) string { return timetext.Format(t, timetext.MonthWidth) }

// HourOf returns the hour of an instant in UTC: 2026-02-17T10.
func HourOf(t time.Time) string { return timetext.Format(t, timetext.HourWidth) }

// FormatUnix returns an instant as seconds since 1970.
func FormatUnix(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// CeilMilli returns an instant, or if that is finer than a timestamp is stored the first one after
// it that is not: what is stored is before one if and only if it is before the other.
func CeilMilli(t time.Time) time.Time { return ceil(t, time.Millisecond) }

// CeilSecond is like CeilMilli, for instants that are stored in seconds since 1970.
func CeilSecond(t time.Time) time.Time { return ceil(t, time.Second) }

// ceil leaves an instant as it is after which no text has another: it means the end of time.
func ceil(t time.Time, unit time.Duration) time.Time {
	finer := time.Duration(t.Nanosecond()) % unit
	if finer == 0 {
		return t
	}
	if next := t.Add(unit - finer); next.UTC().Year() <= 9999 {
		return next
	}
	return t
}

var errNotATime = errors.New("is not a time of RFC 3339")

// ParseTime reads what FormatTime writes, and any other time of RFC 3339. The result is
// in UTC.
func ParseTime(s string) (time.Time, error) {
	if t, ok := timetext.Read(s); ok {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, errNotATime
	}
	return t.UTC(), nil
}
