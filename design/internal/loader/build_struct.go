package loader

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// A structBuilder builds the struct types of a design.
type structBuilder struct{ *reader }

// all builds the struct types. All names are declared first, so that types may refer
// to each other in any order.
func (b structBuilder) all(n *node) []*model.Struct {
	if n == nil {
		return nil
	}
	var structs []*model.Struct
	var blocks []*entry
	for _, e := range n.entries {
		name := e.key.text
		switch {
		case e.unfit:
			b.declared.broken["type "+name] = true
		case slices.Contains(model.Bases, model.Base(name)) || slices.Contains([]model.Base{model.Enum, model.ListOf, model.SetOf, model.MapOf}, model.Base(name)):
			b.fail("F006", e.key.place, "%s is a built-in type; choose another name", name)
			b.declared.broken["type "+name] = true
		default:
			s := &model.Struct{Name: name, Place: e.key.place}
			b.declared.structs[name] = s
			structs = append(structs, s)
			blocks = append(blocks, e)
		}
	}
	for i, s := range structs {
		b.about("type "+s.Name, func() { b.fields(s, blocks[i].value) })
	}
	b.cycles(structs)
	return structs
}

func (b structBuilder) fields(s *model.Struct, block *node) {
	for _, e := range block.fit() {
		var a *model.Attribute
		if !e.value.flawed && b.whole(func() { a = attributeBuilder(b).attribute(e) }) {
			s.Attributes = append(s.Attributes, a)
		}
	}
	onlyOnce(b.reader, s.Attributes, func(a *model.Attribute) (string, string, diag.Place) { return a.Name, a.Was, a.WasPlace })
}

// cycles reports struct types that contain themselves, and removes the fields that close the
// cycle, so that recursion over types terminates.
func (b structBuilder) cycles(structs []*model.Struct) {
	w := &cycleWalk{reporter: b.reporter, state: map[*model.Struct]int{}}
	for _, s := range structs {
		w.visit(s)
	}
}

type cycleWalk struct {
	*reporter
	state map[*model.Struct]int // 1 while being visited, 2 when done
	path  []*model.Struct
}

func (w *cycleWalk) visit(s *model.Struct) {
	if w.state[s] != 0 {
		return
	}
	w.state[s] = 1
	w.path = append(w.path, s)
	kept := s.Attributes[:0:0]
	for _, a := range s.Attributes {
		inner := structOf(a.Type)
		if inner != nil && w.state[inner] == 1 {
			w.report(inner, a)
			continue
		}
		if inner != nil {
			w.visit(inner)
		}
		kept = append(kept, a)
	}
	s.Attributes = kept
	w.path = w.path[:len(w.path)-1]
	w.state[s] = 2
}

func (w *cycleWalk) report(to *model.Struct, through *model.Attribute) {
	from := slices.Index(w.path, to)
	var names []string
	for _, s := range w.path[from:] {
		names = append(names, s.Name)
	}
	names = append(names, to.Name)
	w.add(diag.Finding{
		Code: "F011", Place: through.TypePlace, Message: "the type contains itself: " + short(strings.Join(names, " > ")),
		Related: []diag.Related{{Place: to.Place, Message: to.Name + " is declared here"}},
	})
}

// structOf returns the struct type that a type is or contains, or nil.
func structOf(t model.Type) *model.Struct {
	for t.Element != nil {
		t = *t.Element
	}
	return t.Struct
}
