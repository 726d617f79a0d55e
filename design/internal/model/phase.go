package model

import "slices"

// Phase returns the part of a design that has one of the tags: its entities, patterns and indexes,
// and the tables that hold one of the entities. What has no tags is in every part; a pattern
// without tags is there if all its entities are. It returns d if tags is empty.
func (d *Design) Phase(tags []string) *Design {
	if len(tags) == 0 {
		return d
	}
	part := *d
	part.Entities = slices.DeleteFunc(slices.Clone(d.Entities), func(e *Entity) bool { return !e.HasTag(tags) })
	part.Patterns = slices.DeleteFunc(slices.Clone(d.Patterns), func(p *Pattern) bool { return !p.in(tags) })
	part.Tables = tablesWith(d.Tables, tags)
	part.Alternatives = make([]*Alternative, len(d.Alternatives))
	for i, a := range d.Alternatives {
		other := *a
		other.Tables = tablesWith(a.Tables, tags)
		part.Alternatives[i] = &other
	}
	part.Roles = make([]*Role, len(d.Roles))
	for i, r := range d.Roles {
		role := *r
		role.Patterns = slices.DeleteFunc(slices.Clone(r.Patterns), func(p *Pattern) bool { return !p.in(tags) })
		part.Roles[i] = &role
	}
	part.Uses = make([]*Use, len(d.Uses))
	for i, u := range d.Uses {
		use := *u
		use.Design = u.Design.Phase(tags)
		part.Uses[i] = &use
	}
	return &part
}

// in reports whether a pattern is in the part of a design with one of the tags.
func (p *Pattern) in(tags []string) bool {
	if len(p.Tags) > 0 {
		return p.HasTag(tags)
	}
	return !slices.ContainsFunc(p.Entities(), func(e *Entity) bool { return !e.HasTag(tags) })
}

// tablesWith returns copies of the tables with only the items and indexes that have one of the
// tags, without tables that are then empty.
func tablesWith(tables []*Table, tags []string) []*Table {
	var kept []*Table
	for _, t := range tables {
		table := *t
		table.Items, table.Indexes = nil, nil
		for _, item := range t.Items {
			if item.Entity.HasTag(tags) {
				own := *item
				own.Table = &table
				table.Items = append(table.Items, &own)
			}
		}
		for _, index := range t.Indexes {
			if tagged(index.Tags, tags) {
				own := *index
				own.Table = &table
				table.Indexes = append(table.Indexes, &own)
			}
		}
		table.Guards = slices.DeleteFunc(slices.Clone(t.Guards), func(g *Guard) bool { return !g.Entity.HasTag(tags) })
		if len(table.Items) > 0 {
			kept = append(kept, &table)
		}
	}
	return kept
}
