package part

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
)

// Unique says that a part is no attributes, but rows that keep a value of the items unique. Each row names the item that it
// belongs to.
type Unique struct {
	New *Rows // of the next version; nil: it does not keep the value unique
	Old *Rows // of the last version, if they are others than those of the next one: they are removed at the end
	// Owners says that both versions have the rows of New. Those that were written before rows named their owner get one.
	Owners bool
}

// Rows names the rows of a unique rule of one version.
type Rows struct {
	Table string // that they lie in, as the design names it
	Rule  string // as the description of that table names it: email, or email per tenant
	Kind  string // what the type attribute of the table holds in them; "" if the table has none
}

// A RowReader computes the rows of a unique rule. It is safe for use by many goroutines at once.
type RowReader struct {
	*Rows
	Sources []string // stored attributes of the item that decide its row, sorted
	in      *shape.Table
	reader  *shape.Reader
	entity  string
	owner   []string // the primary key attributes of the items
}

// readRows reads the descriptions of the rows of a part.
func (r *Reader) readRows(c *Change) error {
	for _, of := range []struct {
		rows   *Rows
		entity string
		table  func(*Table) *shape.Table
		into   **RowReader
	}{
		{r.Unique.New, r.As, func(t *Table) *shape.Table { return t.New }, &r.NewRows},
		{r.Unique.Old, r.Entity, func(t *Table) *shape.Table { return t.Old }, &r.OldRows},
	} {
		if of.rows == nil {
			continue
		}
		i := slices.IndexFunc(c.Tables, func(t Table) bool { return t.Name == of.rows.Table })
		if i < 0 || of.table(&c.Tables[i]) == nil {
			return fmt.Errorf("the migration has no table %s", of.rows.Table)
		}
		in := of.table(&c.Tables[i])
		made := &RowReader{Rows: of.rows, in: in, reader: shape.NewReader(in), entity: of.entity, owner: r.Primary()}
		if !made.reader.HasUnique(of.entity, of.rows.Rule) {
			return fmt.Errorf("%s has no rows that keep %s.%s unique", of.rows.Table, of.entity, of.rows.Rule)
		}
		made.Sources = made.reader.UniqueSources(of.entity, of.rows.Rule)
		*of.into = made
	}
	return nil
}

// Row returns the row that an item must have, nil if it lacks the value. The error says why the item does not tell.
func (r *RowReader) Row(item access.Item) (access.Item, error) {
	row, err := r.reader.UniqueRow(r.entity, r.Rule, item)
	if row == nil || err != nil {
		return nil, err
	}
	if r.in.Type != "" {
		row[r.in.Type] = marshal.S(r.Kind)
	}
	maps.Copy(row, r.OwnedBy(item))
	return row, nil
}

// OwnedBy returns the attributes of a row that name an item as its owner.
func (r *RowReader) OwnedBy(item access.Item) access.Item {
	owner := access.Item{}
	for _, name := range r.owner {
		owner[marshal.OwnerName(name)] = item[name]
	}
	return owner
}

// Key returns the primary key of a row.
func (r *RowReader) Key(row access.Item) access.Item {
	key := access.Item{r.in.PK: row[r.in.PK]}
	if r.in.SK != "" {
		key[r.in.SK] = row[r.in.SK]
	}
	return key
}

// Is reports whether an item of the table of the rows is one of them.
func (r *RowReader) Is(item access.Item) bool {
	return r.reader.IsUniqueRow(r.entity, r.Rule, r.Kind, item)
}

// Keeps reports whether a row is that of an item, whatever it says of its owner.
func (r *RowReader) Keeps(row, item access.Item) bool {
	want, err := r.reader.UniqueRow(r.entity, r.Rule, item)
	return err == nil && want != nil && reflect.DeepEqual(want, r.Key(row))
}
