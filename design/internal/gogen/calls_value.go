package gogen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// A place is where a value is found in Go.
type place struct {
	x       string // the expression
	pointer bool   // it may be nil, and what it points to is the value
	as      string // "", or the type the value has to be converted to
}

// value is the expression of the value itself.
func (p place) value() string {
	if p.pointer {
		return p.converted("*" + p.x)
	}
	return p.converted(p.x)
}

// converted is a value of the place in the type it has to be of.
func (p place) converted(x string) string {
	if p.as == "" {
		return x
	}
	return p.as + "(" + x + ")"
}

// A first is a value that all items of a repeated input must agree on.
type first struct {
	name string // of the variable
	ref  program.Ref
}

// at is the place of a value that the caller gives.
func (m *method) at(ref program.Ref) place {
	input := ref.Input
	if ref.First {
		return place{x: m.firstOf(ref)}
	}
	switch input.Kind {
	case program.Key:
		return place{x: m.places[input] + "." + m.fields[ref.Attribute]}
	case program.Whole:
		if seen := m.seen[input]; seen != "" && ref.Attribute == input.Entity.Version {
			return place{x: seen}
		}
		return place{x: m.item(input) + "." + m.fields[ref.Attribute], pointer: isPointer(ref.Attribute.Type)}
	case program.Group:
		return place{x: m.item(input) + "." + m.places[ref.Member], pointer: isPointer(ref.Member.Type)}
	}
	return place{x: m.places[input], pointer: isPointer(input.Type)}
}

// item is the expression of an item given whole, or of a group: the one at hand of a
// repeated one.
func (m *method) item(input *program.Input) string {
	if input.Repeated {
		return m.loops[input]
	}
	return m.places[input]
}

// firstOf is the variable of a value that all items must agree on.
func (m *method) firstOf(ref program.Ref) string {
	for _, f := range m.firsts {
		if f.ref == ref {
			return f.name
		}
	}
	attribute := ref.Attribute
	if attribute == nil {
		attribute = ref.Member.Attribute
	}
	taken := scope{}
	for name := range m.own {
		taken[name] = true
	}
	for _, f := range m.firsts {
		taken[f.name] = true
	}
	name := m.param(taken, attribute.Name)
	m.firsts = append(m.firsts, first{name, ref})
	return name
}

// operand is the place of an operand used as a value of an attribute.
func (m *method) operand(w *program.Write, v model.Operand, a *model.Attribute) (place, error) {
	if v.Param == "" {
		return place{x: m.constant(a, v.Constant)}, nil
	}
	ref := m.call.Ref(w, v.Param, a)
	if ref.IsZero() {
		return place{}, fmt.Errorf("%s: nothing gives $%s for %s", m.call.Pattern.Name, v.Param, a.Name)
	}
	at := m.at(ref)
	at.as = m.enumOf(ref, a)
	return at, nil
}

// enumOf is the type a value has to be converted to, or "": every enum has a Go type of
// its own, and a counter may be found by the enum of another entity.
func (m *method) enumOf(ref program.Ref, a *model.Attribute) string {
	from := ref.Attribute
	switch {
	case ref.Member != nil:
		from = ref.Member.Attribute
	case from == nil:
		from = ref.Input.Attribute
	}
	if from == nil || from.Type.Base != model.Enum || a.Type.Base != model.Enum || m.valueType(from) == m.valueType(a) {
		return ""
	}
	return m.valueType(a)
}

// stored is the expression of a value in an expression of a write: an attribute value of
// the SDK.
func (m *method) stored(w *program.Write, v resolve.Value, name string) (string, error) {
	switch {
	case v.Operand == nil:
		text, err := m.keyValue(w, resolve.KeyCondition{Name: name, Kind: v.Kind, Low: v.Text})
		return text, err
	case len(v.Sum) > 0:
		sum, err := m.sum(w, v)
		return m.number(v.Attribute, sum), err
	case v.Operand.IsConstant():
		return m.storedConstant(v.Attribute, v.Operand.Constant), nil
	}
	at, err := m.operand(w, *v.Operand, v.Attribute)
	if err != nil {
		return "", err
	}
	return m.storedValue(v.Attribute, rounded(v.Attribute, m.needed(at, v.Attribute), v.Up)), nil
}

// clauseValue is the stored form of a value of an expression. A text that becomes a key of
// an index as it is must be one that DynamoDB takes for a key.
func (m *method) clauseValue(w *program.Write, c namedValue) (string, error) {
	x, err := m.stored(w, c.value, c.name)
	a := c.value.Attribute
	if err != nil || !c.set || a == nil || c.value.Operand == nil || c.value.Operand.IsConstant() || a.Stored != c.name {
		return x, err
	}
	text, isText := strings.CutPrefix(x, "marshal.S(")
	key := w.Item.Key(c.name)
	if !isText || key == nil || key.Template != nil || !slices.Contains(keyNames(w.Item.Table), c.name) {
		return x, nil
	}
	switch a.Type.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
	default:
		return x, nil // its stored form is never empty
	}
	length := "Sort"
	if !sortsIndex(w.Item.Table, c.name) {
		length = "Partition"
	}
	return fmt.Sprintf("marshal.S(k.Of(%q).Whole(%q, %s).%s())", w.Item.Entity.Name, a.Name, strings.TrimSuffix(text, ")"), length), nil
}

// sortsIndex reports whether an attribute is in the sort key of an index, where it may be
// half as long as in a partition key.
func sortsIndex(t *model.Table, name string) bool {
	return slices.ContainsFunc(t.Indexes, func(x *model.Index) bool {
		return slices.ContainsFunc(x.SK, func(k model.KeyName) bool { return k.Name == name })
	})
}

// needed is the expression of a value that an expression needs: one that the caller leaves
// out is an error, unless what is known to hold says that it is there.
func (m *method) needed(at place, a *model.Attribute) string {
	if !at.pointer || strings.Contains(m.holding, at.x+" != nil") {
		return at.value()
	}
	return at.converted(fmt.Sprintf("given(encode, %q, %s)", a.Name, at.x))
}

// storedValue is the stored form of a value of an attribute.
func (m *method) storedValue(a *model.Attribute, x string) string {
	if owner := m.owners[a]; owner != nil && isSealed(owner, a) {
		return fmt.Sprintf("encode.Seal(db.c, %q, %s)", a.Stored, sealedText(a, x)) // under the name it is opened by
	}
	return m.valueOf(a, a.Type, x)
}

// storedConstant is the stored form of a value the design states. No client is needed.
func (m *method) storedConstant(a *model.Attribute, text string) string {
	if owner := m.owners[a]; owner != nil && isSealed(owner, a) {
		return m.storedValue(a, m.constant(a, text))
	}
	switch kind := a.Type.KeyKind(); {
	case a.Type.Base == model.Enum:
		return "marshal.Text(" + m.constant(a, text) + ")"
	case a.Type.Base == model.Bool:
		return "marshal.Bool(" + text + ")"
	case a.Type.Base == model.Integer:
		return "marshal.N(" + text + ")"
	case kind == "N":
		return "marshal.Num(" + strconv.Quote(text) + ")"
	case kind == "B":
		return "marshal.B([]byte(" + strconv.Quote(text) + "))"
	}
	return "marshal.S(" + strconv.Quote(text) + ")"
}

// pointerTo is the expression of a pointer to a constant of an attribute.
func (m *method) pointerTo(a *model.Attribute, text string) string {
	x := m.constant(a, text)
	switch a.Type.Base {
	case model.Integer, model.Numeric:
		x = m.valueType(a) + "(" + x + ")"
	}
	return "new(" + x + ")"
}
