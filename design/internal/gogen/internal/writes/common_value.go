package writes

import (
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
)

// A commonValue is a value that all items of a call must have in common. The variable one
// holds an item.
type commonValue struct {
	items, of         syntax.Expr // the items and their type
	entity, attribute string
	value, typ        syntax.Expr
	there             syntax.Expr // nil, or whether an item has the value
}

var one syntax.Expr = syntax.Name("one")

// ofOne returns a function of the variable one.
func ofOne(of, typ, x syntax.Expr) syntax.Expr {
	return &syntax.Func{Params: []syntax.Param{{Name: "one", Type: of}}, Results: []syntax.Param{{Type: typ}}, Body: []syntax.Stmt{syntax.Returns(x)}}
}

func commonOf(m *patterns.Method, f patterns.First) commonValue {
	input := f.Ref.Input
	a := f.Ref.Attribute
	if a == nil {
		a = f.Ref.Member.Attribute
	}
	v := commonValue{
		items: m.Place(input), of: m.ItemType(input), entity: input.Entity.Name, attribute: a.Name,
		value: m.Of(f.Ref, one).X, typ: m.Package.Items.Values.ValueType(a),
	}
	if f.Ref.Optional() && !values.HasNil(a.Type) {
		v.there = syntax.IsSet(v.value)
		v.value = library.Call("OrZero", v.value)
	}
	if a.Type.Base == model.Timestamp || a.Type.Base == model.Unixtime {
		v.value = syntax.Method(syntax.Method(v.value, "Round", syntax.Int(0)), "UTC") // so that equal instants are equal
	}
	return v
}

// declare declares the variable of the value. Items without a value have nothing in common
// with those that have one, be it zero.
func (v commonValue) declare(name string) []syntax.Stmt {
	same := func(typ, x syntax.Expr) syntax.Expr {
		return library.Call("Same", syntax.Addr(syntax.Name("err")), v.items, syntax.Str(v.entity), syntax.Str(v.attribute), ofOne(v.of, typ, x))
	}
	var all []syntax.Stmt
	if v.there != nil {
		all = append(all, syntax.Set(syntax.Name("_"), same(syntax.Name("bool"), v.there)))
	}
	return append(all, syntax.Let(name, same(v.typ, v.value)))
}

// disagree returns the conditions that the items of a call do not have in common what an
// action needs of them all: the action then refuses the call. If the action is there for any
// item anyway, there are none.
func (a *action) disagree(only syntax.Expr) []syntax.Expr {
	var all []syntax.Expr
	for _, f := range a.scope.Firsts {
		v := commonOf(a.m, f)
		if syntax.Equal(leftmost(only), syntax.Compare(syntax.Builtin("len", v.items), ">", syntax.Int(0))) {
			continue
		}
		differ := func(typ, x syntax.Expr) {
			all = append(all, syntax.Not(library.Call("Alike", v.items, ofOne(v.of, typ, x))))
		}
		if v.there != nil {
			differ(syntax.Name("bool"), v.there)
		}
		differ(v.typ, v.value)
	}
	return all
}

// leftmost returns the first of several conditions.
func leftmost(x syntax.Expr) syntax.Expr {
	for {
		b, ok := x.(*syntax.Binary)
		if !ok || b.Op != "&&" && b.Op != "||" {
			return x
		}
		if inner, ok := b.X.(*syntax.Binary); ok && b.Op == "&&" && inner.Op == "||" {
			return inner
		}
		x = b.X
	}
}
