// Package timetext formats and parses timestamps as they are stored. Package access uses it
// for dates, and package marshal for timestamps and keys.
package timetext

import "time"

// The number of characters of a timestamp, and of its beginnings that say the year, the month,
// the day and the hour.
const (
	Width      = len("2026-02-17T10:30:00.000Z")
	YearWidth  = len("2026")
	MonthWidth = len("2026-02")
	DayWidth   = len("2026-02-17")
	HourWidth  = len("2026-02-17T10")
)

// NotAYear says in errors why an instant has no text.
const NotAYear = "is outside the years 0000 to 9999"

// Format returns the first width characters of a timestamp, "" outside the years 0000 to 9999.
func Format(t time.Time, width int) string {
	var text [Width]byte
	if !Write(&text, t) {
		return ""
	}
	return string(text[:width])
}

// Write writes the timestamp of an instant. It reports false outside the years 0000 to 9999.
func Write(to *[Width]byte, t time.Time) bool {
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
func putTwo(to *[Width]byte, at int, n uint32) {
	to[at], to[at+1] = '0'+byte(n/10), '0'+byte(n%10)
}

// The years that have a text, in seconds since 1970.
const (
	secondsADay     = 24 * 60 * 60
	yearZero        = -62167219200
	yearTenThousand = 253402300800
)

// dateOf returns the date so many days after the first of January of the year 0. A year is
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

// Read parses exactly the texts that Write writes.
func Read(s string) (time.Time, bool) {
	if len(s) != Width || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return time.Time{}, false
	}
	year, month, day, ok := ReadDate(s[:10])
	hour, okHour := ReadNumber(s[11:13])
	minute, okMinute := ReadNumber(s[14:16])
	second, okSecond := ReadNumber(s[17:19])
	milli, okMilli := ReadNumber(s[20:23])
	if !ok || !okHour || !okMinute || !okSecond || !okMilli || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, milli*1e6, time.UTC), true
}

// ReadDate parses a date such as 2026-02-17 and reports whether it exists.
func ReadDate(s string) (year, month, day int, ok bool) {
	if len(s) != DayWidth || s[4] != '-' || s[7] != '-' {
		return 0, 0, 0, false
	}
	year, okYear := ReadNumber(s[:4])
	month, okMonth := ReadNumber(s[5:7])
	day, okDay := ReadNumber(s[8:10])
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

// ReadNumber parses decimal digits.
func ReadNumber(s string) (int, bool) {
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
