package writes

import (
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// A transaction is a call with several actions.
type transaction struct {
	m       *patterns.Method
	fixes   []syntax.Stmt                        // of items that are given once
	inLoops map[*program.WriteStep][]syntax.Stmt // of those that are repeated
	steps   []step
}

// A step is one action of a transaction: a method of its own, and the conditions under which
// it is called.
type step struct {
	write   *program.WriteStep
	builder *builder
	args    []syntax.Expr
	only    []syntax.Expr
}

func (s step) call() syntax.Expr {
	return syntax.Method(syntax.Name("db"), s.builder.name, s.args...)
}

func (s step) cond() syntax.Expr { return syntax.And(s.only...) }

// transaction builds the actions of a transaction, so that equal actions of several patterns
// can become one.
func (w *writer) transaction(m *patterns.Method) (*transaction, error) {
	t := &transaction{m: m, inLoops: map[*program.WriteStep][]syntax.Stmt{}}
	if err := t.fix(); err != nil {
		return nil, err
	}
	var called []syntax.Stmt
	for _, write := range m.Call.Writes {
		only, err := needed(patterns.NewScope(m), write)
		if err != nil {
			return nil, err
		}
		nameVar := syntax.Name("")
		a, err := newAction(m, write, nameVar, only)
		if err != nil {
			return nil, err
		}
		if cond := syntax.And(only...); cond != nil {
			if differ := a.disagree(cond); len(differ) > 0 {
				only = []syntax.Expr{syntax.Or(append([]syntax.Expr{cond}, differ...)...)}
			}
		}
		b, args := w.builderOf(a, nameVar)
		t.steps = append(t.steps, step{write: write, builder: b, args: args, only: only})
		called = append(called, syntax.Returns(args...))
	}
	for _, write := range m.Call.Writes {
		if write.Given != nil {
			t.fixes = withoutUnused(t.fixes, m.Seen[write.Given], called)
			t.inLoops[write] = withoutUnused(t.inLoops[write], m.Seen[write.Given], called)
		}
	}
	return t, nil
}

// fix builds the statements that complete items, those of items that are given once first.
func (t *transaction) fix() error {
	for _, repeated := range []bool{false, true} {
		for _, w := range t.m.Call.Writes {
			if w.Given == nil || (w.Repeats != nil) != repeated {
				continue
			}
			body, err := fix(t.m, w)
			if err != nil {
				return err
			}
			if repeated {
				t.inLoops[w] = body
			} else {
				t.fixes = append(t.fixes, body...)
			}
		}
	}
	return nil
}

// decls builds the method that puts the actions together, and one for each action that only
// this transaction has.
func (t *transaction) decls() []syntax.Decl {
	all := []syntax.Decl{t.method()}
	for _, s := range t.steps {
		if !s.builder.isShared() {
			all = append(all, s.builder.decls(nil)...)
		}
	}
	return all
}

var writesVar = syntax.Name("writes")

// method builds the method that puts the actions together, in the order of the design.
func (t *transaction) method() syntax.Decl {
	m := t.m
	given := m.Given()
	list := syntax.ListOf(writeType())
	f := &syntax.FuncDecl{
		Receiver: patterns.Receiver, Name: m.Builder, Params: m.Args,
		Results: []syntax.Param{{Type: list}},
	}
	returns := func(writes syntax.Expr) syntax.Stmt {
		if given == nil {
			return syntax.Returns(writes)
		}
		return syntax.Returns(m.Place(given), writes)
	}
	if given != nil {
		f.Results = append([]syntax.Param{{Type: m.Package.Items.Entity(given.Entity)}}, f.Results...)
	}
	body, wrong := t.agreements()
	if syntax.Uses(t.fixes, "encode") {
		body = append(body, patterns.EncodeVar(m.Call.Writes[0].Item.Entity))
		wrong = append(wrong, syntax.Method(values.Encode, "Err"))
	}
	body = append(body, t.fixes...)
	first := 0 // the actions at the beginning that are always there
	for first < len(t.steps) && t.steps[first].write.Repeats == nil && len(t.steps[first].only) == 0 {
		first++
	}
	always := syntax.List(writeType(), calls(t.steps[:first])...)
	always.Layout = syntax.Fit
	merged := func(writes syntax.Expr) syntax.Expr {
		if t.movesGuard() {
			return library.Call("MergeGuards", writes)
		}
		return writes
	}
	if first == len(t.steps) && len(wrong) == 0 {
		f.Body = append(body, returns(merged(always)))
		return f
	}
	if first == 0 {
		body = append(body, &syntax.Var{Name: "writes", Type: list})
	} else {
		body = append(body, syntax.Let("writes", always))
	}
	for rest := t.steps[first:]; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].write.Repeats == rest[0].write.Repeats {
			n++
		}
		body = append(body, t.loop(rest[:n])...)
		rest = rest[n:]
	}
	var result syntax.Expr = writesVar
	if err := patterns.ErrorsOf(wrong); err != nil {
		result = library.Call("FailWrites", result, err)
	}
	f.Body = append(body, returns(merged(result)))
	return f
}

func calls(steps []step) []syntax.Expr {
	all := make([]syntax.Expr, len(steps))
	for i, s := range steps {
		all[i] = s.call()
	}
	return all
}

// agreements makes sure that values of different items are the same, and returns the error if
// they are not.
func (t *transaction) agreements() (body []syntax.Stmt, wrong []syntax.Expr) {
	m, scope := t.m, patterns.NewScope(t.m)
	for _, agree := range m.Call.Agreements {
		mine := agree.Mine
		mine.First = false
		theirs := compared(m, agree.Theirs)
		same := values.CompareTwo(agree.Theirs.Of().Type, theirs.value.Assigned(false), "==", mine.Of().Type, scope.At(mine).Assigned(false))
		check := call("Agree", syntax.Addr(syntax.Name("err")), theirs.items, syntax.Str(agree.Entity.Name), syntax.Str(agree.Attribute.Name),
			ofOne(theirs.typ, syntax.Name("bool"), same))
		if mine.Input.Repeated {
			check = &syntax.Range{Value: m.Loops[mine.Input], X: m.Place(mine.Input), Body: []syntax.Stmt{check}}
		}
		body = append(body, check)
	}
	if len(body) == 0 {
		return nil, nil
	}
	failure := &syntax.Var{Name: "err", Type: syntax.Name("error")}
	return append([]syntax.Stmt{failure}, body...), []syntax.Expr{syntax.Name("err")}
}

// call calls a function of the library for its effect.
func call(name string, args ...syntax.Expr) syntax.Stmt {
	return &syntax.Do{X: library.Call(name, args...)}
}

// comparedItems holds items that must agree, their type, and the value of one of them.
type comparedItems struct {
	items, typ syntax.Expr
	value      patterns.Place
}

func compared(m *patterns.Method, ref program.Ref) comparedItems {
	input := ref.Input
	c := comparedItems{items: m.Place(input), typ: m.ItemType(input)}
	switch {
	case ref.Member == nil && ref.Attribute == nil:
		c.value = patterns.Place{X: one, Pointer: values.IsPointer(input.Type)}
	default:
		c.value = m.Of(ref, one)
		if ref.Member == nil && input.Kind != program.Whole {
			c.value.Pointer = false
		}
	}
	if !input.Repeated {
		c.items = syntax.List(c.typ, c.items)
	}
	return c
}

// loop builds the actions for each item of a repeated input, or one action.
func (t *transaction) loop(steps []step) []syntax.Stmt {
	var body []syntax.Stmt
	for _, s := range steps {
		body = append(body, t.inLoops[s.write]...)
	}
	for rest := steps; len(rest) > 0; {
		n := 1
		for n < len(rest) && syntax.Equal(rest[n].cond(), rest[0].cond()) {
			n++
		}
		add := syntax.Builtin("append", append([]syntax.Expr{writesVar}, calls(rest[:n])...)...)
		add.Tall = n > 1
		body = append(body, syntax.When(rest[0].cond(), syntax.Set(writesVar, add))...)
		rest = rest[n:]
	}
	repeats := steps[0].write.Repeats
	if repeats == nil {
		return body
	}
	return []syntax.Stmt{&syntax.Range{Value: t.m.Loops[repeats], X: t.m.Place(repeats), Body: body}}
}

// movesGuard reports whether the call frees a unique value and takes one by the same rule.
func (t *transaction) movesGuard() bool {
	return slices.ContainsFunc(t.m.Call.Writes, func(w *program.WriteStep) bool {
		return w.Guard != nil && w.Operation == resolve.DeleteItem && slices.ContainsFunc(t.m.Call.Writes, func(other *program.WriteStep) bool {
			return other.Guard == w.Guard && other.Operation == resolve.PutItem
		})
	})
}
