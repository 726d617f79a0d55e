// Package timewords reads the time words of Swedish and English chat: "sen", "ikväll", "om en
// timme", "before Saturday". It finds them in a list of words and resolves them to a deadline or
// to a past moment, in the calendar of a zone.
//
// It is not a general date parser: it knows only its own tables, so that "may" is no month and "3
// katter" no hour. Callers apply it inside a recognised promise or report; package rules does.
package timewords

import (
	"time"

	"sortkey.dev/apps/homeops/understanding"
)

// A Match is a run of words that names a time.
type Match struct {
	Start, End int // indices of the words, End exclusive
	Time       Expression
}

// An Expression is the abstract meaning of time words, before a clock resolves it.
type Expression struct {
	direction direction
	day       day
	n         int // of days or weeks, or the day of the month
	month     time.Month
	weekday   time.Weekday
	part      part
	clock     clock
	span      span
	before    bool // the time is an upper limit that is itself excluded: "före lördag"
}

// A direction limits an expression to the future or to the past.
type direction int

const (
	both direction = iota
	future
	past
)

// A day says how an expression names a day.
type day int

const (
	noDay     day = iota
	daysAway      // n days from today
	onWeekday     // the next or the last one, by direction
	nextWeek      // a weekday of next week
	weekend       // n weekends from this one
	week          // n weeks from this one
	monthDay      // day n of month, or of the next or the last month that has it, by direction
)

// A part is a part of a day.
type part int

const (
	noPart part = iota
	later       // some time today: "sen"
	soon        // within two hours
	morning
	forenoon
	noon
	afternoon
	evening
	night
)

// A clock is a time of day.
type clock struct {
	set          bool
	hour, minute int
	exact        bool // the half of the day is known: 16, 08:00, 4 pm
}

// A span is a distance from now.
type span struct {
	set     bool
	months  int
	days    int
	seconds int
}

// IsFuture reports whether the expression can name a deadline.
func (e Expression) IsFuture() bool { return e.direction != past && e != Expression{} }

// IsPast reports whether the expression can name a past moment.
func (e Expression) IsPast() bool { return e.direction != future && e != Expression{} }

// IsWholeDay reports whether the expression names a day without an hour, such as "idag".
func (e Expression) IsWholeDay() bool { return e.day == daysAway && e.part == noPart && !e.clock.set }

// OnlyFuture reports whether the expression names a future moment only, such as "imorgon".
func (e Expression) OnlyFuture() bool { return e.direction == future }

// IsSoon reports whether the expression names the next moment, such as "snart".
func (e Expression) IsSoon() bool { return e.direction == future && e.part == soon }

// OnlyPast reports whether the expression names a past moment only, such as "igår".
func (e Expression) OnlyPast() bool { return e.direction == past }

// Find returns the time words among lower-case words, in order. Adjacent expressions such as
// "imorgon" and "kl 8" become one match.
func Find(words []string, l understanding.Locale) []Match {
	t := tables()[l]
	if t == nil {
		return nil
	}
	var found []Match
	for i := 0; i < len(words); {
		e, length := t.at(words, i)
		if length == 0 {
			i++
			continue
		}
		if last := len(found) - 1; last >= 0 && found[last].End == i && found[last].Time.fits(e) {
			found[last].End = i + length
			found[last].Time = found[last].Time.merge(e)
		} else {
			found = append(found, Match{Start: i, End: i + length, Time: e})
		}
		i += length
	}
	return found
}

// fits reports whether two expressions say different things about the same moment.
func (e Expression) fits(o Expression) bool {
	return !(e.day != noDay && o.day != noDay) && !(e.part != noPart && o.part != noPart) &&
		!(e.clock.set && o.clock.set) && !e.span.set && !o.span.set &&
		(e.direction == both || o.direction == both || e.direction == o.direction)
}

// Merge joins the expressions of one clause, for example "imorgon … kl 8". It reports false if
// they contradict each other.
func (e Expression) Merge(o Expression) (Expression, bool) {
	if !e.fits(o) {
		return e, false
	}
	return e.merge(o), true
}

func (e Expression) merge(o Expression) Expression {
	if e.direction == both {
		e.direction = o.direction
	}
	if o.day != noDay {
		e.day, e.n, e.month, e.weekday = o.day, o.n, o.month, o.weekday
	}
	if o.part != noPart {
		e.part = o.part
	}
	if o.clock.set {
		e.clock = o.clock
	}
	if o.span.set {
		e.span = o.span
	}
	e.before = e.before || o.before
	return e
}
