package writes

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// x is the variable of an expression that depends on values.
var x syntax.Expr = syntax.Name("x")

// expressions sets the update and the condition of a write: as constants if every clause is
// always there, else with an Expression.
func (a *action) expressions() error {
	s := a.w.Statement
	clauses := slices.Concat(s.Update, s.Condition)
	if len(clauses) == 0 {
		return nil
	}
	given := givenNames(s.Names)
	if len(given) == 0 && !slices.ContainsFunc(clauses, isConditional) {
		a.names = s.Names
		return a.constantExpressions()
	}
	a.names = slices.DeleteFunc(namesOf(clauses), func(n resolve.Name) bool { return n.Param != "" })
	a.before = append(a.before, syntax.Let("x", library.Call("NewExpression", a.nameVar)))
	for _, n := range given {
		at, err := a.scope.Operand(a.w, model.Operand{Param: n.Param}, n.Of)
		if err != nil {
			return err
		}
		a.before = append(a.before, on(x, "Name", syntax.Str(n.Placeholder), syntax.Method(values.Encode, "EntryKey", syntax.Str(n.Param), at.Value())))
	}
	var fixed, open []resolve.Clause
	for _, c := range clauses {
		if isConditional(c) {
			open = append(open, c)
		} else {
			fixed = append(fixed, c)
		}
	}
	always, err := a.clauses(fixed)
	if err != nil {
		return err
	}
	a.before = append(a.before, always...)
	for len(open) > 0 {
		n, body, err := a.openClauses(open)
		if err != nil {
			return err
		}
		if !mergeElse(a.before, body) {
			a.before = append(a.before, body...)
		}
		open = open[n:]
	}
	if len(s.Update) > 0 {
		a.set("Update", syntax.Method(x, "Update"))
	}
	if len(s.Condition) > 0 {
		a.set("Condition", syntax.Method(x, "Condition"))
	}
	a.set("Names", syntax.Method(x, "Names"))
	a.set("Values", syntax.Method(x, "Values"))
	return nil
}

// givenNames returns the names that the caller gives: keys of entries of maps.
func givenNames(names []resolve.Name) []resolve.Name {
	return slices.DeleteFunc(slices.Clone(names), func(n resolve.Name) bool { return n.Param == "" })
}

// mergeElse adds statements that run if a condition does not hold to the statement before
// them that runs if it holds. It reports whether it did.
func mergeElse(before, body []syntax.Stmt) bool {
	if len(before) == 0 || len(body) != 1 {
		return false
	}
	first, ok := before[len(before)-1].(*syntax.If)
	second, ok2 := body[0].(*syntax.If)
	if !ok || !ok2 || first.Init != nil || !syntax.Equal(syntax.Not(first.Cond), second.Cond) {
		return false
	}
	first.Else = append(first.Else, second.Then...)
	first.Then = append(first.Then, second.Else...)
	return true
}

// isConditional reports whether the values of the caller decide about a clause. DynamoDB has
// no empty sets: an attribute set to one is removed.
func isConditional(c resolve.Clause) bool {
	return len(c.Only) > 0 || setsSet(c) || slices.ContainsFunc(c.Values, func(v resolve.Value) bool { return v.List })
}

func setsSet(c resolve.Clause) bool {
	return c.Word == "SET" && len(c.Values) == 1 && c.Values[0].Attribute != nil && c.Values[0].Attribute.Type.Base == model.SetOf
}

// constantExpressions sets expressions that do not depend on values.
func (a *action) constantExpressions() error {
	s := a.w.Statement
	if text := joinUpdate(s.Update); text != "" {
		a.set("Update", syntax.Str(text))
	}
	if text := joinTexts(s.Condition, " AND "); text != "" {
		a.set("Condition", syntax.Str(text))
	}
	a.set("Names", a.nameVar)
	if len(s.Values) == 0 {
		return nil
	}
	item := &syntax.Composite{Type: library.Access("Item"), Layout: syntax.Fit}
	for _, c := range uniqueValues(slices.Concat(s.Update, s.Condition)) {
		value, err := a.clauseValue(c)
		if err != nil {
			return err
		}
		item.Elems = append(item.Elems, syntax.Elem{Key: syntax.Str(c.value.Placeholder), Value: value})
	}
	a.set("Values", item)
	return nil
}

// A namedValue is a value and the attribute its clause begins with.
type namedValue struct {
	value resolve.Value
	name  string
	set   bool // the clause sets the attribute to it
}

// uniqueValues returns the values of clauses, each placeholder once.
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

// on calls a method for its effect.
func on(x syntax.Expr, method string, args ...syntax.Expr) syntax.Stmt {
	return &syntax.Do{X: syntax.Method(x, method, args...)}
}

// namesOf returns the names that clauses and their alternatives use, each once.
func namesOf(clauses []resolve.Clause) []resolve.Name {
	var all []resolve.Name
	for _, c := range clauses {
		names := c.Names
		if c.Else != nil {
			names = slices.Concat(names, c.Else.Names)
		}
		for _, n := range names {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all
}

// words adds clauses to an expression, those of one word together.
func words(clauses []resolve.Clause) []syntax.Stmt {
	var all []syntax.Stmt
	for _, word := range []string{"SET", "ADD", "DELETE", "REMOVE", ""} {
		if same := ofWord(clauses, word); len(same) > 0 {
			all = append(all, on(x, expressionMethods[word], syntax.Str(joinTexts(same, separators[word]))))
		}
	}
	return all
}

func ofWord(clauses []resolve.Clause, word string) []resolve.Clause {
	return slices.DeleteFunc(slices.Clone(clauses), func(c resolve.Clause) bool { return c.Word != word })
}

var (
	expressionMethods = map[string]string{"SET": "Set", "ADD": "Add", "DELETE": "Delete", "REMOVE": "Remove", "": "And"}
	separators        = map[string]string{"SET": ", ", "ADD": ", ", "DELETE": ", ", "REMOVE": ", ", "": " AND "}
)

// values adds the values of clauses to an expression.
func (a *action) values(clauses []resolve.Clause) ([]syntax.Stmt, error) {
	var all []syntax.Stmt
	for _, c := range uniqueValues(clauses) {
		value, err := a.clauseValue(c)
		if err != nil {
			return nil, err
		}
		all = append(all, on(x, "Value", syntax.Str(c.value.Placeholder), value))
	}
	return all, nil
}

// openClauses adds the first of some clauses that values decide about, together with those
// after it that depend on the same condition, and returns how many these are.
func (a *action) openClauses(clauses []resolve.Clause) (n int, body []syntax.Stmt, err error) {
	first := clauses[0]
	switch {
	case setsSet(first) && len(first.Only) == 0:
		body, err = a.setClause(first)
		return 1, body, err
	case len(first.Only) == 0:
		body, err = a.listClause(first)
		return 1, body, err
	}
	condition, err := a.clauseHolds(&first)
	if err != nil {
		return 0, nil, err
	}
	for n = 1; n < len(clauses) && len(clauses[n].Only) > 0; n++ {
		other, err := a.clauseHolds(&clauses[n])
		if err != nil {
			return 0, nil, err
		}
		if !syntax.Equal(other, condition) {
			break
		}
	}
	if condition == nil {
		body, err = a.clauses(clauses[:n])
		return n, body, err
	}
	var others []resolve.Clause
	for _, c := range clauses[:n] {
		if c.Else != nil {
			others = append(others, *c.Else)
		}
	}
	if one := a.setOrRemove(clauses[:n], others, condition); one != nil {
		return n, []syntax.Stmt{one}, nil
	}
	branch := &syntax.If{Cond: condition}
	forget := a.scope.Assume(condition)
	branch.Then, err = a.clauses(clauses[:n])
	forget()
	if err != nil {
		return 0, nil, err
	}
	branch.Else, err = a.clauses(others)
	return n, []syntax.Stmt{branch}, err
}

// setOrRemove adds clauses that set one attribute to a value that may be nil, and remove it if
// it is. It returns nil for others.
func (a *action) setOrRemove(set, remove []resolve.Clause, condition syntax.Expr) syntax.Stmt {
	if len(set) != 1 || len(remove) != 1 || set[0].Word != "SET" || remove[0].Word != "REMOVE" || len(set[0].Values) != 1 || len(set[0].Names) != 1 {
		return nil
	}
	v, name := set[0].Values[0], set[0].Names[0]
	if v.Operand == nil || v.Operand.Param == "" || len(v.Sum) > 0 || v.Up || v.List || a.becomesKey(namedValue{v, name.Attribute, true}) {
		return nil
	}
	if owner := a.m.Package.Owner(v.Attribute); owner != nil && values.IsSealed(owner, v.Attribute) {
		return nil
	}
	at, err := a.scope.Operand(a.w, *v.Operand, v.Attribute)
	same := set[0].Text == name.Placeholder+" = "+v.Placeholder && remove[0].Text == name.Placeholder
	if err != nil || !same || !at.Pointer || at.As != nil || !syntax.Equal(condition, syntax.IsSet(at.X)) {
		return nil
	}
	return call("SetOrRemove", syntax.Addr(x), syntax.Str(set[0].Text), at.X, a.m.Package.Items.Values.StoredFunc(v.Attribute))
}

// clauseHolds returns the Go condition that a clause is there, nil if it always is.
func (a *action) clauseHolds(c *resolve.Clause) (syntax.Expr, error) {
	holds, err := when(a.scope, a.w, c, c.Only)
	switch {
	case !c.Unless || err != nil:
		return holds, err
	case holds == nil:
		return syntax.Name("false"), nil
	}
	return syntax.Not(holds), nil
}

// clauses adds clauses and their values to an expression.
func (a *action) clauses(clauses []resolve.Clause) ([]syntax.Stmt, error) {
	values, err := a.values(clauses)
	return append(words(clauses), values...), err
}

// setClause adds the assignment of a set, which is a removal if the set is empty.
func (a *action) setClause(c resolve.Clause) ([]syntax.Stmt, error) {
	v := c.Values[0]
	at, err := a.scope.Operand(a.w, *v.Operand, v.Attribute)
	if err != nil {
		return nil, err
	}
	set, err := a.clauses([]resolve.Clause{c})
	remove := []syntax.Stmt{on(x, "Remove", syntax.Str(c.Names[0].Placeholder))}
	return []syntax.Stmt{&syntax.If{Cond: syntax.Compare(syntax.Builtin("len", at.X), ">", syntax.Int(0)), Then: set, Else: remove}}, err
}

// listClause adds a condition that an attribute has one of the values of a list.
func (a *action) listClause(c resolve.Clause) ([]syntax.Stmt, error) {
	i := slices.IndexFunc(c.Values, func(v resolve.Value) bool { return v.List })
	v, name := c.Values[i], c.Names[0]
	at, err := a.scope.Operand(a.w, *v.Operand, v.Attribute)
	if err != nil {
		return nil, err
	}
	condition := library.Call("AndOneOf", syntax.Addr(x), syntax.Str(name.Placeholder), syntax.Str(strings.TrimSuffix(v.Placeholder, "…")),
		at.X, a.m.Package.Items.Values.PlainFunc(v.Attribute))
	body := []syntax.Stmt{&syntax.Do{X: condition}}
	if c.Or != "" {
		body = append(body, on(x, "Or", syntax.Str(c.Or)))
	}
	return body, nil
}

// joinUpdate returns an update expression.
func joinUpdate(clauses []resolve.Clause) string {
	var all []string
	for _, word := range []string{"SET", "ADD", "DELETE", "REMOVE"} {
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
