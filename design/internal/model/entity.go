package model

import (
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
)

// An Entity is one kind of item of a design.
type Entity struct {
	Name       string
	Use        string // the used design it is from, or "" for the design itself
	Label      string // what the type attribute of a table holds, or "" for the name
	LabelPlace diag.Place
	Was        string // its name in the version before, or "" if it had this one
	WasPlace   diag.Place
	From       []*From // entities of the version before whose attributes it has
	Doc        string
	Place      diag.Place // of its name
	Tags       []string
	ID         []*Attribute
	IDPlace    diag.Place
	Attributes []*Attribute
	Unique     []*Unique
	Counters   []*Counter
	Version    *Attribute // optimistic lock, or nil
	TTL        *Attribute // or nil
	TTLPlace   diag.Place
	Deadline   *Attribute // the time at which it ends, or nil
	Encrypt    []*Attribute
	Size       Size
	SizePlace  diag.Place
	Volume     Volume
	Per        []*Per
	Accepts    []*Accept
}

// Attribute returns the attribute with a name in the design, or nil.
func (e *Entity) Attribute(name string) *Attribute {
	for _, a := range e.Attributes {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Stored returns the attribute with a name in DynamoDB, or nil.
func (e *Entity) Stored(name string) *Attribute {
	for _, a := range e.Attributes {
		if a.Stored == name && !a.InKey {
			return a
		}
	}
	return nil
}

// Beside returns the attributes that items are stored with beside their keys: all but those
// that exist only in the key.
func (e *Entity) Beside() []*Attribute {
	if !slices.ContainsFunc(e.Attributes, func(a *Attribute) bool { return a.InKey }) {
		return e.Attributes
	}
	return slices.DeleteFunc(slices.Clone(e.Attributes), func(a *Attribute) bool { return a.InKey })
}

// PerOf returns the fan-out stated for an attribute, or nil.
func (e *Entity) PerOf(a *Attribute) *Per {
	for _, p := range e.Per {
		if p.Attribute == a {
			return p
		}
	}
	return nil
}

// HasTag reports whether the entity has one of the tags; it is true if tags is empty or the
// entity has no tags.
func (e *Entity) HasTag(tags []string) bool { return tagged(e.Tags, tags) }

func tagged(have, asked []string) bool {
	return len(asked) == 0 || len(have) == 0 ||
		slices.ContainsFunc(have, func(tag string) bool { return slices.Contains(asked, tag) })
}

// A From says which attributes an entity has from an entity of the version before, that it was
// split off from or that was merged into it.
type From struct {
	Entity     string            // its name in that version
	Attributes map[string]string // by the name here: the name there
	Place      diag.Place
}

// An Attribute is one attribute of an entity.
type Attribute struct {
	Name      string
	Was       string            // its name in the version before, or "" if it had this one
	WasValues map[string]string // of an enum: values that had another name in the version before, by the name here
	WasPlace  diag.Place
	Stored    string // its name in DynamoDB, "" if it exists only in the key
	InKey     bool   // it exists only in the key: the text of the primary key holds its value
	Doc       string
	Place     diag.Place // of its name
	TypePlace diag.Place
	Type      Type
	Time      *Attribute // for a ulid or uuidv7: the timestamp it was made from
	Size      int64      // average bytes of the value, if stated
	Max       int64      // of a list, set or map: the maximum number of elements; 0: none
	Default   *string    // the value of items that lack it, as a constant, or nil
	Lifecycle *Lifecycle // for an enum, or nil
}

// MayBeMissing reports whether stored items may lack the attribute.
func (a *Attribute) MayBeMissing() bool { return a.Type.Optional || a.Default != nil }

// A Lifecycle holds the allowed transitions of an enum.
type Lifecycle struct {
	Start string
	Next  map[string][]string
	Place diag.Place
}

// Allows reports whether a transition is allowed.
func (l *Lifecycle) Allows(from, to string) bool { return slices.Contains(l.Next[from], to) }

// A Unique rule says that a value is unique, globally or within a scope.
type Unique struct {
	Attributes []*Attribute
	Per        []*Attribute // the scope
	Place      diag.Place
}

// A Counter is an attribute of an entity that counts or sums other items.
type Counter struct {
	Attribute *Attribute
	Of        *Entity
	Sum       *Attribute // attribute of Of that is summed; nil: items are counted
	Where     []*Condition
	Match     []Match // how an item of Of finds the item with the counter
	Min, Max  *exact.Number
	Shards    int
	Place     diag.Place
}

// A Match pairs an attribute of the counting entity with one of the counted.
type Match struct{ Mine, Theirs *Attribute }

// A Size is the size of an item in bytes. Zero means not stated.
type Size struct{ Avg, Max int64 }

// A Volume is the number of items: a count, or a growth and a retention time.
type Volume struct {
	Count  *exact.Number
	Growth *Rate
	Keep   Duration // 0: forever
	Place  diag.Place
}

// A Per is the number of items per value of an attribute.
type Per struct {
	Attribute *Attribute
	Avg, Max  exact.Number // Max is at least Avg
	Place     diag.Place
}

// A Struct is a type with named fields.
type Struct struct {
	Name       string
	Doc        string
	Place      diag.Place
	Attributes []*Attribute
}

// TypeName returns the value of the type attribute in its items: the label, or the name.
func (e *Entity) TypeName() string {
	if e.Label != "" {
		return e.Label
	}
	return e.Name
}
