package writes

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// fix builds the statements that give an item the values the call itself decides: start
// states, constants, parameters of another name, the version.
func fix(m *patterns.Method, w *program.WriteStep) ([]syntax.Stmt, error) {
	var all []syntax.Stmt
	scope := patterns.NewScope(m)
	for _, a := range w.Item.Entity.Attributes {
		body, err := fixAttribute(scope, w, a)
		if err != nil {
			return nil, err
		}
		all = append(all, body...)
	}
	return all, nil
}

func fixAttribute(s *patterns.Scope, w *program.WriteStep, a *model.Attribute) ([]syntax.Stmt, error) {
	m := s.M
	field := syntax.Dot(m.Item(w.Given), m.Package.Items.Names.Fields[a])
	pointer := values.IsPointer(a.Type)
	if v := summed(w, a); v != nil {
		total, err := sumOf(s, w, *v)
		if err != nil {
			return nil, err
		}
		set := syntax.Set(field, patterns.Place{X: total.x}.Assigned(pointer))
		return append([]syntax.Stmt{set}, bounds(w.Item.Entity, a, values.Held(a.Type, field))...), nil
	}
	switch stored := w.Stored(a); {
	case stored.Param == a.Name:
		return nil, nil
	case w.Step.Verb == model.Put && a == w.Item.Entity.Version && stored.Param == a.Name+"_next":
		return nextVersion(m, w, field, pointer), nil
	case stored.Param == "":
		value := m.Package.Items.Values.Constant(a, stored.Constant)
		if pointer {
			value = m.Package.Items.Values.PointerTo(a, stored.Constant)
		}
		return []syntax.Stmt{syntax.Set(field, value)}, nil
	default:
		at, err := s.Operand(w, stored, a)
		if err != nil {
			return nil, err
		}
		return []syntax.Stmt{syntax.Set(field, at.Assigned(pointer))}, nil
	}
}

// nextVersion counts up the version of an item, and keeps the one the item had.
func nextVersion(m *patterns.Method, w *program.WriteStep, field syntax.Expr, pointer bool) []syntax.Stmt {
	seen := "seen"
	if len(m.Seen) > 0 {
		seen = m.Own.Take("seen"+m.Package.Items.Names.Entities[w.Item.Entity], "")
	}
	m.Seen[w.Given] = seen
	if pointer {
		next := syntax.Join("+", syntax.Name(seen), syntax.Int(1))
		return []syntax.Stmt{syntax.Let(seen, library.Call("OrZero", field)), syntax.Set(field, syntax.Builtin("new", next))}
	}
	return []syntax.Stmt{syntax.Let(seen, field), &syntax.Inc{X: field}}
}

// bounds refuses a new item whose counter begins outside of its bounds: there is no item yet
// that a condition could compare.
func bounds(e *model.Entity, a *model.Attribute, value syntax.Expr) []syntax.Stmt {
	var all []syntax.Stmt
	refuse := func(op string, limit *exact.Number, words string) {
		if limit == nil {
			return
		}
		digits := resolve.Digits(*limit)
		beyond := syntax.Compare(value, op, syntax.Num(digits))
		if a.Type.Base == model.Decimal {
			beyond = syntax.Compare(syntax.Method(value, "Cmp", syntax.Str(digits)), op, syntax.Int(0))
		}
		all = append(all, &syntax.If{Cond: beyond, Then: []syntax.Stmt{on(values.Encode, "Refuse", syntax.Str(a.Name), syntax.Str(words+" "+digits))}})
	}
	for _, counter := range e.Counters {
		if counter.Attribute == a {
			refuse(">", counter.Max, "would begin above its maximum of")
			if counter.Sum != nil || counter.Min != nil && counter.Min.Sign() > 0 { // a number of items is never below 0
				refuse("<", counter.Min, "would begin below its minimum of")
			}
		}
	}
	return all
}

// summed returns the value of a counter that begins with what the call counts, or nil.
func summed(w *program.WriteStep, a *model.Attribute) *resolve.Value {
	for _, f := range w.Statement.Item {
		if f.Value.Attribute == a && len(f.Value.Sum) > 0 {
			return &f.Value
		}
	}
	return nil
}
