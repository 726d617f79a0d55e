// Package model defines the model of a design: entities, tables and patterns with all names
// resolved and all texts parsed. Every element has its place in the file, for findings.
//
// Package loader builds models and reports what it cannot parse; all other packages only read
// them. A model has no dangling references.
package model

import (
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
)

// A Design is one design document. Lists keep the order of the file.
type Design struct {
	Name     string
	Doc      string
	Region   string
	Control  string // the table that holds the state of migrations, or "" for one of its own tables
	WritesIn string // the only region that writes, of global tables, or ""
	Place    diag.Place
	Structs  []*Struct
	Entities []*Entity
	Tables   []*Table // the layout chosen
	Patterns []*Pattern
	Profiles []*Profile
	Roles    []*Role
	Claims   []*Claim
	Prices   *Prices // the document's prices; nil: those of the region
	FreeTier FreeTier
	Accepts  []*Accept

	Uses         []*Use // designs this one stands on; see Whole
	Projections  []*NamedProjection
	Alternatives []*Alternative // other layouts for the same entities and patterns
}

// A NamedProjection is a list of attributes with a name, for indexes and reads.
type NamedProjection struct {
	Name       string
	Attributes []string // names of attributes of entities
	Place      diag.Place
}

// Of returns the attributes of the projection that an entity has.
func (p *NamedProjection) Of(e *Entity) []*Attribute {
	var all []*Attribute
	for _, name := range p.Attributes {
		if a := e.Attribute(name); a != nil {
			all = append(all, a)
		}
	}
	return all
}

// An Alternative is another layout for the same entities and patterns.
type Alternative struct {
	Name    string
	Doc     string
	Place   diag.Place
	Tables  []*Table
	Accepts []*Accept
}

// A Profile is another workload than the one stated on the patterns.
type Profile struct {
	Name   string
	Doc    string
	Place  diag.Place
	Scale  exact.Number // multiplies every rate and count that is not set below; 1 by default
	Rates  map[*Pattern]Rate
	Peaks  map[*Pattern]Rate
	Counts map[*Entity]exact.Number
	Hot    map[*Pattern]exact.Number // shares of the peak on the hottest key
}

// A Role is a group of callers and the patterns they may use.
type Role struct {
	Name     string
	Doc      string
	Place    diag.Place
	Patterns []*Pattern
	Bind     []Binding // attributes that must equal a property of the caller
}

// A Binding binds an attribute to a property of the caller, such as its id.
type Binding struct {
	Attribute string
	Caller    string
	Place     diag.Place
}

// An Accept is an accepted finding with its reason.
type Accept struct {
	Code   diag.Code
	Reason string
	Place  diag.Place
	Scope  Scope // where it applies
}

// A Scope is the lines of a block: from its key to its last line.
type Scope struct {
	File        string
	First, Last int
}

// Covers reports whether a place is in the scope.
func (s Scope) Covers(p diag.Place) bool {
	return p.File == s.File && s.First <= p.Line && p.Line <= s.Last
}

// Prices holds the prices that a design document states.
type Prices struct {
	Name   string // a built-in price file, or "" if Values has the numbers
	Date   string
	Source string
	Values map[string]exact.Number // by price name of package cost
	Place  diag.Place
}

// FreeTier is the part of the account's free tier that is left for this design.
type FreeTier struct {
	RCU, WCU exact.Number
	Bytes    exact.Number
	Place    diag.Place
}

// A Claim is a number a design document states.
type Claim struct {
	Text    string   // the document's words
	Where   string   // the section of the document
	Pattern *Pattern // the pattern it was written on, or nil
	Of      string   // on a pattern: units, calls, pages, price, reads or writes
	Says    Stated
	Worked  string // how the document computed it, or ""
	Is      string // the formula of the true value, or ""
	Place   diag.Place

	WorkedPlace, IsPlace diag.Place
}

// A Stated value is a number with its written digits, or a text.
type Stated struct {
	Text     string // as written: $1.75, 25%, u3qcnm
	IsNumber bool
	Value    exact.Number // 25% is 0.25
	Decimals int          // digits after the point, of the number as written
	Unit     string       // "$", "%", or ""
	Place    diag.Place
}

// Entity returns the entity with a name, or nil.
func (d *Design) Entity(name string) *Entity {
	for _, e := range d.Entities {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Pattern returns the pattern with a name, or nil.
func (d *Design) Pattern(name string) *Pattern {
	for _, p := range d.Patterns {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Profile returns the profile with a name, or nil.
func (d *Design) Profile(name string) *Profile {
	for _, p := range d.Profiles {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// WithTables returns the design with the tables of an alternative.
func (d *Design) WithTables(a *Alternative) *Design {
	other := *d
	other.Tables = a.Tables
	other.Alternatives = nil
	return &other
}
