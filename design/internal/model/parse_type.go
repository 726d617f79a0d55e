package model

import (
	"fmt"
	"slices"
)

// deepestType is the maximum nesting of types; DynamoDB allows 32 levels.
const deepestType = 10

// otherNames maps type names of other systems to types.
var otherNames = map[string]Base{
	"str": String, "text": String, "varchar": String,
	"integer": Integer, "long": Integer, "bigint": Integer,
	"float": Numeric, "double": Numeric, "money": Decimal, "boolean": Bool,
	"binary": Bytes, "blob": Bytes, "datetime": Timestamp, "epoch": Unixtime,
}

// ParseType parses a type: string, int?, enum(A, B), list<string>, map<list<Address>>. structs
// returns struct types by name.
func ParseType(text string, structs func(name string) *Struct) (Type, *SyntaxError) {
	p := typeParser{reader: reader{text: text}, structs: structs}
	t, err := p.one(1)
	if err != nil {
		return Type{}, err
	}
	p.spaces()
	t.Optional = p.skip('?')
	p.spaces()
	if !p.atEnd() {
		start := p.pos
		p.pos = len(text)
		return Type{}, p.fail(start, "the type ends before %s", shown(text[start:]))
	}
	return t, nil
}

type typeParser struct {
	reader
	structs func(name string) *Struct
}

// one parses a type without its question mark.
func (p *typeParser) one(level int) (Type, *SyntaxError) {
	p.spaces()
	start := p.pos
	name := p.run(isName)
	switch base := Base(name); {
	case name == "":
		return Type{}, p.failHere("a type is missing: write string, int, timestamp, enum(A, B), list<string>, …")
	case base == Enum:
		return p.enum(start)
	case base == ListOf || base == SetOf || base == MapOf:
		return p.collection(base, start, level)
	case slices.Contains(Bases, base):
		return Type{Base: base}, nil
	}
	if p.structs != nil {
		if s := p.structs(name); s != nil {
			return Type{Base: StructOf, Struct: s}, nil
		}
	}
	if base, ok := otherNames[name]; ok {
		return Type{}, p.unknown(start, string(base), "there is no type "+shown(name), []string{string(base)})
	}
	return Type{}, p.unknown(start, name, "there is no type "+shown(name), typeNames())
}

func typeNames() []string {
	names := []string{string(Enum), string(ListOf), string(SetOf), string(MapOf)}
	for _, base := range Bases {
		names = append(names, string(base))
	}
	return names
}

func (p *typeParser) enum(start int) (Type, *SyntaxError) {
	p.spaces()
	if !p.skip('(') {
		return Type{}, p.fail(start, "enum needs its values: enum(A, B)")
	}
	t := Type{Base: Enum}
	for {
		p.spaces()
		at := p.pos
		value := p.run(isEnumValue)
		if value == "" {
			return Type{}, p.failHere("a value of the enum is missing: letters, digits, _ - and . make one")
		}
		if slices.Contains(t.Values, value) {
			return Type{}, p.fail(at, "%s is in the enum twice", value)
		}
		t.Values = append(t.Values, value)
		p.spaces()
		if p.skip(')') {
			return t, nil
		}
		if !p.skip(',') {
			return Type{}, p.failHere("a comma or ) is missing after %s: enum(A, B)", shown(value))
		}
	}
}

func isEnumValue(c byte) bool { return isName(c) || c == '-' || c == '.' }

func (p *typeParser) collection(base Base, start, level int) (Type, *SyntaxError) {
	if level >= deepestType {
		return Type{}, p.fail(start, "types nest at most %d levels deep", deepestType)
	}
	p.spaces()
	if !p.skip('<') {
		return Type{}, p.fail(start, "%s needs the type of its elements: %s<string>", base, base)
	}
	elementStart := p.pos
	element, err := p.one(level + 1)
	if err != nil {
		return Type{}, err
	}
	if base == SetOf && !inSet(element) {
		return Type{}, p.fail(elementStart, "a set of %s is not possible: sets hold texts, numbers or bytes", element)
	}
	p.spaces()
	if p.next() == '?' {
		return Type{}, p.failHere("elements are never absent: ? stands at the end, as in %s", fmt.Sprintf("%s<%s>?", base, element))
	}
	if !p.skip('>') {
		return Type{}, p.failHere("> is missing: %s<%s>", base, element)
	}
	return Type{Base: base, Element: &element}, nil
}

// inSet reports whether DynamoDB has sets of the type.
func inSet(t Type) bool { return t.KeyKind() != "" && t.Base != JSON }
