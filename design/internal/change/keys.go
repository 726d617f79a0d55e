package change

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// keys compares the key attributes of the items of each entity.
func (c *comparer) keys() {
	for _, p := range c.Entities {
		if p.Old == nil || p.New == nil {
			continue
		}
		was, is := home(c.Old, p.Old), home(c.New, p.New)
		switch {
		case was == nil && is == nil:
		case was == nil:
			c.add("E011", is.Place, "entity "+p.New.Name, "%s is in a table now, %s", p.New.Name, is.Table.Name).Entity = p
		case is == nil:
			c.addRemoved("E014", was.Place, p.New.Place, "entity "+p.New.Name, "%s is in no table any more", p.New.Name).Entity = p
		case was.Table.Name != is.Table.Name:
			c.add("E042", is.Place, "entity "+p.New.Name, "%s is in %s, and was in %s", p.New.Name, is.Table.Name, was.Table.Name).
				was(was.Place, "it was in %s", was.Table.Name).Entity = p
		default:
			before := len(c.all)
			c.itemKeys(p, was, is)
			for _, change := range c.all[before:] {
				change.Entity, change.Table = p, c.TableOf(is.Table)
			}
		}
	}
}

// itemKeys compares the keys of the items of an entity that stays in its table.
func (c *comparer) itemKeys(p *EntityPair, was, is *model.Item) {
	if tableKey(was.Table) == tableKey(is.Table) {
		c.primary(p, was, is)
	}
	if is.Table.Type != "" && was.Table.Type == is.Table.Type && p.Old.TypeName() != p.New.TypeName() {
		at := p.New.Place
		if !p.New.LabelPlace.IsZero() {
			at = p.New.LabelPlace
		}
		c.add("E016", at, "entity "+p.New.Name, "items of %s have %s %s, and had %s", p.New.Name, is.Table.Type, p.New.TypeName(), p.Old.TypeName()).
			because("Old code skips new items, and new code skips old ones: each knows its items by the attribute.").
			fixing("Keep what is stored: write label: %s", p.Old.TypeName())
	}
	var added, removed []*model.Key
	tableKeys := []string{is.Table.PK.Name, is.Table.SK.Name}
	if tableKey(was.Table) != tableKey(is.Table) { // which is E041
		tableKeys = append(tableKeys, was.Table.PK.Name, was.Table.SK.Name)
	}
	for _, name := range keyNames(was, is) {
		if slices.Contains(tableKeys, name) {
			continue
		}
		switch old, new := inIndex(was, name), inIndex(is, name); {
		case old == nil && new == nil:
		case old == nil && new.Template == nil: // the items have it, or it is a new attribute
		case old == nil && p.Old.Stored(name) != nil:
			c.add("E033", new.Place, "entity "+p.New.Name, "%s of %s is made by a template, and was an attribute", name, p.New.Name)
		case old == nil:
			added = append(added, new)
		case new == nil && !c.leaves(p, is, old) && old.Template != nil: // a natural key is an attribute, which stays
			removed = append(removed, old)
		case new != nil:
			c.keyChanged(p, old, new)
		}
	}
	if len(added) > 0 {
		all := names(added, func(k *model.Key) string { return k.Name + " = " + shown(k) })
		c.add("E022", added[0].Place, "entity "+p.New.Name, "%s gets %s, which old items lack", p.New.Name, strings.Join(all, " and "))
	}
	if len(removed) > 0 {
		all := names(removed, func(k *model.Key) string { return k.Name })
		c.addRemoved("E014", removed[0].Place, is.Place, "entity "+p.New.Name, "%s has no %s any more; old items keep what they have", p.New.Name, strings.Join(all, ", ")).Dangerous = false
	}
}

// tableKey returns the names of the key attributes of a table.
func tableKey(t *model.Table) [2]string { return [2]string{t.PK.Name, t.SK.Name} }

func (c *comparer) primary(p *EntityPair, was, is *model.Item) {
	for _, name := range []string{is.Table.PK.Name, is.Table.SK.Name} {
		old, new := was.Key(name), is.Key(name)
		if name == "" || old == nil || new == nil {
			continue
		}
		before, after := c.keyText(p, old, false), c.keyText(p, new, true)
		if before != after {
			c.add("E021", new.Place, "entity "+p.New.Name, "%s", c.otherKey(p, old, new)).
				was(old.Place, "it was made here")
		}
	}
}

// indexKeyNames returns the key attributes of the global and local indexes of both versions of a table.
func indexKeyNames(tables ...*model.Table) []string {
	var all []string
	for _, t := range tables {
		for _, x := range t.Indexes {
			for _, k := range slices.Concat(x.PK, x.SK) {
				if !slices.Contains(all, k.Name) {
					all = append(all, k.Name)
				}
			}
		}
	}
	return all
}

// keyNames returns the names of all key attributes besides those of other entities.
func keyNames(was, is *model.Item) []string {
	all := indexKeyNames(was.Table, is.Table)
	for _, c := range slices.Concat(was.Computed, is.Computed) {
		if !slices.Contains(all, c.Name) {
			all = append(all, c.Name)
		}
	}
	return all
}

// inIndex returns the value of a key attribute of an item if an index of its table has that attribute.
func inIndex(item *model.Item, name string) *model.Key {
	if !slices.Contains(indexKeyNames(item.Table), name) {
		if item.Key(name) == nil || item.Key(name).Template == nil {
			return nil
		}
	}
	return item.Key(name)
}

func (c *comparer) keyChanged(p *EntityPair, old, new *model.Key) {
	before, after := c.keyText(p, old, false), c.keyText(p, new, true)
	switch {
	case before == after:
	case unsharded(before) == unsharded(after):
		c.add("E029", new.Place, "entity "+p.New.Name, "%s of %s is %s, and was %s", new.Name, p.New.Name, shown(new), shown(old)).was(old.Place, "it was made here")
	default:
		change := c.add("E023", new.Place, "entity "+p.New.Name, "%s", c.otherKey(p, old, new)).was(old.Place, "it was made here")
		if x := indexWith(home(c.New, p.New).Table, new.Name); x != nil && shown(old) != shown(new) {
			change.fixing("Write the new key as %s_2 in place of %s, with an index of its own, such as %s_2: { %s }; old code goes on with %s",
				new.Name, new.Name, x.Name, keysWith(x, new.Name), x.Name)
		}
	}
}

// indexWith returns the first global index that has a key attribute, or nil.
func indexWith(t *model.Table, name string) *model.Index {
	for _, x := range t.Indexes {
		if !x.Local && slices.ContainsFunc(slices.Concat(x.PK, x.SK), func(k model.KeyName) bool { return k.Name == name }) {
			return x
		}
	}
	return nil
}

// keysWith returns the keys of an index as the design writes them, with another name for one of them.
func keysWith(x *model.Index, name string) string {
	words := func(all []model.KeyName) string {
		texts := names(all, func(k model.KeyName) string {
			if k.Name == name {
				return k.Name + "_2"
			}
			return k.Name
		})
		if len(texts) == 1 {
			return texts[0]
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	text := "pk: " + words(x.PK)
	if len(x.SK) > 0 {
		text += ", sk: " + words(x.SK)
	}
	return text
}

// otherKey says how a key attribute differs. Keys of one text differ if the text names other things.
func (c *comparer) otherKey(p *EntityPair, old, new *model.Key) string {
	if shown(old) != shown(new) {
		return fmt.Sprintf("%s of %s is %s, and was %s", new.Name, p.New.Name, shown(new), shown(old))
	}
	var renamed []string
	for _, a := range new.Attributes() {
		pair := p.Attribute(a)
		if pair == nil || pair.Old == nil {
			renamed = append(renamed, a.Name+" is new")
			continue
		}
		if pair.Old.Name != a.Name {
			renamed = append(renamed, a.Name+" was "+pair.Old.Name)
		}
		for _, v := range pair.Values {
			if v.Old != "" && v.New != "" && v.Old != v.New {
				renamed = append(renamed, v.New+" was "+v.Old)
			}
		}
	}
	return fmt.Sprintf("%s of %s is %s as before, and has other values: %s", new.Name, p.New.Name, shown(new), listed(renamed))
}

// leaves lists the indexes that both versions have and that an entity is in no more, because it has no
// such key. It reports whether there is one.
func (c *comparer) leaves(p *EntityPair, is *model.Item, old *model.Key) bool {
	pair, left := c.TableOf(is.Table), false
	for _, x := range pair.Indexes {
		has := func(k model.KeyName) bool { return k.Name == old.Name }
		if x.Old == nil || x.New == nil || !slices.ContainsFunc(slices.Concat(x.Old.PK, x.Old.SK), has) || !slices.ContainsFunc(slices.Concat(x.New.PK, x.New.SK), has) {
			continue
		}
		left = true
		c.addRemoved("E027", old.Place, is.Place, "entity "+p.New.Name, "%s is in index %s no more: it has no %s", p.New.Name, x.New.Name, old.Name).
			because("Lists of old code do not find new items there. Old items keep the key, so that the index holds them until it is removed from them.")
	}
	return left
}

// because sets other consequences than those of the rule.
func (c *Change) because(why string) *Change {
	c.Why = why
	return c
}

// shown returns a key as the design writes it.
func shown(k *model.Key) string {
	text := k.Attribute
	if k.Template == nil {
		return text.Name
	}
	said := fmt.Sprintf("%q", k.Template.Text)
	if len(k.When) > 0 {
		said += " when " + strings.Join(names(k.When, (*model.Condition).String), " and ")
	}
	return said
}

// keyText returns what a key is made of, with the names of attributes in the old version, so that keys
// with the same values have the same text.
func (m *Matching) keyText(p *EntityPair, k *model.Key, isNew bool) string {
	var b strings.Builder
	if k.Template == nil {
		fmt.Fprintf(&b, "=%s %s", m.attributeText(p, k.Attribute, isNew), k.Kind())
		return b.String()
	}
	for _, part := range k.Template.Parts {
		if !part.IsHole() {
			b.WriteString(part.Literal)
			continue
		}
		b.WriteString("{" + m.attributeText(p, part.Attribute, isNew))
		for _, f := range part.Filters {
			fmt.Fprintf(&b, "|%s %d", f.Name, f.N)
			if f.Name == model.Escape {
				b.WriteString(part.Delimiter.String())
			}
		}
		b.WriteString("}")
	}
	return b.String() + " when " + m.conditionsText(p, k.When, isNew)
}

// unsharded returns a text of keyText without the numbers of shards.
func unsharded(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "|shard ") {
		if i > 0 {
			b.WriteString("|shard ")
			part = strings.TrimLeft(part, "0123456789")
		}
		b.WriteString(part)
	}
	return b.String()
}

// attributeText returns the name of an attribute in the old version; a value under another name makes
// another text.
func (m *Matching) attributeText(p *EntityPair, a *model.Attribute, isNew bool) string {
	if !isNew {
		return a.Name
	}
	pair := p.Attribute(a)
	if pair == nil || pair.Old == nil {
		return "new " + a.Name
	}
	text := pair.Old.Name
	for _, v := range pair.Values {
		if v.Old != "" && v.New != "" && v.Old != v.New {
			text += " " + v.New + " was " + v.Old
		}
	}
	return text
}

// conditionsText returns conditions as a text that does not depend on their order.
func (m *Matching) conditionsText(p *EntityPair, all []*model.Condition, isNew bool) string {
	texts := make([]string, len(all))
	for i, condition := range all {
		var values []string
		for _, v := range condition.Values {
			switch {
			case v.Attribute != nil:
				values = append(values, m.attributeText(p, v.Attribute, isNew))
			case v.Param != "":
				values = append(values, "$") // its name is a matter of Go
			default:
				values = append(values, v.String())
			}
		}
		if condition.Op == model.In {
			slices.Sort(values)
		}
		texts[i] = m.attributeText(p, condition.Attribute, isNew) + " " + string(condition.Op) + " " + strings.Join(values, ", ")
		if condition.Op == model.Or {
			var any []string
			for _, alternative := range condition.Any {
				any = append(any, m.conditionsText(p, alternative, isNew))
			}
			slices.Sort(any)
			texts[i] = "(" + strings.Join(any, " or ") + ")"
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, " and ")
}
