package model

import (
	"strconv"
	"strings"

	"sortkey.dev/design/internal/diag"
)

// Delimiter separates the parts of a key. A value holding it is refused when a key
// is built, so that it always means a border.
const Delimiter = "#"

// A Template makes a key's text from literals and attributes.
type Template struct {
	Text  string // as written
	Parts []Part
	Place diag.Place // of its first character, inside the quotes
}

// A Part is a literal or a hole; exactly one of Literal and Attribute is set.
type Part struct {
	Literal   string
	Attribute *Attribute
	Filters   []Filter
	Offset    int // characters before it in the template
}

// A Filter changes how a hole is written.
type Filter struct {
	Name FilterName
	N    int // of pad, prefix and shard
}

// FilterName is one of a closed set.
type FilterName string

// The filters.
const (
	Pad    FilterName = "pad"    // zeros in front of a whole number not below zero, N digits
	Lower  FilterName = "lower"  // lower case
	Upper  FilterName = "upper"  // upper case
	ByDate FilterName = "date"   // 2026-02-17 of a timestamp
	ByMon  FilterName = "month"  // 2026-02 of a timestamp
	ByHour FilterName = "hour"   // 2026-02-17T10 of a timestamp
	Prefix FilterName = "prefix" // the first N characters of a geohash
	Shard  FilterName = "shard"  // a number below N made from the value; reads ask all N
)

// Filters are all filters, with whether they take a number.
var Filters = []struct {
	Name   FilterName
	Number bool
	Doc    string
}{
	{Pad, true, "Zeros in front of a whole number up to N digits, so that it sorts as text; a negative one is refused when a key is built."},
	{Lower, false, "Lower case, so that spelling does not matter."},
	{Upper, false, "Upper case."},
	{ByDate, false, "The day of a timestamp: 2026-02-17."},
	{ByMon, false, "The month of a timestamp: 2026-02."},
	{ByHour, false, "The hour of a timestamp: 2026-02-17T10."},
	{Prefix, true, "The first N characters of a geohash: a larger cell."},
	{Shard, true, "A number below N made from the value; spreads writes, and reads ask all N."},
}

// IsHole reports whether the part is an attribute's place.
func (p Part) IsHole() bool { return p.Attribute != nil }

// Filter is the filter of that name and whether the part has it.
func (p Part) Filter(name FilterName) (Filter, bool) {
	for _, f := range p.Filters {
		if f.Name == name {
			return f, true
		}
	}
	return Filter{}, false
}

// Whole reports whether the part's text still determines the attribute's value, so
// that binding the attribute binds the part and the part's order is the attribute's.
// Lower and upper keep neither, date, month, hour, prefix and shard only lead to the part.
func (p Part) Whole() bool {
	for _, f := range p.Filters {
		if f.Name != Pad {
			return false
		}
	}
	return true
}

// Order is what sorting by the part means for the attribute.
func (p Part) Order() Order {
	order := p.Attribute.Type.AsText()
	for _, f := range p.Filters {
		switch f.Name {
		case Pad:
			if order == ByText {
				order = ByValue
			}
		case Shard:
			return Meaningless
		}
	}
	return order
}

// Shards is into how many partitions the template spreads one value: the product of
// its shard filters, 1 if there are none.
func (t *Template) Shards() int64 {
	n := int64(1)
	for _, part := range t.Parts {
		if f, ok := part.Filter(Shard); ok {
			n *= int64(f.N)
		}
	}
	return n
}

// String is the template as written.
func (t *Template) String() string { return t.Text }

// String is the part as a template writes it.
func (p Part) String() string {
	if !p.IsHole() {
		return p.Literal
	}
	var b strings.Builder
	b.WriteString("{" + p.Attribute.Name)
	for _, f := range p.Filters {
		b.WriteString("|" + string(f.Name))
		if f.N > 0 {
			b.WriteString(" " + strconv.Itoa(f.N))
		}
	}
	b.WriteString("}")
	return b.String()
}
