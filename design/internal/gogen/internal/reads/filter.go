package reads

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// filter returns the filter expression, nil if there is none, and the clauses of it that
// depend on lists and sets.
func (r *read) filter() (syntax.Expr, []resolve.Clause) {
	var texts []string
	var open []resolve.Clause
	for _, c := range r.Statement.Filter {
		if openValue(c) == nil {
			texts = append(texts, c.Text)
			continue
		}
		open = append(open, c)
	}
	var parts []syntax.Expr
	const and = " AND "
	text := strings.Join(texts, and)
	for i := range open {
		switch {
		case i == 0 && text != "":
			parts = append(parts, syntax.Str(text+and))
		case i > 0:
			parts = append(parts, syntax.Str(and))
		}
		parts = append(parts, syntax.Name(filterVar(i)))
	}
	if len(open) == 0 && text != "" {
		parts = append(parts, syntax.Str(text))
	}
	return syntax.Join("+", parts...), open
}

// openFilters builds the conditions of filters by lists and by sets, which depend on how many
// values these have. It returns the condition that there are requests at all: no list is
// empty. DynamoDB has no empty sets: an item without the attribute has one.
func (r *read) openFilters(clauses []resolve.Clause) (body []syntax.Stmt, filled syntax.Expr) {
	var conditions []syntax.Expr
	vals := r.m.Package.Items.Values
	in := syntax.Name("in")
	body = append(body, syntax.Let("in", syntax.Make(library.Access("Item"))))
	for i, c := range clauses {
		v, filter := openValue(c), syntax.Name(filterVar(i))
		x := r.scope.At(r.m.Call.Ref(nil, v.Operand.Param, v.Attribute)).X
		some := syntax.Compare(syntax.Builtin("len", x), ">", syntax.Int(0))
		if v.List {
			conditions = append(conditions, some)
			body = append(body, syntax.Let(filter.Name, library.Call("OneOf", in, syntax.Str(r.placeholder(v.Attribute.Stored)),
				syntax.Str(strings.TrimSuffix(v.Placeholder, "…")), x, vals.PlainFunc(v.Attribute))))
			continue
		}
		body = append(body, syntax.Let(filter.Name, syntax.Str(c.Else.Text)), &syntax.If{Cond: some, Then: []syntax.Stmt{&syntax.Assign{
			Left:  []syntax.Expr{filter, &syntax.Index{X: in, Index: syntax.Str(v.Placeholder)}},
			Right: []syntax.Expr{syntax.Str(c.Text), vals.Plain(v.Attribute, x)},
		}}})
	}
	return body, syntax.And(conditions...)
}

// placeholder returns the name of an attribute in the expressions of the read.
func (r *read) placeholder(attribute string) string {
	for _, n := range r.Statement.Names {
		if n.Attribute == attribute {
			return n.Placeholder
		}
	}
	return ""
}

// openValue returns the value of a filter that decides what the filter is, nil if none does.
func openValue(c resolve.Clause) *resolve.Value {
	i := slices.IndexFunc(c.Values, isOpen)
	if i < 0 {
		return nil
	}
	return &c.Values[i]
}

// isOpen reports whether a value is a list or a set of the caller's, which may be empty.
func isOpen(v resolve.Value) bool {
	return v.List || v.Operand != nil && v.Operand.Param != "" && v.Attribute.Type.Base == model.SetOf
}

// filterVar returns the variable of the i-th filter by a list or a set.
func filterVar(i int) string {
	if i == 0 {
		return "filter"
	}
	return "filter" + strconv.Itoa(i+1)
}
