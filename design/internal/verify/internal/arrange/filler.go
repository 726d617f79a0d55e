package arrange

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// filled are the values of an item, with one value made so long that the item has the size
// the design says, if it has one that nothing asks for.
func (v *Arranger) filled(item *sample.Item) sample.Values {
	values := item.Values()
	filler := v.filler(item.Entity)
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

// stretched is a value that takes so many bytes more.
func stretched(t model.Type, have sample.Value, by int64) (sample.Value, bool) {
	const words = "what is written here only takes room. "
	room := func(n int64) string { return strings.Repeat(words, int(n)/len(words)+1)[:n] }
	switch {
	case by <= 0:
		return have, false
	case t.Base == model.String:
		return sample.Value{Kind: sample.Text, Text: have.Text + room(by)}, true
	case t.Base == model.JSON && by > 2:
		by -= 2 - int64(len(have.Text)) // the quotes, and what it replaces
		return sample.Value{Kind: sample.Text, Text: `"` + room(max(by, 1)) + `"`}, true
	case t.Base == model.ListOf && t.Element.Base == model.String && by > 4:
		by-- // each element takes a byte besides
		if have.Kind == "" {
			by -= 3 // and so does the list, three
		}
		longer := sample.Value{Kind: sample.List, Elements: slices.Clone(have.Elements)}
		longer.Elements = append(longer.Elements, sample.Value{Kind: sample.Text, Text: room(by)})
		return longer, true
	}
	return have, false
}

// filler is a value of an entity that no key is made of and no pattern compares.
func (v *Arranger) filler(e *model.Entity) *model.Attribute {
	fits := func(t model.Type) bool {
		return t.Base == model.String || t.Base == model.JSON || t.Base == model.ListOf && t.Element.Base == model.String
	}
	for _, a := range e.Attributes {
		if fits(a.Type) && !v.asked()[a] {
			return a
		}
	}
	return nil
}

// isKey reports whether an attribute is a key of an index of the entity's table. It counts
// as one also in items that lack the other keys and so are not in the index.
func (v *Arranger) isKey(e *model.Entity, stored string) bool {
	home := v.layout.Home(e)
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

// asked are the attributes that keys are made of or patterns compare.
func (v *Arranger) asked() map[*model.Attribute]bool {
	if v.compared != nil {
		return v.compared
	}
	all := map[*model.Attribute]bool{}
	note := func(conditions []*model.Condition) {
		for _, c := range conditions {
			for _, a := range append([]*model.Attribute{c.Attribute}, bind.ComparedWith(c)...) {
				all[a] = true
			}
		}
	}
	d := v.layout.Design()
	for _, e := range d.Entities {
		for _, a := range e.ID {
			all[a] = true
		}
		for _, u := range e.Unique {
			for _, a := range append(append([]*model.Attribute(nil), u.Attributes...), u.Per...) {
				all[a] = true
			}
		}
		for _, a := range e.Attributes {
			all[a] = all[a] || v.isKey(e, a.Stored)
		}
		for _, entry := range v.layout.Entries(e) {
			note(entry.When())
			for _, key := range append(append([]*model.Key(nil), entry.PK...), entry.SK...) {
				for _, a := range key.Attributes() {
					all[a] = true
				}
			}
		}
	}
	for _, p := range d.Patterns {
		note(p.Where)
		note(p.Filter)
		if p.Order != nil {
			all[p.Order.Attribute] = true
		}
		for _, step := range p.Actions() {
			note(step.Where)
			note(step.If)
		}
		for _, r := range p.Requires {
			note(r.Where)
			note(r.If)
		}
	}
	v.compared = all
	return all
}
