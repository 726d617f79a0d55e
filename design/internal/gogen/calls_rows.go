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

// How a read tells items it is about from others that the same request returns: other
// entities of the partition, rows that keep values unique, rows of counters.
type telling int

const (
	notTold telling = iota // there are no others
	byType                 // by the attribute that holds the entity's name
	byKey                  // by what the primary key looks like
)

// told is how the items of the read are told from others.
func (m *method) told() telling {
	r := m.call.Read
	path := r.Entry.Path
	mixed := len(r.Mixed) > 0 || len(r.Entities) > 1 || m.call.Pattern.Verb == model.Collect
	for _, e := range r.Entities {
		mixed = mixed || path.IsTable() && r.Operation == resolve.Query && len(sharded(e)) > 0
	}
	switch {
	case !mixed:
		return notTold
	case path.Table.Type != "" && holds(path, path.Table.Type):
		return byType
	}
	return byKey
}

// holds reports whether items seen through a path have an attribute.
func holds(path resolve.Path, stored string) bool {
	if path.Index == nil || path.Index.Project.Kind == model.ProjectAll {
		return true
	}
	return slices.Contains(path.Index.Project.Attributes, stored)
}

// isOne is the condition that an item is one of an entity.
func (m *method) isOne(e *model.Entity) string {
	item := m.call.Read.Entry.Path.Table.Item(e)
	if m.told() == byType {
		return fmt.Sprintf("textAt(item, %q) == %q", item.Table.Type, e.Name)
	}
	conditions := m.shape(item)
	if len(conditions) == 0 {
		return "true"
	}
	return strings.ReplaceAll(strings.Join(conditions, " &&\n"), "textIn(key, ", "textAt(item, ")
}

// not is the opposite of a condition.
func not(condition string) string {
	if !strings.ContainsAny(condition, "&|") {
		for is, isNot := range map[string]string{" == ": " != ", " != ": " == "} {
			if left, right, ok := strings.Cut(condition, is); ok && !strings.Contains(right, " ") {
				return left + isNot + right
			}
		}
	}
	if strings.ContainsAny(condition, "&|<>=") {
		return "!(" + condition + ")"
	}
	return "!" + condition
}

// decode is the expression of the function that reads one item of the answer.
func (m *method) decode(result string) (string, error) {
	r := m.call.Read
	e := r.Entities[0]
	decode := m.decoder(e, "db.c")
	if m.result != "" {
		decode = m.rowDecoder(m.result, e, "db.c")
	}
	checks, err := m.checks(e)
	if err != nil {
		return "", err
	}
	if len(checks) == 0 && m.told() == notTold {
		return decode, nil
	}
	p := &printer{}
	p.line("func(item access.Item) (%s, error) {", result)
	if m.told() != notTold {
		p.line("if %s {", not(m.isOne(e)))
		p.line("return %s{}, marshal.Skip", result)
		p.line("}")
	}
	switch {
	case len(checks) == 0:
		p.line("return %s(item)", decode)
	case m.result != "":
		p.line("from := marshal.Decode(%q, item)", e.Name)
		p.line("if %s {", strings.Join(checks, " || "))
		p.line("return %s{}, marshal.Skip", result)
		p.line("}")
		p.line("return %s(item)", decode)
	default:
		differs := strings.Join(checks, " || ")
		if strings.Contains(differs, " || ") {
			differs = "(" + differs + ")"
		}
		p.line("found, err := %s(item)", decode)
		p.line("if err == nil && %s {", differs)
		p.line("err = marshal.Skip")
		p.line("}")
		p.line("return found, err")
	}
	p.line("}")
	return strings.TrimSuffix(p.body.String(), "\n"), nil
}

// checks are the conditions under which an item is not the one asked for: equalities
// that the key did not need.
func (m *method) checks(e *model.Entity) ([]string, error) {
	r := m.call.Read
	var all []string
	for _, c := range r.Checks {
		a := e.Attribute(c.Attribute.Name)
		at := place{x: "found." + m.fields[a], pointer: isPointer(a.Type)}
		if m.result != "" {
			at = place{x: m.readHeld(e, heldOf(r, e, a)), pointer: isPointer(a.Type)}
		}
		differs, err := m.differs(a, at, c.Values[0])
		if err != nil {
			return nil, err
		}
		all = append(all, differs)
	}
	return all, nil
}

// heldOf is where an item of the read has an attribute.
func heldOf(r *program.Read, e *model.Entity, a *model.Attribute) program.Held {
	item := r.Entry.Path.Table.Item(e)
	held := program.Held{Attribute: a, Name: resolve.HeldBy(r.Entry.Path, item, a)}
	if key := item.Key(held.Name); held.Name != a.Stored && key != nil {
		held.Key = key
	}
	return held
}

// differs is the condition that a value read is not the one asked for.
func (m *method) differs(a *model.Attribute, at place, v model.Operand) (string, error) {
	other := a
	right := m.constant(a, v.Constant)
	if v.Param != "" {
		ref := m.call.Ref(nil, v.Param, a)
		if ref.IsZero() {
			return "", fmt.Errorf("%s: nothing gives $%s", m.call.Pattern.Name, v.Param)
		}
		right = m.at(ref).value()
		if ref.Input.Attribute != nil {
			other = ref.Input.Attribute
		}
	}
	left := at.value()
	text := compareTwo(a, left, "!=", other, right)
	switch a.Type.Base {
	case model.Enum, model.UUID, model.UUIDv7, model.ULID, model.Geohash, model.Date, model.Week:
		text = left + " != " + right
	}
	if at.pointer {
		text = at.x + " == nil || " + text
	}
	return text, nil
}

// rowSealed reports whether a row has a sealed attribute.
func (m *method) rowSealed(e *model.Entity) bool {
	return slices.ContainsFunc(m.call.Read.Rows[e], func(h program.Held) bool { return isSealed(e, h.Attribute) })
}

// rowDecoder is the expression of the function that reads a row.
func (m *method) rowDecoder(row string, e *model.Entity, client string) string {
	if m.rowSealed(e) {
		return "decode" + row + "(" + client + ")"
	}
	return "decode" + row
}

// printRow prints the type of what is selected, and the function that reads it.
func (m *method) printRow(p *printer, row string, e *model.Entity) error {
	held := m.call.Read.Rows[e]
	p.doc(fmt.Sprintf("%s is what %s returns of %s.", row, m.name, m.entities[e]))
	p.line("type %s struct {", row)
	for _, h := range held {
		m.printField(p, h.Attribute, m.attributeNotes(e, h.Attribute))
	}
	p.line("}")
	p.blank()
	if m.rowSealed(e) {
		p.line("func decode%s(client *access.Client) func(access.Item) (%s, error) {", row, row)
		p.line("return func(item access.Item) (%s, error) {", row)
	} else {
		p.line("func decode%s(item access.Item) (%s, error) {", row, row)
	}
	p.line("from := marshal.Decode(%q, item)", e.Name)
	p.line("row := %s{", row)
	var later []*model.Attribute
	for _, h := range held {
		if isSealed(e, h.Attribute) && (h.Attribute.Type.Base == model.Bytes || h.Attribute.Type.Base == model.JSON) {
			later = append(later, h.Attribute)
			continue
		}
		p.line("%s: %s,", m.fields[h.Attribute], m.readHeld(e, h))
	}
	p.line("}")
	for _, a := range later {
		p.line("row.%s, _ = from.Sealed(client, %q, %q)", m.fields[a], e.Name, a.Stored)
	}
	p.line("return row, from.Err()")
	p.line("}")
	if m.rowSealed(e) {
		p.line("}")
	}
	p.blank()
	return nil
}

// readHeld is the expression that reads an attribute where the item has it.
func (m *method) readHeld(e *model.Entity, h program.Held) string {
	a := h.Attribute
	switch {
	case isSealed(e, a):
		return m.readSealed(e, a)
	case h.Key == nil:
		return m.read(a, h.Name)
	}
	read := "partOf"
	if isPointer(a.Type) {
		read = "optPartOf"
	}
	return fmt.Sprintf("%s(&from, %q, %s, %s, %s)", read, h.Name, strconv.Itoa(holeOf(h.Key, a)), parseFunc(a.Type, m.enums[a]), strings.Join(shapeOf(h.Key.Template), ", "))
}

// holeOf is the number of the value in a key out of which an attribute is read back.
func holeOf(key *model.Key, a *model.Attribute) int {
	n := 0
	for _, part := range key.Template.Parts {
		switch {
		case !part.IsHole():
			continue
		case part.Attribute == a && part.Whole():
			return n
		}
		n++
	}
	return n
}

// printReadHelpers prints the functions that reads call, if they do.
func printReadHelpers(p *printer) {
	text := p.body.String()
	if strings.Contains(text, "textAt(") {
		p.doc("textAt is the text of an attribute; none if it is something else.")
		p.line("func textAt(item access.Item, name string) string {")
		p.line("if s, ok := item[name].(*types.AttributeValueMemberS); ok {")
		p.line("return s.Value")
		p.line("}")
		p.line(`return ""`)
		p.line("}")
		p.blank()
	}
	if strings.Contains(text, "oneOf(") {
		p.doc("oneOf is the condition that an attribute is one of several values, which are added to in. DynamoDB takes 100 of them at a time.")
		p.line("func oneOf[T any](in access.Item, name, placeholder string, all []T, value func(T) types.AttributeValue) string {")
		p.line("var conditions []string")
		p.line("for chunk := range slices.Chunk(all, 100) {")
		p.line("var placeholders []string")
		p.line("for _, v := range chunk {")
		p.line("placeholders = append(placeholders, placeholder+marshal.FormatInt(int64(len(in))))")
		p.line("in[placeholders[len(placeholders)-1]] = value(v)")
		p.line("}")
		p.line(`conditions = append(conditions, name+" IN ("+strings.Join(placeholders, ", ")+")")`)
		p.line("}")
		p.line("if len(conditions) > 1 {")
		p.line(`return "(" + strings.Join(conditions, " OR ") + ")"`)
		p.line("}")
		p.line(`return strings.Join(conditions, "")`)
		p.line("}")
		p.blank()
	}
	if strings.Contains(text, "artOf(") {
		printPartHelpers(p, text)
	}
}

// printPartHelpers prints what reads a value back out of a composed key.
func printPartHelpers(p *printer, text string) {
	p.doc("partOf reads a value back out of a composed key: the i-th of its template.")
	p.line("func partOf[T any](from *marshal.Decoder, key string, i int, parse func(string) (T, error), template ...string) T {")
	p.line("var none T")
	p.line("if !from.Has(key) {")
	p.line("return none")
	p.line("}")
	p.line("text, ok := marshal.Part(from.String(key), template, i)")
	p.line("if !ok {")
	p.line(`from.Refuse(key, "has another form than the design says")`)
	p.line("return none")
	p.line("}")
	p.line("value, err := parse(text)")
	p.line("if err != nil {")
	p.line("from.Refuse(key, err.Error())")
	p.line("return none")
	p.line("}")
	p.line("return value")
	p.line("}")
	p.blank()
	if !strings.Contains(text, "optPartOf(") {
		return
	}
	p.doc("optPartOf is partOf for what may be missing.")
	p.line("func optPartOf[T any](from *marshal.Decoder, key string, i int, parse func(string) (T, error), template ...string) *T {")
	p.line("if !from.Has(key) {")
	p.line("return nil")
	p.line("}")
	p.line("return new(partOf(from, key, i, parse, template...))")
	p.line("}")
	p.blank()
}
