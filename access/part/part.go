// Package part describes how the items of one version of a design differ from those of the next, as plain data, and computes
// what only one of the two versions stores: new from old, and old from new. What only one version stores of an item is a part of
// it.
//
// It sends no requests. Package migrate gives stored items their new parts, and package call writes and reads items in the phases of
// a migration. Generated packages hold a Change.
package part

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
)

// A Change lists the parts in which the items of two versions of a design differ.
type Change struct {
	Tables []Table
	Parts  []Part

	readers readers
}

// A Table is a table that parts are in.
type Table struct {
	Name     string       // as the design names it
	Old, New *shape.Table // nil in the version that does not have the table
}

// A Part lists the attributes that only the next version stores in the items of an entity. With To it is a whole copy of the
// items: under another key, or in another table.
type Part struct {
	Name  string // Task.GSI2
	Table string // as the design names it
	// To is "", or the table that the copies lie in, which may be Table. All keys of a copy follow from the tables; Set
	// and Remove say what else differs. The originals are deleted at the end.
	To     string
	Entity string // in the last version
	As     string // in the next version
	Set    []Source
	// Remove lists the attributes that only the last version stores: they are removed at the end.
	Remove []string
	// Unique and Count are set on parts that are no attributes: rows that keep a value unique, and counters.
	Unique *Unique
	Count  *Count
}

// A Source says where the value of an attribute of a part comes from: one of Key, From, Value.
type Source struct {
	Attribute string // as it is stored
	Key       bool   // a key of the next version, made from its template
	From      string // the stored attribute that it is a copy of, or is converted from
	Convert   string // the name of a conversion of Conversions; "" copies
	Value     string // a constant, in the words of design files
	Type      string // of the constant
}

// A Conversion computes the value of a new attribute from that of an old one. A nil value means that
// the item does not get the attribute. An error makes the item a conflict.
type Conversion func(old types.AttributeValue) (types.AttributeValue, error)

// A Reader computes a part. It is safe for use by many goroutines at once.
type Reader struct {
	*Part
	In       *Table   // the table of the items
	Sources  []string // stored attributes that decide the part, sorted; of a copy those that decide its key and can change
	old, new *shape.Reader
	convert  map[string]Conversion
	// Of a part that is a copy:
	Into   *Table
	Move   *shape.Move
	places *access.Places
	beside *shape.Reader // of items of the next version beside the originals; nil: there are none
	// NewRows and OldRows compute the rows of a part that keeps a value unique; nil: the version has none.
	NewRows, OldRows *RowReader
	Counts           *CountReader // of a part that is a counter
}

// NewReader returns a reader of a part of the change. It returns an error for a conversion that is missing, unless convert is
// nil.
func (c *Change) NewReader(p *Part, convert map[string]Conversion) (*Reader, error) {
	t := c.table(p.Table)
	switch {
	case t == nil:
		return nil, fmt.Errorf("the migration has no table %s", p.Table)
	case p.To != "":
		return c.newMove(p, t)
	case t.Old == nil || t.New == nil:
		return nil, fmt.Errorf("one of the versions has no table %s", p.Table)
	}
	r := &Reader{Part: p, In: t, old: shape.NewReader(t.Old), new: shape.NewReader(t.New), convert: convert}
	if p.Unique != nil {
		return r, r.readRows(c)
	}
	if p.Count != nil {
		return r, r.readCount(c)
	}
	made := map[string]bool{}
	for _, s := range p.Set {
		made[s.Attribute] = true
		switch {
		case s.Key:
			sources := r.new.KeySources(p.As, s.Attribute)
			if len(sources) == 0 && !r.new.HasKey(p.As, s.Attribute) {
				return nil, fmt.Errorf("%s has no key %s", p.As, s.Attribute)
			}
			r.Sources = append(r.Sources, sources...)
		case s.From != "":
			r.Sources = append(r.Sources, s.From)
			if s.Convert != "" && convert != nil && convert[s.Convert] == nil {
				return nil, fmt.Errorf("%s needs the conversion %s, which is written in Go: see migrate.Options", s.Attribute, s.Convert)
			}
		}
	}
	slices.Sort(r.Sources)
	r.Sources = slices.DeleteFunc(slices.Compact(r.Sources), func(name string) bool { return made[name] })
	return r, nil
}

// table returns a table by its name in the design.
func (c *Change) table(name string) *Table {
	for i := range c.Tables {
		if c.Tables[i].Name == name {
			return &c.Tables[i]
		}
	}
	return nil
}

// Of reports whether the part is one of an item, which is of the last version or has parts of both. The
// error says why the item is of no entity.
func (r *Reader) Of(item access.Item) (bool, error) {
	entity, wrong := r.old.Entity(item)
	if wrong == nil {
		return entity == r.Entity, nil
	}
	if entity, other := r.new.Entity(item); other == nil {
		return entity == r.As, nil
	}
	return false, wrong
}

// Primary returns the attributes of the table's key.
func (r *Reader) Primary() []string {
	if r.In.Old.SK == "" {
		return []string{r.In.Old.PK}
	}
	return []string{r.In.Old.PK, r.In.Old.SK}
}

// Added returns the attributes of the part that no item of the last version has.
func (r *Reader) Added() []string {
	var names []string
	for _, s := range r.Set {
		if !s.isDefault() || !r.old.Stores(r.Entity, s.Attribute) {
			names = append(names, s.Attribute)
		}
	}
	return names
}

// Computed returns the attributes of the part that callers do not give: they follow from others.
func (r *Reader) Computed() []string {
	var names []string
	for _, s := range r.Set {
		if !s.isDefault() {
			names = append(names, s.Attribute)
		}
	}
	return names
}

// isDefault reports whether the source is the value of items that lack the attribute. Callers may give others.
func (s Source) isDefault() bool { return !s.Key && s.From == "" }

// Wrong returns the attributes of the part that an item does not have as it must, sorted.
func (r *Reader) Wrong(item, want access.Item) []string {
	var names []string
	for _, s := range r.Set {
		if !Equal(item[s.Attribute], want[s.Attribute]) {
			names = append(names, s.Attribute)
		}
	}
	slices.Sort(names)
	return names
}

// Absent reports whether an attribute of the part is missing that the item must have.
func (r *Reader) Absent(item, want access.Item) bool {
	for _, s := range r.Set {
		if want[s.Attribute] != nil && item[s.Attribute] == nil {
			return true
		}
	}
	return false
}

// constant returns a value in the words of design files as it is stored.
func constant(s Source) (types.AttributeValue, error) {
	switch base, _, _ := strings.Cut(strings.TrimSuffix(s.Type, "?"), "("); base {
	case "int", "number", "decimal", "unixtime":
		return &types.AttributeValueMemberN{Value: s.Value}, nil
	case "bool":
		return &types.AttributeValueMemberBOOL{Value: s.Value == "true"}, nil
	case "bytes", "list", "map", "set":
		return nil, fmt.Errorf("%s: a constant cannot be of type %s", s.Attribute, s.Type)
	}
	return marshal.S(s.Value), nil
}
