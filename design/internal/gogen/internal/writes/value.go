package writes

import (
	"slices"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// stored returns a value in an expression of a write, as it is stored.
func (a *action) stored(v resolve.Value, name string) (syntax.Expr, error) {
	p := a.m.Package
	switch {
	case v.Operand == nil:
		return a.scope.KeyOf(a.w, a.m.KeyedBy(a.w), name, v.Kind, v.Text)
	case v.Empty:
		return library.Call("EmptyList"), nil
	case v.Room > 0:
		at, err := a.scope.Operand(a.w, *v.Operand, v.Attribute)
		left := syntax.Join("-", syntax.Int(int(v.Room)), syntax.Builtin("len", at.X))
		return library.Call("N", syntax.Builtin("int64", left)), err
	case len(v.Sum) > 0:
		total, err := sumOf(a.scope, a.w, v)
		if err != nil {
			return nil, err
		}
		return total.stored(p.Items.Values, v.Attribute), nil
	case v.Operand.IsConstant():
		return p.StoredConstant(v.Attribute, v.Operand.Constant), nil
	}
	at, err := a.scope.Operand(a.w, *v.Operand, v.Attribute)
	if err != nil {
		return nil, err
	}
	return p.Stored(v.Attribute, patterns.Rounded(v.Attribute, a.scope.Needed(at, v.Attribute), v.Up)), nil
}

// clauseValue returns the stored form of a value of an expression. A text that becomes a key
// of an index as it is must be one that DynamoDB takes for a key.
func (a *action) clauseValue(c namedValue) (syntax.Expr, error) {
	stored, err := a.stored(c.value, c.name)
	if err != nil || !a.becomesKey(c) {
		return stored, err
	}
	call, ok := stored.(*syntax.Call)
	if !ok || len(call.Args) != 1 || !syntax.Equal(call.Fun, library.Access("S")) {
		return stored, nil // encrypted
	}
	table := a.w.Item.Table
	length := "Sort"
	if !sortsIndex(table, c.name) {
		length = "Partition"
	}
	text := syntax.Method(items.KeyBegin(a.w.Item.Entity, table), "Whole", syntax.Str(c.value.Attribute.Name), call.Args[0])
	return library.Call("S", syntax.Method(text, length)), nil
}

// becomesKey reports whether a text of the caller is set that is a key as it is. Other types
// are never stored as an empty text.
func (a *action) becomesKey(c namedValue) bool {
	attribute, operand := c.value.Attribute, c.value.Operand
	if !c.set || attribute == nil || operand == nil || operand.IsConstant() || attribute.Stored != c.name || !values.IsPlainText(attribute.Type) {
		return false
	}
	key := a.w.Item.Key(c.name)
	return key != nil && key.Template == nil && slices.Contains(items.KeyNames(a.w.Item.Table), c.name)
}

// sortsIndex reports whether an attribute is in the sort key of an index, where it may be
// half as long as in a partition key.
func sortsIndex(t *model.Table, name string) bool {
	return slices.ContainsFunc(t.Indexes, func(x *model.Index) bool {
		return slices.ContainsFunc(x.SK, func(k model.KeyName) bool { return k.Name == name })
	})
}
