package expression

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// An elementKind is the kind of an element of a document path.
type elementKind uint8

const (
	attribute   elementKind = iota
	placeholder             // a name placeholder
	position                // in a list
)

// An element is one step of a document path.
type element struct {
	kind  elementKind
	index int    // of a position; -1 when it is out of range
	name  string // the attribute or the placeholder; of a position its digits
}

// A path is a document path. The first element is never a position.
type path []element

// in returns the value that the path leads to in item, or the zero Value.
func (p path) in(item dynamo.Item) dynamo.Value {
	v := field(item, p[0].name)
	for i := range p[1:] {
		switch e := &p[1+i]; {
		case v.Kind() == dynamo.KindMap && e.kind == attribute:
			v = field(v.Map(), e.name)
		case v.Kind() == dynamo.KindList && e.kind == position:
			v = v.Element(e.index)
		default:
			return nil
		}
	}
	return v
}

// field is Map.Get without copying names.
func field(m dynamo.Map, name string) dynamo.Value {
	for c := m.Fields(); c.Next(); {
		if string(c.Name()) == name {
			return c.Value()
		}
		if string(c.Name()) > name {
			return nil
		}
	}
	return nil
}

// String returns the path as error messages write it: [a, [0], b].
func (p path) String() string {
	var s strings.Builder
	s.WriteByte('[')
	for i, e := range p {
		if i > 0 {
			s.WriteString(", ")
		}
		if e.kind == position {
			s.WriteString("[" + strconv.Itoa(e.index) + "]")
		} else {
			s.WriteString(e.name)
		}
	}
	s.WriteByte(']')
	return s.String()
}

// equal reports whether p and q lead to the same place.
func (p path) equal(q path) bool {
	return slices.EqualFunc(p, q, func(a, b element) bool { return a.compare(b) == 0 })
}

// compare orders the siblings of one parent: names by their bytes, positions
// by their index, names before positions.
func (e element) compare(f element) int {
	switch {
	case e.kind == position && f.kind == position:
		return e.index - f.index
	case e.kind == position:
		return 1
	case f.kind == position:
		return -1
	default:
		return strings.Compare(e.name, f.name)
	}
}

// heads lists the first elements of the wanted paths, in order of appearance.
func heads(paths func(yield func(path)), wanted func(path) bool) (names []string) {
	paths(func(p path) {
		if wanted(p) {
			names = append(names, p[0].name)
		}
	})
	return names
}

func everyPath(path) bool    { return true }
func nestedPath(p path) bool { return len(p) > 1 }
