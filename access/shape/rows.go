package shape

import (
	"fmt"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A Row is a row of the table that keeps a value of an item unique.
type Row struct {
	Unique string      // the rule, such as User.username
	Key    access.Item // its primary key
}

// Rows returns the rows that the table has for the unique values of an item. Those in other tables,
// and those whose key the item does not tell, are left out.
func (r *Reader) Rows(item access.Item) []Row {
	of, wrong := r.find(item)
	if of == nil || wrong != nil {
		return nil
	}
	var rows []Row
	for i, guard := range r.guards {
		if guard.Name != of.Name {
			continue
		}
		if key := r.rowKey(guard, item); key != nil {
			rows = append(rows, Row{of.Name + "." + r.table.Guards[i].Unique, key})
		}
	}
	return rows
}

// rowKey returns the key of a guard's row for an item; nil without the value or if it is not known.
func (r *Reader) rowKey(guard *entityReader, item access.Item) access.Item {
	key := access.Item{}
	for _, name := range r.table.primary() {
		made := guard.keys[name]
		if made == nil {
			return nil
		}
		text, ok, known := guard.text(r, made, item)
		if !ok || !known {
			return nil
		}
		key[name] = marshal.S(text)
	}
	return key
}

// UniqueRow returns the primary key of the row that keeps a value of an item unique by a rule of the table, nil if the item
// lacks the value. The error says why the item does not tell.
func (r *Reader) UniqueRow(entity, unique string, item access.Item) (access.Item, error) {
	guard := r.guard(entity, unique)
	if guard == nil {
		return nil, fmt.Errorf("%s has no unique rule %s", entity, unique)
	}
	key := access.Item{}
	for _, name := range r.table.primary() {
		made := guard.keys[name]
		if made == nil {
			return nil, fmt.Errorf("the rows of %s.%s have no key %s", entity, unique, name)
		}
		text, has, known := guard.text(r, made, item)
		switch {
		case !known:
			return nil, fmt.Errorf("%s of the row of %s.%s is made of a value that is not stored as it is in the key", name, entity, unique)
		case !has:
			return nil, nil
		case text == "":
			return nil, fmt.Errorf("%s of the row of %s.%s would be empty", name, entity, unique)
		}
		key[name] = marshal.S(text)
	}
	return key, nil
}

// UniqueSources returns the stored attributes that decide the row of a unique rule, sorted.
func (r *Reader) UniqueSources(entity, unique string) []string {
	guard := r.guard(entity, unique)
	if guard == nil {
		return nil
	}
	var all []string
	for name := range guard.keys {
		all = append(all, guard.sources(r, name)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// IsUniqueRow reports whether an item has the key of a row of a unique rule, and nothing but keys and the name of its kind.
func (r *Reader) IsUniqueRow(entity, unique, kind string, item access.Item) bool {
	guard := r.guard(entity, unique)
	if guard == nil || !r.matches(guard, item) || r.table.Type != "" && marshal.TextAt(item, r.table.Type) != kind {
		return false
	}
	have := len(r.table.primary()) + len(marshal.Owner(item))
	if r.table.Type != "" {
		have++
	}
	return len(item) == have
}

// HasUnique reports whether the table has the rows of a unique rule.
func (r *Reader) HasUnique(entity, unique string) bool { return r.guard(entity, unique) != nil }

func (r *Reader) guard(entity, unique string) *entityReader {
	for i, g := range r.table.Guards {
		if g.Entity == entity && g.Unique == unique {
			return r.guards[i]
		}
	}
	return nil
}
