package items

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// keyTextType is the type that makes the texts of keys, and K the variable of it.
func keyTextType() syntax.Expr { return library.Access("KeyText") }

// K is the variable that generated functions make keys with.
var K syntax.Expr = syntax.Name("k")

// Keys builds a function for each computed key that holds a value, and those that recognize
// the keys of an entity.
func (i *Items) Keys() ([]syntax.Decl, error) {
	var all []syntax.Decl
	for _, item := range i.Stored() {
		for _, c := range item.Computed {
			if !values.HasHoles(c.Template) {
				continue
			}
			f, err := i.keyFunc(item, c)
			if err != nil {
				return nil, err
			}
			all = append(all, f)
		}
		all = append(all, i.shapeFunc(item)...)
	}
	return all, nil
}

func (i *Items) keyFunc(item *model.Item, c *model.Computed) (syntax.Decl, error) {
	e := item.Entity
	name := i.Names.KeyFuncs[e][c.Name]
	params := []syntax.Param{{Name: "k", Type: syntax.Pointer(keyTextType())}}
	args := map[*model.Attribute]syntax.Expr{}
	taken := naming.Scope{}
	for _, a := range values.HolesOf(c.Template) {
		param := i.Names.Param(taken, a.Name)
		args[a] = syntax.Name(param)
		params = append(params, syntax.Param{Name: param, Type: i.Values.TypeOf(a, values.ElementOf(a.Type))})
	}
	chain := KeyBegin(e, item.Table)
	for _, part := range c.Template.Parts {
		step, err := values.StepOf(part, args[part.Attribute])
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", c.Name, e.Name, err)
		}
		chain = step.On(chain)
	}
	for _, tell := range resolve.Tells(item) {
		if tell.Exact && tell.Key.Name == c.Name {
			chain = syntax.Method(chain, "Form", syntax.Str(tell.Form))
		}
	}
	when := strings.Replace(WhenText(c.When), "  when", ", when", 1)
	return &syntax.FuncDecl{
		Doc:  syntax.Doc{fmt.Sprintf("%s returns %s of %s: %s%s.", name, c.Name, i.Names.Entities[e], c.Template.Text, when)},
		Name: name, Params: params, Results: []syntax.Param{{Type: syntax.Name("string")}},
		Body: []syntax.Stmt{syntax.Returns(syntax.Method(chain, values.Finish(item.Table, c.Name)))},
	}, nil
}

// KeyBegin begins a key of an entity in a table.
func KeyBegin(e *model.Entity, t *model.Table) syntax.Expr {
	begin := syntax.Method(K, "Of", syntax.Str(e.Name))
	if t.Delimiter.IsDefault() {
		return begin
	}
	return syntax.Method(begin, "By", syntax.Str(t.Delimiter.String()))
}

// PrimaryFunc builds the method that returns the primary key as DynamoDB takes it.
func (i *Items) PrimaryFunc(item *model.Item) syntax.Decl {
	key := &syntax.Composite{Type: itemType(), Layout: syntax.Fit}
	for _, name := range TableKeys(item.Table) {
		key.Elems = append(key.Elems, syntax.Elem{Key: syntax.Str(name), Value: i.PrimaryValue(item, item.Key(name))})
	}
	return &syntax.FuncDecl{
		Doc: syntax.Doc{"primary returns the key as DynamoDB takes it."}, Receiver: &syntax.Param{Name: "key", Type: syntax.Name(i.Names.Keys[item.Entity])},
		Name: "primary", Params: []syntax.Param{{Name: "k", Type: syntax.Pointer(keyTextType())}}, Results: []syntax.Param{{Type: itemType()}},
		Body: []syntax.Stmt{syntax.Returns(key)},
	}
}

// PrimaryValue returns the value of a key attribute, made from the variable key.
func (i *Items) PrimaryValue(item *model.Item, key *model.Key) syntax.Expr {
	field := i.fieldsOf("key")
	if key.Template == nil {
		if key.Kind() != "S" {
			return values.Natural(key.Attribute, field(key.Attribute))
		}
		chain := KeyBegin(item.Entity, item.Table)
		if step, err := values.StepOf(model.Part{Attribute: key.Attribute}, field(key.Attribute)); err == nil {
			chain = step.Whole().On(chain)
		}
		return library.Call("S", syntax.Method(chain, values.Finish(item.Table, key.Name)))
	}
	for _, computed := range item.Computed {
		if computed.Name == key.Name {
			return library.Call("S", i.Values.KeyOf(item.Entity, computed, K, field))
		}
	}
	return nil
}
