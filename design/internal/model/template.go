package model

import (
	"strconv"
	"strings"

	"sortkey.dev/design/internal/diag"
)

// A Template is a key's text, made of literals and attributes.
type Template struct {
	Text  string // as written
	Parts []Part
	Place diag.Place // of its first character, inside the quotes
}

// A Part is a literal or a placeholder ("hole"); exactly one of Literal and Attribute is set.
type Part struct {
	Literal   string
	Attribute *Attribute
	Filters   []Filter
	Open      bool // the last placeholder of its key, whose text may contain the delimiter, see OpenHoles
	Delimiter Delimiter
	Offset    int // characters before it in the template
}

// A Filter transforms the value of a placeholder.
type Filter struct {
	Name FilterName
	N    int // of pad, prefix and shard
}

// FilterName is the name of a filter.
type FilterName string

// The filters.
const (
	Pad    FilterName = "pad"    // pads a non-negative integer with zeros to N digits
	Lower  FilterName = "lower"  // lower case
	Upper  FilterName = "upper"  // upper case
	ByYear FilterName = "year"   // 2026 of a timestamp
	ByMon  FilterName = "month"  // 2026-02 of a timestamp
	ByDate FilterName = "date"   // 2026-02-17 of a timestamp
	ByHour FilterName = "hour"   // 2026-02-17T10 of a timestamp
	Prefix FilterName = "prefix" // the first N characters of a geohash
	Escape FilterName = "escape" // text in which the delimiter is replaced, so that it may contain it
	Shard  FilterName = "shard"  // a number below N computed from the value; reads query all N
)

// Filters lists all filters, and whether they take a number.
var Filters = []struct {
	Name   FilterName
	Number bool
	Doc    string
}{
	{Pad, true, "Pads an integer with zeros to N digits, so that it sorts as text; a negative one is rejected when a key is built."},
	{Lower, false, "Lower case, so that spelling does not matter."},
	{Upper, false, "Upper case."},
	{ByYear, false, "The year of a timestamp: 2026."},
	{ByDate, false, "The day of a timestamp: 2026-02-17."},
	{ByMon, false, "The month of a timestamp: 2026-02."},
	{ByHour, false, "The hour of a timestamp: 2026-02-17T10."},
	{Prefix, true, "The first N characters of a geohash: a larger cell."},
	{Escape, false, "Replaces # and \" by \"2 and \"1, so that a text that contains # can be part of a key; order and prefixes stay as they are. With another delimiter, that and a character beside it are replaced."},
	{Shard, true, "A number below N computed from the value; spreads writes, and reads query all N."},
}

// IsHole reports whether the part is a placeholder for an attribute.
func (p Part) IsHole() bool { return p.Attribute != nil }

// Filter returns the filter of that name and whether the part has it.
func (p Part) Filter(name FilterName) (Filter, bool) {
	for _, f := range p.Filters {
		if f.Name == name {
			return f, true
		}
	}
	return Filter{}, false
}

// TakesDelimiter reports whether the value of the placeholder may contain the delimiter: it is
// open, escaped or made a number.
func (p Part) TakesDelimiter() bool {
	_, escaped := p.Filter(Escape)
	_, sharded := p.Filter(Shard)
	return p.Open || escaped || sharded
}

// Width returns the number of characters that a placeholder always writes, 0 if it differs. The
// width of ids is not relied on: nothing checks their texts when they are written.
func (p Part) Width() int {
	if !p.IsHole() || len(p.Filters) > 1 {
		return 0
	}
	if len(p.Filters) == 0 {
		t := p.Attribute.Type
		if t.Base == SetOf {
			t = *t.Element
		}
		return map[Base]int{Timestamp: 24, Date: 10, Week: 8}[t.Base]
	}
	f := p.Filters[0]
	if f.Name == Pad {
		return f.N
	}
	_, width := f.Name.Period()
	return width
}

// Whole reports whether the part's text determines the attribute's value, so that binding the
// attribute binds the part and both have the same order. Filters other than pad and escape lose
// information.
func (p Part) Whole() bool {
	for _, f := range p.Filters {
		if f.Name != Pad && f.Name != Escape {
			return false
		}
	}
	return true
}

// Order returns the order of the part relative to the attribute.
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

// Shards returns the number of partitions one value is spread over: the product of the shard
// filters, 1 if there are none.
func (t *Template) Shards() int64 {
	n := int64(1)
	for _, part := range t.Parts {
		if f, ok := part.Filter(Shard); ok {
			n *= int64(f.N)
		}
	}
	return n
}

// String returns the template as written.
func (t *Template) String() string { return t.Text }

// String returns the part in the syntax of templates.
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
