package arrange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// filled returns the values of an item, some of them longer or shorter so that the item has the
// size that the design states, if the entity has attributes that no key and no pattern uses.
func (ar *Arranger) filled(item *sample.Item) sample.Values {
	values := item.Values()
	if item.Entity.Size.Avg == 0 {
		return values
	}
	return resize(ar.fillers(item.Entity), values, item.Entity.Size.Avg-state.SizeOf(state.Item(item)))
}

// A filler is an attribute that takes a share of the bytes that an item lacks.
type filler struct {
	attribute *model.Attribute
	share     exact.Number
}

// fillers returns the attributes over which the cost model spreads a stated size, and that no key
// contains and no pattern compares.
func (ar *Arranger) fillers(e *model.Entity) []filler {
	home := ar.layout.Home(e)
	if home == nil {
		return nil
	}
	shares, total := cost.Growing(home), exact.Zero
	var all []filler
	for _, a := range e.Attributes {
		if share := shares[a]; share.Sign() > 0 && stretches(a.Type) && !ar.asked()[a] {
			all = append(all, filler{a, share})
			total = total.Add(share)
		}
	}
	for i := range all {
		all[i].share, _ = all[i].share.Div(total)
	}
	return all
}

// stretches reports whether values of a type can be made longer.
func stretches(t model.Type) bool {
	switch t.Base {
	case model.String, model.JSON:
		return true
	case model.ListOf:
		return t.Element.Base == model.String || t.Element.Base == model.ULID
	case model.SetOf:
		return t.Element.Base == model.String
	}
	return false
}

// resize returns values that take a number of bytes more or, if negative, less.
func resize(fillers []filler, values sample.Values, by int64) sample.Values {
	values = maps.Clone(values)
	left := by
	for i, f := range fillers {
		part := f.share.Times(by).Floor().Int64()
		if i == len(fillers)-1 || by < 0 {
			part = left
		}
		have, ok := values[f.attribute]
		if !ok && by < 0 {
			continue
		}
		was, name := state.ValueSize(have), int64(0)
		if !ok {
			name = int64(len(f.attribute.Stored))
		}
		if longer, ok := resized(f.attribute.Type, have, part-name); ok {
			values[f.attribute] = longer
			left -= name + state.ValueSize(longer) - was
		}
	}
	return values
}

// resized returns a value that takes the given number of bytes more or, if negative, less.
func resized(t model.Type, have sample.Value, by int64) (sample.Value, bool) {
	switch {
	case by == 0 || by < 0 && have.Kind == "":
		return have, false
	case t.Base == model.String:
		return sample.Value{Kind: sample.Text, Text: lengthened(have.Text, by)}, true
	case t.Base == model.JSON:
		return sample.Value{Kind: sample.Text, Text: `"` + room(max(int64(len(have.Text))+by-2, 1)) + `"`}, true
	case t.Base == model.SetOf && by > 0:
		longer := sample.Value{Kind: sample.Texts, Elements: slices.Clone(have.Elements)}
		longer.Elements = append(longer.Elements, sample.Value{Kind: sample.Text, Text: room(by)})
		return longer, !slices.ContainsFunc(have.Elements, func(v sample.Value) bool { return v.Text == room(by) })
	case t.Base == model.ListOf && by > 0:
		return longerList(t, have, by)
	case t.Base == model.ListOf && t.Element.Base == model.String && len(have.Elements) > 0:
		longer := sample.Value{Kind: sample.List, Elements: slices.Clone(have.Elements)}
		last := &longer.Elements[len(longer.Elements)-1]
		last.Text = lengthened(last.Text, by)
		return longer, true
	}
	return have, false
}

// lengthened returns a text with a number of bytes more or, if negative, less, but not empty.
func lengthened(text string, by int64) string {
	if by >= 0 {
		return text + room(by)
	}
	return room(max(int64(len(text))+by, 1))
}

// longerList returns a list with more elements.
func longerList(t model.Type, have sample.Value, by int64) (sample.Value, bool) {
	longer := sample.Value{Kind: sample.List, Elements: slices.Clone(have.Elements)}
	if have.Kind == "" {
		by -= 3 // of a new list
	}
	if t.Element.Base == model.ULID {
		for n := by / 27; n > 0; n-- { // each element takes an additional byte
			longer.Elements = append(longer.Elements, sample.Value{Kind: sample.Text, Text: fmt.Sprintf("01J%023d", n)})
		}
		return longer, len(longer.Elements) > len(have.Elements)
	}
	if by < 2 {
		return have, false
	}
	longer.Elements = append(longer.Elements, sample.Value{Kind: sample.Text, Text: room(by - 1)})
	return longer, true
}

// room returns a text of a number of bytes.
func room(n int64) string {
	const words = "what is written here only takes room. "
	return strings.Repeat(words, int(n)/len(words)+1)[:n]
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
	for _, c := range model.Comparisons(conditions) {
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
	for _, part := range p.Parts {
		s.addPattern(part)
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
