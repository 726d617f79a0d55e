package gogen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// printWrites prints the patterns that write.
func (g *generator) printWrites(p *printer) error {
	c := g.patternMethods()
	for _, m := range c.writes() {
		if m.call.Transaction() {
			if err := m.prepare(); err != nil {
				return err
			}
		}
	}
	c.nameBuilders()
	for _, m := range c.writes() {
		p.section(m.name)
		m.printParams(p)
		p.doc(m.docs()...)
		m.printWriteMethod(p)
		if err := m.printBuilder(p); err != nil {
			return err
		}
	}
	c.printShared(p)
	return c.printWriteHelpers(p)
}

// given is the entity a create or put returns as stored, or nil.
func (m *method) given() *program.Input {
	verb := m.call.Pattern.Verb
	if verb != model.Create && verb != model.Put {
		return nil
	}
	for _, input := range m.call.Inputs {
		if input.Kind == program.Whole {
			return input
		}
	}
	return nil
}

// printWriteMethod prints the method of DB.
func (m *method) printWriteMethod(p *printer) {
	args := slices.Concat([]argument{{"ctx", "context.Context"}}, m.args)
	given, list := m.given(), "write"
	if m.call.Transaction() {
		args = append(args, argument{"options", "...access.WriteOption"})
		list = "writes"
	}
	call := fmt.Sprintf("db.%s(%s)", m.builder, argumentNames(m.args))
	send := m.send(list)
	if given == nil {
		result := "error"
		if m.updates() {
			result = "(" + m.entities[m.call.Pattern.Entity] + ", error)"
		}
		p.line("func (db *DB) %s(%s) %s {", m.name, signature(args), result)
		p.line("%s := %s", list, call)
		p.line("return %s", send)
		p.line("}")
		p.blank()
		return
	}
	name, typ := m.places[given], m.entities[given.Entity]
	p.line("func (db *DB) %s(%s) (%s, error) {", m.name, signature(args), typ)
	p.line("%s, %s := %s", name, list, call)
	p.line("if err := %s; err != nil {", send)
	p.line("return %s{}, err", typ)
	p.line("}")
	p.line("return %s, nil", m.asStored(given.Entity, name))
	p.line("}")
	p.blank()
}

// updates reports whether the call is one update, which returns the item.
func (m *method) updates() bool {
	return !m.call.Transaction() && m.call.Writes[0].Operation == resolve.UpdateItem
}

// send is the call that sends the writes.
func (m *method) send(list string) string {
	if m.call.Transaction() {
		return fmt.Sprintf("call.Transact(ctx, db.c, %s, %s, options...)", m.pattern, list)
	}
	switch m.call.Writes[0].Operation {
	case resolve.UpdateItem:
		return fmt.Sprintf("call.UpdateItem(ctx, db.c, %s, &%s, %s)", m.pattern, list, m.decoder(m.call.Pattern.Entity, "db.c"))
	case resolve.DeleteItem:
		return fmt.Sprintf("call.DeleteItem(ctx, db.c, %s, &%s)", m.pattern, list)
	}
	return fmt.Sprintf("call.PutItem(ctx, db.c, %s, &%s)", m.pattern, list)
}

// printBuilder prints the method that makes the writes, for a call of its own and for a
// transaction of several.
func (m *method) printBuilder(p *printer) error {
	if m.call.Transaction() {
		m.printTransaction(p)
		return nil
	}
	w := m.call.Writes[0]
	fixes := &printer{}
	if w.Given != nil {
		if err := m.fixes(fixes, w); err != nil {
			return err
		}
	}
	a, err := m.action(w, m.nameMap)
	if err != nil {
		return err
	}
	fixed := m.withoutUnseen(fixes.body.String(), w, a.before+a.write)
	if len(a.names) > 0 {
		printNameMap(p, m.nameMap, a.names)
	}
	result := "call.Action"
	returned := a.write
	if w.Given != nil {
		result = "(" + m.entities[w.Given.Entity] + ", call.Action)"
		returned = m.places[w.Given] + ", " + a.write
	}
	p.doc(fmt.Sprintf("%s is the write of %s.", m.builder, m.name))
	p.line("func (db *DB) %s(%s) %s {", m.builder, signature(m.args), result)
	p.body.WriteString(fixed)
	p.body.WriteString(a.before)
	p.line("return %s", returned)
	p.line("}")
	p.blank()
	return nil
}

// A transaction is what is printed of a call with several actions.
type transaction struct {
	fixes   string                    // of items that are given once
	inLoops map[*program.Write]string // of those that are repeated
	steps   []step
}

// A step is one action of a transaction: a method of its own, and when it is called.
type step struct {
	write   *program.Write
	builder *builder
	args    string
	only    []string
}

func (s step) call() string { return fmt.Sprintf("db.%s(%s)", s.builder.name, s.args) }

// prepare makes the actions of a transaction, so that those of several patterns that are
// the same can be one.
func (m *method) prepare() error {
	t := &transaction{inLoops: map[*program.Write]string{}}
	for _, repeated := range []bool{false, true} {
		for _, w := range m.call.Writes {
			if w.Given == nil || (w.Repeats != nil) != repeated {
				continue
			}
			fixes := &printer{}
			if err := m.fixes(fixes, w); err != nil {
				return err
			}
			if repeated {
				t.inLoops[w] = fixes.body.String()
			} else {
				t.fixes += fixes.body.String()
			}
		}
	}
	for _, w := range m.call.Writes {
		m.firsts = nil
		only, err := m.skipped(w)
		if err != nil {
			return err
		}
		m.holding = strings.Join(only, " && ")
		a, err := m.action(w, namesToken)
		m.holding = ""
		if err != nil {
			return err
		}
		if len(only) > 0 {
			when := allOf(only)
			if differ := m.disagrees(when); len(differ) > 0 {
				only = []string{strings.Join(append([]string{when}, differ...), " || ")}
			}
		}
		b, args := m.builderOf(w, a)
		t.steps = append(t.steps, step{write: w, builder: b, args: args, only: only})
	}
	var called strings.Builder
	for _, s := range t.steps {
		called.WriteString(s.args + "\n")
	}
	for _, w := range m.call.Writes {
		if w.Given != nil {
			t.fixes = m.withoutUnseen(t.fixes, w, called.String())
			t.inLoops[w] = m.withoutUnseen(t.inLoops[w], w, called.String())
		}
	}
	m.prepared = t
	return nil
}

// withoutUnseen are statements without the one that keeps the version an item had, if
// nothing uses that: a put may ask for a version the design states.
func (m *method) withoutUnseen(fixes string, w *program.Write, text string) string {
	seen := m.seen[w.Given]
	if seen == "" || usesName(text, seen) {
		return fixes
	}
	keep := fmt.Sprintf("%s := %s.%s\n", seen, m.item(w.Given), m.fields[w.Item.Entity.Version])
	return strings.Replace(fixes, keep, "", 1)
}

// printTransaction prints the method that puts the actions together, and one for each of
// them that is its own.
func (m *method) printTransaction(p *printer) {
	t := m.prepared
	m.printSteps(p, t.fixes, t.inLoops, t.steps)
	for _, s := range t.steps {
		if !s.builder.isShared() {
			m.printAction(p, s.builder)
		}
	}
}

// printSteps prints the method that puts the actions together, in the order of the
// design.
func (m *method) printSteps(p *printer, fixes string, inLoops map[*program.Write]string, steps []step) {
	given := m.given()
	result, returns := "[]call.Action", "return writes"
	if given != nil {
		result = "(" + m.entities[given.Entity] + ", []call.Action)"
		returns = "return " + m.places[given] + ", writes"
	}
	p.doc(fmt.Sprintf("%s are the writes of %s.", m.builder, m.name))
	p.line("func (db *DB) %s(%s) %s {", m.builder, signature(m.args), result)
	wrong := m.printAgreements(p)
	if usesName(fixes, "encode") {
		p.line("encode := new(marshal.Encode(%q))", m.call.Writes[0].Item.Entity.Name)
		wrong = append(wrong, "encode.Err()")
	}
	p.body.WriteString(fixes)
	first := 0 // those at the beginning that are always there
	for first < len(steps) && steps[first].write.Repeats == nil && len(steps[first].only) == 0 {
		first++
	}
	settles := m.movesGuard()
	if settles {
		returns = strings.TrimSuffix(returns, "writes") + "settled(writes)"
	}
	switch len(wrong) {
	case 0:
	case 1:
		returns = strings.Replace(returns, "writes", "refused(writes, "+wrong[0]+")", 1)
	default:
		returns = strings.Replace(returns, "writes", "refused(writes, errors.Join("+strings.Join(wrong, ", ")+"))", 1)
	}
	if first == len(steps) && !settles && len(wrong) == 0 {
		returns = strings.TrimSuffix(returns, "writes") + "[]call.Action{"
		p.line("%s", returns)
		for _, s := range steps {
			p.line("%s,", s.call())
		}
		p.line("}")
		p.line("}")
		p.blank()
		return
	}
	if first == 0 {
		p.line("var writes []call.Action")
	} else {
		p.line("writes := []call.Action{")
		for _, s := range steps[:first] {
			p.line("%s,", s.call())
		}
		p.line("}")
	}
	for rest := steps[first:]; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].write.Repeats == rest[0].write.Repeats {
			n++
		}
		m.printLoop(p, rest[:n], inLoops)
		rest = rest[n:]
	}
	p.line("%s", returns)
	p.line("}")
	p.blank()
}

// printAgreements prints what makes sure that values of different items are the same, and
// returns the expression of the error if they are not.
func (m *method) printAgreements(p *printer) []string {
	lines := &printer{}
	for _, agree := range m.call.Agreements {
		mine := agree.Mine
		mine.First = false
		if mine.Input.Repeated {
			lines.line("for _, %s := range %s {", m.loops[mine.Input], m.places[mine.Input])
		}
		items, typ, one, from := m.compared(agree.Theirs)
		same := compareTwo(from, assigned(one, false), "==", mine.Of(), assigned(m.at(mine), false))
		lines.line("agree(&err, %s, %q, %q, func(one %s) bool { return %s })", items, agree.Entity.Name, agree.Attribute.Name, typ, same)
		if mine.Input.Repeated {
			lines.line("}")
		}
	}
	if lines.empty() {
		return nil
	}
	p.line("var err error")
	p.body.WriteString(lines.body.String())
	return []string{"err"}
}

// compared are the items that must agree: their expression, their type, the value of one
// of them, and what it is a value of.
func (m *method) compared(ref program.Ref) (items, typ string, value place, of *model.Attribute) {
	input, of := ref.Input, ref.Of()
	items, typ = m.places[input], strings.TrimPrefix(m.inputType(input), "[]")
	switch {
	case ref.Member != nil:
		value = place{x: "one." + m.places[ref.Member], pointer: isPointer(ref.Member.Type)}
	case ref.Attribute != nil:
		value = place{x: "one." + m.fields[ref.Attribute], pointer: input.Kind == program.Whole && isPointer(ref.Attribute.Type)}
	default:
		value = place{x: "one", pointer: isPointer(input.Type)}
	}
	if !input.Repeated {
		items = "[]" + typ + "{" + items + "}"
	}
	return items, typ, value, of
}

// printLoop prints the actions for each item of a repeated input, or one action.
func (m *method) printLoop(p *printer, steps []step, inLoops map[*program.Write]string) {
	repeats := steps[0].write.Repeats
	if repeats != nil {
		p.line("for _, %s := range %s {", m.loops[repeats], m.places[repeats])
	}
	for _, s := range steps {
		p.body.WriteString(inLoops[s.write])
	}
	for len(steps) > 0 {
		n := 1
		for n < len(steps) && slices.Equal(steps[n].only, steps[0].only) {
			n++
		}
		printAppend(p, steps[:n])
		steps = steps[n:]
	}
	if repeats != nil {
		p.line("}")
	}
}

// printAppend prints actions that are there on the same condition.
func printAppend(p *printer, steps []step) {
	only := steps[0].only
	if len(only) > 0 {
		p.line("if %s {", allOf(only))
	}
	if len(steps) == 1 {
		p.line("writes = append(writes, %s)", steps[0].call())
	} else {
		p.line("writes = append(writes,")
		for _, s := range steps {
			p.line("%s,", s.call())
		}
		p.line(")")
	}
	if len(only) > 0 {
		p.line("}")
	}
}

// allOf is the condition that all of several hold.
func allOf(conditions []string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	all := slices.Clone(conditions)
	for i, c := range all {
		if strings.Contains(c, " || ") {
			all[i] = "(" + c + ")"
		}
	}
	return strings.Join(all, " && ")
}

// movesGuard reports whether the call frees a unique value and takes one by the same rule.
func (m *method) movesGuard() bool {
	return slices.ContainsFunc(m.call.Writes, func(w *program.Write) bool {
		return w.Guard != nil && w.Operation == resolve.DeleteItem && slices.ContainsFunc(m.call.Writes, func(other *program.Write) bool {
			return other.Guard == w.Guard && other.Operation == resolve.PutItem
		})
	})
}
