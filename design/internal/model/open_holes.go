package model

import "strings"

// OpenHoles marks the last placeholder of each key of a table as open where its text may contain
// the delimiter: nothing follows the placeholder, and no other key of the table has the same
// beginning and then goes on after a delimiter, so that a longer text means a longer value and
// nothing else. It is called once, when all items of the table are known.
func OpenHoles(t *Table) {
	keys := textKeys(t)
	for i, k := range keys {
		last := len(k.parts) - 1
		if k.fixed || last < 0 || !k.parts[last].holdsFreeText() {
			continue
		}
		open := true
		for j, other := range keys {
			if i != j && k.name == other.name && goesOn(k.parts[:last], other.parts) && sharesPath(t, k, other) {
				open = false
				break
			}
		}
		k.parts[last].Open = open
	}
}

// holdsFreeText reports whether the part is a placeholder that writes any text.
func (p Part) holdsFreeText() bool {
	if !p.IsHole() || p.Attribute.Type.Base != String {
		return false
	}
	_, escaped := p.Filter(Escape)
	_, sharded := p.Filter(Shard)
	return !escaped && !sharded
}

// A textKey is a key attribute of an item, a guard, or the rows of a sharded counter.
type textKey struct {
	name  string
	parts []Part
	all   map[string][]Part // the parts of all keys of the same item, by name
	fixed bool              // it has no placeholder to open
}

// textKeys returns the composed keys of a table, and those that are attributes themselves as one
// placeholder.
func textKeys(t *Table) []textKey {
	var all []textKey
	names := keyNamesOf(t)
	add := func(parts map[string][]Part, fixed func(name string) bool) {
		for _, name := range names {
			if p, ok := parts[name]; ok {
				all = append(all, textKey{name: name, parts: p, all: parts, fixed: fixed(name)})
			}
		}
	}
	for _, item := range t.Items {
		parts := map[string][]Part{}
		for _, name := range names {
			if key := item.Key(name); key != nil && key.Kind() == "S" {
				parts[name] = key.Parts()
				if key.Template == nil {
					parts[name][0].Open = true
				}
			}
		}
		add(parts, func(name string) bool { return item.Key(name).Template == nil })
		for _, rows := range counterRows(t, item, parts) {
			add(rows, func(string) bool { return true })
		}
	}
	for _, g := range t.Guards {
		parts := map[string][]Part{}
		for _, c := range g.Computed {
			parts[c.Name] = c.Template.Parts
		}
		add(parts, func(string) bool { return false })
	}
	return all
}

// counterRows returns the primary keys of the rows of each sharded counter of an item: its own
// key, the name of the counter and a number.
func counterRows(t *Table, item *Item, parts map[string][]Part) []map[string][]Part {
	var all []map[string][]Part
	last := t.SK.Name
	if last == "" {
		last = t.PK.Name
	}
	for _, c := range item.Entity.Counters {
		if c.Shards < 2 || parts[last] == nil {
			continue
		}
		key := append(parts[last][:len(parts[last]):len(parts[last])], Part{Literal: t.Delimiter.String() + c.Attribute.Name + t.Delimiter.String() + "0", Delimiter: t.Delimiter})
		all = append(all, map[string][]Part{t.PK.Name: parts[t.PK.Name], last: key})
	}
	return all
}

// keyNamesOf returns the names of the key attributes of a table and its indexes, each once.
func keyNamesOf(t *Table) []string {
	var all []string
	seen := map[string]bool{"": true}
	for _, path := range pathsOf(t) {
		for _, name := range append(path[0][:len(path[0]):len(path[0])], path[1]...) {
			if !seen[name.Name] {
				seen[name.Name] = true
				all = append(all, name.Name)
			}
		}
	}
	return all
}

// pathsOf returns the partition and the sort keys of a table and of each of its indexes.
func pathsOf(t *Table) [][2][]KeyName {
	paths := [][2][]KeyName{{{t.PK}, {t.SK}}}
	for _, x := range t.Indexes {
		paths = append(paths, [2][]KeyName{x.PK, x.SK})
	}
	return paths
}

// sharesPath reports whether two keys of one name can be in the same partition, or are
// partition keys themselves.
func sharesPath(t *Table, a, b textKey) bool {
	for _, path := range pathsOf(t) {
		if holdsName(path[0], a.name) {
			return true
		}
		if !holdsName(path[1], a.name) {
			continue
		}
		meet := true
		for _, pk := range path[0] {
			x, y := a.all[pk.Name], b.all[pk.Name]
			meet = meet && (x == nil || y == nil || !apart(x, y))
		}
		if meet {
			return true
		}
	}
	return false
}

func holdsName(keys []KeyName, name string) bool {
	for _, k := range keys {
		if k.Name == name {
			return true
		}
	}
	return false
}

// apart reports whether the literals of two keys tell them apart.
func apart(a, b []Part) bool {
	_, _, same := align(a, b)
	_, _, turned := align(b, a)
	return !same || !turned
}

// goesOn reports whether another key may begin like these parts and then contain the delimiter.
func goesOn(begin, other []Part) bool {
	rest, after, same := align(begin, other)
	if !same {
		return false
	}
	if len(rest) > 0 {
		return true // not known
	}
	for i, part := range after {
		if part.holdsDelimiter() || i > 0 && part.holdsFreeText() {
			return true
		}
	}
	return false
}

// align removes what two keys begin with in the same way: literal text, and placeholders of one
// type that end at a delimiter. It returns what is left, and false if no text can be both.
func align(a, b []Part) (restA, restB []Part, same bool) {
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case !x.IsHole() && !y.IsHole():
			n := min(len(x.Literal), len(y.Literal))
			if x.Literal[:n] != y.Literal[:n] {
				return a, b, false
			}
			a, b = withoutText(a, n), withoutText(b, n)
		case x.IsHole() && y.IsHole() && endsAtDelimiter(a) && endsAtDelimiter(b):
			a, b = a[1:], b[1:]
		case y.IsHole() && len(b) == 1 && !y.mayHoldDelimiter() && (x.IsHole() && endsAtDelimiter(a) || x.holdsDelimiter()):
			return a, b, false // a delimiter follows, and the other key ends without
		case x.IsHole() != y.IsHole() && (!x.canBeginLike(y) || !y.canBeginLike(x)):
			return a, b, false
		default:
			return a, b, true
		}
	}
	if len(b) == 0 && len(a) > 0 && !a[0].IsHole() {
		return a, b, false // the other key ends before it
	}
	return a, b, true
}

// endsAtDelimiter reports whether a delimiter follows the first part, a placeholder that does not
// contain it.
func endsAtDelimiter(parts []Part) bool {
	return len(parts) > 1 && strings.HasPrefix(parts[1].Literal, parts[1].Delimiter.String()) && !parts[0].mayHoldDelimiter()
}

// canBeginLike reports whether the text of a placeholder can begin with the first character of a
// literal. Numbers and times begin with a digit.
func (p Part) canBeginLike(literal Part) bool {
	if !p.IsHole() || literal.Literal == "" {
		return true
	}
	digit := literal.Literal[0] >= '0' && literal.Literal[0] <= '9'
	for _, f := range p.Filters {
		if f.Name == Pad || f.Name == Shard {
			return digit
		}
	}
	if p.Period() != "" {
		return digit
	}
	switch p.Attribute.Type.Base {
	case Timestamp, Date, Week, ULID:
		return digit
	}
	return true
}

// holdsDelimiter reports whether a literal contains the delimiter.
func (p Part) holdsDelimiter() bool { return strings.Contains(p.Literal, p.Delimiter.String()) }

// mayHoldDelimiter reports whether the text of a placeholder may contain the delimiter: it is a
// key itself, an enum with such a value, or a time with colons. A key that another one goes on
// is never opened.
func (p Part) mayHoldDelimiter() bool {
	for _, value := range p.Attribute.Type.Values {
		if strings.Contains(value, p.Delimiter.String()) {
			return true
		}
	}
	return p.Open || len(p.Filters) == 0 && p.Delimiter.IsIn(p.Attribute.Type)
}

// withoutText removes the first n bytes of a literal.
func withoutText(parts []Part, n int) []Part {
	rest := parts[1:]
	if left := parts[0].Literal[n:]; left != "" {
		rest = append([]Part{{Literal: left, Delimiter: parts[0].Delimiter}}, rest...)
	}
	return rest
}
