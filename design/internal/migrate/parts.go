package migrate

import (
	"cmp"
	"slices"

	"sortkey.dev/access/migrate"
	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/model"
	described "sortkey.dev/design/internal/shape"
)

// collect returns what only the new version stores: parts within items, and copies of items elsewhere.
func collect(m *change.Matching) *collector {
	c := &collector{Matching: m}
	for _, t := range m.Tables {
		if t.Old == nil || t.New == nil || t.Old.Name != t.New.Name {
			continue
		}
		of := tableParts{Matching: m, pair: t, old: described.Of(m.Old, t.Old), new: described.Of(m.New, t.New)}
		if found := of.parts(); len(found) > 0 {
			c.table(t.New.Name)
			c.parts = append(c.parts, found...)
		}
	}
	c.copies()
	return c
}

// tableParts finds the parts of the items of a table.
type tableParts struct {
	*change.Matching
	pair     *change.TablePair
	old, new *shape.Table
}

func (t tableParts) parts() []migrate.Part {
	var all []migrate.Part
	for _, item := range t.pair.New.Items {
		p := t.EntityOf(item.Entity)
		if p == nil || p.Old == nil || t.pair.Old.Item(p.Old) == nil || t.Apart(p) {
			continue
		}
		old, new := entityOf(t.old, p.Old.LocalName()), entityOf(t.new, p.New.LocalName())
		part := migrate.Part{Name: p.New.Name, Table: t.pair.New.Name, Entity: old.Name, As: new.Name}
		t.attributes(&part, p)
		t.keys(&part, p, old, new)
		if len(part.Set)+len(part.Remove) > 0 {
			all = append(all, part)
		}
	}
	return all
}

func entityOf(t *shape.Table, name string) *shape.Entity {
	i := slices.IndexFunc(t.Entities, func(e shape.Entity) bool { return e.Name == name })
	return &t.Entities[i]
}

// attributes adds attributes that have another stored name or another default, those that are new and that
// DynamoDB itself looks at, and those that are gone.
func (t tableParts) attributes(part *migrate.Part, p *change.EntityPair) {
	looked := lookedAt(t.pair.New.Item(p.New))
	for _, a := range p.Attributes {
		switch {
		case a.New == nil && a.Old.Stored != "":
			part.Remove = append(part.Remove, a.Old.Stored)
		case a.New == nil || a.New.Stored == "":
		case a.Old == nil:
			if a.New.Default != nil && looked[a.New] {
				part.Set = append(part.Set, migrate.Source{Attribute: a.New.Stored, Value: *a.New.Default, Type: a.New.Type.String()})
			}
		case a.Old.Stored != a.New.Stored:
			s := migrate.Source{Attribute: a.New.Stored, From: a.Old.Stored}
			if kindOf(a.Old) != kindOf(a.New) {
				s.Convert = p.New.Name + "." + a.New.Name
			}
			part.Set = append(part.Set, s)
			part.Remove = append(part.Remove, a.Old.Stored)
		case a.Old.Default != nil && (a.New.Default == nil || *a.New.Default != *a.Old.Default):
			part.Set = append(part.Set, migrate.Source{Attribute: a.New.Stored, Value: *a.Old.Default, Type: a.Old.Type.String()})
		}
	}
}

// kindOf returns a text that differs if DynamoDB stores values in another way.
func kindOf(a *model.Attribute) string { return cmp.Or(a.Type.KeyKind(), string(a.Type.Base)) }

// lookedAt returns the attributes of the items of an entity that are part of a key or of its conditions.
func lookedAt(item *model.Item) map[*model.Attribute]bool {
	looked := map[*model.Attribute]bool{}
	for _, c := range item.Computed {
		for _, part := range c.Template.Parts {
			if part.IsHole() {
				looked[part.Attribute] = true
			}
		}
		for _, w := range c.When {
			looked[w.Attribute] = true
		}
	}
	for _, x := range item.Table.Indexes {
		for _, key := range slices.Concat(x.PK, x.SK) {
			for _, a := range item.Entity.Attributes {
				if a.Stored == key.Name {
					looked[a] = true
				}
			}
		}
	}
	return looked
}

// keys adds the keys of indexes that are new, and those that are gone.
func (t tableParts) keys(part *migrate.Part, p *change.EntityPair, old, new *shape.Entity) {
	primary := []string{t.new.PK, t.new.SK}
	has := func(e *shape.Entity, name string) bool {
		return slices.ContainsFunc(e.Keys, func(k shape.Key) bool { return k.Name == name })
	}
	for _, k := range new.Keys {
		if !has(old, k.Name) && !slices.Contains(primary, k.Name) {
			part.Set = append(part.Set, migrate.Source{Attribute: k.Name, Key: true})
		}
	}
	for _, k := range old.Keys {
		if !has(new, k.Name) && !slices.Contains(primary, k.Name) {
			part.Remove = append(part.Remove, k.Name)
		}
	}
}
