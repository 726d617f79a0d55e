// Package model is a design after it was read: entities, tables and patterns with
// every name resolved to the thing it names and every text parsed. It knows the
// places everything came from, so that whoever finds a problem can show it.
//
// Package file builds models and reports what it cannot read; all other rooms only
// read them. A model is whole: file never hands out one with a dangling name.
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
	Place    diag.Place
	Structs  []*Struct
	Entities []*Entity
	Tables   []*Table // the layout chosen
	Patterns []*Pattern
	Profiles []*Profile
	Roles    []*Role
	Claims   []*Claim
	Prices   *Prices // the document's own prices; nil: those of the region
	FreeTier FreeTier
	Accepts  []*Accept

	Alternatives []*Alternative // other layouts for the same entities and patterns
}

// An Alternative is another layout for the same entities and patterns.
type Alternative struct {
	Name    string
	Doc     string
	Place   diag.Place
	Tables  []*Table
	Accepts []*Accept
}

// A Profile is a workload to price besides the one written on the patterns.
type Profile struct {
	Name   string
	Doc    string
	Place  diag.Place
	Scale  exact.Number // multiplies every rate and count that is not set below; 1 if not said
	Rates  map[*Pattern]Rate
	Counts map[*Entity]exact.Number
}

// A Role says who may use which patterns.
type Role struct {
	Name     string
	Doc      string
	Place    diag.Place
	Patterns []*Pattern
	Bind     []Binding // attributes that must be the caller's own
}

// A Binding ties an attribute to a property of the caller, such as its id.
type Binding struct {
	Attribute string
	Caller    string
	Place     diag.Place
}

// An Accept is a finding somebody decided to live with, and why.
type Accept struct {
	Code   diag.Code
	Reason string
	Place  diag.Place
	Scope  Scope // where it counts
}

// A Scope is the stretch of a file a block covers: from its key to its last line.
type Scope struct {
	File        string
	First, Last int
}

// Covers reports whether a place lies in the scope.
func (s Scope) Covers(p diag.Place) bool {
	return p.File == s.File && s.First <= p.Line && p.Line <= s.Last
}

// Prices are prices a design document itself states.
type Prices struct {
	Name   string // a built-in price file, or "" if the numbers stand here
	Date   string
	Source string
	Values map[string]exact.Number // by price name, as package cost knows them
	Place  diag.Place
}

// FreeTier is what is left of the account's free tier for this design.
type FreeTier struct {
	RCU, WCU exact.Number
	Bytes    exact.Number
	Place    diag.Place
}

// A Claim is a number a design document states.
type Claim struct {
	Text    string   // the document's words
	Where   string   // the part of the document it stands in
	Pattern *Pattern // the pattern it was written on, or nil
	Of      string   // on a pattern: units, calls, pages, price, reads or writes
	Says    Stated
	Worked  string // how the document computed it, or ""
	Is      string // what it should be equal to, or ""
	Place   diag.Place

	WorkedPlace, IsPlace diag.Place
}

// A Stated value is a number as written, with the digits it was given to; or a text.
type Stated struct {
	Text     string // as written: $1.75, 25%, u3qcnm
	IsNumber bool
	Value    exact.Number // 25% is 0.25
	Decimals int          // digits after the point, of the number as written
	Unit     string       // "$", "%", or ""
	Place    diag.Place
}

// Entity finds an entity by name, or nil.
func (d *Design) Entity(name string) *Entity {
	for _, e := range d.Entities {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Pattern finds a pattern by name, or nil.
func (d *Design) Pattern(name string) *Pattern {
	for _, p := range d.Patterns {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Profile finds a profile by name, or nil.
func (d *Design) Profile(name string) *Profile {
	for _, p := range d.Profiles {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// WithTables is the design laid out in an alternative's tables.
func (d *Design) WithTables(a *Alternative) *Design {
	other := *d
	other.Tables = a.Tables
	other.Alternatives = nil
	return &other
}
