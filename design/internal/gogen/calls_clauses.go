package gogen

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// printExpressions prints the update and condition of a write: as constants if every
// clause is always there, else with an call.Expression. It returns the names that are
// always used.
func (m *method) printExpressions(before, fields *printer, w *program.Write, namesVar string) ([]resolve.Name, error) {
	s := w.Statement
	clauses := slices.Concat(s.Update, s.Condition)
	if len(clauses) == 0 {
		return nil, nil
	}
	if !slices.ContainsFunc(clauses, isConditional) {
		return s.Names, m.printStatic(fields, w, namesVar)
	}
	before.line("var x call.Expression")
	var fixed, open []resolve.Clause
	for _, c := range clauses {
		if isConditional(c) {
			open = append(open, c)
		} else {
			fixed = append(fixed, c)
		}
	}
	names, err := m.printFixed(before, w, fixed, namesVar)
	if err != nil {
		return nil, err
	}
	m.known = names
	for len(open) > 0 {
		n, err := m.printOpen(before, w, open)
		if err != nil {
			return nil, err
		}
		open = open[n:]
	}
	if len(s.Update) > 0 {
		fields.line("Update: x.Update(),")
	}
	if len(s.Condition) > 0 {
		fields.line("Condition: x.Condition(),")
	}
	fields.line("Names: x.Names(),")
	fields.line("Values: x.Values(),")
	return names, nil
}

// isConditional reports whether the values of the caller decide about a clause. DynamoDB
// has no empty sets: an attribute set to one is removed.
func isConditional(c resolve.Clause) bool {
	return len(c.Only) > 0 || setsSet(c) || slices.ContainsFunc(c.Values, func(v resolve.Value) bool { return v.List })
}

func setsSet(c resolve.Clause) bool {
	return c.Word == "SET" && len(c.Values) == 1 && c.Values[0].Attribute != nil && c.Values[0].Attribute.Type.Base == model.SetOf
}

func (m *method) printStatic(p *printer, w *program.Write, namesVar string) error {
	s := w.Statement
	if text := joinUpdate(s.Update); text != "" {
		p.line("Update: %q,", text)
	}
	if text := joinTexts(s.Condition, " AND "); text != "" {
		p.line("Condition: %q,", text)
	}
	p.line("Names: %s,", namesVar)
	if len(s.Values) == 0 {
		return nil
	}
	p.line("Values: access.Item{")
	for _, c := range uniqueValues(slices.Concat(s.Update, s.Condition)) {
		x, err := m.clauseValue(w, c)
		if err != nil {
			return err
		}
		p.line("%q: %s,", c.value.Placeholder, x)
	}
	p.line("},")
	return nil
}

// A named value is a value and the attribute its clause begins with.
type namedValue struct {
	value resolve.Value
	name  string
	set   bool // the clause sets the attribute to it
}

// uniqueValues are the values of clauses, each placeholder once.
func uniqueValues(clauses []resolve.Clause) []namedValue {
	var all []namedValue
	for _, c := range clauses {
		for _, v := range c.Values {
			known := slices.ContainsFunc(all, func(have namedValue) bool { return have.value.Placeholder == v.Placeholder })
			if v.List || known {
				continue
			}
			n := namedValue{value: v, set: c.Word == "SET"}
			if len(c.Names) > 0 {
				n.name = c.Names[0].Attribute
			}
			all = append(all, n)
		}
	}
	return all
}

// printFixed prints the clauses that are always there.
func (m *method) printFixed(p *printer, w *program.Write, clauses []resolve.Clause, namesVar string) ([]resolve.Name, error) {
	names := namesOf(clauses)
	printWords(p, clauses)
	if len(names) > 0 {
		p.line("for placeholder, name := range %s {", namesVar)
		p.line("x.Name(placeholder, name)")
		p.line("}")
	}
	return names, m.printValues(p, w, clauses)
}

// namesOf are the names clauses use, each once.
func namesOf(clauses []resolve.Clause) []resolve.Name {
	var all []resolve.Name
	for _, c := range clauses {
		for _, n := range c.Names {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all
}

// printWords adds clauses to an expression, those of one word together.
func printWords(p *printer, clauses []resolve.Clause) {
	for _, word := range []string{"SET", "ADD", "REMOVE", ""} {
		if same := ofWord(clauses, word); len(same) > 0 {
			p.line("x.%s(%q)", expressionMethods[word], joinTexts(same, separators[word]))
		}
	}
}

func ofWord(clauses []resolve.Clause, word string) []resolve.Clause {
	return slices.DeleteFunc(slices.Clone(clauses), func(c resolve.Clause) bool { return c.Word != word })
}

var (
	expressionMethods = map[string]string{"SET": "Set", "ADD": "Add", "REMOVE": "Remove", "": "And"}
	separators        = map[string]string{"SET": ", ", "ADD": ", ", "REMOVE": ", ", "": " AND "}
)

func (m *method) printValues(p *printer, w *program.Write, clauses []resolve.Clause) error {
	for _, c := range uniqueValues(clauses) {
		x, err := m.clauseValue(w, c)
		if err != nil {
			return err
		}
		p.line("x.Value(%q, %s)", c.value.Placeholder, x)
	}
	return nil
}

// printOpen prints the first of some clauses that values decide about, together with
// those after it that depend on the same, and returns how many these are.
func (m *method) printOpen(p *printer, w *program.Write, clauses []resolve.Clause) (int, error) {
	first := clauses[0]
	switch {
	case setsSet(first) && len(first.Only) == 0:
		return 1, m.printSet(p, w, first)
	case len(first.Only) == 0:
		return 1, m.printList(p, w, first)
	}
	condition, err := m.clauseHolds(w, &first)
	if err != nil {
		return 0, err
	}
	n := 1
	for ; n < len(clauses) && len(clauses[n].Only) > 0; n++ {
		other, err := m.clauseHolds(w, &clauses[n])
		if err != nil {
			return 0, err
		}
		if other != condition {
			break
		}
	}
	var others []resolve.Clause
	for _, c := range clauses[:n] {
		if c.Else != nil {
			others = append(others, *c.Else)
		}
	}
	if condition == "" {
		return n, m.printClauses(p, w, clauses[:n])
	}
	p.line("if %s {", condition)
	known := m.holding
	if !strings.HasPrefix(condition, "!") {
		m.holding += " && " + condition
	}
	err = m.printClauses(p, w, clauses[:n])
	m.holding = known
	if err != nil {
		return 0, err
	}
	if len(others) > 0 {
		p.line("} else {")
		if err := m.printClauses(p, w, others); err != nil {
			return 0, err
		}
	}
	p.line("}")
	return n, nil
}

// clauseHolds is the Go condition that a clause is there; "" if it always is.
func (m *method) clauseHolds(w *program.Write, c *resolve.Clause) (string, error) {
	text, err := m.when(w, c, c.Only)
	if !c.Unless {
		return text, err
	}
	if text == "" {
		return "false", err
	}
	return not(text), err
}

func (m *method) printClauses(p *printer, w *program.Write, clauses []resolve.Clause) error {
	printWords(p, clauses)
	for _, n := range namesOf(clauses) {
		m.printName(p, n)
	}
	return m.printValues(p, w, clauses)
}

// printName prints a name, unless it is always there.
func (m *method) printName(p *printer, n resolve.Name) {
	if !slices.Contains(m.known, n) {
		p.line("x.Name(%q, %q)", n.Placeholder, n.Attribute)
	}
}

// printSet prints the assignment of a set, which is a removal if the set is empty.
func (m *method) printSet(p *printer, w *program.Write, c resolve.Clause) error {
	v := c.Values[0]
	at, err := m.operand(w, *v.Operand, v.Attribute)
	if err != nil {
		return err
	}
	p.line("if len(%s) > 0 {", at.x)
	if err := m.printClauses(p, w, []resolve.Clause{c}); err != nil {
		return err
	}
	p.line("} else {")
	p.line("x.Remove(%q)", c.Names[0].Placeholder)
	m.printName(p, c.Names[0])
	p.line("}")
	return nil
}

// printList prints a condition that an attribute is one of the values of a list. Of an
// empty one it never is.
func (m *method) printList(p *printer, w *program.Write, c resolve.Clause) error {
	i := slices.IndexFunc(c.Values, func(v resolve.Value) bool { return v.List })
	v, name := c.Values[i], c.Names[0]
	at, err := m.operand(w, *v.Operand, v.Attribute)
	if err != nil {
		return err
	}
	m.printName(p, name)
	p.line("oneOfThese(&x, %q, %q, %s, func(v %s) types.AttributeValue { return %s })", name.Placeholder, strings.TrimSuffix(v.Placeholder, "…"),
		at.x, m.typeOf(v.Attribute, v.Attribute.Type), plainValue(m, v.Attribute, "v"))
	return nil
}

// joinUpdate is an update expression.
func joinUpdate(clauses []resolve.Clause) string {
	var all []string
	for _, word := range []string{"SET", "ADD", "REMOVE"} {
		if same := ofWord(clauses, word); len(same) > 0 {
			all = append(all, word+" "+joinTexts(same, separators[word]))
		}
	}
	return strings.Join(all, " ")
}

func joinTexts(clauses []resolve.Clause, separator string) string {
	texts := make([]string, len(clauses))
	for i, c := range clauses {
		texts[i] = c.Text
	}
	return strings.Join(texts, separator)
}
