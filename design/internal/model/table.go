package model

import (
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
)

// A Table is one DynamoDB table.
type Table struct {
	Name       string
	Was        string // its name in the version before, or "" if it had this one
	WasPlace   diag.Place
	Doc        string
	Place      diag.Place // of its name
	PK         KeyName
	SK         KeyName // Name is "" if the table has no sort key
	Type       string  // attribute that holds the entity's name, or ""
	Delimiter  Delimiter
	Billing    Billing
	Class      Class
	Stream     string // "" or keys_only, new_image, old_image, new_and_old_images
	PITR       bool
	TTL        string // attribute, or ""
	TTLPlace   diag.Place
	Encryption string // aws-owned, aws-managed or customer
	Protect    bool
	Tags       []Tag
	Indexes    []*Index
	Items      []*Item
	Guards     []*Guard
	Accepts    []*Accept
}

// A KeyName is the name of a key attribute where a table or index declares it.
type KeyName struct {
	Name  string
	Place diag.Place
}

// A Tag is a label on a table.
type Tag struct{ Key, Value string }

// Billing is the billing mode and capacity of a table.
type Billing struct {
	Provisioned bool
	RCU, WCU    exact.Number // stated capacity; zero: to be computed
	Autoscale   *Autoscale
	Place       diag.Place
}

// Autoscale bounds provisioned capacity.
type Autoscale struct {
	Min, Max exact.Number
	Target   exact.Number // target utilization, 0.7 by default
}

// Start returns the initial capacity: the stated one within the bounds, or the minimum if none
// is stated.
func (a *Autoscale) Start(stated exact.Number) exact.Number {
	if stated.Sign() > 0 && a.Max.Sign() > 0 {
		stated = stated.Min(a.Max)
	}
	return stated.Max(a.Min).Ceil()
}

// Class is the storage class of a table.
type Class string

// The table classes.
const (
	Standard   Class = "standard"
	StandardIA Class = "standard-ia"
)

// An Index is a secondary index. A local one has its table's partition key.
type Index struct {
	Name     string
	Was      string // its name in the version before, or "" if it had this one
	WasPlace diag.Place
	Doc      string
	Place    diag.Place // of its name
	Table    *Table
	Local    bool
	PK, SK   []KeyName // one to four attributes each; SK may be empty
	Project  Projection
	RCU, WCU exact.Number // stated capacity of a provisioned global index
	Tags     []string
	Accepts  []*Accept
}

// A Projection describes the projected attributes of an index.
type Projection struct {
	Kind       ProjectionKind
	Attributes []string // stored names, for Include
	Place      diag.Place
}

// ProjectionKind is one of DynamoDB's projection types.
type ProjectionKind string

// The kinds of projection.
const (
	ProjectAll     ProjectionKind = "all"
	ProjectKeys    ProjectionKind = "keys"
	ProjectInclude ProjectionKind = "include"
)

// An Item is an entity in a table, with its computed key attributes.
type Item struct {
	Entity   *Entity
	Table    *Table
	Place    diag.Place // where the entity is added to the table
	Computed []*Computed
}

// A Computed is an attribute computed from others by a template.
type Computed struct {
	Name     string // its name in DynamoDB
	Place    diag.Place
	Template *Template
	When     []*Condition // conditions of the attribute; empty: always present
}

// A Guard is a row that enforces a unique value: it is written in the same transaction as the
// entity, with a key made of the value.
type Guard struct {
	Entity     *Entity
	Attributes []*Attribute
	Computed   []*Computed
	Place      diag.Place
}

// OwnerName returns the name of the attribute of a guard row that holds a primary key attribute of
// the item that the row belongs to. It contains a space, which names in designs cannot. Package
// access/marshal has the same function for programs.
func OwnerName(key string) string { return "owner " + key }

// Index returns the index with a name, or nil.
func (t *Table) Index(name string) *Index {
	for _, x := range t.Indexes {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Item returns the item of an entity in the table, or nil.
func (t *Table) Item(e *Entity) *Item {
	for _, item := range t.Items {
		if item.Entity == e {
			return item
		}
	}
	return nil
}

// A Key is the value of a key attribute for an entity: one of its attributes, or a template.
// Exactly one of Attribute and Template is set.
type Key struct {
	Name      string
	Attribute *Attribute
	Template  *Template
	When      []*Condition
	Place     diag.Place
}

// Key returns the value the item has for a key attribute, or nil if it has none.
func (i *Item) Key(name string) *Key {
	for _, c := range i.Computed {
		if c.Name == name {
			return &Key{Name: name, Template: c.Template, When: c.When, Place: c.Place}
		}
	}
	if a := i.Entity.Stored(name); a != nil {
		return &Key{Name: name, Attribute: a, Place: a.Place}
	}
	return nil
}

// Parts returns the parts of the key's value: a natural key is one placeholder.
func (k *Key) Parts() []Part {
	if k.Template != nil {
		return k.Template.Parts
	}
	return []Part{{Attribute: k.Attribute}}
}

// Attributes returns the attributes in the key's value, each once.
func (k *Key) Attributes() []*Attribute {
	var all []*Attribute
	for _, part := range k.Parts() {
		if part.Attribute != nil && !contains(all, part.Attribute) {
			all = append(all, part.Attribute)
		}
	}
	return all
}

// Holds reports whether the attribute's value can be read back from the key: it is the key, or
// its text contains it unchanged, up to a delimiter or the end.
func (k *Key) Holds(a *Attribute) bool {
	if k.Template == nil {
		return k.Attribute == a
	}
	parts := k.Template.Parts
	for i, part := range parts {
		if part.Attribute != a || !part.Whole() {
			continue
		}
		starts := i == 0 || !parts[i-1].IsHole()
		ends := i == len(parts)-1 || strings.HasPrefix(parts[i+1].Literal, part.Delimiter.String())
		if starts && ends {
			return true
		}
	}
	return false
}

// KeyHolds reports whether the attribute's value can be read back from the text of the primary
// key.
func (i *Item) KeyHolds(a *Attribute) bool {
	for _, name := range []string{i.Table.PK.Name, i.Table.SK.Name} {
		if key := i.Key(name); key != nil && key.Template != nil && key.Holds(a) {
			return true
		}
	}
	return false
}

// Kind returns S, N or B; "" if the value's type cannot be a key.
func (k *Key) Kind() string {
	if k.Template != nil {
		return "S"
	}
	return k.Attribute.Type.KeyKind()
}

func contains(list []*Attribute, a *Attribute) bool {
	for _, b := range list {
		if a == b {
			return true
		}
	}
	return false
}
