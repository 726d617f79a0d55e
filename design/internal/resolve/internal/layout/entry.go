package layout

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
)

// A Path is one way to reach items: the key of a table, or one of its indexes.
type Path struct {
	Table *model.Table
	Index *model.Index // nil: the key of the table
}

// String returns the path as reports write it: homeops, homeops.GSI1.
func (p Path) String() string {
	if p.Index == nil {
		return p.Table.Name
	}
	return p.Table.Name + "." + p.Index.Name
}

// IsTable reports whether the path is the key of the table.
func (p Path) IsTable() bool { return p.Index == nil }

// IsGlobal reports whether the path is a global secondary index.
func (p Path) IsGlobal() bool { return p.Index != nil && !p.Index.Local }

// KeyNames returns the key attributes that an item seen through a path always has.
func KeyNames(path Path) []model.KeyName {
	names := []model.KeyName{path.Table.PK}
	if path.Table.SK.Name != "" {
		names = append(names, path.Table.SK)
	}
	if path.Index != nil {
		names = slices.Concat(names, path.Index.PK, path.Index.SK)
	}
	return names
}

// Projects reports whether a path holds an attribute under its own name: keys of the
// table and of the index always, others if the projection lists them.
func (p Path) Projects(stored string) bool {
	x := p.Index
	return x == nil || x.Project.Kind == model.ProjectAll || slices.Contains(x.Project.Attributes, stored) ||
		slices.ContainsFunc(KeyNames(p), func(name model.KeyName) bool { return name.Name == stored })
}

// Gives reports whether an item seen through a path gives the value of an attribute: as
// an attribute, or as a piece of a composed key that can be read back.
func (p Path) Gives(item *model.Item, a *model.Attribute) bool {
	return p.Projects(HeldBy(p, item, a))
}

// HeldBy returns the name under which an item seen through a path gives the value of an
// attribute: its own, or that of the composed key that holds it if the path has nothing
// else.
func HeldBy(path Path, item *model.Item, a *model.Attribute) string {
	if !a.InKey && path.Projects(a.Stored) {
		return a.Stored
	}
	for _, name := range KeyNames(path) {
		if key := item.Key(name.Name); key != nil && key.Holds(a) {
			return name.Name
		}
	}
	return a.Stored
}

// An Entry is an entity as one path sees it: the values of the key attributes of the path.
// An entity with no value for one of them has no entry there.
type Entry struct {
	Path   Path
	Item   *model.Item
	PK, SK []*model.Key

	values []*keytext.Values // of PK and SK
}

// When returns the conditions under which the entry exists; none: always.
func (e *Entry) When() []*model.Condition {
	var all []*model.Condition
	for _, key := range e.Keys() {
		for _, c := range key.When {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// Keys returns the key attributes of the path, the sort keys last.
func (e *Entry) Keys() []*model.Key { return slices.Concat(e.PK, e.SK) }

// CanMatch reports whether the entry can be among those that a request returns.
func (e *Entry) CanMatch(m keytext.Matcher) bool { return m.CanMatch(e.values) }

// canMeet reports whether two entries on one path can have the same keys.
func (e *Entry) canMeet(other *Entry) bool { return keytext.CanMeet(e.values, other.values) }

// entriesOf returns the entries of an item: in its table first, then in the indexes.
func entriesOf(item *model.Item) []*Entry {
	var all []*Entry
	enter := func(path Path, partition, sort []model.KeyName) {
		if entry := newEntry(path, item, partition, sort); entry != nil {
			all = append(all, entry)
		}
	}
	t := item.Table
	sort := []model.KeyName{t.SK}
	if t.SK.Name == "" {
		sort = nil
	}
	enter(Path{Table: t}, []model.KeyName{t.PK}, sort)
	for _, x := range t.Indexes {
		partition := x.PK
		if x.Local {
			partition = []model.KeyName{t.PK}
		}
		enter(Path{Table: t, Index: x}, partition, x.SK)
	}
	return all
}

// newEntry returns an item as a path sees it, or nil if it has no value for one of the
// keys.
func newEntry(path Path, item *model.Item, partition, sort []model.KeyName) *Entry {
	entry := &Entry{Path: path, Item: item}
	for _, name := range partition {
		entry.PK = append(entry.PK, item.Key(name.Name))
	}
	for _, name := range sort {
		entry.SK = append(entry.SK, item.Key(name.Name))
	}
	keys := entry.Keys()
	if slices.Contains(keys, nil) {
		return nil
	}
	entry.values = keytext.NewValues(keys)
	return entry
}
