package sample

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A Collection is the items of one partition as a path holds them, in the order of the
// sort key.
type Collection struct {
	Partition []Value // one for each attribute of the partition key
	Rows      []Row
}

// A Row is an item as a path holds it.
type Row struct {
	Item       *Item
	Sort       []Value     // one for each attribute of the sort key
	Attributes []Attribute // what is projected besides the path's own key
}

// Through returns the items as a path holds them: grouped by partition key in the order of
// first items, sorted, without those that lack a key, without what is not projected.
func Through(items []*Item, path resolve.Path) []*Collection {
	partition, sort := keyNames(path)
	var all []*Collection
	byKey := map[string]*Collection{}
	for _, item := range items {
		if item.Table != path.Table {
			continue
		}
		pk, okP := valuesOf(item, partition)
		sk, okS := valuesOf(item, sort)
		if !okP || !okS {
			continue
		}
		key := joined(pk)
		c := byKey[key]
		if c == nil {
			c = &Collection{Partition: pk}
			byKey[key] = c
			all = append(all, c)
		}
		c.Rows = append(c.Rows, Row{Item: item, Sort: sk, Attributes: projected(item, path, slices.Concat(partition, sort))})
	}
	for _, c := range all {
		slices.SortStableFunc(c.Rows, func(a, b Row) int { return slices.CompareFunc(a.Sort, b.Sort, Value.Compare) })
	}
	return all
}

// keyNames returns the key attributes of a path.
func keyNames(path resolve.Path) (partition, sort []string) {
	t := path.Table
	if path.Index == nil || path.Index.Local {
		partition = []string{t.PK.Name}
	}
	if path.Index == nil {
		if t.SK.Name != "" {
			sort = []string{t.SK.Name}
		}
		return partition, sort
	}
	names := func(list []model.KeyName) []string {
		var all []string
		for _, k := range list {
			all = append(all, k.Name)
		}
		return all
	}
	if !path.Index.Local {
		partition = names(path.Index.PK)
	}
	return partition, names(path.Index.SK)
}

// valuesOf returns an item's values of key attributes; all must be there and fit a key.
func valuesOf(item *Item, names []string) ([]Value, bool) {
	var all []Value
	for _, name := range names {
		v, ok := item.Get(name)
		if !ok || v.Kind != Text && v.Kind != Number && v.Kind != Binary {
			return nil, false
		}
		all = append(all, v)
	}
	return all, true
}

func joined(values []Value) string {
	s := ""
	for _, v := range values {
		s += string(v.Kind) + v.Text + "\x00"
	}
	return s
}

// projected returns the attributes a path holds besides its own key. An index always holds
// the key of the table.
func projected(item *Item, path resolve.Path, own []string) []Attribute {
	var all []Attribute
	for _, a := range item.Attributes {
		if a.Name == "" || slices.Contains(own, a.Name) {
			continue
		}
		if path.Index == nil || holdsAttribute(path, a.Name) {
			all = append(all, a)
		}
	}
	return all
}

func holdsAttribute(path resolve.Path, name string) bool {
	project := path.Index.Project
	switch {
	case name == path.Table.PK.Name, name == path.Table.SK.Name:
		return true
	case project.Kind == model.ProjectAll, project.Kind == "":
		return true
	}
	return project.Kind == model.ProjectInclude && slices.Contains(project.Attributes, name)
}
