package loader

import (
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// was reads the name that something had in the version before.
func (r *reader) was(name string, n *node) (string, diag.Place) {
	switch {
	case n == nil:
		return "", diag.Place{}
	case n.text == name:
		r.whole(func() { r.fail("F006", n.place, "was names %s itself: remove it", name) })
		return "", diag.Place{}
	}
	return n.text, n.place
}

// earlier reads the name that an attribute had in the version before, or the names of its values.
func (b attributeBuilder) earlier(a *model.Attribute, n *node) {
	if n == nil || n.kind != mapping {
		a.Was, a.WasPlace = b.was(a.Name, n)
		return
	}
	if a.Type.Base != model.Enum {
		b.fail("F006", n.place, "only the values of an enum had other names; %s is %s", a.Name, a.Type)
		return
	}
	a.WasPlace, a.WasValues = n.place, map[string]string{}
	for _, e := range n.fit() {
		switch {
		case !b.isState(a, e.key):
		case e.key.text == e.value.text:
			b.fail("F006", e.value.place, "was names %s itself: remove it", e.key.text)
		default:
			a.WasValues[e.key.text] = e.value.text
		}
	}
}

// from reads which attributes an entity has from entities of the version before.
func (b entityBuilder) from(entity *model.Entity, n *node) {
	for _, e := range n.fit() {
		from := &model.From{Entity: e.key.text, Attributes: map[string]string{}, Place: e.key.place}
		ok := !e.value.flawed && b.whole(func() {
			for _, pair := range e.value.fit() {
				if a := b.declared.attribute(entity, pair.key); a != nil {
					from.Attributes[a.Name] = pair.value.text
				}
			}
		})
		if ok {
			entity.From = append(entity.From, from)
		}
	}
}

// onlyOnce reports names of the version before that two things claim.
func onlyOnce[T any](r *reader, all []T, was func(T) (name, earlier string, place diag.Place)) {
	for i, one := range all {
		name, earlier, place := was(one)
		first := slices.IndexFunc(all, func(other T) bool { _, have, _ := was(other); return have == earlier })
		if earlier == "" || first == i {
			continue
		}
		other, _, at := was(all[first])
		r.whole(func() {
			r.add(diag.Finding{
				Code: "F006", Place: place, Message: "both " + other + " and " + name + " were " + earlier + "; only one can be the same thing",
				Related: []diag.Related{{Place: at, Message: other + " was " + earlier}},
			})
		})
	}
}
