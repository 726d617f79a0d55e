package access

import (
	"errors"
	"strconv"
	"time"
)

// How many characters of an instant's text say what.
const (
	timeWidth  = len("2026-02-17T10:30:00.000Z")
	monthWidth = len("2026-02")
	dayWidth   = len("2026-02-17")
	hourWidth  = len("2026-02-17T10")
)

const notAYear = "is outside the years 0000 to 9999"

// FormatTime is an instant as a timestamp is stored: UTC, with milliseconds, always 24
// characters, so that texts sort as the instants do. What is finer is cut off. It is ""
// outside the years 0000 to 9999, which a key and an item refuse.
func FormatTime(t time.Time) string { return formatTime(t, timeWidth) }

// DayOf is the day of an instant in UTC: 2026-02-17.
func DayOf(t time.Time) string { return formatTime(t, dayWidth) }

// MonthOf is the month of an instant in UTC: 2026-02.
func MonthOf(t time.Time) string { return formatTime(t, monthWidth) }

// HourOf is the hour of an instant in UTC: 2026-02-17T10.
func HourOf(t time.Time) string { return formatTime(t, hourWidth) }

// FormatUnix is an instant as seconds since 1970.
func FormatUnix(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// CeilMilli is an instant, or if that is finer than a timestamp is stored the first one after
// it that is not: what is stored is before one if and only if it is before the other.
func CeilMilli(t time.Time) time.Time { return ceil(t, time.Millisecond) }

// CeilSecond is CeilMilli for instants that are stored in seconds since 1970.
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

func formatTime(t time.Time, width int) string {
	var text [timeWidth]byte
	if !writeTime(&text, t) {
		return ""
	}
	return string(text[:width])
}

// writeTime writes the text of an instant; it reports false if there is none.
func writeTime(to *[timeWidth]byte, t time.Time) bool {
	seconds := t.Unix()
	if seconds < yearZero || seconds >= yearTenThousand {
		return false
	}
	// Unsigned numbers of 32 bits are the cheapest to divide.
	days, second := uint32((seconds-yearZero)/secondsADay), uint32((seconds-yearZero)%secondsADay)
	year, month, day := dateOf(days)
	minute := second / 60
	milli := uint32(t.Nanosecond()) / 1e6
	putTwo(to, 0, year/100)
	putTwo(to, 2, year%100)
	to[4] = '-'
	putTwo(to, 5, month)
	to[7] = '-'
	putTwo(to, 8, day)
	to[10] = 'T'
	putTwo(to, 11, minute/60)
	to[13] = ':'
	putTwo(to, 14, minute%60)
	to[16] = ':'
	putTwo(to, 17, second%60)
	to[19] = '.'
	putTwo(to, 20, milli/10)
	to[22] = '0' + byte(milli%10)
	to[23] = 'Z'
	return true
}

// putTwo writes a number below 100 with two digits.
func putTwo(to *[timeWidth]byte, at int, n uint32) {
	to[at], to[at+1] = '0'+byte(n/10), '0'+byte(n%10)
}

// The years that have a text, in seconds since 1970.
const (
	secondsADay     = 24 * 60 * 60
	yearZero        = -62167219200
	yearTenThousand = 253402300800
)

// dateOf is the date so many days after the first of January of the year 0. A year is
// counted from its first of March here, so that the day that some years lack is its last.
// Centuries, years and months come from one multiplication each, as Neri and Schneider
// describe in "Euclidean affine functions and their application to calendar algorithms".
func dateOf(days uint32) (year, month, day uint32) {
	const cycle = 146097              // days of 400 years
	quarters := 4*(days+cycle-60) + 3 // since the first of March of the year -400
	century := quarters / cycle
	years := uint64(2939745) * uint64(quarters%cycle|3) // in parts of 2^32
	dayOfYear := uint32(years) / 2939745 / 4
	months := 2141*dayOfYear + 197913 // in parts of 2^16, with March as the third
	year = 100*century + uint32(years>>32) - 400
	month, day = months>>16, months&0xffff/2141+1
	if dayOfYear >= 306 { // it is January or February of the next year
		return year + 1, month - 12, day
	}
	return year, month, day
}

var errNotATime = errors.New("is not a time of RFC 3339")

// ParseTime reads what FormatTime writes, and any other time of RFC 3339. The result is
// in UTC.
func ParseTime(s string) (time.Time, error) {
	if t, ok := readTime(s); ok {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, errNotATime
	}
	return t.UTC(), nil
}

// readTime reads exactly what FormatTime writes.
func readTime(s string) (time.Time, bool) {
	if len(s) != timeWidth || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return time.Time{}, false
	}
	year, month, day, ok := readDate(s[:10])
	hour, okHour := readNumber(s[11:13])
	minute, okMinute := readNumber(s[14:16])
	second, okSecond := readNumber(s[17:19])
	milli, okMilli := readNumber(s[20:23])
	if !ok || !okHour || !okMinute || !okSecond || !okMilli || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, milli*1e6, time.UTC), true
}

// readDate reads a date as 2026-02-17 and reports whether there is such a day.
func readDate(s string) (year, month, day int, ok bool) {
	if len(s) != dayWidth || s[4] != '-' || s[7] != '-' {
		return 0, 0, 0, false
	}
	year, okYear := readNumber(s[:4])
	month, okMonth := readNumber(s[5:7])
	day, okDay := readNumber(s[8:10])
	if !okYear || !okMonth || !okDay || month < 1 || month > 12 || day < 1 || day > daysOf(year, month) {
		return 0, 0, 0, false
	}
	return year, month, day, true
}

func daysOf(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func readNumber(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = 10*n + int(d)
	}
	return n, true
}

var errNoTimeInID = errors.New("is no ulid and no uuidv7, which begin with a time")

// crockford are the digits of a ulid.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const noDigit = 0xFF

// crockfordDigits are what bytes count for in a ulid.
var crockfordDigits = func() (digits [256]byte) {
	for i := range digits {
		digits[i] = noDigit
	}
	for i := range len(crockford) {
		digits[crockford[i]] = byte(i)
	}
	return digits
}()

// TimeOfID is the instant a ulid or a uuidv7 begins with.
func TimeOfID(id string) (time.Time, error) {
	switch len(id) {
	case len("01ARZ3NDEKTSV4RRFFQ69G5FAV"):
		millis := int64(0)
		for i := range 10 {
			digit := crockfordDigits[id[i]]
			if digit == noDigit {
				return time.Time{}, errNoTimeInID
			}
			millis = millis<<5 | int64(digit)
		}
		if millis >= 1<<48 {
			return time.Time{}, errNoTimeInID
		}
		return time.UnixMilli(millis).UTC(), nil
	case len("018bfcd0-0b1c-7cc3-98c4-dc0c0c07398f"):
		millis, err := strconv.ParseUint(id[:8]+id[9:13], 16, 64)
		if err != nil || id[8] != '-' || id[13] != '-' || id[14] != '7' {
			return time.Time{}, errNoTimeInID
		}
		return time.UnixMilli(int64(millis)).UTC(), nil
	}
	return time.Time{}, errNoTimeInID
}
