package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseTemplate parses a key template: literals, and placeholders such as {email|lower}. A
// delimiter separates its parts.
func ParseTemplate(text string, e *Entity, delimiter Delimiter) (*Template, *SyntaxError) {
	if text == "" {
		return nil, failAll(text, `a key is never empty: write a template such as "USER#{user_id}"`)
	}
	r := &reader{text: text}
	t := &Template{Text: text}
	for !r.atEnd() {
		start := r.pos
		offset := utf8.RuneCountInString(text[:start])
		if r.next() != '{' {
			literal := r.run(func(c byte) bool { return c != '{' && c != '}' })
			if r.next() == '}' {
				return nil, r.failHere("} closes nothing: an attribute is written as {name}")
			}
			t.Parts = append(t.Parts, Part{Literal: literal, Delimiter: delimiter, Offset: offset})
			continue
		}
		part, err := parseHole(r, e)
		if err != nil {
			return nil, err
		}
		part.Delimiter, part.Offset = delimiter, offset
		t.Parts = append(t.Parts, part)
	}
	return t, nil
}

// parseHole parses {attribute|filter N|…}.
func parseHole(r *reader, e *Entity) (Part, *SyntaxError) {
	open := r.pos
	r.pos++
	length := strings.IndexAny(r.text[r.pos:], "{}")
	if length < 0 || r.text[r.pos+length] == '{' {
		return Part{}, failAt(r.text, open, r.pos, "{ is not closed: an attribute is written as {name}")
	}
	end := r.pos + length
	r.spaces()
	start := r.pos
	name := r.run(isName)
	if name == "" {
		return Part{}, r.failHere("the name of an attribute is missing: write {name}")
	}
	a, err := r.attribute(start, name, e)
	if err != nil {
		return Part{}, err
	}
	if !a.Type.InTemplate() {
		return Part{}, r.fail(start, "%s is %s, which cannot be part of a key's text", name, a.Type)
	}
	part := Part{Attribute: a}
	for r.spaces(); r.pos < end; r.spaces() {
		if !r.skip('|') {
			from := r.pos
			r.pos = end
			return Part{}, r.fail(from, "after the attribute come | and a filter: {%s|lower}", name)
		}
		filter, err := parseFilter(r, part)
		if err != nil {
			return Part{}, err
		}
		part.Filters = append(part.Filters, filter)
	}
	r.pos = end + 1
	return part, nil
}

// parseFilter parses one filter and checks it against its placeholder.
func parseFilter(r *reader, hole Part) (Filter, *SyntaxError) {
	r.spaces()
	start := r.pos
	f := Filter{Name: FilterName(r.run(isName))}
	if f.Name == "" {
		return Filter{}, r.failHere("a filter is missing after |: %s", filterList())
	}
	i := slices.IndexFunc(filterShapes, func(s filterShape) bool { return s.name == f.Name })
	if i < 0 {
		what := fmt.Sprintf("there is no filter %s", shown(string(f.Name)))
		return Filter{}, r.unknown(start, string(f.Name), what, filterNames())
	}
	shape := filterShapes[i]
	if !shape.fits(hole.Attribute.Type) {
		message := fmt.Sprintf("%s is for %s; %s is %s", f.Name, shape.types, hole.Attribute.Name, hole.Attribute.Type)
		if f.Name == Pad && hole.Attribute.Type.IsNumber() {
			message += ", and zeros in front do not sort fractions or numbers below zero: keep it as an int of its smallest unit, or make it the sort key of an index itself"
		}
		return Filter{}, r.fail(start, "%s", message)
	}
	if message := clash(hole, f.Name); message != "" {
		return Filter{}, r.fail(start, "%s", message)
	}
	var err *SyntaxError
	f.N, err = filterNumber(r, start, shape)
	return f, err
}

// filterNumber parses the number of a filter, if it takes one.
func filterNumber(r *reader, start int, shape filterShape) (int, *SyntaxError) {
	r.spaces()
	at := r.pos
	digits := r.run(isDigit)
	example := fmt.Sprintf("|%s %d", shape.name, shape.example)
	switch {
	case shape.most == 0 && digits != "":
		return 0, r.fail(at, "%s takes no number", shape.name)
	case shape.most == 0:
		return 0, nil
	case digits == "":
		return 0, r.fail(start, "%s needs a number: %s", shape.name, example)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < shape.least || n > shape.most {
		return 0, r.fail(at, "%s takes a number from %d to %d", shape.name, shape.least, shape.most)
	}
	return n, nil
}

// A filterShape describes what a filter can be applied to.
type filterShape struct {
	name        FilterName
	types       string // what fits, in words
	fits        func(Type) bool
	least, most int // of its number; 0: it takes none
	example     int
}

var filterShapes = []filterShape{
	{name: Pad, types: "whole numbers", fits: isWhole, least: 1, most: 38, example: 5},
	{name: Lower, types: "texts", fits: hasCase},
	{name: Upper, types: "texts", fits: hasCase},
	{name: ByYear, types: "times", fits: holdsTime},
	{name: ByDate, types: "times", fits: holdsTime},
	{name: ByMon, types: "times", fits: holdsTime},
	{name: ByHour, types: "times", fits: holdsTime},
	{name: Prefix, types: "geohash and string", fits: hasPrefix, least: 1, most: 12, example: 5},
	{name: Escape, types: "texts that can contain the delimiter", fits: func(t Type) bool { return t.Base == String }},
	{name: Shard, types: "all types", fits: func(Type) bool { return true }, least: 2, most: 1000, example: 10},
}

// isWhole reports whether values of the type are integers, so that padding makes them sort as
// text if none is negative.
func isWhole(t Type) bool { return t.Base == Integer || t.Base == Unixtime }

func hasCase(t Type) bool {
	switch t.Base {
	case String, Enum, Geohash, UUID, UUIDv7, ULID:
		return true
	}
	return false
}

// holdsTime reports whether a value of the type contains a time.
func holdsTime(t Type) bool {
	return t.Base == Timestamp || t.Base == Unixtime || t.Base == ULID || t.Base == UUIDv7
}

func hasPrefix(t Type) bool { return t.Base == Geohash || t.Base == String }

func filterNames() []string {
	names := make([]string, len(filterShapes))
	for i, s := range filterShapes {
		names[i] = string(s.name)
	}
	return names
}

func filterList() string { return strings.Join(filterNames(), ", ") }

// exclusive lists groups of filters of which a placeholder can have at most one.
var exclusive = [][]FilterName{{Lower, Upper}, {ByYear, ByMon, ByDate, ByHour}, {Pad, ByYear, ByMon, ByDate, ByHour}}

// clash returns why a filter cannot follow those of the placeholder, or "".
func clash(hole Part, name FilterName) string {
	if _, again := hole.Filter(name); again {
		return fmt.Sprintf("%s is listed twice", name)
	}
	if _, sharded := hole.Filter(Shard); sharded {
		return fmt.Sprintf("shard makes a number of the value, so it must come last, after %s", name)
	}
	if _, escaped := hole.Filter(Escape); escaped {
		if name == Shard {
			return "shard makes a number of the value, which needs no escape"
		}
		return fmt.Sprintf("escape must come last, after %s", name)
	}
	for _, group := range exclusive {
		for _, f := range hole.Filters {
			if slices.Contains(group, f.Name) && slices.Contains(group, name) {
				return fmt.Sprintf("%s and %s cannot both apply", f.Name, name)
			}
		}
	}
	return ""
}
