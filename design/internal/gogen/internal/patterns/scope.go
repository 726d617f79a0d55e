package patterns

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
)

// A Place is where a value is found in Go.
type Place struct {
	X       syntax.Expr
	Pointer bool        // it may be nil, and points to the value
	As      syntax.Expr // nil, or the type that the value has to be converted to
}

// Value returns the value itself.
func (p Place) Value() syntax.Expr {
	if p.Pointer {
		return p.Converted(syntax.Deref(p.X))
	}
	return p.Converted(p.X)
}

// Converted converts a value of the place to the type it has to be of.
func (p Place) Converted(x syntax.Expr) syntax.Expr {
	if p.As == nil {
		return x
	}
	return syntax.CallOf(p.As, x)
}

// Assigned returns the place's value for a field that is a pointer or is not.
func (p Place) Assigned(pointer bool) syntax.Expr {
	switch {
	case p.Pointer && !pointer:
		return p.Converted(library.Call("OrZero", p.X))
	case !p.Pointer && pointer:
		return syntax.Builtin("new", p.Converted(p.X))
	case pointer && p.As != nil:
		return syntax.CallOf(syntax.Pointer(p.As), p.X)
	}
	return p.Converted(p.X)
}

// A First is a value that all items of a repeated input must have in common.
type First struct {
	Name string // of the variable
	Ref  program.Ref
}

// A Scope finds the values of a call in one function that is being built.
type Scope struct {
	M      *Method
	Firsts []First                 // the values in common that the function uses
	Fans   map[*program.Fan]string // the variable of the current value of a part of the keys
	known  []syntax.Expr           // conditions that hold where the code being built stands
}

// NewScope returns the scope of a function of a method.
func NewScope(m *Method) *Scope { return &Scope{M: m, Fans: map[*program.Fan]string{}} }

// Assume adds a condition that holds from here on, and returns a function that forgets it.
func (s *Scope) Assume(cond syntax.Expr) (forget func()) {
	before := s.known
	s.known = append(slices.Clip(before), syntax.Conjuncts(cond)...)
	return func() { s.known = before }
}

// Place returns the place of an input.
func (m *Method) Place(input *program.Input) syntax.Expr { return m.places[input] }

// Member returns the field of an input in a struct of parameters, "" if it is in none.
func (m *Method) Member(input *program.Input) string { return m.members[input] }

// Item returns a whole item, or a group: of a repeated one the current one.
func (m *Method) Item(input *program.Input) syntax.Expr {
	if input.Repeated {
		return syntax.Name(m.Loops[input])
	}
	return m.places[input]
}

// At returns the place of a value that the caller gives.
func (s *Scope) At(ref program.Ref) Place {
	m, input := s.M, ref.Input
	if ref.First {
		return Place{X: syntax.Name(s.first(ref))}
	}
	switch input.Kind {
	case program.Key:
		return Place{X: syntax.Dot(m.places[input], m.Package.Items.Names.Fields[ref.Attribute])}
	case program.Whole:
		if seen := m.Seen[input]; seen != "" && ref.Attribute == input.Entity.Version {
			return Place{X: syntax.Name(seen)}
		}
		return m.Of(ref, m.Item(input))
	case program.Group:
		return m.Of(ref, m.Item(input))
	}
	return Place{X: m.places[input], Pointer: values.IsPointer(input.Type)}
}

// Of returns the place of a value in a variable that holds a whole item or a group.
func (m *Method) Of(ref program.Ref, item syntax.Expr) Place {
	if ref.Attribute != nil {
		return Place{X: syntax.Dot(item, m.Package.Items.Names.Fields[ref.Attribute]), Pointer: values.IsPointer(ref.Attribute.Type)}
	}
	return Place{X: syntax.Dot(item, m.members[ref.Member]), Pointer: values.IsPointer(ref.Member.Type)}
}

// In returns the place of a value, in the variable of a current item if there is one.
func (s *Scope) In(ref program.Ref, one syntax.Expr) Place {
	if one == nil || !ref.Input.Repeated {
		return s.At(ref)
	}
	return s.M.Of(ref, one)
}

// first returns the variable of a value that all items must have in common.
func (s *Scope) first(ref program.Ref) string {
	for _, f := range s.Firsts {
		if f.Ref == ref {
			return f.Name
		}
	}
	attribute := ref.Attribute
	if attribute == nil {
		attribute = ref.Member.Attribute
	}
	name := s.M.Package.Items.Names.Param(s.Taken(), attribute.Name)
	s.Firsts = append(s.Firsts, First{name, ref})
	return name
}

// Taken returns a copy of the names that are taken in the function.
func (s *Scope) Taken() naming.Scope {
	taken := naming.Scope{}
	for name := range s.M.Own {
		taken[name] = true
	}
	for _, f := range s.Firsts {
		taken[f.Name] = true
	}
	return taken
}

// Operand returns the place of an operand that is used as a value of an attribute.
func (s *Scope) Operand(w *program.WriteStep, v model.Operand, a *model.Attribute) (Place, error) {
	if v.Param == "" {
		return Place{X: s.M.Package.Items.Values.Constant(a, v.Constant)}, nil
	}
	ref := s.M.Call.Ref(w, v.Param, a)
	if ref.IsZero() {
		return Place{}, fmt.Errorf("%s: nothing gives $%s for %s", s.M.Call.Pattern.Name, v.Param, a.Name)
	}
	at := s.At(ref)
	at.As = s.M.EnumOf(ref, a)
	return at, nil
}

// EnumOf returns the type that a value has to be converted to, or nil: every enum has a Go
// type of its own, and a counter may be found by the enum of another entity.
func (m *Method) EnumOf(ref program.Ref, a *model.Attribute) syntax.Expr {
	from := ref.Attribute
	switch {
	case ref.Member != nil:
		from = ref.Member.Attribute
	case from == nil:
		from = ref.Input.Attribute
	}
	enums := m.Package.Items.Names.Enums
	if from == nil || from.Type.Base != model.Enum || a.Type.Base != model.Enum || enums[from] == enums[a] {
		return nil
	}
	return m.Package.Items.Values.ValueType(a)
}

// Needed returns a value that an expression needs: nil is an error, unless what is known to
// hold excludes it.
func (s *Scope) Needed(at Place, a *model.Attribute) syntax.Expr {
	set := syntax.IsSet(at.X)
	if !at.Pointer || slices.ContainsFunc(s.known, func(x syntax.Expr) bool { return syntax.Equal(x, set) }) {
		return at.Value()
	}
	return at.Converted(library.Call("Given", values.Encode, syntax.Str(a.Name), at.X))
}
