package shape

import (
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
