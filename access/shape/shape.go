// Package shape describes what the items of a table look like, as plain data: the entities of
// the table, how their attributes are stored, and what their keys are made of. It turns a
// description into facts with names, stores their hashes in the tags of the table, and
// tells whether an item is as the description says.
//
// Two designs whose descriptions of a table have the same facts store the same items. What
// decides no item is not here: docs, sizes, rates, roles, billing.
//
// It knows no design files and sends no requests. Generated packages hold descriptions,
// package provision compares them with tables.
package shape

// A Table describes the items of a table.
type Table struct {
	PK, SK    string // the attributes of the key; SK may be ""
	Type      string // the attribute that holds the name of the entity, or ""
	Delimiter string // of keys; "" is #
	TTL       string // the attribute that items expire by, or ""
	Entities  []Entity
	Structs   []Struct
	Guards    []Guard // rows that keep values unique
}

// An Entity is one kind of item.
type Entity struct {
	Name       string
	Label      string // what the type attribute holds if it is not the name
	Attributes []Attribute
	Keys       []Key     // those made from templates
	Counters   []Counter // attributes that count or sum other items
	Unique     []string  // values that rows of other tables keep unique, as the facts of those rows
}

// An Attribute is an attribute of an entity or of a struct.
type Attribute struct {
	Name   string // as it is stored; of one that only a key holds its name in the design
	As     string // its name in the design if it is stored under another
	Type   string // in the words of design files: list<Address>?
	Sealed bool   // encrypted before it is stored
	InKey  bool   // only the text of the primary key holds it

	HasDefault bool   // items that lack it have the default
	Default    string // in the words of design files
}

// A Key is a key attribute that is made from a template.
type Key struct {
	Name     string
	Template string   // names stored attributes: ORDER#{order_id}
	In       []string // the indexes whose key it is part of; none: the table
	When     []Condition
}

// A Condition compares an attribute of the item that has the key. All conditions of a key hold
// where it is present.
type Condition struct {
	Attribute string
	Op        string   // = != < <= > >= between in begins_with exists missing
	Values    []string // constants; {name} is another attribute
}

// A Counter is an attribute that is kept equal to the number of other items, or to a sum of
// them.
type Counter struct {
	Attribute string
	Counts    string // what it counts, in words that differ if the number would
	Shards    int    // rows it is spread over; 0: the item itself holds the number
}

// A Struct is a type with named attributes.
type Struct struct {
	Name       string
	Attributes []Attribute
}

// A Guard describes rows that are there for a value of an entity, so that no second item has
// the value.
type Guard struct {
	Entity string
	Unique string // username, or email per tenant
	Keys   []Key
	// Attributes lists what the keys are made of. The row itself does not have them.
	Attributes []Attribute
}

// primary returns the attributes of the table's key.
func (t *Table) primary() []string {
	if t.SK == "" {
		return []string{t.PK}
	}
	return []string{t.PK, t.SK}
}

// label returns what the type attribute of an item holds.
func (e *Entity) label() string {
	if e.Label != "" {
		return e.Label
	}
	return e.Name
}

// shown returns the name of an attribute in the design.
func (a *Attribute) shown() string {
	if a.As != "" {
		return a.As
	}
	return a.Name
}
