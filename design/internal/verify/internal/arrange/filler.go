package arrange

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// filled returns the values of an item, one of them lengthened so that the item has the size
// that the design states, if the entity has an attribute that no key and no pattern uses.
func (ar *Arranger) filled(item *sample.Item) sample.Values {
	values := item.Values()
	filler := ar.filler(item.Entity)
	if filler == nil || item.Entity.Size.Avg == 0 {
		return values
	}
	missing := item.Entity.Size.Avg - state.SizeOf(state.Item(item))
	have, ok := values[filler]
	if !ok {
		missing -= int64(len(filler.Stored))
	}
	if longer, ok := stretched(filler.Type, have, missing); ok {
		values[filler] = longer
	}
	return values
}

// stretched returns a value that takes the given number of bytes more.
func stretched(t model.Type, have sample.Value, by int64) (sample.Value, bool) {
	const words = "what is written here only takes room. "
	room := func(n int64) string { return strings.Repeat(words, int(n)/len(words)+1)[:n] }
	switch {
	case by <= 0:
		return have, false
	case t.Base == model.String:
		return sample.Value{Kind: sample.Text, Text: have.Text + room(by)}, true
	case t.Base == model.JSON && by > 2:
		by -= 2 - int64(len(have.Text)) // the quotes, and the text it replaces
		return sample.Value{Kind: sample.Text, Text: `"` + room(max(by, 1)) + `"`}, true
	case t.Base == model.ListOf && t.Element.Base == model.String && by > 4:
		by-- // each element takes an additional byte
		if have.Kind == "" {
			by -= 3 // and a new list three
		}
		longer := sample.Value{Kind: sample.List, Elements: slices.Clone(have.Elements)}
		longer.Elements = append(longer.Elements, sample.Value{Kind: sample.Text, Text: room(by)})
		return longer, true
	}
	return have, false
}

// filler returns an attribute that no key contains and no pattern compares, or nil.
func (ar *Arranger) filler(e *model.Entity) *model.Attribute {
	fits := func(t model.Type) bool {
		return t.Base == model.String || t.Base == model.JSON || t.Base == model.ListOf && t.Element.Base == model.String
	}
	for _, a := range e.Attributes {
		if fits(a.Type) && !ar.asked()[a] {
			return a
		}
	}
	return nil
}

// An attributeSet is a set of attributes.
type attributeSet map[*model.Attribute]bool

// add adds attributes.
func (s attributeSet) add(attributes ...*model.Attribute) {
	for _, a := range attributes {
		s[a] = true
	}
}

// addCompared adds the attributes that conditions compare.
func (s attributeSet) addCompared(conditions []*model.Condition) {
	for _, c := range conditions {
		s.add(c.Attribute)
		s.add(bind.ComparedWith(c)...)
	}
}

// addKeys adds the attributes that identify the items of an entity or are part of a key.
func (s attributeSet) addKeys(l *resolve.Layout, e *model.Entity) {
	s.add(e.ID...)
	for _, u := range e.Unique {
		s.add(u.Attributes...)
		s.add(u.Per...)
	}
	for _, a := range e.Attributes {
		if isKey(l, e, a.Stored) {
			s.add(a)
		}
	}
	for _, entry := range l.Entries(e) {
		s.addCompared(entry.When())
		for _, key := range slices.Concat(entry.PK, entry.SK) {
			s.add(key.Attributes()...)
		}
	}
}

// addPattern adds the attributes that a pattern compares or orders by.
func (s attributeSet) addPattern(p *model.Pattern) {
	s.addCompared(p.Where)
	s.addCompared(p.Filter)
	if p.Order != nil {
		s.add(p.Order.Attribute)
	}
	for _, action := range p.Actions() {
		s.addCompared(action.Where)
		s.addCompared(action.If)
	}
	for _, r := range p.Requires {
		s.addCompared(r.Where)
		s.addCompared(r.If)
	}
}

// isKey reports whether an attribute is a key of an index of the entity's table, also for
// items that lack the other keys and so are not in the index.
func isKey(l *resolve.Layout, e *model.Entity, stored string) bool {
	home := l.Home(e)
	if home == nil {
		return false
	}
	for _, x := range home.Table.Indexes {
		for _, key := range slices.Concat(x.PK, x.SK) {
			if key.Name == stored {
				return true
			}
		}
	}
	return false
}

// asked returns the attributes that are part of a key or that a pattern compares.
func (ar *Arranger) asked() attributeSet {
	if ar.compared == nil {
		ar.compared = attributeSet{}
		for _, e := range ar.layout.Design().Entities {
			ar.compared.addKeys(ar.layout, e)
		}
		for _, p := range ar.layout.Design().Patterns {
			ar.compared.addPattern(p)
		}
	}
	return ar.compared
}
