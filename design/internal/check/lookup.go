package check

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A keyUse is one key attribute of a table or an index, with the value of one entity.
type keyUse struct {
	Path     resolve.Path
	Sort     bool       // part of the sort key, not of the partition key
	Declared diag.Place // where the table or index names the attribute
	Name     string
	Item     *model.Item
	Key      *model.Key // nil: the entity has no value for it
}

// String returns the key's name in messages: sort key of Question in homeops.GSI1.
func (u keyUse) String() string {
	return u.role() + " of " + u.Item.Entity.Name + " in " + u.Path.String()
}

func (u keyUse) role() string {
	if u.Sort {
		return "sort key"
	}
	return "partition key"
}

// place returns the place where the value of the key is written: its template, or the name of the
// attribute where the table or index declares it.
func (u keyUse) place() diag.Place {
	if u.Key != nil && u.Key.Template != nil {
		return templatePlace(u.Key.Template)
	}
	return u.Declared
}

// partPlace returns the place where one part of the key's value is written.
func (u keyUse) partPlace(part int) diag.Place {
	if u.Key.Template == nil {
		return u.Declared
	}
	return partPlace(u.Key.Template, part)
}

// itemKeys returns the keys of one item: those of the table, then those of its indexes.
func itemKeys(item *model.Item) []keyUse {
	all := primaryKey(item)
	for _, index := range item.Table.Indexes {
		path := resolve.Path{Table: item.Table, Index: index}
		if !index.Local {
			for _, name := range index.PK {
				all = append(all, useOf(path, item, name, false))
			}
		}
		for _, name := range index.SK {
			all = append(all, useOf(path, item, name, true))
		}
	}
	return all
}

// primaryKey returns the one or two attributes of an item's primary key.
func primaryKey(item *model.Item) []keyUse {
	path := resolve.Path{Table: item.Table}
	all := []keyUse{useOf(path, item, item.Table.PK, false)}
	if item.Table.SK.Name != "" {
		all = append(all, useOf(path, item, item.Table.SK, true))
	}
	return all
}

func useOf(path resolve.Path, item *model.Item, name model.KeyName, sort bool) keyUse {
	return keyUse{Path: path, Sort: sort, Declared: name.Place, Name: name.Name, Item: item, Key: item.Key(name.Name)}
}

// inPrimaryKey finds the part of the primary key that contains an attribute.
func inPrimaryKey(item *model.Item, a *model.Attribute) (use keyUse, part int, found bool) {
	for _, use := range primaryKey(item) {
		if use.Key == nil {
			continue
		}
		for i, part := range use.Key.Parts() {
			if part.Attribute == a {
				return use, i, true
			}
		}
	}
	return keyUse{}, 0, false
}

// templatePlace returns the place of a whole template.
func templatePlace(t *model.Template) diag.Place {
	return t.Place.At(0, utf8.RuneCountInString(t.Text))
}

// partPlace returns the place of one literal or placeholder of a template.
func partPlace(t *model.Template, part int) diag.Place {
	end := utf8.RuneCountInString(t.Text)
	if part+1 < len(t.Parts) {
		end = t.Parts[part+1].Offset
	}
	return t.Place.At(t.Parts[part].Offset, end-t.Parts[part].Offset)
}

// rewritten returns the source of a template with one part replaced.
func rewritten(t *model.Template, part int, text string) string {
	var b strings.Builder
	for i, p := range t.Parts {
		if i == part {
			b.WriteString(text)
		} else {
			b.WriteString(p.String())
		}
	}
	return `"` + b.String() + `"`
}

// attributeNames formats the names of attributes as a list in a sentence.
func attributeNames(attributes []*model.Attribute) string {
	names := make([]string, len(attributes))
	for i, a := range attributes {
		names[i] = a.Name
	}
	return inWords(names)
}

// inWords formats a list for a sentence: a, b and c.
func inWords(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// holds reports whether every attribute of wanted is in have.
func holds(have, wanted []*model.Attribute) bool {
	return !slices.ContainsFunc(wanted, func(a *model.Attribute) bool { return !slices.Contains(have, a) })
}
