package keytext

import (
	"slices"
	"sync"

	"sortkey.dev/design/internal/model"
)

// Values are the values that a key can have. They are compared by the literal that they
// begin with where that decides, else by their language, which is made once and only if
// needed.
type Values struct {
	key   *model.Key
	kind  string
	begin string // the literal before the first hole
	once  sync.Once
	lang  *language
}

// NewValues returns the values of each of the keys.
func NewValues(keys []*model.Key) []*Values {
	all := make([]*Values, len(keys))
	for i, k := range keys {
		all[i] = newValues(k)
	}
	return all
}

func newValues(k *model.Key) *Values {
	v := &Values{key: k, kind: k.Kind()}
	for _, part := range k.Parts() {
		if part.IsHole() {
			break
		}
		v.begin += part.Literal
	}
	return v
}

func (v *Values) language() *language {
	v.once.Do(func() {
		b := newBuilder()
		for _, part := range v.key.Parts() {
			b.part(part, v.key.Template == nil)
		}
		v.lang = b.done()
	})
	return v.lang
}

// CanEqual reports whether two keys can have the same value. It treats the holes of a
// template as independent of each other.
func CanEqual(a, b *model.Key) bool { return meet(newValues(a), newValues(b)) }

// CanMeet reports whether the keys of one list can each equal those of the other. It
// compares the literals of all keys before the language of any.
func CanMeet(a, b []*Values) bool {
	return slices.EqualFunc(a, b, func(x, y *Values) bool { return !apart(x.begin, y.begin) }) && slices.EqualFunc(a, b, meet)
}

func meet(a, b *Values) bool {
	switch {
	case a.kind != b.kind:
		return false
	case a.kind != "S":
		return true // any number or bytes
	case apart(a.begin, b.begin):
		return false
	}
	return a.language().intersects(b.language())
}

// apart reports whether no text can begin with both.
func apart(a, b string) bool {
	n := min(len(a), len(b))
	return a[:n] != b[:n]
}

// A Matcher decides which keys a list of conditions can match.
type Matcher []*matcher

type matcher struct {
	cond  Condition
	begin string // the literal that every match begins with
	lang  *language
}

// NewMatcher returns the matcher of conditions on the first attributes of a key.
func NewMatcher(conditions []Condition) Matcher {
	all := make(Matcher, len(conditions))
	for i, c := range conditions {
		all[i] = newMatcher(c)
	}
	return all
}

func newMatcher(c Condition) *matcher {
	m := &matcher{cond: c}
	text := c.Low
	switch c.Op {
	case model.Between:
		text, _, _ = Split(c.Low, c.High)
	case model.Eq, model.BeginsWith:
	default:
		text = nil
	}
	if len(text) > 0 && text[0].Value == nil {
		m.begin = text[0].Literal
	}
	return m
}

// CanMatch reports whether keys can fulfil all conditions. It compares the literals of
// all keys before the language of any.
func (m Matcher) CanMatch(keys []*Values) bool {
	return m.all(keys, (*matcher).beginsAlike) && m.all(keys, (*matcher).canMatch)
}

func (m Matcher) all(keys []*Values, holds func(*matcher, *Values) bool) bool {
	for i, one := range m {
		if !holds(one, keys[i]) {
			return false
		}
	}
	return true
}

// beginsAlike reports whether the literals alone leave open that a key matches.
func (m *matcher) beginsAlike(v *Values) bool {
	return m.cond.Kind == v.kind && !apart(m.begin, v.begin)
}

func (m *matcher) canMatch(v *Values) bool {
	if v.kind != "S" {
		return true // any number or bytes
	}
	if m.lang == nil {
		m.lang = m.cond.matched()
	}
	return m.lang.intersects(v.language())
}
