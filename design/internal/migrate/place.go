package migrate

import (
	"cmp"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
)

// StateRow returns where the state row of a design lies, by the first version of its history: in the
// table that it names with control, or else in the first table by
// name whose keys are texts and whose items cannot have the key of the row. It returns false if there is no
// such table.
func StateRow(baseline *model.Design) (access.StateRow, bool) {
	if baseline.Control != "" {
		return access.StateRow{
			Table:     baseline.Control,
			Partition: access.KeyValue{Name: "pk", Text: baseline.Name + "#state"}, Sort: access.KeyValue{Name: "sk", Text: "state"},
		}, true
	}
	tables := slices.Clone(baseline.Tables)
	slices.SortFunc(tables, func(a, b *model.Table) int { return cmp.Compare(a.Name, b.Name) })
	key := baseline.Name + "#state"
	for _, t := range tables {
		if !ofTemplates(t, t.PK.Name) || t.SK.Name != "" && !ofTemplates(t, t.SK.Name) || canBe(t, key) {
			continue
		}
		row := access.StateRow{Table: t.Name, Partition: access.KeyValue{Name: t.PK.Name, Text: key}}
		if t.SK.Name != "" {
			row.Sort = access.KeyValue{Name: t.SK.Name, Text: "state"}
		}
		return row, true
	}
	return access.StateRow{}, false
}

// ofTemplates reports whether all items of a table make a key attribute from a template.
func ofTemplates(t *model.Table, key string) bool {
	return !slices.ContainsFunc(t.Items, func(item *model.Item) bool {
		k := item.Key(key)
		return k == nil || k.Template == nil
	}) && len(t.Items) > 0
}

// canBe reports whether the partition key of an item or of a guard can be a text.
func canBe(t *model.Table, text string) bool {
	can := func(computed []*model.Computed) bool {
		for _, c := range computed {
			if c.Name == t.PK.Name && marshal.Matches(text, matching(c.Template)...) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(t.Items, func(item *model.Item) bool { return can(item.Computed) }) ||
		slices.ContainsFunc(t.Guards, func(g *model.Guard) bool { return can(g.Computed) })
}

// matching returns a template as marshal.Matches takes it, every value as one that may hold anything.
func matching(t *model.Template) []string {
	var all []string
	for _, part := range t.Parts {
		if part.IsHole() {
			return append(all, marshal.Rest)
		}
		all = append(all, part.Literal)
	}
	return all
}
