package gogen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// printTypes prints the types of the design: entities with their keys and enums, then
// the struct types.
func (g *generator) printTypes(p *printer) error {
	for _, e := range g.design.Entities {
		p.section(e.Name)
		g.printEntity(p, e)
		if home := g.layout.Home(e); home != nil {
			g.printKeyStruct(p, home)
		}
		g.printEnums(p, e.Attributes)
	}
	for _, s := range g.design.Structs {
		p.section(s.Name)
		p.doc(about(g.structs[s], s.Doc, "is a part of stored items"))
		p.line("type %s struct {", g.structs[s])
		for _, a := range s.Attributes {
			g.printField(p, a, g.attributeNotes(nil, a))
		}
		p.line("}")
		p.blank()
		g.printEnums(p, s.Attributes)
	}
	return nil
}

// about begins a doc comment: the name, then the design's words, or others if it has
// none.
func about(name, doc, otherwise string) string {
	doc = strings.TrimSpace(doc)
	if doc == "" {
		return name + " " + otherwise + "."
	}
	return name + ": " + sentence(doc)
}

// sentence ends a text with a full stop.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

func (g *generator) printEntity(p *printer, e *model.Entity) {
	home := g.layout.Home(e)
	where := "is stored in no table"
	if home != nil {
		where = "is an item of table " + home.Table.Name
	}
	p.doc(append([]string{about(g.entities[e], e.Doc, where)}, g.entityNotes(e, home)...)...)
	p.line("type %s struct {", g.entities[e])
	for _, a := range e.Attributes {
		g.printField(p, a, g.attributeNotes(e, a))
	}
	p.line("}")
	p.blank()
}

// entityNotes say where the entity lives and what is unique about it.
func (g *generator) entityNotes(e *model.Entity, home *model.Item) []string {
	var notes []string
	if home != nil {
		notes = append(notes, keyTable(home))
	}
	for _, u := range e.Unique {
		text := "Unique: " + listed(attributeNames(u.Attributes))
		if len(u.Per) > 0 {
			text += " for each " + listed(attributeNames(u.Per))
		}
		notes = append(notes, text+".")
	}
	return notes
}

// keyTable is the key attributes of an item with their values, as preformatted text.
func keyTable(item *model.Item) string {
	var rows [][]string
	for _, name := range keyNames(item.Table) {
		if key := item.Key(name); key != nil {
			rows = append(rows, []string{name, keyText(key) + whenText(key.When)})
		}
	}
	return columns(rows)
}

// keyText is what a key is made of, as the design writes it.
func keyText(key *model.Key) string {
	if key.Template != nil {
		return key.Template.Text
	}
	return "{" + key.Attribute.Name + "}"
}

func whenText(when []*model.Condition) string {
	if len(when) == 0 {
		return ""
	}
	texts := make([]string, len(when))
	for i, c := range when {
		texts[i] = c.String()
	}
	return "  when " + strings.Join(texts, " and ")
}

func attributeNames(attributes []*model.Attribute) []string {
	all := make([]string, len(attributes))
	for i, a := range attributes {
		all[i] = a.Name
	}
	return all
}

// printField prints a field of a struct with what is to know about it.
func (g *generator) printField(p *printer, a *model.Attribute, notes []string) {
	for _, line := range wrap(strings.Join(notes, " "), 84) {
		p.line("// %s", line)
	}
	tag := a.Name
	if a.Type.Optional {
		tag += ",omitempty"
	}
	p.line("%s %s `json:%q`", g.fields[a], g.goType(a), tag)
}

// attributeNotes are the sentences above a field; e is nil for a struct's.
func (g *generator) attributeNotes(e *model.Entity, a *model.Attribute) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if a.Doc != "" {
		add("%s", sentence(a.Doc))
	}
	switch a.Type.Base {
	case model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		add("A %s.", a.Type.Base)
	case model.SetOf:
		add("A set: without order and without duplicates.")
	case model.Unixtime:
		add("Stored in whole seconds.")
	}
	if a.Time != nil {
		add("Made at %s.", a.Time.Name)
	}
	if a.Lifecycle != nil {
		add("Begins as %s. %s", a.Lifecycle.Start, transitions(a))
	}
	if e != nil {
		notes = append(notes, g.roleNotes(e, a)...)
	}
	if a.Stored != a.Name {
		add("Stored as %s.", a.Stored)
	}
	return notes
}

// transitions are the steps of a lifecycle, in the order of the enum.
func transitions(a *model.Attribute) string {
	var steps []string
	for _, from := range a.Type.Values {
		if to := a.Lifecycle.Next[from]; len(to) > 0 {
			steps = append(steps, fmt.Sprintf("%s may become %s", from, strings.Join(to, ", ")))
		}
	}
	return sentence(strings.Join(steps, "; "))
}

// roleNotes say what an attribute is to its entity.
func (g *generator) roleNotes(e *model.Entity, a *model.Attribute) []string {
	var notes []string
	if e.Version == a {
		notes = append(notes, "The version: every write counts it up, and fails if somebody else did.")
	}
	if e.TTL == a {
		notes = append(notes, "Some time after this DynamoDB removes the item.")
	}
	if e.Deadline == a {
		notes = append(notes, "After this it is over, though the item may still be there.")
	}
	if isSealed(e, a) {
		notes = append(notes, "Sealed: encrypted before it is stored.")
	}
	for _, c := range e.Counters {
		if c.Attribute == a {
			notes = append(notes, g.counterNote(c))
		}
	}
	return notes
}

func (g *generator) counterNote(c *model.Counter) string {
	text := "Kept by the writes of " + c.Of.Name
	if c.Sum != nil {
		text = "The sum of " + c.Sum.Name + ", kept by the writes of " + c.Of.Name
	}
	if c.Shards > 1 {
		text += fmt.Sprintf(", spread over %d items", c.Shards)
	}
	if sum := g.sums[c]; sum != "" {
		text += fmt.Sprintf(" beside this one: DB.%s adds them up. The field itself counts nothing: it holds what the item was written with", sum)
	}
	return text + "."
}

// printKeyStruct prints the primary key of an entity as a type of its own.
func (g *generator) printKeyStruct(p *printer, home *model.Item) {
	e := home.Entity
	name, key := g.entities[e], g.keys[e]
	attributes := resolve.PrimaryAttributes(home)
	p.doc(fmt.Sprintf("%s is what finds one %s: %s.", key, name, listed(attributeNames(attributes))))
	p.line("type %s struct {", key)
	for _, a := range attributes {
		p.line("%s %s `json:%q`", g.fields[a], g.valueType(a), a.Name)
	}
	p.line("}")
	p.blank()
	receiver := begins(name)
	p.doc("Key is what finds it again.")
	p.line("func (%s %s) Key() %s {", receiver, name, key)
	p.line("return %s{", key)
	for _, a := range attributes {
		p.line("%s: %s.%s,", g.fields[a], receiver, g.fields[a])
	}
	p.line("}")
	p.line("}")
	p.blank()
}

// printEnums prints the enums of attributes: type, constants, all values, Valid.
func (g *generator) printEnums(p *printer, attributes []*model.Attribute) {
	for _, a := range attributes {
		values := enumOf(a.Type)
		if values == nil {
			continue
		}
		name := g.enums[a]
		p.doc(fmt.Sprintf("%s is a value of %s.", name, a.Name))
		p.line("type %s string", name)
		p.blank()
		p.line("// The values of %s.", name)
		p.line("const (")
		for _, value := range values {
			p.line("%s %s = %q", g.constants[a][value], name, value)
		}
		p.line(")")
		p.blank()
		p.doc(fmt.Sprintf("%s are all of them, in the order of the design.", g.values[a]))
		p.line("func %s() []%s {", g.values[a], name)
		p.line("return []%s{%s}", name, strings.Join(g.constantNames(a), ", "))
		p.line("}")
		p.blank()
		p.doc("Valid reports whether the design knows the value.")
		p.line("func (v %s) Valid() bool {", name)
		p.line("switch v {")
		p.line("case %s:", strings.Join(g.constantNames(a), ", "))
		p.line("return true")
		p.line("}")
		p.line("return false")
		p.line("}")
		p.blank()
		p.doc("text is the value as it is stored. One the design does not know is refused.")
		p.line("func (v %s) text(encode *marshal.Encoder, attribute string) string {", name)
		p.line("if !v.Valid() {")
		p.line("encode.Refuse(attribute, %q)", "is not one of "+strings.Join(values, ", "))
		p.line("}")
		p.line("return string(v)")
		p.line("}")
		p.blank()
	}
}

func (g *generator) constantNames(a *model.Attribute) []string {
	var all []string
	for _, value := range enumOf(a.Type) {
		all = append(all, g.constants[a][value])
	}
	return all
}
