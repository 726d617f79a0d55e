package homeops

import (
	"time"
	_ "time/tzdata" // households have zones that the machine may not know

	"sortkey.dev/access"
)

// Zone returns a time zone by its name, and that of DefaultZone if there is none of this name.
func Zone(name string) *time.Location {
	if zone, err := time.LoadLocation(name); err == nil && name != "" {
		return zone
	}
	zone, err := time.LoadLocation(DefaultZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Day returns the day of an instant in a zone.
func Day(t time.Time, zone *time.Location) access.Date {
	return access.Date(t.In(zone).Format(time.DateOnly))
}

// Week returns the week of ISO 8601 of an instant in a zone.
func Week(t time.Time, zone *time.Location) access.Week {
	local := t.In(zone)
	return access.WeekOf(time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, time.UTC))
}

// WeekRange returns when a week begins in a zone and when the next one begins. A week in which
// the clock changes has 167 or 169 hours.
func WeekRange(week access.Week, zone *time.Location) (from, to time.Time) {
	monday := week.Start()
	from = time.Date(monday.Year(), monday.Month(), monday.Day(), 0, 0, 0, 0, zone)
	return from, from.AddDate(0, 0, 7)
}

// WeekAfter returns the week after a week.
func WeekAfter(week access.Week) access.Week { return access.WeekOf(week.Start().AddDate(0, 0, 7)) }

// DayBefore returns the day that is a number of days before a day.
func DayBefore(day access.Date, days int) access.Date {
	return access.Date(day.Time().AddDate(0, 0, -days).Format(time.DateOnly))
}

// DayRange returns when a day begins in a zone and when the next one begins.
func DayRange(day access.Date, zone *time.Location) (from, to time.Time) {
	date := day.Time()
	from = time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, zone)
	return from, from.AddDate(0, 0, 1)
}

// NextAt returns the next instant after t at which the clock of a zone shows a full hour; on the
// given weekday if it is not negative.
func NextAt(t time.Time, zone *time.Location, hour int, weekday time.Weekday) time.Time {
	local := t.In(zone)
	for days := 0; ; days++ {
		at := time.Date(local.Year(), local.Month(), local.Day()+days, hour, 0, 0, 0, zone)
		if at.After(t) && (weekday < 0 || at.Weekday() == weekday) {
			return at
		}
	}
}

// QuietHours are the hours of the local day in which the bot is silent: from the beginning of
// From to the beginning of To, over midnight if From is the later one. Equal hours are none.
type QuietHours struct {
	From, To int
}

// Contains reports whether the local clock is inside the quiet hours.
func (q QuietHours) Contains(local time.Time) bool {
	hour := local.Hour()
	if q.From <= q.To {
		return q.From <= hour && hour < q.To
	}
	return hour >= q.From || hour < q.To
}

// Speakable returns t if it is outside the quiet hours, and otherwise the end of the quiet hours.
func (q QuietHours) Speakable(t time.Time, zone *time.Location) time.Time {
	if !q.Contains(t.In(zone)) {
		return t
	}
	return NextAt(t, zone, q.To, -1)
}
