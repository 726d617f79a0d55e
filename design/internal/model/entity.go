package model

import (
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
)

// An Entity is one kind of thing a design stores.
type Entity struct {
	Name       string
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
	Deadline   *Attribute // after this instant it is over, or nil
	Encrypt    []*Attribute
	Size       Size
	SizePlace  diag.Place
	Volume     Volume
	Per        []*Per
	Accepts    []*Accept
}

// Attribute finds an attribute by its name in the design, or nil.
func (e *Entity) Attribute(name string) *Attribute {
	for _, a := range e.Attributes {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Stored finds an attribute by its name in DynamoDB, or nil.
func (e *Entity) Stored(name string) *Attribute {
	for _, a := range e.Attributes {
		if a.Stored == name {
			return a
		}
	}
	return nil
}

// PerOf is the fan-out stated for an attribute, or nil.
func (e *Entity) PerOf(a *Attribute) *Per {
	for _, p := range e.Per {
		if p.Attribute == a {
			return p
		}
	}
	return nil
}

// HasTag reports whether the entity belongs to one of the tags; with no tags asked
// for, everything does, and an untagged entity belongs to all.
func (e *Entity) HasTag(tags []string) bool { return tagged(e.Tags, tags) }

func tagged(have, asked []string) bool {
	return len(asked) == 0 || len(have) == 0 ||
		slices.ContainsFunc(have, func(tag string) bool { return slices.Contains(asked, tag) })
}

// An Attribute is one attribute of an entity.
type Attribute struct {
	Name      string
	Stored    string // its name in DynamoDB
	Doc       string
	Place     diag.Place // of its name
	TypePlace diag.Place
	Type      Type
	Time      *Attribute // for a ulid or uuidv7: the timestamp it was made from
	Size      int64      // average bytes of the value, if stated
	Lifecycle *Lifecycle // for an enum, or nil
}

// A Lifecycle says which transitions an enum's values may make.
type Lifecycle struct {
	Start string
	Next  map[string][]string
	Place diag.Place
}

// Allows reports whether a value may follow another.
func (l *Lifecycle) Allows(from, to string) bool { return slices.Contains(l.Next[from], to) }

// A Unique rule says that a value occurs once, in all or within a scope.
type Unique struct {
	Attributes []*Attribute
	Per        []*Attribute // the scope
	Place      diag.Place
}

// A Counter is a number kept on this entity that counts or sums other items.
type Counter struct {
	Attribute *Attribute
	Of        *Entity
	Sum       *Attribute // attribute of Of that is summed; nil: items are counted
	Where     []*Condition
	Match     []Match // how an item of Of finds the one that counts it
	Min, Max  *exact.Number
	Shards    int
	Place     diag.Place
}

// A Match pairs an attribute of the counting entity with one of the counted.
type Match struct{ Mine, Theirs *Attribute }

// A Size is how large an item is, in bytes. Zero: not stated.
type Size struct{ Avg, Max int64 }

// A Volume is how many items there are: a count, or a growth and how long each is kept.
type Volume struct {
	Count  *exact.Number
	Growth *Rate
	Keep   Duration // 0: for ever
	Place  diag.Place
}

// A Per is how many items there are for one value of an attribute.
type Per struct {
	Attribute *Attribute
	Avg, Max  exact.Number // Max is at least Avg
	Place     diag.Place
}

// A Struct is a type of several named values.
type Struct struct {
	Name       string
	Doc        string
	Place      diag.Place
	Attributes []*Attribute
}
