package reads

import (
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// query builds a query: its requests, then what all of them share. The end is made by a
// function that takes the query.
func (r *read) query(end func(syntax.Expr) syntax.Stmt) ([]syntax.Stmt, error) {
	filter, open := r.filter()
	before, requests, err := r.requests(open)
	if err != nil {
		return nil, err
	}
	query := &syntax.Composite{Type: library.Access("Query"), Layout: syntax.Fill}
	add := func(on bool, field string, value syntax.Expr) {
		if on {
			query.Elems = append(query.Elems, syntax.Elem{Field: field, Value: value})
		}
	}
	s := r.Statement
	add(true, "Pattern", syntax.Name(r.m.Pattern))
	add(s.KeyCondition != "", "KeyCondition", syntax.Str(s.KeyCondition))
	add(filter != nil, "Filter", filter)
	projection := r.projectionText()
	add(projection != "", "Projection", syntax.Str(projection))
	add(len(r.allNames()) > 0, "Names", syntax.Name(r.m.NameMap))
	add(true, "Requests", requests)
	add(len(r.Partition) > 0, "Partition", syntax.Strings(r.partition()...))
	between := r.mayInvert()
	add(between != nil, "Between", between)
	add(r.Descending, "Descending", syntax.Name("true"))
	add(s.Consistent, "Consistent", syntax.Name("true"))
	add(s.All, "AllAttributes", syntax.Name("true"))
	add(r.m.Call.Pattern.Segments > 1, "Segments", syntax.Int(int(r.m.Call.Pattern.Segments)))
	add(r.m.Call.Pattern.Limit > 0, "Limit", syntax.Int(int(r.m.Call.Pattern.Limit)))

	var body []syntax.Stmt
	var errs []syntax.Expr
	uses := append(slices.Clone(before), &syntax.Do{X: requests})
	if syntax.Uses(uses, "k") {
		body = append(body, patterns.KeyVar())
		errs = append(errs, syntax.Method(syntax.Name("k"), "Err"))
	}
	if syntax.Uses(uses, "encode") {
		body = append(body, patterns.EncodeVar(r.Entities[0]))
		errs = append(errs, syntax.Method(values.Encode, "Err"))
	}
	add(len(errs) > 0, "Err", patterns.ErrorsOf(errs))
	return append(append(body, before...), end(query)), nil
}

// partition returns the placeholders of the partition key.
func (r *read) partition() []string {
	var all []string
	for _, v := range r.Statement.Values {
		for _, c := range r.Partition {
			if isTextOf(v, c.Low) {
				all = append(all, v.Placeholder)
			}
		}
	}
	return all
}

// mayInvert returns the placeholders of a range whose ends the caller gives, nil if there is
// none.
func (r *read) mayInvert() syntax.Expr {
	for _, c := range r.Read.Read.Sort {
		if !c.MayInvert() {
			continue
		}
		var low, high string
		for _, v := range r.Statement.Values {
			switch {
			case isTextOf(v, c.Low):
				low = v.Placeholder
			case isTextOf(v, c.High):
				high = v.Placeholder
			}
		}
		pair := &syntax.ListType{Len: 2, Elem: syntax.Name("string")}
		return syntax.Make(pair, syntax.Elem{Value: syntax.Str(low)}, syntax.Elem{Value: syntax.Str(high)})
	}
	return nil
}

// isTextOf reports whether a value is the text of a key condition itself.
func isTextOf(v resolve.Value, t resolve.Text) bool {
	return v.Operand == nil && len(v.Text) > 0 && len(t) > 0 && &v.Text[0] == &t[0]
}

// requests returns the values of each query, and the statements before them: of one query, or
// of every combination of the values there is a request for each of. Nothing is one of no
// values, so then there is none.
func (r *read) requests(open []resolve.Clause) (before []syntax.Stmt, requests syntax.Expr, err error) {
	var loops []*syntax.Range
	for _, fan := range r.Fans {
		loop, err := r.loop(fan)
		if err != nil {
			return nil, nil, err
		}
		loops = append(loops, loop)
	}
	made, err := r.requestValues()
	if err != nil {
		return nil, nil, err
	}
	request := library.Access("Request")
	if len(loops) == 0 && len(open) == 0 {
		only := &syntax.Composite{}
		if len(r.Statement.Values) > 0 { // of a scan there may be none
			only.Elems = []syntax.Elem{{Field: "Values", Value: made}}
		}
		return nil, syntax.List(request, only), nil
	}
	before = []syntax.Stmt{&syntax.Var{Name: "requests", Type: syntax.ListOf(request)}}
	var body []syntax.Stmt
	var filled syntax.Expr
	if len(open) > 0 {
		var filters []syntax.Stmt
		filters, filled = r.openFilters(open)
		before = append(before, filters...)
		body = append(body, syntax.Let("values", made),
			&syntax.Do{X: syntax.CallOf(library.Of("maps", "Copy"), syntax.Name("values"), syntax.Name("in"))})
		made = syntax.Name("values")
	}
	lead, err := r.lead()
	if err != nil {
		return nil, nil, err
	}
	one := &syntax.Composite{Type: request, Elems: []syntax.Elem{{Field: "Values", Value: made}}, Layout: syntax.Fit}
	if lead != nil {
		one.Elems = append(one.Elems, syntax.Elem{Field: "Lead", Value: lead})
	}
	all := syntax.Name("requests")
	body = append(body, syntax.Set(all, syntax.Builtin("append", all, one)))
	for _, loop := range slices.Backward(loops) {
		loop.Body = body
		body = []syntax.Stmt{loop}
	}
	return append(before, syntax.When(filled, body...)...), all, nil
}

// loop begins the loop over the values of a part of the keys.
func (r *read) loop(fan *program.Fan) (*syntax.Range, error) {
	i := r.m.Package.Items
	if fan.Shards > 0 {
		name := "shard"
		if slices.Contains(slices.Collect(maps.Values(r.scope.Fans)), name) {
			name = r.m.Own.Take(name, "")
		}
		r.scope.Fans[fan] = name
		return &syntax.Range{Key: name, X: syntax.Builtin("int64", syntax.Int(int(fan.Shards)))}, nil
	}
	name := i.Names.Param(r.m.Own, fan.Attribute.Name)
	r.scope.Fans[fan] = name
	if fan.Span != nil {
		periods, err := r.periods(fan.Span)
		return &syntax.Range{Value: name, X: periods}, err
	}
	if fan.Values == nil {
		ref := r.m.Call.Ref(nil, fan.Param, fan.Attribute)
		return &syntax.Range{Value: name, X: r.scope.At(ref).X}, nil
	}
	all := make([]syntax.Expr, len(fan.Values))
	for n, v := range fan.Values {
		all[n] = i.Values.Constant(fan.Attribute, v.Constant)
		if at, err := r.scope.Operand(nil, v, fan.Attribute); err == nil {
			all[n] = at.Value()
		}
	}
	typ := i.Values.TypeOf(fan.Attribute, values.ElementOf(fan.Attribute.Type))
	return &syntax.Range{Value: name, X: syntax.List(typ, all...)}, nil
}

// listPeriods maps the shortest period of a key to the method of KeyText that lists periods.
var listPeriods = map[model.FilterName]string{model.ByYear: "Years", model.ByMon: "Months", model.ByDate: "Days", model.ByHour: "Hours"}

// periods returns the periods of a range, as instants.
func (r *read) periods(s *resolve.Span) (syntax.Expr, error) {
	a := s.Range.Attribute
	args := []syntax.Expr{syntax.Str(a.Name)}
	for i, v := range s.Range.Values {
		at, err := r.scope.Operand(nil, v, a)
		if err != nil {
			return nil, err
		}
		args = append(args, patterns.Rounded(a, at.Value(), !v.IsConstant() && resolve.RoundsUp(s.Range, i)))
	}
	args = append(args, syntax.Int(int(s.Most)))
	return syntax.Method(items.KeyBegin(r.keyed().Entity, r.keyed().Item.Table), listPeriods[s.Unit], args...), nil
}

// requestValues returns the values of one request.
func (r *read) requestValues() (syntax.Expr, error) {
	all := &syntax.Composite{Type: library.Access("Item"), Layout: syntax.Fit}
	for _, v := range r.Statement.Values {
		if isOpen(v) {
			continue
		}
		x, err := r.requestValue(v)
		if err != nil {
			return nil, err
		}
		all.Elems = append(all.Elems, syntax.Elem{Key: syntax.Str(v.Placeholder), Value: x})
	}
	return all, nil
}

func (r *read) requestValue(v resolve.Value) (syntax.Expr, error) {
	p := r.m.Package
	if v.Operand != nil {
		if v.Operand.IsConstant() {
			return p.StoredConstant(v.Attribute, v.Operand.Constant), nil
		}
		at, err := r.scope.Operand(nil, *v.Operand, v.Attribute)
		if err != nil {
			return nil, err
		}
		return p.Items.Values.Plain(v.Attribute, patterns.Rounded(v.Attribute, at.Value(), v.Up)), nil
	}
	if text, ok := patterns.Literal(v.Text); ok && r.Operation == resolve.Scan {
		return library.Call("S", syntax.Str(text)), nil
	}
	for _, c := range slices.Concat(r.Partition, r.Read.Read.Sort) {
		if isTextOf(v, c.Low) || isTextOf(v, c.High) {
			return r.scope.KeyOf(nil, r.keyed(), c.Name, v.Kind, v.Text)
		}
	}
	return nil, fmt.Errorf("%s: %s is the value of no key", r.m.Call.Pattern.Name, v.Placeholder)
}

// lead returns how many bytes all sort keys of a request begin with, nil if there is at most
// one request.
func (r *read) lead() (syntax.Expr, error) {
	if len(r.Fans) == 0 || len(r.Lead) == 0 {
		return nil, nil
	}
	if text, ok := patterns.Literal(r.Lead); ok {
		return syntax.Builtin("len", syntax.Str(text)), nil
	}
	chain, err := r.scope.Chain(nil, r.keyed(), r.Entry.Item.Key(r.Sort[0]), r.Lead)
	if err != nil {
		return nil, err
	}
	return syntax.Method(chain, "Len"), nil
}
