package reads

import (
	"fmt"
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

// A telling says how a read tells the items it is about from others that the same request
// returns: other entities of the partition, rows that keep values unique, rows of counters.
type telling int

const (
	notTold telling = iota // there are no others
	byType                 // by the attribute that holds the entity's name
	byKey                  // by the form of the primary key
)

// told returns how the items of the read are told from others.
func (r *read) told() telling {
	path := r.Entry.Path
	mixed := len(r.Mixed) > 0 || len(r.Entities) > 1 || r.m.Call.Pattern.Verb == model.Collect
	for _, e := range r.Entities {
		mixed = mixed || r.Operation == resolve.Scan && path.IsTable() && path.Table.Name == r.m.Package.Items.StateIn
		mixed = mixed || path.IsTable() && !r.ByKey() && len(resolve.Sharded(e)) > 0
	}
	switch {
	case !mixed || len(r.Marks) > 0 && !r.Marks[0].Prefix: // the filter of a scan leaves out all others
		return notTold
	case path.Table.Type != "" && holds(path, path.Table.Type):
		return byType
	}
	return byKey
}

// holds reports whether items seen through a path have an attribute.
func holds(path resolve.Path, stored string) bool {
	if path.Index == nil || path.Index.Project.Kind == model.ProjectAll {
		return true
	}
	return slices.Contains(path.Index.Project.Attributes, stored)
}

var item syntax.Expr = syntax.Name("item")

// isOne returns the condition that an item is one of an entity.
func (r *read) isOne(e *model.Entity) syntax.Expr {
	stored := r.Entry.Path.Table.Item(e)
	if r.told() == byType {
		return syntax.Compare(library.Call("TextAt", item, syntax.Str(stored.Table.Type)), "==", syntax.Str(e.TypeName()))
	}
	if cond := items.Shape(stored, item); cond != nil {
		return cond
	}
	return syntax.Name("true")
}

// decoder returns the function that reads one item of the answer.
func (r *read) decoder(result string) (syntax.Expr, error) {
	e := r.Entities[0]
	decode := r.m.Package.Items.Decoder(e, patterns.Client)
	if r.m.Result != "" {
		decode = r.rowDecoder(r.m.Result, e)
	}
	differs, err := r.differs(e)
	if err != nil || differs == nil && r.told() == notTold {
		return decode, err
	}
	none := syntax.Make(syntax.Name(result))
	skip := library.Access("Skip")
	var body []syntax.Stmt
	if r.told() != notTold {
		body = append(body, &syntax.If{Cond: syntax.Not(r.isOne(e)), Then: []syntax.Stmt{syntax.Returns(none, skip)}})
	}
	switch {
	case differs == nil:
		body = append(body, syntax.Returns(syntax.CallOf(decode, item)))
	case r.m.Result != "":
		body = append(body,
			syntax.Let("from", library.Call("Decode", syntax.Str(e.Name), item)),
			&syntax.If{Cond: differs, Then: []syntax.Stmt{syntax.Returns(none, skip)}},
			syntax.Returns(syntax.CallOf(decode, item)))
	default:
		problem := syntax.Name("err")
		body = append(body,
			syntax.Lets(syntax.CallOf(decode, item), "found", "err"),
			&syntax.If{Cond: syntax.And(syntax.IsNil(problem), differs), Then: []syntax.Stmt{syntax.Set(problem, skip)}},
			syntax.Returns(syntax.Name("found"), problem))
	}
	return &syntax.Func{
		Params:  []syntax.Param{{Name: "item", Type: library.Access("Item")}},
		Results: []syntax.Param{{Type: syntax.Name(result)}, {Type: syntax.Name("error")}},
		Body:    body,
	}, nil
}

// differs returns the condition under which an item is not the one asked for, nil if it
// always is: equalities that the key did not need.
func (r *read) differs(e *model.Entity) (syntax.Expr, error) {
	var all []syntax.Expr
	for _, c := range r.Checks {
		a := e.Attribute(c.Attribute.Name)
		at := patterns.Place{X: syntax.Dot(syntax.Name("found"), r.m.Package.Items.Names.Fields[a]), Pointer: values.IsPointer(a.Type)}
		if r.m.Result != "" {
			at.X = r.readHeld(e, r.heldBy(e, a))
		}
		differs, err := r.differsFrom(a, at, c.Values[0])
		if err != nil {
			return nil, err
		}
		all = append(all, differs)
	}
	return syntax.Or(all...), nil
}

// heldBy returns where an item of the read has an attribute.
func (r *read) heldBy(e *model.Entity, a *model.Attribute) program.Held {
	stored := r.Entry.Path.Table.Item(e)
	held := program.Held{Attribute: a, Name: resolve.HeldBy(r.Entry.Path, stored, a)}
	if key := stored.Key(held.Name); held.Name != a.Stored && key != nil {
		held.Key = key
	}
	return held
}

// differsFrom returns the condition that a value read is not the one asked for.
func (r *read) differsFrom(a *model.Attribute, at patterns.Place, v model.Operand) (syntax.Expr, error) {
	other := a
	right := r.m.Package.Items.Values.Constant(a, v.Constant)
	if v.Param != "" {
		ref := r.m.Call.Ref(nil, v.Param, a)
		if ref.IsZero() {
			return nil, fmt.Errorf("%s: nothing gives $%s", r.m.Call.Pattern.Name, v.Param)
		}
		right = r.scope.At(ref).Value()
		if ref.Input.Attribute != nil {
			other = ref.Input.Attribute
		}
	}
	left := at.Value()
	differs := values.CompareTwo(a.Type, left, "!=", other.Type, right)
	switch a.Type.Base {
	case model.Enum, model.UUID, model.UUIDv7, model.ULID, model.Geohash, model.Date, model.Week:
		differs = syntax.Compare(left, "!=", right)
	}
	if at.Pointer {
		differs = syntax.Or(syntax.IsNil(at.X), differs)
	}
	return differs, nil
}

// rowSealed reports whether a row has an encrypted attribute.
func (r *read) rowSealed(e *model.Entity) bool {
	return slices.ContainsFunc(r.Rows[e], func(h program.Held) bool { return values.IsSealed(e, h.Attribute) })
}

// sharedRow returns the type of the named projection that the pattern selects, or nil.
func (r *read) sharedRow(e *model.Entity) *patterns.Row {
	if projection := r.m.Call.Pattern.Row; projection != nil {
		return r.m.Package.Row(projection, e)
	}
	return nil
}

// decoderName returns the name of the function that reads a row.
func (r *read) decoderName(row string, e *model.Entity) string {
	if shared := r.sharedRow(e); shared != nil {
		return shared.Decoder(r.Rows[e]) + r.suffix
	}
	return "decode" + row + r.suffix
}

// rowDecoder returns the function that reads a row.
func (r *read) rowDecoder(row string, e *model.Entity) syntax.Expr {
	decode := syntax.Name(r.decoderName(row, e))
	if r.rowSealed(e) {
		return syntax.CallOf(decode, patterns.Client)
	}
	return decode
}

// row builds the type of the selected attributes, and the function that reads it.
func (r *read) row(row string, e *model.Entity) []syntax.Decl {
	i := r.m.Package.Items
	d := &syntax.StructType{}
	var fields []items.Read
	for _, h := range r.Rows[e] {
		d.Fields = append(d.Fields, i.Field(e, h.Attribute))
		fields = append(fields, items.Read{Attribute: h.Attribute, X: r.readHeld(e, h)})
	}
	doc, typ, decode := fmt.Sprintf("%s holds the attributes of a %[3]s that %[2]s selects.", row, r.m.Name, i.Names.Entities[e]), true, true
	if shared := r.sharedRow(e); shared != nil {
		doc = fmt.Sprintf("%s holds the attributes of a %s that the projection %s names.", row, i.Names.Entities[e], r.m.Call.Pattern.Row.Name)
		typ, decode = shared.Declare(r.Rows[e])
	}
	typ = typ && r.suffix == ""
	var all []syntax.Decl
	if typ {
		all = append(all, &syntax.TypeDecl{Doc: syntax.Doc{doc}, Name: row, Type: d})
	}
	if decode {
		all = append(all, i.DecodeFunc(nil, r.decoderName(row, e), "row", row, e, r.rowSealed(e), fields))
	}
	return all
}

// readHeld returns an attribute, read where the item has it, nil for one that is decrypted as
// bytes.
func (r *read) readHeld(e *model.Entity, h program.Held) syntax.Expr {
	a, vals := h.Attribute, r.m.Package.Items.Values
	switch {
	case values.IsSealed(e, a):
		x, _ := vals.Unsealed(e, a)
		return x
	case h.Key == nil:
		return vals.Read(a, h.Name)
	}
	return r.m.Package.Items.ReadPart(h.Key, a)
}
