package change

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// mixes lists reads of old code that return items of new code that it does not know: it lays out the
// old design once more, with the new items beside the old ones.
func (c *comparer) mixes() {
	with, any := *c.Old, false
	with.Tables = nil
	for _, t := range c.Tables {
		if t.Old == nil {
			continue
		}
		table := copyOf(t.Old)
		if t.New != nil && t.Old.Name == t.New.Name {
			for _, item := range t.New.Items {
				if c.isNewThere(t.Old, item) {
					own := *item
					own.Table = table
					table.Items = append(table.Items, &own)
					any = true
				}
			}
		}
		with.Tables = append(with.Tables, table)
	}
	if !any {
		return
	}
	layout := resolve.New(&with)
	for _, pattern := range c.Old.Patterns {
		for i, read := range layout.Plan(pattern).Reads() {
			if alone := c.before.Plan(pattern).Reads(); i < len(alone) {
				c.mixed(pattern, alone[i], read)
			}
		}
	}
}

// copyOf returns a copy of a table whose items and indexes are its own.
func copyOf(t *model.Table) *model.Table {
	table := *t
	table.Items, table.Indexes = nil, nil
	for _, item := range t.Items {
		own := *item
		own.Table = &table
		table.Items = append(table.Items, &own)
	}
	for _, x := range t.Indexes {
		own := *x
		own.Table = &table
		table.Indexes = append(table.Indexes, &own)
	}
	return &table
}

// isNewThere reports whether items of the new version have keys in an old table that they did not have.
func (c *comparer) isNewThere(old *model.Table, item *model.Item) bool {
	p := c.EntityOf(item.Entity)
	if p.Old == nil || old.Item(p.Old) == nil {
		return true
	}
	was := old.Item(p.Old)
	return slices.ContainsFunc(append(indexKeyNames(old), old.PK.Name, old.SK.Name), func(name string) bool {
		before, after := was.Key(name), item.Key(name)
		return before == nil && after != nil || before != nil && after != nil && c.keyText(p, before, false) != c.keyText(p, after, true)
	})
}

// skipped reports whether the code of a collect leaves out an item of an entity that it does not know: by the
// attribute that holds the entity of an item, or by the form of the primary key.
func skipped(read *resolve.Read, item *model.Item) bool {
	path := read.Entry.Path
	if path.Table.Type != "" && path.Projects(path.Table.Type) {
		return true
	}
	return !slices.ContainsFunc(read.Entities, func(e *model.Entity) bool { return !resolve.ToldApart(path.Table.Item(e), item) })
}

// mixed reports the entities that a read of old code returns only once new code runs.
func (c *comparer) mixed(pattern *model.Pattern, alone, read *resolve.Read) {
	scan := read.Operation == resolve.Scan
	if scan && slices.Equal(alone.Marks, read.Marks) {
		return
	}
	var others []string
	var first *EntityPair
	for _, item := range read.Entry.Path.Table.Items {
		p := c.EntityOf(item.Entity)
		known := p == nil || p.Old != nil && slices.Contains(read.Entities, p.Old)
		if known || !scan && !slices.Contains(read.Mixed, item.Entity) || p.Old != nil && scan {
			continue
		}
		if pattern.Verb == model.Collect && skipped(read, item) {
			continue
		}
		others = append(others, item.Entity.Name)
		if first == nil {
			first = p
		}
	}
	if len(others) == 0 {
		return
	}
	change := c.add("E030", first.New.Place, "entity "+first.New.Name, "%s of old code returns %s too: %s", pattern.Name, strings.Join(others, ", "), read)
	change.was(pattern.Place, "%s is declared here", pattern.Name).Entity = first
	for i := range c.Patterns {
		if c.Patterns[i].Old == pattern {
			change.Pattern = &c.Patterns[i]
		}
	}
}
