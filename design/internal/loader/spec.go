package loader

import "sortkey.dev/internal/lazyregexp"

// The format is defined once, as values of the types below, in spec_*.go; shape.go enforces
// it, schema.go and reference.go print it.

// A blockSpec is a mapping with a fixed set of keys.
type blockSpec struct {
	name  string // one word, unique: the schema's and the reference's name for it
	an    string // with its article, for messages: an entity
	doc   string
	keys  []*keySpec
	oneOf []string // exactly one of these keys
}

// A keySpec is one key of a block.
type keySpec struct {
	name     string
	doc      string
	example  string // how it is written, as YAML after the colon
	required bool
	value    *valueSpec
}

// A valueSpec describes the allowed values. Exactly one of form, block, element and options
// is set; a mapping has an element and names.
type valueSpec struct {
	form    *form
	block   *blockSpec
	element *valueSpec   // of a list, or of a mapping's values
	names   *form        // of a mapping's keys
	options []*valueSpec // any of these
	alone   bool         // elements are independent: an invalid one does not affect the others
	least   int          // elements
	most    int          // elements, 0: any number
}

// A form is a kind of scalar.
type form struct {
	name    string // one word, unique
	words   string // for messages: a rate such as 50/day
	doc     string
	pattern *lazyregexp.Regexp // of its text; nil: any
	json    []string           // types of JSON it can be
	values  []string           // if only these are allowed
	least   string             // of a number
	most    string             // of a number
	above   string             // of a number: it is larger
}

func one(f *form) *valueSpec                 { return &valueSpec{form: f} }
func blockOf(b *blockSpec) *valueSpec        { return &valueSpec{block: b} }
func listOf(v *valueSpec) *valueSpec         { return &valueSpec{element: v, least: 1} }
func anyOf(v ...*valueSpec) *valueSpec       { return &valueSpec{options: v} }
func oneOrList(v *valueSpec) *valueSpec      { return anyOf(v, listOf(v)) }
func mapOf(k *form, v *valueSpec) *valueSpec { return &valueSpec{names: k, element: v} }

// each returns a mapping or list whose elements are independent.
func each(v *valueSpec) *valueSpec {
	v.alone = true
	return v
}

// someOf returns a list or mapping that must not be empty.
func someOf(v *valueSpec) *valueSpec {
	v.least = 1
	return v
}

// key returns a key of a block, or nil.
func (b *blockSpec) key(name string) *keySpec {
	for _, k := range b.keys {
		if k.name == name {
			return k
		}
	}
	return nil
}

// keyNames returns the names of a block's keys.
func (b *blockSpec) keyNames() []string {
	names := make([]string, len(b.keys))
	for i, k := range b.keys {
		names[i] = k.name
	}
	return names
}
