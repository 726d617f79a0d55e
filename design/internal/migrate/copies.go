package migrate

import (
	"cmp"
	"slices"

	"sortkey.dev/access/migrate"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/model"
	described "sortkey.dev/design/internal/shape"
)

// A collector collects parts, and describes the tables that they are in.
type collector struct {
	*change.Matching
	tables []migrate.Table
	parts  []migrate.Part
}

// table returns the description of a table, by its name in the design.
func (c *collector) table(name string) *migrate.Table {
	for i := range c.tables {
		if c.tables[i].Name == name {
			return &c.tables[i]
		}
	}
	t := migrate.Table{Name: name}
	if old := tableNamed(c.Old, name); old != nil {
		t.Old = described.Of(c.Old, old)
	}
	if new := tableNamed(c.New, name); new != nil {
		t.New = described.Of(c.New, new)
	}
	c.tables = append(c.tables, t)
	return &c.tables[len(c.tables)-1]
}

func tableNamed(d *model.Design, name string) *model.Table {
	i := slices.IndexFunc(d.Tables, func(t *model.Table) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return d.Tables[i]
}

// copies adds the entities whose items lie under other keys, or in another table.
func (c *collector) copies() {
	for _, p := range c.Entities {
		if p.Old == nil || p.New == nil || !c.Apart(p) {
			continue
		}
		was, is := homeOf(c.Old, p.Old), homeOf(c.New, p.New)
		part := migrate.Part{Name: p.New.Name, Table: was.Table.Name, To: is.Table.Name, Entity: p.Old.LocalName(), As: p.New.LocalName()}
		looked := lookedAt(is)
		for _, a := range p.Attributes {
			switch {
			case a.New == nil:
				part.Remove = append(part.Remove, storedAs(a.Old))
			case a.Old == nil:
				if a.New.Default != nil && looked[a.New] {
					part.Set = append(part.Set, migrate.Source{Attribute: storedAs(a.New), Value: *a.New.Default, Type: a.New.Type.String()})
				}
			case storedAs(a.Old) != storedAs(a.New):
				s := migrate.Source{Attribute: storedAs(a.New), From: storedAs(a.Old)}
				if kindOf(a.Old) != kindOf(a.New) {
					s.Convert = p.New.Name + "." + a.New.Name
				}
				part.Set = append(part.Set, s)
				part.Remove = append(part.Remove, storedAs(a.Old))
			case a.Old.Default != nil && (a.New.Default == nil || *a.New.Default != *a.Old.Default):
				part.Set = append(part.Set, migrate.Source{Attribute: storedAs(a.New), Value: *a.Old.Default, Type: a.Old.Type.String()})
			}
		}
		c.table(part.Table)
		c.table(part.To)
		c.parts = append(c.parts, part)
	}
}

// storedAs returns the name under which items store an attribute; of one that only a key holds its own.
func storedAs(a *model.Attribute) string { return cmp.Or(a.Stored, a.Name) }

// homeOf returns the items of an entity.
func homeOf(d *model.Design, e *model.Entity) *model.Item {
	for _, t := range d.Tables {
		if item := t.Item(e); item != nil {
			return item
		}
	}
	return nil
}

// movesRows returns the changes of entities that move with rows beside their items, which no plan moves yet: those over which counters are
// spread lie under the key of the item, and those that keep values unique name it.
func (c *collector) movesRows(all []*change.Change) []*change.Change {
	var refused []*change.Change
	for _, one := range all {
		if one.Code != "E021" && one.Code != "E042" || one.Entity == nil || one.Entity.Old == nil || one.Entity.New == nil {
			continue
		}
		why := ""
		for _, e := range []*model.Entity{one.Entity.Old, one.Entity.New} {
			if i := slices.IndexFunc(e.Counters, func(k *model.Counter) bool { return k.Shards > 1 }); i >= 0 {
				why = "the rows over which " + e.Counters[i].Attribute.Name + " is spread do not move yet"
			}
			if len(e.Unique) > 0 {
				why = "the rows that keep its values unique name its key, and do not move yet"
			}
		}
		if why != "" {
			with := *one
			with.Message += "; " + why
			refused = append(refused, &with)
		}
	}
	return refused
}

// loses reports whether a part removes what is nowhere else: a copy has all but the attributes that the new version does not know.
func loses(p *migrate.Part) bool {
	return slices.ContainsFunc(p.Remove, func(name string) bool {
		return p.To == "" || !slices.ContainsFunc(p.Set, func(s migrate.Source) bool { return s.From == name })
	})
}

// empties reports whether a removal of a table leaves nothing behind: all its items have copies in other tables.
func (c *collector) empties(one *change.Change) bool {
	if one.Code != "E045" || one.Table == nil || one.Table.Old == nil {
		return false
	}
	return !slices.ContainsFunc(one.Table.Old.Items, func(item *model.Item) bool {
		return !slices.ContainsFunc(c.parts, func(p migrate.Part) bool {
			return p.Table == one.Table.Old.Name && p.To != p.Table && p.Entity == item.Entity.LocalName()
		})
	})
}

// inCopies reports whether a change that is breaking in the item is none where the items are copied: a copy has keys of indexes of its own.
func (c *collector) inCopies(one *change.Change) bool {
	return one.Code == "E023" && one.Entity != nil && one.Entity.Old != nil && one.Entity.New != nil && c.Apart(one.Entity)
}
