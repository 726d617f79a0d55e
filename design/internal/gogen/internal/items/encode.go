package items

import (
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
)

func isSealed(e *model.Entity, a *model.Attribute) bool { return values.IsSealed(e, a) }

func itemType() syntax.Expr   { return library.Access("Item") }
func clientType() syntax.Expr { return syntax.Pointer(library.Access("Client")) }
func errorType() syntax.Expr  { return syntax.Name("error") }

func do(x syntax.Expr) syntax.Stmt { return &syntax.Do{X: x} }

// encoding builds the methods that return an entity as it is stored.
func (i *Items) encoding(item *model.Item) []syntax.Decl {
	e := item.Entity
	name, receiver := i.Names.Entities[e], naming.Receiver(i.Names.Entities[e])
	on := &syntax.Param{Name: receiver, Type: syntax.Name(name)}
	results := []syntax.Param{{Type: itemType()}, {Type: errorType()}}
	client := syntax.Param{Name: "_", Type: clientType()}
	exported := &syntax.FuncDecl{
		Doc: syntax.Doc{"Item returns the item as it is stored, with its keys."}, Receiver: on, Name: "Item", Results: results, Short: true,
		Body: []syntax.Stmt{syntax.Returns(syntax.Method(syntax.Name(receiver), "item", syntax.Nil))},
	}
	if values.HasSealed(e) {
		client.Name = "client"
		exported.Doc = syntax.Doc{"Item returns the item as it is stored, with its keys. The client of the database encrypts attributes."}
		exported.Params = []syntax.Param{{Name: "db", Type: syntax.Pointer(syntax.Name("DB"))}}
		exported.Body = []syntax.Stmt{syntax.Returns(syntax.Method(syntax.Name(receiver), "item", syntax.Dot(syntax.Name("db"), "c")))}
	}
	return []syntax.Decl{
		&syntax.FuncDecl{
			Doc: syntax.Doc{"item returns the item as it is stored, with its keys."}, Receiver: on, Name: "item",
			Params: []syntax.Param{client}, Results: results, Body: i.itemBody(item, receiver),
		},
		exported,
	}
}

// itemBody builds the body of item: the keys, then the attributes in the order of the design.
func (i *Items) itemBody(item *model.Item, receiver string) []syntax.Stmt {
	e := item.Entity
	field := i.fieldsOf(receiver)
	body := slices.Concat(i.defaults(e.Attributes, receiver), naturalChecks(item, field))
	slots := len(item.Computed) + len(e.Beside())
	body = append(body, i.computedKeys(item, field)...)
	if item.Table.Type != "" {
		body = append(body, syntax.Set(slot("item", item.Table.Type), syntax.Name(i.Names.Kinds[e])))
		slots++
	}
	for _, a := range e.Attributes {
		body = append(body, madeAt(a, field)...)
		if a.InKey {
			continue
		}
		if a.Max > 0 {
			body = append(body, do(Most(a, field(a))))
		}
		if !isSealed(e, a) {
			body = append(body, i.Values.Put(a, syntax.Name("item"), field(a))...)
			continue
		}
		sealed := i.Values.Sealed(a, syntax.Name("client"), values.Held(a.Type, field(a)))
		body = append(body, syntax.When(values.Present(a.Type, field(a)), syntax.Set(slot("item", a.Stored), sealed))...)
	}
	memory, members := itemMembers(item).declare()
	encoder := library.Call("EncodeItem", syntax.Str(e.Name), i.room(item, field), members)
	begin := append(memory, syntax.Let("encode", syntax.Builtin("new", encoder)))
	if syntax.Uses(body, "key") {
		begin = append(begin, syntax.Let("key", syntax.Method(values.Encode, "Key")))
	}
	begin = append(begin, syntax.Let("item", syntax.Builtin("make", itemType(), syntax.Int(slots))))
	done := syntax.Returns(syntax.Method(values.Encode, "Done", syntax.Name("item")))
	return slices.Concat(begin, body, []syntax.Stmt{done})
}

// slot returns an attribute of a variable that holds an item.
func slot(item, attribute string) syntax.Expr {
	return &syntax.Index{X: syntax.Name(item), Index: syntax.Str(attribute)}
}

// Most returns the call that refuses a collection of too many elements.
func Most(a *model.Attribute, x syntax.Expr) syntax.Expr {
	return syntax.Method(values.Encode, "Most", syntax.Str(a.Name), syntax.Builtin("len", x), syntax.Int(int(a.Max)))
}

// madeAt makes sure that an id which holds its time of creation has the time of the attribute
// for it: items are sorted by the id.
func madeAt(a *model.Attribute, field func(*model.Attribute) syntax.Expr) []syntax.Stmt {
	if a.Time == nil || a.Type.Base != model.ULID && a.Type.Base != model.UUIDv7 {
		return nil
	}
	var present []syntax.Expr
	for _, one := range []*model.Attribute{a, a.Time} {
		if one.Type.Optional {
			present = append(present, values.Present(one.Type, field(one)))
		}
	}
	method := "MadeAt"
	if a.Time.Type.Base == model.Unixtime {
		method = "MadeInSecond"
	}
	held := func(a *model.Attribute) syntax.Expr { return values.Held(a.Type, field(a)) }
	return syntax.When(syntax.And(present...),
		do(syntax.Method(values.Encode, method, syntax.Str(a.Name), held(a), syntax.Str(a.Time.Name), held(a.Time))))
}

// naturalChecks refuses empty texts where an attribute is a key as it is.
func naturalChecks(item *model.Item, field func(*model.Attribute) syntax.Expr) []syntax.Stmt {
	var all []syntax.Stmt
	for _, name := range KeyNames(item.Table) {
		key := item.Key(name)
		if key == nil || key.Template != nil {
			continue
		}
		a := key.Attribute
		if a.Type.Base != model.Bytes && (a.Type.KeyKind() != "S" || a.Type.Base == model.Timestamp) {
			continue
		}
		text := values.Held(a.Type, field(a))
		if !values.IsPlainText(a.Type) {
			text = syntax.Builtin("string", text)
		}
		check := do(syntax.Method(values.Encode, "NotEmpty", syntax.Str(a.Name), text))
		if a.Type.Optional {
			all = append(all, syntax.When(values.Present(a.Type, field(a)), check)...)
			continue
		}
		all = append(all, check)
	}
	return all
}

// computedKeys sets the computed keys. Keys that are there on the same condition stand
// together.
func (i *Items) computedKeys(item *model.Item, field func(*model.Attribute) syntax.Expr) []syntax.Stmt {
	var all, group []syntax.Stmt
	var when syntax.Expr
	for _, c := range item.Computed {
		cond := i.keyHolds(c, field)
		if !syntax.Equal(cond, when) {
			all = append(all, syntax.When(when, group...)...)
			group, when = nil, cond
		}
		group = append(group, i.computedKey(item, c, field))
	}
	return append(all, syntax.When(when, group...)...)
}

// computedKey sets one computed key.
func (i *Items) computedKey(item *model.Item, c *model.Computed, field func(*model.Attribute) syntax.Expr) syntax.Stmt {
	e, at := item.Entity, slot("item", c.Name)
	switch same := sameKey(item, c); {
	case !values.HasHoles(c.Template):
		return syntax.Set(at, syntax.Name(i.Names.KeyFuncs[e][c.Name]))
	case same != c:
		return syntax.Set(at, slot("item", same.Name))
	}
	strictest := strictestKey(item, c)
	text := i.Values.KeyOf(e, strictest, syntax.Name("key"), func(a *model.Attribute) syntax.Expr { return values.Held(a.Type, field(a)) })
	set := syntax.Set(at, syntax.Method(values.Encode, "S", text))
	if strictest == c {
		return set
	}
	return &syntax.Noted{Stmt: set, Note: strictest.Name + " has the same text and the shorter limit"}
}

// keyHolds returns the condition that an item has a computed key, nil if it always has.
func (i *Items) keyHolds(c *model.Computed, field func(*model.Attribute) syntax.Expr) syntax.Expr {
	when := slices.Clone(c.When)
	for _, a := range values.HolesOf(c.Template) {
		if a.Type.Optional && !slices.ContainsFunc(when, func(w *model.Condition) bool { return needs(w, a) }) {
			when = append(when, &model.Condition{Attribute: a, Op: model.Exists})
		}
	}
	cond, _ := i.Values.Holds(when, values.Fields(field)) // fields are always found
	return cond
}

// needs reports whether a condition holds only if the attribute is there.
func needs(c *model.Condition, a *model.Attribute) bool {
	if c.Op == model.Missing || c.Op == model.Ne {
		return false
	}
	return c.Attribute == a || slices.ContainsFunc(c.Values, func(v model.Operand) bool { return v.Attribute == a && len(c.Values) == 1 })
}

// sameKey returns the first key of an item with the same text on the same condition, or the
// key itself.
func sameKey(item *model.Item, c *model.Computed) *model.Computed {
	first := slices.IndexFunc(item.Computed, func(other *model.Computed) bool { return isSameKey(other, c) })
	return item.Computed[first]
}

// strictestKey returns the key that refuses what any key with the same text refuses: a text
// that is short enough for a partition key may be too long for a sort key.
func strictestKey(item *model.Item, c *model.Computed) *model.Computed {
	for _, other := range item.Computed {
		if isSameKey(other, c) && values.Finish(item.Table, other.Name) == "Sort" {
			return other
		}
	}
	return c
}

func isSameKey(a, b *model.Computed) bool {
	return a.Template.Text == b.Template.Text && WhenText(a.When) == WhenText(b.When)
}
