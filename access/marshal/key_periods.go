package marshal

import (
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/timetext"
)

// Years returns the beginning of every year in UTC that a range of an attribute touches, both
// ends included; none if the range ends before it begins. If there are more than most, the keys
// have a *access.SpanError.
func (k *KeyText) Years(attribute string, from, to time.Time, most int) []time.Time {
	return k.periods(attribute, from, to, period{"years", most, yearNumber, yearStart})
}

// Months is like Years, for months.
func (k *KeyText) Months(attribute string, from, to time.Time, most int) []time.Time {
	return k.periods(attribute, from, to, period{"months", most, monthNumber, monthStart})
}

// Days is like Years, for days.
func (k *KeyText) Days(attribute string, from, to time.Time, most int) []time.Time {
	return k.periods(attribute, from, to, period{"days", most, dayNumber, dayStart})
}

// Hours is like Years, for hours.
func (k *KeyText) Hours(attribute string, from, to time.Time, most int) []time.Time {
	return k.periods(attribute, from, to, period{"hours", most, hourNumber, hourStart})
}

// A period is a unit of time that keys are divided by.
type period struct {
	units  string
	most   int
	number func(time.Time) int // of the period that an instant is in
	start  func(int) time.Time // of the period of a number
}

func (k *KeyText) periods(attribute string, from, to time.Time, p period) []time.Time {
	for _, end := range []time.Time{from, to} {
		if timetext.Format(end, timetext.YearWidth) == "" {
			k.refuse(attribute, timetext.NotAYear)
			return nil
		}
	}
	first, last := p.number(from.UTC()), p.number(to.UTC())
	n := last - first + 1
	if n <= 0 {
		return nil
	}
	if n > p.most {
		k.fail(&access.SpanError{Entity: k.entity, Attribute: attribute, Units: p.units, Spans: n, Most: p.most})
		return nil
	}
	all := make([]time.Time, n)
	for i := range all {
		all[i] = p.start(first + i)
	}
	return all
}

func yearNumber(t time.Time) int { return t.Year() }
func yearStart(n int) time.Time  { return time.Date(n, 1, 1, 0, 0, 0, 0, time.UTC) }

func monthNumber(t time.Time) int { return 12*t.Year() + int(t.Month()) - 1 }
func monthStart(n int) time.Time  { return time.Date(0, time.Month(n+1), 1, 0, 0, 0, 0, time.UTC) }

func dayNumber(t time.Time) int { return floorDivide(t.Unix(), secondsADay) }
func dayStart(n int) time.Time  { return time.Unix(int64(n)*secondsADay, 0).UTC() }

func hourNumber(t time.Time) int { return floorDivide(t.Unix(), secondsAnHour) }
func hourStart(n int) time.Time  { return time.Unix(int64(n)*secondsAnHour, 0).UTC() }

const (
	secondsAnHour = 60 * 60
	secondsADay   = 24 * secondsAnHour
)

// floorDivide rounds down, also before 1970.
func floorDivide(seconds, unit int64) int {
	n := seconds / unit
	if seconds%unit < 0 {
		n--
	}
	return int(n)
}
