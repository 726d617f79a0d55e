package timewords

import "time"

// DefaultDeadline is the time that a promise without time words has.
const DefaultDeadline = 24 * time.Hour

// soonDelay is the time that "strax" and "soon" allow.
const soonDelay = 2 * time.Hour

// endOfDay is the hour of promises that name a day without an hour.
const endOfDay = 21

// Deadline returns the moment by which a promise made at now is due, in the zone of now. It is
// always after now.
func (e Expression) Deadline(now time.Time) time.Time {
	switch {
	case e.span.set:
		return e.span.from(now, 1)
	case e.part == soon:
		return now.Add(soonDelay)
	}
	date := e.date(now, 1)
	if e.before && !e.clock.set && e.part == noPart {
		return afterNow(now, e.limit(now))
	}
	if e.clock.set {
		return e.clockDeadline(now, date)
	}
	if e.part == later || e.part == noPart && date == today(now) {
		return afterNow(now, date.add(1).start(now))
	}
	return afterNow(now, date.at(now, e.hour(), 0))
}

// hour returns the hour by which the part of the day has passed.
func (e Expression) hour() int {
	switch e.part {
	case morning:
		return 10
	case forenoon, noon:
		return 12
	case afternoon:
		return 17
	case night:
		return 24
	}
	return endOfDay
}

// afterNow returns t, or the next midnight if t has passed.
func afterNow(now, t time.Time) time.Time {
	if t.After(now) {
		return t
	}
	return today(now).add(1).start(now)
}

// limit returns the start of the day that "före" excludes.
func (e Expression) limit(now time.Time) time.Time {
	date := e.date(now, 1)
	switch e.day {
	case weekend:
		date = date.add(-1) // Saturday
	case week:
		date = date.add(-6) // Monday
	}
	return date.start(now)
}

// clockDeadline returns the first moment on or after the date that shows the time of day.
func (e Expression) clockDeadline(now time.Time, date civil) time.Time {
	first, second := e.clock.hour, e.clock.hour+12
	if e.clock.exact || e.clock.hour >= 12 {
		second = first
	}
	if date == today(now) {
		for _, hour := range []int{first, second} {
			if t := date.at(now, hour, e.clock.minute); t.After(now) && !e.wrongHalf(hour) {
				return t
			}
		}
		if e.day != noDay {
			return date.add(1).start(now)
		}
		date = date.add(1)
	}
	if e.wrongHalf(first) || e.part == noPart && first < 7 {
		first = second
	}
	return date.at(now, first, e.clock.minute)
}

// wrongHalf reports whether an hour contradicts the part of the day.
func (e Expression) wrongHalf(hour int) bool {
	switch e.part {
	case morning, forenoon:
		return hour > 12
	case afternoon, evening, night:
		return hour < 12
	}
	return false
}

// Past returns the moment that a report made at now speaks of, in the zone of now, and whether a
// time of day was said. It is never after now.
func (e Expression) Past(now time.Time) (at time.Time, exact bool) {
	switch {
	case e.span.set:
		at, exact = e.span.from(now, -1), e.span.seconds != 0
	case e.day == monthDay && e.isAhead(today(now)):
		return now, false
	case e.clock.set:
		date := e.date(now, -1)
		at, exact = date.at(now, e.pastHour(now, date), e.clock.minute), true
	case e.day == noDay && e.part == noPart, e.day == daysAway && e.n == 0 && e.part == noPart, e.part == soon, e.part == later:
		return now, false
	default:
		at = e.date(now, -1).at(now, e.usualHour(), 0)
	}
	if at.After(now) {
		return now, false
	}
	return at, exact
}

// pastHour returns the hour of a said time of day that has passed.
func (e Expression) pastHour(now time.Time, date civil) int {
	hour := e.clock.hour
	if e.clock.exact || hour >= 12 {
		return hour
	}
	afternoon := date.at(now, hour+12, e.clock.minute)
	if e.wrongHalf(hour) || e.part == noPart && hour < 7 && !afternoon.After(now) {
		return hour + 12
	}
	return hour
}

// usualHour returns an hour in the middle of the part of the day.
func (e Expression) usualHour() int {
	switch e.part {
	case morning:
		return 8
	case forenoon:
		return 10
	case afternoon:
		return 15
	case evening:
		return 20
	case night:
		return 22
	}
	return 12
}

// date returns the day that the expression names, seen from now in a direction: 1 for deadlines,
// -1 for reports.
func (e Expression) date(now time.Time, sign int) civil {
	d := today(now)
	switch e.day {
	case daysAway:
		return d.add(e.n)
	case onWeekday:
		away := (int(e.weekday) - int(now.Weekday()) + 7) % 7
		if sign < 0 {
			away -= 7
		} else if away == 0 {
			away = 7
		}
		return d.add(away)
	case nextWeek:
		return d.add(-fromMonday(now.Weekday()) + 7 + fromMonday(e.weekday))
	case weekend:
		if sign < 0 && e.n == 0 {
			return lastWeekend(now)
		}
		return d.add(6 - fromMonday(now.Weekday()) + 7*e.n)
	case week:
		return d.add(6 - fromMonday(now.Weekday()) + 7*e.n)
	case monthDay:
		if sign < 0 {
			return e.lastDayOfMonth(d)
		}
		return e.dayOfMonth(d)
	}
	return d
}

// dayOfMonth returns the next day with the number that has not passed, in the named month if there
// is one. A month without the day is skipped.
func (e Expression) dayOfMonth(d civil) civil {
	for range 49 { // February 29 comes within eight years, every other day within a year
		for e.month != 0 && d.month != e.month {
			d = civil{d.year, d.month, 1}.nextMonth()
		}
		candidate := civil{d.year, d.month, e.n}
		if e.n >= d.day && candidate.exists() {
			return candidate
		}
		d = civil{d.year, d.month, 1}.nextMonth()
	}
	return d
}

// lastDayOfMonth returns the last day with the number up to today, as dayOfMonth returns the next.
func (e Expression) lastDayOfMonth(d civil) civil {
	for range 49 {
		for e.month != 0 && d.month != e.month {
			d = civil{d.year, d.month, 1}.add(-1)
		}
		candidate := civil{d.year, d.month, e.n}
		if e.n <= d.day && candidate.exists() {
			return candidate
		}
		d = civil{d.year, d.month, 1}.add(-1)
	}
	return d
}

// isAhead reports whether the next day with the number is nearer than the last one. A report then
// names the day of something else: "baked for the party on the 24th".
func (e Expression) isAhead(d civil) bool {
	return e.dayOfMonth(d).noon().Sub(d.noon()) < d.noon().Sub(e.lastDayOfMonth(d).noon())
}

// lastWeekend returns today on a Saturday or Sunday, and the last Sunday on other days.
func lastWeekend(now time.Time) civil {
	if since := fromMonday(now.Weekday()); since < 5 {
		return today(now).add(-since - 1)
	}
	return today(now)
}

// fromMonday counts the days since Monday.
func fromMonday(w time.Weekday) int { return (int(w) + 6) % 7 }

// from returns the moment that lies the span after t, or before it if sign is -1. Days and months
// follow the calendar, hours and minutes the clock.
func (s span) from(t time.Time, sign int) time.Time {
	if s.months != 0 || s.days != 0 {
		t = t.AddDate(0, sign*s.months, sign*s.days)
	}
	return t.Add(time.Duration(sign*s.seconds) * time.Second)
}

// A civil is a day of the calendar.
type civil struct {
	year  int
	month time.Month
	day   int
}

func today(now time.Time) civil {
	y, m, d := now.Date()
	return civil{y, m, d}
}

// add returns the day n days later.
func (c civil) add(n int) civil {
	return today(time.Date(c.year, c.month, c.day+n, 12, 0, 0, 0, time.UTC))
}

func (c civil) nextMonth() civil {
	return today(time.Date(c.year, c.month+1, 1, 12, 0, 0, 0, time.UTC))
}

// noon returns the middle of the day in UTC, to count days with.
func (c civil) noon() time.Time { return time.Date(c.year, c.month, c.day, 12, 0, 0, 0, time.UTC) }

// exists reports whether the month has the day.
func (c civil) exists() bool {
	return today(c.noon()) == c
}

// at returns the moment of the day that shows hour and minute in the zone of now.
func (c civil) at(now time.Time, hour, minute int) time.Time {
	if hour == 24 {
		return c.add(1).start(now)
	}
	return time.Date(c.year, c.month, c.day, hour, minute, 0, 0, now.Location())
}

// start returns the first moment of the day. In some zones clocks change at midnight, and the day
// begins at one o'clock.
func (c civil) start(now time.Time) time.Time {
	t := time.Date(c.year, c.month, c.day, 0, 0, 0, 0, now.Location())
	if today(t) != c {
		t = t.Add(time.Hour)
	}
	return t
}
