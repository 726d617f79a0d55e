package loader

import (
	"maps"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// A projectionBuilder builds the named projections of a design.
type projectionBuilder struct{ *reader }

// reserved lists what project means without a projection.
var reserved = []string{string(model.ProjectAll), string(model.ProjectKeys)}

func (b projectionBuilder) all(n *node) []*model.NamedProjection {
	var all []*model.NamedProjection
	for _, e := range n.fit() {
		b.about("projection "+e.key.text, func() {
			p := &model.NamedProjection{Name: e.key.text, Place: e.key.place}
			if !e.value.flawed && b.whole(func() { b.projection(p, e) }) {
				b.declared.named[p.Name] = p
				all = append(all, p)
			} else {
				b.declared.broken["projection "+p.Name] = true
			}
		})
	}
	return all
}

func (b projectionBuilder) projection(p *model.NamedProjection, e *entry) {
	if slices.Contains(reserved, p.Name) {
		b.fail("F006", e.key.place, "%s has a meaning of its own in project: choose another name", p.Name)
		return
	}
	if owner := b.owner(p.Name); owner != nil {
		b.add(diag.Finding{
			Code: "F006", Place: e.key.place, Message: p.Name + " is an attribute of " + owner.Name + " too: choose another name for the projection",
			Related: []diag.Related{{Place: owner.Attribute(p.Name).Place, Message: "the attribute is declared here"}},
		})
		return
	}
	for _, item := range e.value.list() {
		switch {
		case slices.Contains(p.Attributes, item.text):
			b.fail("F006", item.place, "%s is listed twice", item.text)
		case b.owner(item.text) == nil && !b.isBroken(item.text):
			b.fail("F007", item.place, "no entity has an attribute %s%s", shown(item.text), b.found.didYouMean(item.text, b.attributeNames()))
		default:
			p.Attributes = append(p.Attributes, item.text)
		}
	}
}

// owner returns the first entity by name that has an attribute, or nil.
func (b projectionBuilder) owner(attribute string) *model.Entity {
	for _, name := range slices.Sorted(maps.Keys(b.declared.entities)) {
		if e := b.declared.entities[name]; e.Attribute(attribute) != nil {
			return e
		}
	}
	return nil
}

// isBroken reports whether the declaration of an attribute of that name was reported.
func (b projectionBuilder) isBroken(attribute string) bool {
	for name := range b.declared.entities {
		if b.declared.broken[name+"."+attribute] {
			return true
		}
	}
	return len(b.declared.entities) == 0
}

func (b projectionBuilder) attributeNames() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(b.declared.entities)) {
		all = append(all, attributeNames(b.declared.entities[name])...)
	}
	return all
}

// selected returns the attributes of a select: those of an entity that projections name, and
// single ones. row is the projection if select is nothing else.
func (d *declarations) selected(e *model.Entity, n *node) (all []*model.Attribute, row *model.NamedProjection) {
	names := n.items
	if n.kind == scalar {
		names = []*node{n}
		row = d.named[n.text]
	}
	var seen attributeSet
	for _, item := range names {
		if p := d.named[item.text]; p != nil {
			own := p.Of(e)
			if len(own) == 0 {
				d.failed = true
				d.fail("F007", item.place, "%s has no attribute of the projection %s", e.Name, p.Name)
			}
			for _, a := range own {
				if seen.add(a) {
					all = append(all, a)
				}
			}
			continue
		}
		if d.broken["projection "+item.text] && d.find(e, item.text) == nil {
			d.failed = true
			continue
		}
		a := d.attribute(e, item)
		switch {
		case a == nil:
		case !seen.add(a):
			d.fail("F006", item.place, "%s is listed twice", a.Name)
		default:
			all = append(all, a)
		}
	}
	return all, row
}
