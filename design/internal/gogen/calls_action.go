package gogen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// An action is one write in Go: statements, and the expression of the call.Action they
// lead to.
type action struct {
	names  []resolve.Name // of a package-level variable
	before string
	write  string
}

// action makes the Go of one write.
func (m *method) action(w *program.Write, namesVar string) (action, error) {
	m.firsts = nil
	fields := &printer{}
	of := m.keyedBy(w)
	fields.line("Kind: call.%s,", actionNames[w.Operation])
	fields.line("Name: %q,", w.Name)
	fields.line("Table: %q,", w.Item.Table.Name)
	before, errs := &printer{}, []string(nil)
	switch {
	case w.Operation == resolve.PutItem && w.Given != nil:
		before.line("item, err := %s.item(db.c)", m.item(w.Given))
		fields.line("Item: item,")
		errs = append(errs, "err")
	case w.Operation == resolve.PutItem:
		if err := m.printGuardRow(fields, w); err != nil {
			return action{}, err
		}
	default:
		if err := m.printKey(fields, w); err != nil {
			return action{}, err
		}
	}
	fields.line("KeyNames: %s,", m.keyLists[w.Item.Table])
	if onlyKey(w.Statement) {
		namesVar = m.keyMaps[w.Item.Table]
	}
	if err := m.printTransitions(before, w); err != nil {
		return action{}, err
	}
	names, err := m.printExpressions(before, fields, w, namesVar)
	if onlyKey(w.Statement) {
		names = nil
	}
	if err != nil {
		return action{}, err
	}
	if err := m.printExpectations(fields, w); err != nil {
		return action{}, err
	}
	return m.assemble(names, before.body.String(), fields, errs, of), nil
}

// assemble declares what the statements use, and puts the errors together.
func (m *method) assemble(names []resolve.Name, before string, fields *printer, errs []string, of keyed) action {
	text := before + fields.body.String()
	p := &printer{}
	if usesKey(text) {
		p.line("var k marshal.KeyText")
		errs = append(errs, "k.Err()")
	}
	if usesName(text, "encode") {
		p.line("encode := new(marshal.Encode(%q))", of.entity.Name)
		errs = append(errs, "encode.Err()")
	}
	if len(m.firsts) > 0 {
		p.line("var err error")
		errs = append(errs, "err")
		for _, f := range m.firsts {
			m.printFirst(p, f)
		}
	}
	p.body.WriteString(before)
	switch len(errs) {
	case 0:
	case 1:
		fields.line("Err: %s,", errs[0])
	default:
		fields.line("Err: errors.Join(%s),", strings.Join(errs, ", "))
	}
	return action{names: names, before: p.body.String(), write: "call.Action{\n" + fields.body.String() + "}"}
}

// onlyKey reports whether the expressions of a statement name nothing but the partition
// key: all creates share these names.
func onlyKey(s *resolve.Statement) bool {
	return len(s.Names) == 1 && s.Names[0] == resolve.Name{Placeholder: "#" + s.Table.PK.Name, Attribute: s.Table.PK.Name}
}

var actionNames = map[resolve.Operation]string{
	resolve.PutItem: "Put", resolve.UpdateItem: "Update", resolve.DeleteItem: "Delete", resolve.ConditionCheck: "Check",
}

// printFirst prints what all items of a call must agree on. Those without a value agree with
// none that has one, be it zero.
func (m *method) printFirst(p *printer, f first) {
	v := m.firstValue(f)
	if v.there != "" {
		p.line("_ = same(&err, %s, %q, %q, func(one %s) bool { return %s })", v.items, v.entity, v.attribute, v.of, v.there)
	}
	p.line("%s := same(&err, %s, %q, %q, func(one %s) %s { return %s })", f.name, v.items, v.entity, v.attribute, v.of, v.typ, v.value)
}

// disagrees is the condition that the items of a call do not agree on what the action being
// printed needs of them all: the action says so then. It is there for any item anyway if that
// is what its condition begins with.
func (m *method) disagrees(only string) []string {
	var all []string
	for _, f := range m.firsts {
		v := m.firstValue(f)
		if strings.HasPrefix(only, "len("+v.items+") > 0") {
			continue
		}
		if v.there != "" {
			all = append(all, fmt.Sprintf("!alike(%s, func(one %s) bool { return %s })", v.items, v.of, v.there))
		}
		all = append(all, fmt.Sprintf("!alike(%s, func(one %s) %s { return %s })", v.items, v.of, v.typ, v.value))
	}
	return all
}

// A firstValue is a value of each item, of the variable one, that all must agree on.
type firstValue struct {
	items, of         string // the items and their type
	entity, attribute string
	value, typ        string
	there             string // "", or whether there is one
}

func (m *method) firstValue(f first) firstValue {
	input := f.ref.Input
	a, field := f.ref.Attribute, ""
	typ := m.entities[input.Entity]
	if a != nil {
		field = m.fields[a]
	} else {
		a, field, typ = f.ref.Member.Attribute, m.places[f.ref.Member], m.groupNames[input]
	}
	v := firstValue{items: m.places[input], of: typ, entity: input.Entity.Name, attribute: a.Name, value: "one." + field, typ: m.valueType(a)}
	if f.ref.Optional() && !hasNil(a.Type) {
		v.there = v.value + " != nil"
		v.value = "orZero(" + v.value + ")"
	}
	if a.Type.Base == model.Timestamp || a.Type.Base == model.Unixtime {
		v.value += ".Round(0).UTC()" // so that equal instants are equal
	}
	return v
}

// printKey prints the primary key of a write that is not a put.
func (m *method) printKey(p *printer, w *program.Write) error {
	if key := m.keyInput(w); key != nil {
		p.line("Key: %s.primary(&k),", m.places[key])
		return nil
	}
	p.line("Key: access.Item{")
	for _, c := range w.Key {
		x, err := m.keyValue(w, c)
		if err != nil {
			return err
		}
		p.line("%q: %s,", c.Name, x)
	}
	p.line("},")
	return nil
}

// keyInput is the key the caller gives, if it is the key of this write.
func (m *method) keyInput(w *program.Write) *program.Input {
	if len(m.call.Inputs) == 0 || m.call.Inputs[0].Kind != program.Key {
		return nil
	}
	key := m.call.Inputs[0]
	if w.Item != m.layout.Home(key.Entity) || w.Shards > 1 || w.Origin != nil || w.Requirement != nil {
		return nil
	}
	return key
}

// printGuardRow prints the row of a guard, which has nothing but keys.
func (m *method) printGuardRow(p *printer, w *program.Write) error {
	p.line("Item: access.Item{")
	for _, f := range w.Statement.Item {
		if f.Value.Operand != nil {
			return fmt.Errorf("%s: %s has attributes nobody gives", m.call.Pattern.Name, w.Name)
		}
		x, err := m.stored(w, f.Value, f.Name)
		if err != nil {
			return err
		}
		p.line("%q: %s,", f.Name, x)
	}
	p.line("},")
	return nil
}

// printExpectations prints what tells a failed condition apart.
func (m *method) printExpectations(p *printer, w *program.Write) error {
	switch w.Expects() {
	case resolve.Present:
		p.line("Expects: call.Present,")
	case resolve.Absent:
		p.line("Expects: call.Absent,")
	}
	if w.Locked() {
		seen, err := m.lockedBy(w)
		if err != nil {
			return err
		}
		p.line("Version: %q,", w.Item.Entity.Version.Stored)
		p.line("Seen: %s,", seen)
	}
	if w.Requirement != nil {
		p.line("Required: true,")
	}
	if words := inWords(w); words != "" {
		p.line("Needs: %q,", words)
	}
	if w.Guard != nil {
		if w.Operation == resolve.PutItem {
			p.line("Taken: &access.TakenError{Entity: %q, Attributes: %s},", w.Guard.Entity.Name, goStrings(attributeNames(w.Guard.Attributes)))
		}
		return nil
	}
	if len(w.Statement.Condition) > 0 && w.Shards <= 1 {
		p.line("Fault: %s,", m.fault(w.Item.Entity))
	}
	return nil
}

// inWords is what a write asks of its item in the design's own words: the conditions of if,
// those of where that the key does not need, the bounds of counters, and the values that
// the caller says the item has.
func inWords(w *program.Write) string {
	all := make([]string, len(w.Checks))
	for i, c := range w.Checks {
		all[i] = c.String()
		if limit, ok := w.Bound(c); ok {
			all[i] = fmt.Sprintf("%s %s %s afterwards", c.Attribute.Name, c.Op, resolve.Digits(limit))
		}
	}
	return strings.Join(all, " and ")
}

// fault is the expression of what makes errors of failed conditions.
func (c *calls) fault(e *model.Entity) string {
	if hasSealed(e) {
		return "call.FaultOf(" + c.decoder(e, "db.c") + ")"
	}
	return c.faults[e]
}

// lockedBy is the expression of the version the caller saw.
func (m *method) lockedBy(w *program.Write) (string, error) {
	version := w.Item.Entity.Version
	for _, c := range w.Statement.Condition {
		for _, v := range c.Values {
			if v.Attribute == version && v.Operand != nil && v.Operand.Param != "" {
				at, err := m.operand(w, *v.Operand, version)
				return at.value(), err
			}
		}
	}
	return "", fmt.Errorf("%s: %s compares no version", m.call.Pattern.Name, w.Name)
}

// fixes are the statements that give an item the values the call itself decides: start
// states, constants, parameters of another name, the version.
func (m *method) fixes(p *printer, w *program.Write) error {
	item := m.item(w.Given)
	for _, a := range w.Item.Entity.Attributes {
		stored := w.Stored(a)
		if sum := summed(w, a); sum != nil {
			total, err := m.sum(w, *sum)
			if err != nil {
				return err
			}
			p.line("%s.%s = %s", item, m.fields[a], assigned(place{x: total}, isPointer(a.Type)))
			m.printBounds(p, w.Item.Entity, a, item+"."+m.fields[a])
			continue
		}
		field := item + "." + m.fields[a]
		pointer := isPointer(a.Type)
		switch {
		case stored.Param == a.Name:
		case w.Step.Verb == model.Put && a == w.Item.Entity.Version && stored.Param == a.Name+"_next":
			seen := "seen"
			if len(m.seen) > 0 {
				seen = m.own.take("seen"+m.entities[w.Item.Entity], "")
			}
			m.seen[w.Given] = seen
			if pointer {
				p.line("%s := orZero(%s)", seen, field)
				p.line("%s = new(%s + 1)", field, seen)
				continue
			}
			p.line("%s := %s", seen, field)
			p.line("%s++", field)
		case stored.Param == "":
			value := m.constant(a, stored.Constant)
			if pointer {
				value = m.pointerTo(a, stored.Constant)
			}
			p.line("%s = %s", field, value)
		default:
			at, err := m.operand(w, stored, a)
			if err != nil {
				return err
			}
			p.line("%s = %s", field, assigned(at, pointer))
		}
	}
	return nil
}

// printBounds refuses a new item whose counter begins outside of its bounds: there is no
// item yet that a condition could compare.
func (m *method) printBounds(p *printer, e *model.Entity, a *model.Attribute, field string) {
	if isPointer(a.Type) {
		field = "*" + field
	}
	refuse := func(op string, limit *exact.Number, words string) {
		if limit == nil {
			return
		}
		beyond := fmt.Sprintf("%s %s %s", field, op, resolve.Digits(*limit))
		if a.Type.Base == model.Decimal {
			beyond = fmt.Sprintf("%s.Cmp(%q) %s 0", strings.TrimPrefix(field, "*"), resolve.Digits(*limit), op)
		}
		p.line("if %s {", beyond)
		p.line("encode.Refuse(%q, %q)", a.Name, words+" "+resolve.Digits(*limit))
		p.line("}")
	}
	for _, counter := range e.Counters {
		if counter.Attribute == a {
			refuse(">", counter.Max, "would begin above its maximum of")
			if counter.Sum != nil || counter.Min != nil && counter.Min.Sign() > 0 { // a number of items is never below 0
				refuse("<", counter.Min, "would begin below its minimum of")
			}
		}
	}
}

// summed is the value of a counter that begins with what the call counts, or nil.
func summed(w *program.Write, a *model.Attribute) *resolve.Value {
	for _, f := range w.Statement.Item {
		if f.Value.Attribute == a && len(f.Value.Sum) > 0 {
			return &f.Value
		}
	}
	return nil
}

// assigned is a value for a field that is a pointer or is not.
func assigned(at place, pointer bool) string {
	switch {
	case at.pointer && !pointer:
		return at.converted("orZero(" + at.x + ")")
	case !at.pointer && pointer:
		return "new(" + at.converted(at.x) + ")"
	case pointer && at.as != "":
		return "(*" + at.as + ")(" + at.x + ")"
	}
	return at.converted(at.x)
}

// usedArguments are those of a method's parameters and variables that a text uses.
func usedArguments(all []argument, texts ...string) []argument {
	text := strings.Join(texts, "\n")
	return slices.DeleteFunc(slices.Clone(all), func(a argument) bool { return !usesName(text, a.name) })
}

// usesName reports whether a text has an identifier that is not a field.
func usesName(text, name string) bool {
	letter := func(c byte) bool {
		return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		before := start == 0 || !letter(text[start-1]) && text[start-1] != '"' && text[start-1] != '#' && text[start-1] != ':'
		after := end == len(text) || text[end] == '.' || !letter(text[end]) && text[end] != '"' && text[end] != ':'
		if before && after {
			return true
		}
		at = end
	}
}
