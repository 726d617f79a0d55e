// Package shape describes what the items of the tables of a design look like: everything that
// decides which attributes and keys are stored, but no docs, sizes, rates and roles. Descriptions
// keep the order of the design, which does not matter where they are compared. A table of a
// used design has the same description in every design that uses it.
//
// The descriptions are plain data of package access/shape, which compares them. Package tabledef
// puts them into table definitions.
package shape

import (
	"cmp"
	"slices"
	"strings"

	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/model"
)

// Of returns the description of the items of a table. The design holds the guards of all its
// tables.
func Of(d *model.Design, t *model.Table) *shape.Table {
	of := &shape.Table{PK: t.PK.Name, SK: t.SK.Name, Type: t.Type, TTL: t.TTL}
	if !t.Delimiter.IsDefault() {
		of.Delimiter = t.Delimiter.String()
	}
	for _, item := range t.Items {
		of.Entities = append(of.Entities, entity(d, item))
		addStructs(of, item.Entity, item.Entity.Attributes)
	}
	for _, g := range t.Guards {
		of.Guards = append(of.Guards, guard(t, g))
	}
	return of
}

func entity(d *model.Design, item *model.Item) shape.Entity {
	e := item.Entity
	of := shape.Entity{Name: e.LocalName(), Attributes: attributes(e, e.Attributes), Keys: keys(item.Table, item.Computed)}
	if item.Table.Type != "" && e.TypeName() != of.Name {
		of.Label = e.TypeName()
	}
	for _, c := range e.Counters {
		counter := shape.Counter{Attribute: c.Attribute.Name, Counts: counted(c)}
		if c.Shards > 1 {
			counter.Shards = c.Shards
		}
		of.Counters = append(of.Counters, counter)
	}
	for _, t := range d.Tables {
		for _, g := range t.Guards {
			if g.Entity == e && t != item.Table && t.Name != item.Table.Name {
				of.Unique = append(of.Unique, Unique(g))
			}
		}
	}
	return of
}

func guard(t *model.Table, g *model.Guard) shape.Guard {
	var of []*model.Attribute
	for _, c := range g.Computed {
		for _, part := range c.Template.Parts {
			if part.IsHole() && !slices.Contains(of, part.Attribute) {
				of = append(of, part.Attribute)
			}
		}
	}
	return shape.Guard{Entity: g.Entity.LocalName(), Unique: Unique(g), Keys: keys(t, g.Computed), Attributes: attributes(g.Entity, of)}
}

// stored returns the name that an attribute is stored under; of one that only a key holds its own.
func stored(a *model.Attribute) string { return cmp.Or(a.Stored, a.Name) }

func attributes(e *model.Entity, all []*model.Attribute) []shape.Attribute {
	of := make([]shape.Attribute, len(all))
	for i, a := range all {
		of[i] = shape.Attribute{Name: stored(a), Type: typeText(e, a.Type), Sealed: slices.Contains(e.Encrypt, a), InKey: a.InKey}
		if a.Name != of[i].Name {
			of[i].As = a.Name
		}
		if a.Default != nil {
			of[i].HasDefault, of[i].Default = true, *a.Default
		}
	}
	return of
}

// typeText returns a type in the words of design files, the values of an enum sorted.
func typeText(e *model.Entity, t model.Type) string {
	optional := ""
	if t.Optional {
		optional = "?"
	}
	switch t.Base {
	case model.Enum:
		return "enum(" + strings.Join(slices.Sorted(slices.Values(t.Values)), ", ") + ")" + optional
	case model.ListOf, model.SetOf, model.MapOf:
		return string(t.Base) + "<" + typeText(e, *t.Element) + ">" + optional
	case model.StructOf:
		return structName(e, t.Struct) + optional
	}
	return t.String()
}

// structName returns the name of a struct in the design that the entity is from.
func structName(e *model.Entity, s *model.Struct) string {
	return strings.TrimPrefix(s.Name, e.Use+".")
}

// addStructs adds the structs that attributes hold, and those that these hold.
func addStructs(to *shape.Table, e *model.Entity, of []*model.Attribute) {
	for _, a := range of {
		t := a.Type
		for t.Element != nil {
			t = *t.Element
		}
		if t.Base != model.StructOf {
			continue
		}
		name := structName(e, t.Struct)
		if slices.ContainsFunc(to.Structs, func(s shape.Struct) bool { return s.Name == name }) {
			continue
		}
		to.Structs = append(to.Structs, shape.Struct{Name: name, Attributes: attributes(&model.Entity{Use: e.Use}, t.Struct.Attributes)})
		addStructs(to, e, t.Struct.Attributes)
	}
}

// keys returns the computed keys of an item or of the row of a guard.
func keys(t *model.Table, computed []*model.Computed) []shape.Key {
	var all []shape.Key
	for _, c := range computed {
		k := shape.Key{Name: c.Name, Template: template(c.Template)}
		for _, w := range c.When {
			k.When = append(k.When, condition(w))
		}
		if c.Name != t.PK.Name && c.Name != t.SK.Name {
			for _, x := range t.Indexes {
				if slices.ContainsFunc(slices.Concat(x.PK, x.SK), func(key model.KeyName) bool { return key.Name == c.Name }) {
					k.In = append(k.In, x.Name)
				}
			}
		}
		all = append(all, k)
	}
	return all
}

// template returns a template that names stored attributes.
func template(t *model.Template) string {
	var b strings.Builder
	for _, part := range t.Parts {
		if part.IsHole() {
			named := *part.Attribute
			named.Name = stored(part.Attribute)
			part.Attribute = &named
		}
		text := part.String()
		if part.Open {
			text = strings.TrimSuffix(text, "}") + "|" + shape.Open + "}"
		}
		b.WriteString(text)
	}
	return b.String()
}

func condition(c *model.Condition) shape.Condition {
	of := shape.Condition{Attribute: stored(c.Attribute), Op: string(c.Op)}
	for _, v := range c.Values {
		of.Values = append(of.Values, operand(v))
	}
	if c.Op == model.In {
		slices.Sort(of.Values)
	}
	return of
}

func operand(v model.Operand) string {
	if v.Attribute != nil {
		return "{" + stored(v.Attribute) + "}"
	}
	return v.String()
}

// Unique returns what the rows of a guard keep unique: username, or email per tenant.
func Unique(g *model.Guard) string {
	text := names(g.Attributes)
	for _, u := range g.Entity.Unique {
		if len(u.Per) > 0 && slices.Equal(u.Attributes, g.Attributes) {
			return text + " per " + names(u.Per)
		}
	}
	return text
}

func names(attributes []*model.Attribute) string {
	all := make([]string, len(attributes))
	for i, a := range attributes {
		all[i] = a.Name
	}
	return strings.Join(all, ", ")
}

// counted returns what decides the number that a counter has.
func counted(c *model.Counter) string {
	text := c.Of.LocalName()
	if c.Sum != nil {
		text += " sum " + stored(c.Sum)
	}
	var matches []string
	for _, m := range c.Match {
		matches = append(matches, stored(m.Mine)+" = "+stored(m.Theirs))
	}
	slices.Sort(matches)
	return text + " match " + strings.Join(matches, ", ") + " where " + conditions(c.Where)
}

// conditions returns conditions as text, in an order of its own.
func conditions(all []*model.Condition) string {
	texts := make([]string, len(all))
	for i, c := range all {
		if c.Op != model.Or {
			of := condition(c)
			texts[i] = of.Attribute + " " + of.Op + " " + strings.Join(of.Values, ", ")
			continue
		}
		var alternatives []string
		for _, alternative := range c.Any {
			alternatives = append(alternatives, conditions(alternative))
		}
		slices.Sort(alternatives)
		texts[i] = "(" + strings.Join(alternatives, " or ") + ")"
	}
	slices.Sort(texts)
	return strings.Join(texts, " and ")
}
