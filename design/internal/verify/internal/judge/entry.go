package judge

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// EntryKey returns the key of an entry that an action names.
func (s *Scenario) EntryKey(act *Action, e *model.Entry) string {
	if e.Key.Param == "" {
		return e.Key.Constant
	}
	key, _ := s.Operand(act, e.Key, e.KeyText, nil)
	return key.Text
}

// EntryIn returns the value of the entry that an action names, and whether there is one.
func (s *Scenario) EntryIn(act *Action, e *model.Entry, values sample.Values) (sample.Value, bool) {
	key := s.EntryKey(act, e)
	for _, f := range values[e.Map].Fields {
		if f.Name == key {
			return f.Value, true
		}
	}
	return sample.Value{}, false
}

// withEntry returns a map after the change of one entry.
func (s *Scenario) withEntry(act *Action, c *model.EntryChange, old sample.Value) sample.Value {
	key := s.EntryKey(act, c.Entry)
	given, _ := s.Operand(act, c.Value, c.Element, nil)
	switch c.Kind {
	case model.RemoveEntry:
		return WithField(old, key, sample.Value{}, false)
	case model.AddToEntry:
		have, _ := s.EntryIn(act, c.Entry, sample.Values{c.Map: old})
		given = state.Plus(have, state.NumberOf(given))
	}
	return WithField(old, key, given, true)
}

// WithField returns a map with another value for a key, or without the key.
func WithField(old sample.Value, key string, v sample.Value, is bool) sample.Value {
	after := sample.Value{Kind: sample.Map, Fields: slices.Clone(old.Fields)}
	i := slices.IndexFunc(after.Fields, func(f sample.Field) bool { return f.Name == key })
	switch {
	case i >= 0 && is:
		after.Fields[i].Value = v
	case i >= 0:
		after.Fields = slices.Delete(after.Fields, i, i+1)
	case is:
		after.Fields = append(after.Fields, sample.Field{Name: key, Value: v})
	}
	return after
}

// roomForEntries reports whether maps stay within their maximum.
func (s *Scenario) roomForEntries(act *Action, old sample.Values) bool {
	return !slices.ContainsFunc(act.Step.Entries, func(c *model.EntryChange) bool {
		_, known := s.EntryIn(act, c.Entry, old)
		return c.Bounded() && !known && int64(len(old[c.Map].Fields)) >= c.Map.Max
	})
}
