package arrange

import (
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// chooseEntries chooses the entries that the action changes, and what it does to them.
func (p *parameters) chooseEntries() {
	for _, c := range p.act.Step.Entries {
		p.chooseKey(c.Entry)
		if p.unbound(c.Value.Param, c.Element) {
			p.s.bind(p.act, c.Value.Param, c.Element, p.s.gen.invent(c.Element, sample.Value{}))
		}
	}
}

// chooseKey chooses the key of an entry: mostly of one that the item has.
func (p *parameters) chooseKey(e *model.Entry) {
	if p.unbound(e.Key.Param, e.KeyText) {
		p.s.bind(p.act, e.Key.Param, e.KeyText, p.s.someKey(p.old, e))
	}
}

// someKey returns the key of an entry of a map, or another one.
func (s *arrangement) someKey(old sample.Values, e *model.Entry) sample.Value {
	key := s.gen.word("")
	if fields := old[e.Map].Fields; len(fields) > 0 && s.gen.rng.IntN(3) > 0 {
		key = fields[s.gen.rng.IntN(len(fields))].Name
	}
	return sample.Value{Kind: sample.Text, Text: key}
}

// changeEntry changes the key of an entry that a requirement is about, or the entry itself, and
// returns a function that undoes the change.
func (s *solver) changeEntry(u unmet, v sample.Value, is bool) func() {
	if param := u.entry.Key.Param; param != "" && s.free(u.act, param, u.entry.KeyText) && s.gen.rng.IntN(2) == 0 {
		return s.changeParam(u.act, param, u.entry.KeyText, s.someKey(s.oldValues(u.act), u.entry))
	}
	r := s.RowAt(u.act)
	if r == nil {
		return func() {}
	}
	s.Place(s.Changed(r, u.entry.Map, judge.WithField(r.Values[u.entry.Map], s.EntryKey(u.act, u.entry), v, is), true))
	return func() { s.Place(r) }
}

// fillMap gives a map of a row as many entries as it may have.
func (s *spoiler) fillMap(r *state.Row, a *model.Attribute) {
	full := r.Values[a]
	for range 10 * a.Max {
		if int64(len(full.Fields)) >= a.Max {
			break
		}
		full = judge.WithField(full, s.gen.word(""), s.gen.typed(*a.Type.Element), true)
	}
	s.Place(s.Changed(r, a, full, true))
}
