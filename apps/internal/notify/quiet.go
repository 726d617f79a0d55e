package notify

import "time"

// quietUntil reports whether a time is in the quiet hours, and when these end.
func (p Preferences) quietUntil(now time.Time) (end time.Time, quiet bool) {
	if p.Quiet == nil {
		return time.Time{}, false
	}
	zone := p.Location()
	year, month, day := now.In(zone).Date()
	// Quiet hours over midnight may have begun yesterday.
	for _, begin := range []int{day - 1, day} {
		last := begin
		if p.Quiet.Until <= p.Quiet.From {
			last++
		}
		from, _ := clockTime(year, month, begin, p.Quiet.From, zone)
		_, until := clockTime(year, month, last, p.Quiet.Until, zone)
		if !now.Before(from) && now.Before(until) {
			return until, true
		}
	}
	return time.Time{}, false
}

// clockTime returns the first and the last instant at which the clocks of a zone show a time of a
// day, in minutes after midnight. They differ in the hour that is repeated when daylight saving
// ends. A time that is skipped when it begins is the instant of the change.
func clockTime(year int, month time.Month, day, minutes int, zone *time.Location) (first, last time.Time) {
	wall := time.Date(year, month, day, 0, minutes, 0, 0, time.UTC)
	_, before := wall.Add(-26 * time.Hour).In(zone).Zone()
	_, after := wall.Add(26 * time.Hour).In(zone).Zone()
	if before == after {
		at := time.Date(year, month, day, 0, minutes, 0, 0, zone).UTC()
		return at, at
	}
	early := wall.Add(-time.Duration(before) * time.Second)
	late := wall.Add(-time.Duration(after) * time.Second)
	shows := func(at time.Time) bool { return at.In(zone).Format(time.DateTime) == wall.Format(time.DateTime) }
	switch {
	case shows(early) && shows(late):
		return early, late
	case shows(early):
		return early, early
	case shows(late):
		return late, late
	}
	// Skipped: with the offset before the change, the instant is after the change.
	change, _ := early.In(zone).ZoneBounds()
	return change.UTC(), change.UTC()
}
