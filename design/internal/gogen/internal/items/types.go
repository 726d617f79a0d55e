package items

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Types builds the types of the design: entities with their keys and enums, then the struct
// types.
func (i *Items) Types() []syntax.Decl {
	var all []syntax.Decl
	for _, e := range i.Design.Entities {
		all = append(all, &syntax.Section{Title: e.Name}, i.entity(e))
		if home := i.Layout.Home(e); home != nil {
			all = append(all, i.keyType(home)...)
		}
		all = append(all, i.enums(e.Attributes)...)
	}
	for _, s := range i.Design.Structs {
		var fields []syntax.Field
		for _, a := range s.Attributes {
			fields = append(fields, i.Field(nil, a))
		}
		all = append(all, &syntax.Section{Title: s.Name}, &syntax.TypeDecl{
			Doc:  syntax.Doc{naming.About(i.Names.Structs[s], s.Doc, "is a part of stored items")},
			Name: i.Names.Structs[s], Type: &syntax.StructType{Fields: fields},
		})
		all = append(all, i.enums(s.Attributes)...)
	}
	return all
}

func (i *Items) entity(e *model.Entity) syntax.Decl {
	home := i.Layout.Home(e)
	where := "is stored in no table"
	if home != nil {
		where = "is an item of table " + home.Table.Name
	}
	d := &syntax.StructType{}
	for _, a := range e.Attributes {
		d.Fields = append(d.Fields, i.Field(e, a))
	}
	doc := append(syntax.Doc{naming.About(i.Names.Entities[e], e.Doc, where)}, entityNotes(e, home)...)
	return &syntax.TypeDecl{Doc: doc, Name: i.Names.Entities[e], Type: d}
}

// entityNotes says where the entity lives and what is unique about it.
func entityNotes(e *model.Entity, home *model.Item) []string {
	var notes []string
	if home != nil {
		notes = append(notes, keyTable(home))
	}
	for _, u := range e.Unique {
		text := "Unique: " + naming.Listed(naming.Attributes(u.Attributes))
		if len(u.Per) > 0 {
			text += " for each " + naming.Listed(naming.Attributes(u.Per))
		}
		notes = append(notes, text+".")
	}
	return notes
}

// keyTable returns the key attributes of an item with their values, as preformatted text.
func keyTable(item *model.Item) string {
	var rows [][]string
	for _, name := range KeyNames(item.Table) {
		if key := item.Key(name); key != nil {
			rows = append(rows, []string{name, KeyText(key) + WhenText(key.When)})
		}
	}
	return Columns(rows)
}

// KeyText returns the template of a key, as the design writes it.
func KeyText(key *model.Key) string {
	if key.Template != nil {
		return key.Template.Text
	}
	return "{" + key.Attribute.Name + "}"
}

// WhenText returns the conditions of a key, as the design writes them.
func WhenText(when []*model.Condition) string {
	if len(when) == 0 {
		return ""
	}
	texts := make([]string, len(when))
	for i, c := range when {
		texts[i] = c.String()
	}
	return "  when " + strings.Join(texts, " and ")
}

// Columns returns a table as preformatted text of a comment.
func Columns(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		for j, cell := range row {
			lines[i] += fmt.Sprintf("%-*s  ", widths[j], cell)
		}
		lines[i] = "\t" + strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Field returns the field of an attribute with its notes. The entity is nil for the field of
// a struct.
func (i *Items) Field(e *model.Entity, a *model.Attribute) syntax.Field {
	tag := a.Name
	if a.Type.Optional {
		tag += ",omitempty"
	}
	return syntax.Field{
		Doc:  syntax.Wrap(strings.Join(i.attributeNotes(e, a), " "), 84),
		Name: i.Names.Fields[a], Type: i.Values.GoType(a), Tag: fmt.Sprintf("json:%q", tag),
	}
}

// attributeNotes returns the sentences above a field.
func (i *Items) attributeNotes(e *model.Entity, a *model.Attribute) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if a.Doc != "" {
		add("%s", naming.Sentence(a.Doc))
	}
	switch a.Type.Base {
	case model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		add("A %s.", a.Type.Base)
	case model.SetOf:
		add("A set.")
	case model.Unixtime:
		add("Stored in whole seconds.")
	}
	if a.Time != nil {
		add("Made at %s.", a.Time.Name)
	}
	if a.Default != nil {
		notes = append(notes, defaultNote(a))
	}
	if a.Lifecycle != nil {
		add("Begins as %s. %s", a.Lifecycle.Start, transitions(a))
	}
	if e != nil {
		notes = append(notes, i.roleNotes(e, a)...)
	}
	switch {
	case a.InKey:
		add("Stored only in the key.")
	case a.Stored != a.Name:
		add("Stored as %s.", a.Stored)
	}
	return notes
}

// defaultNote says what items that lack an attribute have, and what is stored for the zero value.
func defaultNote(a *model.Attribute) string {
	text := *a.Default
	if a.Type.Base == model.String {
		text = strconv.Quote(text)
	}
	if values.ZeroIsNone(a.Type) {
		return fmt.Sprintf("Items that lack it have %s, and the zero value is stored as %[1]s.", text)
	}
	return fmt.Sprintf("Items that lack it have %s. The zero value is a value, and is stored.", text)
}

// transitions returns the steps of a lifecycle, in the order of the enum.
func transitions(a *model.Attribute) string {
	var steps []string
	for _, from := range a.Type.Values {
		if to := a.Lifecycle.Next[from]; len(to) > 0 {
			steps = append(steps, fmt.Sprintf("%s may become %s", from, strings.Join(to, ", ")))
		}
	}
	return naming.Sentence(strings.Join(steps, "; "))
}

// roleNotes says which role an attribute has in its entity.
func (i *Items) roleNotes(e *model.Entity, a *model.Attribute) []string {
	var notes []string
	if e.Version == a {
		notes = append(notes, "The version: every write increments it, and fails if another write did.")
	}
	if e.TTL == a {
		notes = append(notes, "DynamoDB removes the item some time after this.")
	}
	if e.Deadline == a {
		notes = append(notes, "The deadline; the item may exist for longer.")
	}
	if isSealed(e, a) {
		notes = append(notes, "Encrypted before it is stored.")
	}
	for _, c := range e.Counters {
		if c.Attribute == a {
			notes = append(notes, i.counterNote(c))
		}
	}
	return notes
}

func (i *Items) counterNote(c *model.Counter) string {
	text := "Updated by the writes of " + c.Of.Name
	if c.Sum != nil {
		text = "The sum of " + c.Sum.Name + ", updated by the writes of " + c.Of.Name
	}
	if c.Shards > 1 {
		text += fmt.Sprintf(", spread over %d items", c.Shards)
	}
	if sum := i.Names.Sums[c]; sum != "" {
		text += fmt.Sprintf(" besides this one: DB.%s adds them up. The field itself is not updated", sum)
	}
	return text + "."
}

// keyType builds the primary key of an entity as a type of its own.
func (i *Items) keyType(home *model.Item) []syntax.Decl {
	e := home.Entity
	name, key := i.Names.Entities[e], i.Names.Keys[e]
	receiver := naming.Receiver(name)
	fields, made := &syntax.StructType{}, &syntax.Composite{Type: syntax.Name(key), Layout: syntax.Fit}
	attributes := resolve.PrimaryAttributes(home)
	for _, a := range attributes {
		field := i.Names.Fields[a]
		fields.Fields = append(fields.Fields, syntax.Field{Name: field, Type: i.Values.ValueType(a), Tag: fmt.Sprintf("json:%q", a.Name)})
		made.Elems = append(made.Elems, syntax.Elem{Field: field, Value: syntax.Dot(syntax.Name(receiver), field)})
	}
	return []syntax.Decl{
		&syntax.TypeDecl{
			Doc:  syntax.Doc{fmt.Sprintf("%s is the primary key of %s: %s.", key, name, naming.Listed(naming.Attributes(attributes)))},
			Name: key, Type: fields,
		},
		&syntax.FuncDecl{
			Doc: syntax.Doc{"Key returns the primary key."}, Receiver: &syntax.Param{Name: receiver, Type: syntax.Name(name)},
			Name: "Key", Results: []syntax.Param{{Type: syntax.Name(key)}}, Body: []syntax.Stmt{syntax.Returns(made)}, Short: len(attributes) == 1,
		},
	}
}

// enums builds the enums of attributes: type, constants, all values, Valid.
func (i *Items) enums(attributes []*model.Attribute) []syntax.Decl {
	var all []syntax.Decl
	for _, a := range attributes {
		if naming.EnumOf(a.Type) != nil {
			all = append(all, i.enum(a)...)
		}
	}
	return all
}

func (i *Items) enum(a *model.Attribute) []syntax.Decl {
	name, texts := i.Names.Enums[a], naming.EnumOf(a.Type)
	typ := syntax.Name(name)
	constants := &syntax.Group{Doc: syntax.Doc{"The values of " + name + "."}, Keyword: "const"}
	var names []syntax.Expr
	for _, text := range texts {
		constant := i.Names.Constants[a][text]
		names = append(names, syntax.Name(constant))
		constants.Specs = append(constants.Specs, syntax.Spec{Name: constant, Type: typ, Value: syntax.Str(text)})
	}
	receiver := &syntax.Param{Name: "v", Type: typ}
	value := syntax.Name("v")
	return []syntax.Decl{
		&syntax.TypeDecl{Doc: syntax.Doc{fmt.Sprintf("%s is a value of %s.", name, a.Name)}, Name: name, Type: syntax.Name("string")},
		constants,
		&syntax.FuncDecl{
			Doc:  syntax.Doc{fmt.Sprintf("%s returns every %s, in the order of the design.", i.Names.Values[a], name)},
			Name: i.Names.Values[a], Results: []syntax.Param{{Type: syntax.ListOf(typ)}},
			Body: []syntax.Stmt{syntax.Returns(syntax.List(typ, names...))},
		},
		&syntax.FuncDecl{
			Doc: syntax.Doc{"Valid reports whether the design has the value."}, Receiver: receiver,
			Name: "Valid", Results: []syntax.Param{{Type: syntax.Name("bool")}}, Short: true,
			Body: []syntax.Stmt{syntax.Returns(syntax.CallOf(library.Of("slices", "Contains"), syntax.Builtin(i.Names.Values[a]), value))},
		},
	}
}
