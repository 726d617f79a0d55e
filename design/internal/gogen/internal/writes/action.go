package writes

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// An action is one write in Go: statements, and the Write they lead to.
type action struct {
	m     *patterns.Method
	w     *program.WriteStep
	scope *patterns.Scope

	names   []resolve.Name // of the variable with the names that are always used
	nameVar syntax.Expr    // that variable
	before  []syntax.Stmt
	write   *syntax.Composite
	errs    []syntax.Expr
}

var actionNames = map[resolve.Operation]string{
	resolve.PutItem: "Put", resolve.UpdateItem: "Update", resolve.DeleteItem: "Delete", resolve.ConditionCheck: "Check",
}

// newAction builds the action of a write, given the variable for the names of its expressions
// and the conditions that are known to hold.
func newAction(m *patterns.Method, w *program.WriteStep, nameVar syntax.Expr, known []syntax.Expr) (*action, error) {
	a := &action{m: m, w: w, scope: patterns.NewScope(m), nameVar: nameVar, write: &syntax.Composite{Type: writeType(), Layout: syntax.Fill}}
	if cond := syntax.And(known...); cond != nil {
		a.scope.Assume(cond)
	}
	a.set("Kind", library.Access(actionNames[w.Operation]))
	a.set("Name", syntax.Str(w.Name))
	a.set("Table", syntax.Str(w.Item.Table.Name))
	if err := a.setItem(); err != nil {
		return nil, err
	}
	a.set("KeyNames", syntax.Name(m.Package.KeyLists[w.Item.Table]))
	if err := a.transitions(); err != nil {
		return nil, err
	}
	if err := a.maximums(); err != nil {
		return nil, err
	}
	if err := a.patches(); err != nil {
		return nil, err
	}
	if onlyKey(w.Statement) {
		a.nameVar = syntax.Name(m.Package.KeyMaps[w.Item.Table])
	}
	if err := a.expressions(); err != nil {
		return nil, err
	}
	if onlyKey(w.Statement) {
		a.names = nil
	}
	if err := a.expectations(); err != nil {
		return nil, err
	}
	if err := a.changed(); err != nil {
		return nil, err
	}
	a.declare()
	return a, nil
}

// set sets a field of the write.
func (a *action) set(field string, value syntax.Expr) {
	a.write.Elems = append(a.write.Elems, syntax.Elem{Field: field, Value: value})
}

// body returns the statements of a function that returns the write.
func (a *action) body() []syntax.Stmt {
	return append(slices.Clone(a.before), syntax.Returns(a.write))
}

// setItem sets the item of a put, or the key of other writes.
func (a *action) setItem() error {
	w := a.w
	switch {
	case w.Operation == resolve.PutItem && w.Given != nil:
		a.before = append(a.before, syntax.Lets(syntax.Method(a.m.Item(w.Given), "item", patterns.Client), "item", "err"))
		a.set("Item", syntax.Name("item"))
		a.errs = append(a.errs, syntax.Name("err"))
		return nil
	case w.Operation == resolve.PutItem:
		return a.setGuardRow()
	}
	if key := KeyInput(a.m, w); key != nil {
		a.set("Key", syntax.Method(a.m.Place(key), "primary", syntax.Addr(items.K)))
		return nil
	}
	key := &syntax.Composite{Type: library.Access("Item"), Layout: syntax.Fit}
	for _, c := range w.Key {
		x, err := a.scope.KeyOf(w, a.m.KeyedBy(w), c.Name, c.Kind, c.Low)
		if err != nil {
			return err
		}
		key.Elems = append(key.Elems, syntax.Elem{Key: syntax.Str(c.Name), Value: x})
	}
	a.set("Key", key)
	return nil
}

// setGuardRow sets the row of a guard, which has nothing but keys: its own and those of the item that it belongs to.
func (a *action) setGuardRow() error {
	row := &syntax.Composite{Type: library.Access("Item"), Layout: syntax.Fit}
	for _, f := range a.w.Statement.Item {
		if f.Value.Operand != nil {
			return fmt.Errorf("%s: %s has attributes that no input gives", a.m.Call.Pattern.Name, a.w.Name)
		}
		x, err := a.stored(f.Value, f.Name)
		if f.Owner != nil {
			owner := a.w.Origin.Item
			x, err = a.scope.KeyOf(a.w, patterns.Keyed{Item: owner, Entity: owner.Entity}, f.Owner.Name, f.Value.Kind, f.Value.Text)
		}
		if err != nil {
			return err
		}
		row.Elems = append(row.Elems, syntax.Elem{Key: syntax.Str(f.Name), Value: x})
	}
	a.set("Item", row)
	return nil
}

// KeyInput returns the key the caller gives, if it is the key of this write.
func KeyInput(m *patterns.Method, w *program.WriteStep) *program.Input {
	if len(m.Call.Inputs) == 0 || m.Call.Inputs[0].Kind != program.Key {
		return nil
	}
	key := m.Call.Inputs[0]
	if w.Item != m.Package.Items.Layout.Home(key.Entity) || w.Shards > 1 || w.Origin != nil || w.Requirement != nil {
		return nil
	}
	return key
}

// onlyKey reports whether the expressions of a statement name nothing but the partition key:
// all creates share these names.
func onlyKey(s *resolve.Statement) bool {
	return len(s.Names) == 1 && s.Names[0] == resolve.Name{Placeholder: "#" + s.Table.PK.Name, Attribute: s.Table.PK.Name}
}

// declare declares the variables that the action uses, and collects the errors.
func (a *action) declare() {
	uses := a.body()
	var first []syntax.Stmt
	if syntax.Uses(uses, "k") {
		first = append(first, patterns.KeyVar())
		a.errs = append(a.errs, syntax.Method(items.K, "Err"))
	}
	if syntax.Uses(uses, "encode") {
		first = append(first, patterns.EncodeVar(a.m.KeyedBy(a.w).Entity))
		a.errs = append(a.errs, syntax.Method(values.Encode, "Err"))
	}
	if len(a.scope.Firsts) > 0 {
		first = append(first, &syntax.Var{Name: "err", Type: syntax.Name("error")})
		a.errs = append(a.errs, syntax.Name("err"))
		for _, f := range a.scope.Firsts {
			first = append(first, commonOf(a.m, f).declare(f.Name)...)
		}
	}
	a.before = append(first, a.before...)
	if err := patterns.ErrorsOf(a.errs); err != nil {
		a.set("Err", err)
	}
}

// expectations sets the fields that explain a failed condition.
func (a *action) expectations() error {
	w := a.w
	switch w.Expects() {
	case resolve.Present:
		a.set("Expects", library.Access("Present"))
	case resolve.Absent:
		a.set("Expects", library.Access("Absent"))
	}
	if w.Locked() {
		seen, err := a.lockedBy()
		if err != nil {
			return err
		}
		a.set("Version", syntax.Str(w.Item.Entity.Version.Stored))
		a.set("Seen", seen)
	}
	if w.Requirement != nil {
		a.set("Required", syntax.Name("true"))
	}
	if words := inWords(w); words != "" {
		a.set("Needs", syntax.Str(words))
	}
	if w.Guard != nil {
		if w.Operation == resolve.PutItem {
			taken := syntax.Make(library.Access("TakenError"), syntax.Elem{Field: "Entity", Value: syntax.Str(w.Guard.Entity.Name)},
				syntax.Elem{Field: "Attributes", Value: syntax.Strings(naming.Attributes(w.Guard.Attributes)...)})
			a.set("Taken", syntax.Addr(taken))
		}
		return nil
	}
	if len(w.Statement.Condition) > 0 && w.Shards <= 1 {
		a.set("Fault", a.fault())
	}
	return nil
}

// inWords returns what a write asks of its item in the words of the design: the conditions of
// if, those of where that the key does not need, the bounds of counters, and the values that
// the caller says the item has.
func inWords(w *program.WriteStep) string {
	all := make([]string, len(w.Checks))
	for i, c := range w.Checks {
		all[i] = c.String()
		if limit, ok := w.Bound(c); ok {
			all[i] = fmt.Sprintf("%s %s %s afterwards", c.Attribute.Name, c.Op, resolve.Digits(limit))
		}
	}
	for _, entry := range w.Step.Entries {
		if entry.Bounded() {
			all = append(all, fmt.Sprintf("at most %d %s afterwards", entry.Map.Max, entry.Map.Name))
		}
	}
	for _, edit := range w.Step.Edits {
		if edit.Bounded() {
			all = append(all, fmt.Sprintf("at most %d %s afterwards", edit.Attribute.Max, edit.Attribute.Name))
		}
	}
	return strings.Join(all, " and ")
}

// fault returns the function that makes errors of failed conditions.
func (a *action) fault() syntax.Expr {
	e := a.w.Item.Entity
	if values.HasSealed(e) {
		return library.Call("FaultOf", a.m.Package.Items.Decoder(e, patterns.Client))
	}
	return syntax.Name(a.m.Package.Faults[e])
}

// lockedBy returns the version the caller saw.
func (a *action) lockedBy() (syntax.Expr, error) {
	version := a.w.Item.Entity.Version
	for _, c := range a.w.Statement.Condition {
		for _, v := range c.Values {
			if v.Attribute == version && v.Operand != nil && v.Operand.Param != "" {
				at, err := a.scope.Operand(a.w, *v.Operand, version)
				return at.Value(), err
			}
		}
	}
	return nil, fmt.Errorf("%s: %s compares no version", a.m.Call.Pattern.Name, a.w.Name)
}

// maximums refuses collections of the caller that have more elements than their attribute may
// have.
func (a *action) maximums() error {
	for _, v := range uniqueValues(a.w.Statement.Update) {
		attribute := v.value.Attribute
		if attribute == nil || attribute.Max == 0 || v.value.Empty || v.value.Operand == nil || v.value.Operand.Param == "" {
			continue
		}
		at, err := a.scope.Operand(a.w, *v.value.Operand, attribute)
		if err != nil {
			return err
		}
		a.before = append(a.before, &syntax.Do{X: items.Most(attribute, at.X)})
	}
	return nil
}

// patches refuses a call that gives none of the values that it may give.
func (a *action) patches() error {
	var given []syntax.Expr
	for _, attribute := range a.w.Patches() {
		v, err := decided(a.scope, a.w, model.Operand{Param: attribute.Name}, attribute)
		if err != nil {
			return err
		}
		given = append(given, values.Present(v.Type, v.X))
	}
	if len(given) > 0 {
		a.before = append(a.before, on(values.Encode, "SomeGiven", given...))
	}
	return nil
}

// transitions refuses changes of state that a lifecycle does not have. A state that is
// missing, or that the caller leaves out, is not checked.
func (a *action) transitions() error {
	for _, t := range a.w.Transitions() {
		from, err := a.scope.Operand(a.w, t.From, t.Attribute)
		if err != nil {
			return err
		}
		to, err := a.scope.Operand(a.w, t.To, t.Attribute)
		if err != nil {
			return err
		}
		var given []syntax.Expr // the conditions under which there is a step
		for _, at := range []patterns.Place{from, to} {
			if at.Pointer {
				given = append(given, syntax.IsSet(at.X))
			}
		}
		if t.Keeps {
			given = append(given, syntax.Compare(from.Value(), "!=", to.Value()))
		}
		step := syntax.Method(values.Encode, "Step", syntax.Str(t.Attribute.Name), syntax.Name(a.m.Package.Steps[t.Attribute]),
			syntax.Builtin("string", from.Value()), syntax.Builtin("string", to.Value()))
		a.before = append(a.before, syntax.When(syntax.And(given...), &syntax.Do{X: step})...)
	}
	return nil
}
