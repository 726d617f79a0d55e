package marshal

import (
	"math"
	"slices"
	"strconv"
	"time"

	"sortkey.dev/access"
)

// RequiredTime is like Time, for a required attribute. It refuses the zero time.
func (e *Encoder) RequiredTime(attribute string, t time.Time) string {
	e.notZero(attribute, t)
	return e.Time(attribute, t)
}

// RequiredUnix is like Unix, for a required attribute. It refuses the zero time.
func (e *Encoder) RequiredUnix(attribute string, t time.Time) string {
	e.notZero(attribute, t)
	return e.Unix(t)
}

func (e *Encoder) notZero(attribute string, t time.Time) {
	if t.IsZero() {
		e.Refuse(attribute, "is the zero time")
	}
}

// Most makes sure that a collection has at most so many elements.
func (e *Encoder) Most(attribute string, n, most int) {
	if n > most {
		e.Refuse(attribute, "has more than "+strconv.Itoa(most)+" elements")
	}
}

// SomeGiven makes sure that the caller gives at least one of the values that it may leave out.
// The error is access.ErrNothingGiven.
func (e *Encoder) SomeGiven(given ...bool) {
	if e.err == nil && !slices.Contains(given, true) {
		e.err = access.ErrNothingGiven
	}
}

// EntryKey returns the key of an entry of a map, which is not empty.
func (e *Encoder) EntryKey(parameter, key string) string {
	if key == "" {
		e.Refuse(parameter, "is empty")
	}
	return key
}

// MadeAt makes sure that an id begins with the time of another attribute, to the
// millisecond: what sorts by the id then sorts by the time.
func (e *Encoder) MadeAt(attribute, id, when string, t time.Time) {
	e.notZero(when, t)
	if made, err := access.TimeOfID(id); err != nil || made.UnixMilli() != t.UnixMilli() {
		e.Refuse(attribute, "was not made at "+when)
	}
}

// MadeInSecond is like MadeAt, for a time that is stored in whole seconds.
func (e *Encoder) MadeInSecond(attribute, id, when string, t time.Time) {
	e.notZero(when, t)
	if made, err := access.TimeOfID(id); err != nil || made.Unix() != t.Unix() {
		e.Refuse(attribute, "was not made at "+when)
	}
}

// Steps are the states that may follow each state of a lifecycle.
type Steps map[string][]string

// Step makes sure that a state may follow the one before. The error is a *LifecycleError.
func (e *Encoder) Step(attribute string, steps Steps, from, to string) {
	if e.err == nil && !slices.Contains(steps[from], to) {
		e.err = &access.LifecycleError{Entity: e.entity, Attribute: attribute, From: from, To: to}
	}
}

// appendFloat adds the text of FormatFloat.
func appendFloat(to []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return to
	}
	if f == 0 {
		return append(to, '0') // also -0, which DynamoDB does not know
	}
	format := byte('f')
	if size := math.Abs(f); size < 1e-6 || size >= 1e21 {
		format = 'e'
	}
	return strconv.AppendFloat(to, f, format, -1, 64)
}
