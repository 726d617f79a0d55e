package syntax

import (
	"maps"
	"slices"
)

func same(all []Expr, f func(Expr) Expr) []Expr {
	if all == nil {
		return nil
	}
	out := make([]Expr, len(all))
	for i, x := range all {
		out[i] = f(x)
	}
	return out
}

// some applies f to an expression that may be missing.
func some(x Expr, f func(Expr) Expr) Expr {
	if x == nil {
		return nil
	}
	return f(x)
}

func mappedParams(all []Param, f func(Expr) Expr) []Param {
	out := slices.Clone(all)
	for i := range out {
		out[i].Type = some(out[i].Type, f)
	}
	return out
}

func mappedBody(all []Stmt, f func(Expr) Expr) []Stmt {
	if all == nil {
		return nil
	}
	out := make([]Stmt, len(all))
	for i, s := range all {
		out[i] = s.mapped(f)
	}
	return out
}

func (x *Ident) mapped(func(Expr) Expr) Expr     { return x }
func (x *Qualified) mapped(func(Expr) Expr) Expr { return x }
func (x *Literal) mapped(func(Expr) Expr) Expr   { return x }

func (x *Selector) mapped(f func(Expr) Expr) Expr { return Dot(f(x.X), x.Name) }

func (x *Call) mapped(f func(Expr) Expr) Expr {
	return &Call{f(x.Fun), same(x.Args, f), x.Spread, x.Tall}
}

func (x *Composite) mapped(f func(Expr) Expr) Expr {
	elems := slices.Clone(x.Elems)
	for i := range elems {
		elems[i].Key, elems[i].Value = some(elems[i].Key, f), f(elems[i].Value)
	}
	return &Composite{some(x.Type, f), elems, x.Layout}
}

func (x *Func) mapped(f func(Expr) Expr) Expr {
	return &Func{mappedParams(x.Params, f), mappedParams(x.Results, f), mappedBody(x.Body, f)}
}

func (x *Binary) mapped(f func(Expr) Expr) Expr   { return &Binary{x.Op, f(x.X), f(x.Y), x.Break} }
func (x *Unary) mapped(f func(Expr) Expr) Expr    { return &Unary{x.Op, f(x.X)} }
func (x *Index) mapped(f func(Expr) Expr) Expr    { return &Index{f(x.X), f(x.Index)} }
func (x *Slice) mapped(f func(Expr) Expr) Expr    { return &Slice{f(x.X), f(x.High)} }
func (x *Assert) mapped(f func(Expr) Expr) Expr   { return &Assert{f(x.X), f(x.Type)} }
func (x *ListType) mapped(f func(Expr) Expr) Expr { return &ListType{x.Len, f(x.Elem)} }
func (x *MapType) mapped(f func(Expr) Expr) Expr  { return &MapType{f(x.Key), f(x.Elem)} }

func (x *FuncType) mapped(f func(Expr) Expr) Expr {
	return &FuncType{mappedParams(x.Params, f), mappedParams(x.Results, f)}
}

func (x *StructType) mapped(f func(Expr) Expr) Expr {
	fields := slices.Clone(x.Fields)
	for i := range fields {
		fields[i].Type = some(fields[i].Type, f)
	}
	return &StructType{fields, x.Wide}
}

func (s *Define) mapped(f func(Expr) Expr) Stmt { return &Define{s.Names, same(s.Values, f)} }
func (s *Assign) mapped(f func(Expr) Expr) Stmt { return &Assign{same(s.Left, f), same(s.Right, f)} }
func (s *Var) mapped(f func(Expr) Expr) Stmt    { return &Var{s.Name, f(s.Type)} }
func (s *Do) mapped(f func(Expr) Expr) Stmt     { return &Do{f(s.X)} }
func (s *Inc) mapped(f func(Expr) Expr) Stmt    { return &Inc{f(s.X)} }

func (s *If) mapped(f func(Expr) Expr) Stmt {
	out := &If{Cond: f(s.Cond), Note: s.Note, Then: mappedBody(s.Then, f), Else: mappedBody(s.Else, f)}
	if s.Init != nil {
		out.Init = s.Init.mapped(f)
	}
	return out
}

func (s *Range) mapped(f func(Expr) Expr) Stmt {
	return &Range{s.Key, s.Value, f(s.X), mappedBody(s.Body, f)}
}

func (s *Switch) mapped(f func(Expr) Expr) Stmt {
	cases := slices.Clone(s.Cases)
	for i, c := range cases {
		cases[i] = Case{same(c.Values, f), mappedBody(c.Body, f)}
	}
	return &Switch{some(s.Tag, f), cases}
}

func (s *Return) mapped(f func(Expr) Expr) Stmt { return &Return{same(s.Values, f)} }
func (s *Noted) mapped(f func(Expr) Expr) Stmt  { return &Noted{s.Stmt.mapped(f), s.Note} }

// Rewrite returns copies of statements in which every expression for which replace returns
// another one is replaced, from the outside to the inside.
func Rewrite(body []Stmt, replace func(Expr) Expr) []Stmt {
	var f func(Expr) Expr
	f = func(x Expr) Expr {
		if other := replace(x); other != nil {
			return other
		}
		return x.mapped(f)
	}
	return mappedBody(body, f)
}

// Walk calls visit for an expression and everything inside of it.
func Walk(x Expr, visit func(Expr)) {
	if x == nil {
		return
	}
	visit(x)
	x.mapped(func(inner Expr) Expr {
		Walk(inner, visit)
		return inner
	})
}

// WalkBody calls visit for every expression of statements.
func WalkBody(body []Stmt, visit func(Expr)) {
	mappedBody(body, func(x Expr) Expr {
		Walk(x, visit)
		return x
	})
}

// Uses reports whether statements use a name that they do not declare themselves.
func Uses(body []Stmt, name string) bool {
	u := users{used: map[string]bool{}}
	u.body(body, nil)
	return u.used[name]
}

// UsesIn reports whether an expression uses a name.
func UsesIn(x Expr, name string) bool { return Uses([]Stmt{&Do{x}}, name) }

// users collects the names that are used where they are not declared. The scopes are sets
// of the names declared around a statement.
type users struct{ used map[string]bool }

func (u users) body(body []Stmt, scope map[string]bool) {
	scope = maps.Clone(scope)
	if scope == nil {
		scope = map[string]bool{}
	}
	for _, s := range body {
		u.stmt(s, scope)
	}
}

// stmt adds what a statement declares to the scope.
func (u users) stmt(s Stmt, scope map[string]bool) {
	switch s := s.(type) {
	case *Define:
		u.exprs(s.Values, scope)
		for _, name := range s.Names {
			scope[name] = true
		}
	case *Var:
		u.expr(s.Type, scope)
		scope[s.Name] = true
	case *If:
		inner := maps.Clone(scope)
		if s.Init != nil {
			u.stmt(s.Init, inner)
		}
		u.expr(s.Cond, inner)
		u.body(s.Then, inner)
		u.body(s.Else, inner)
	case *Range:
		u.expr(s.X, scope)
		inner := maps.Clone(scope)
		inner[s.Key], inner[s.Value] = true, true
		u.body(s.Body, inner)
	case *Switch:
		u.expr(s.Tag, scope)
		for _, c := range s.Cases {
			u.exprs(c.Values, scope)
			u.body(c.Body, scope)
		}
	case *Noted:
		u.stmt(s.Stmt, scope)
	default:
		s.mapped(func(x Expr) Expr {
			u.expr(x, scope)
			return x
		})
	}
}

func (u users) exprs(all []Expr, scope map[string]bool) {
	for _, x := range all {
		u.expr(x, scope)
	}
}

func (u users) expr(x Expr, scope map[string]bool) {
	switch x := x.(type) {
	case nil:
	case *Ident:
		if !scope[x.Name] {
			u.used[x.Name] = true
		}
	case *Func:
		inner := maps.Clone(scope)
		for _, p := range slices.Concat(x.Params, x.Results) {
			u.expr(p.Type, scope)
			inner[p.Name] = true
		}
		u.body(x.Body, inner)
	default:
		x.mapped(func(inner Expr) Expr {
			u.expr(inner, scope)
			return inner
		})
	}
}
