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
		p.section(m.name)
		m.printParams(p)
		p.doc(m.docs()...)
		m.printWriteMethod(p)
		if err := m.printBuilder(p); err != nil {
			return err
		}
	}
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
	p.line("return %s, nil", name)
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
		return fmt.Sprintf("access.Transact(ctx, db.c, %s, %s, options...)", m.pattern, list)
	}
	switch m.call.Writes[0].Operation {
	case resolve.UpdateItem:
		return fmt.Sprintf("access.UpdateItem(ctx, db.c, %s, &%s, %s)", m.pattern, list, m.decoder(m.call.Pattern.Entity, "db.c"))
	case resolve.DeleteItem:
		return fmt.Sprintf("access.DeleteItem(ctx, db.c, %s, &%s)", m.pattern, list)
	}
	return fmt.Sprintf("access.PutItem(ctx, db.c, %s, &%s)", m.pattern, list)
}

// printBuilder prints the method that makes the writes, for a call of its own and for a
// transaction of several.
func (m *method) printBuilder(p *printer) error {
	if m.call.Transaction() {
		return m.printTransaction(p)
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
	if len(a.names) > 0 {
		printNameMap(p, m.nameMap, a.names)
	}
	result := "access.Write"
	returned := a.write
	if w.Given != nil {
		result = "(" + m.entities[w.Given.Entity] + ", access.Write)"
		returned = m.places[w.Given] + ", " + a.write
	}
	p.doc(fmt.Sprintf("%s is the write of %s.", m.builder, m.name))
	p.line("func (db *DB) %s(%s) %s {", m.builder, signature(m.args), result)
	p.body.WriteString(fixes.body.String())
	p.body.WriteString(a.before)
	p.line("return %s", returned)
	p.line("}")
	p.blank()
	return nil
}

// A step is one action of a transaction: a method of its own, and when it is called.
type step struct {
	write *program.Write
	call  string
	only  []string
}

// printTransaction prints the method that puts the actions together, and one for each
// of them.
func (m *method) printTransaction(p *printer) error {
	fixes := &printer{} // of items that are given once
	for _, w := range m.call.Writes {
		if w.Given != nil && w.Repeats == nil {
			if err := m.fixes(fixes, w); err != nil {
				return err
			}
		}
	}
	inLoops := map[*program.Write]string{}
	for _, w := range m.call.Writes {
		if w.Given != nil && w.Repeats != nil {
			loop := &printer{}
			if err := m.fixes(loop, w); err != nil {
				return err
			}
			inLoops[w] = loop.body.String()
		}
	}
	actions := &printer{}
	var steps []step
	for _, w := range m.call.Writes {
		s, err := m.printAction(actions, w)
		if err != nil {
			return err
		}
		steps = append(steps, s)
	}
	m.printSteps(p, fixes.body.String(), inLoops, steps)
	p.body.WriteString(actions.body.String())
	return nil
}

// printAction prints the method of one action.
func (m *method) printAction(p *printer, w *program.Write) (step, error) {
	first, _, _ := strings.Cut(w.Name, ",") // of several counters the first
	spelled := exported(strings.NewReplacer(".", " ", "+", " ").Replace(first))
	if w.Guard != nil && w.Operation == resolve.DeleteItem {
		spelled = "Free" + strings.TrimPrefix(spelled, "Guard")
	}
	name := m.names.methods.take(m.builder+spelled, "")
	namesVar := m.pkg.take("names"+exported(name), "Map")
	m.firsts = nil
	only, err := m.skipped(w)
	if err != nil {
		return step{}, err
	}
	a, err := m.action(w, namesVar)
	if err != nil {
		return step{}, err
	}
	if len(a.names) > 0 {
		printNameMap(p, namesVar, a.names)
	}
	all := slices.Clone(m.args)
	if w.Repeats != nil {
		all = append(all, argument{m.loops[w.Repeats], strings.TrimPrefix(m.inputType(w.Repeats), "[]")})
	}
	for _, input := range m.call.Inputs {
		if seen := m.seen[input]; seen != "" {
			all = append(all, argument{seen, "int64"})
		}
	}
	args := usedArguments(all, a.before, a.write)
	p.line("func (db *DB) %s(%s) access.Write {", name, signature(args))
	p.body.WriteString(a.before)
	p.line("return %s", a.write)
	p.line("}")
	p.blank()
	return step{write: w, call: fmt.Sprintf("db.%s(%s)", name, argumentNames(args)), only: only}, nil
}

// printSteps prints the method that puts the actions together, in the order of the
// design.
func (m *method) printSteps(p *printer, fixes string, inLoops map[*program.Write]string, steps []step) {
	given := m.given()
	result, returns := "[]access.Write", "return writes"
	if given != nil {
		result = "(" + m.entities[given.Entity] + ", []access.Write)"
		returns = "return " + m.places[given] + ", writes"
	}
	p.doc(fmt.Sprintf("%s are the writes of %s.", m.builder, m.name))
	p.line("func (db *DB) %s(%s) %s {", m.builder, signature(m.args), result)
	p.body.WriteString(fixes)
	first := 0 // those at the beginning that are always there
	for first < len(steps) && steps[first].write.Repeats == nil && len(steps[first].only) == 0 {
		first++
	}
	settles := m.movesGuard()
	if settles {
		returns = strings.TrimSuffix(returns, "writes") + "settled(writes)"
	}
	if first == len(steps) && !settles {
		returns = strings.TrimSuffix(returns, "writes") + "[]access.Write{"
		p.line("%s", returns)
		for _, s := range steps {
			p.line("%s,", s.call)
		}
		p.line("}")
		p.line("}")
		p.blank()
		return
	}
	if first == 0 {
		p.line("var writes []access.Write")
	} else {
		p.line("writes := []access.Write{")
		for _, s := range steps[:first] {
			p.line("%s,", s.call)
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
		p.line("writes = append(writes, %s)", steps[0].call)
	} else {
		p.line("writes = append(writes,")
		for _, s := range steps {
			p.line("%s,", s.call)
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
