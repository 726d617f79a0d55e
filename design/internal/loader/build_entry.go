package loader

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// entryKeys maps the kinds of changes of entries to the keys of the format.
var entryKeys = map[model.EntryKind]string{model.SetEntry: "set", model.AddToEntry: "add", model.RemoveEntry: "remove"}

// entries reads the changes of single entries of maps under a key of a block, and returns the
// rest of what stands there.
func (b patternBuilder) entries(a *model.Action, block *node, key string, kind model.EntryKind) *node {
	n := block.get(key)
	if n == nil {
		return nil
	}
	isEntry := func(text string) bool { return strings.HasSuffix(text, "]") }
	rest := *n
	rest.items, rest.entries = nil, nil
	for _, item := range n.items {
		if isEntry(item.text) {
			b.entry(a, block, kind, item, nil)
		} else {
			rest.items = append(rest.items, item)
		}
	}
	for _, e := range n.entries {
		if isEntry(e.key.text) && slices.Contains(n.fit(), e) {
			b.entry(a, block, kind, e.key, e.value)
		} else {
			rest.entries = append(rest.entries, e)
		}
	}
	return &rest
}

// entry reads one change of an entry: labels[$key].
func (b patternBuilder) entry(a *model.Action, block *node, kind model.EntryKind, at, value *node) {
	name, key, _ := strings.Cut(strings.TrimSuffix(at.text, "]"), "[")
	named := *at
	named.text = name
	attribute := b.declared.attribute(a.Entity, &named)
	if attribute == nil {
		return
	}
	if why := model.UnfitForEntryChanges(attribute); why != "" {
		b.fail("F006", at.place, "%s", why)
		return
	}
	operand, ok := model.ParseEntryKey(key)
	if !ok {
		b.fail("F006", at.place, "the key of an entry is a parameter such as $key, or a constant")
		return
	}
	if block.get("upsert") != nil {
		b.fail("F006", at.place, "an upsert may make the item, which then has no map to change; set %s as a whole, or update", attribute.Name)
		return
	}
	change := &model.EntryChange{Entry: model.NewEntry(attribute, operand), Kind: kind, Place: at.place}
	if b.entryValue(change, at, value) {
		a.Entries = append(a.Entries, change)
	}
}

// entryValue reads what an entry is set to, or the number that is added to it.
func (b patternBuilder) entryValue(c *model.EntryChange, at, value *node) bool {
	switch {
	case c.Kind == model.RemoveEntry && (value == nil || value.text == "all"):
		return true
	case c.Kind == model.RemoveEntry:
		b.fail("F006", value.place, "remove takes a whole entry: %s: all", c.Element.Name)
		return false
	case value == nil:
		b.fail("F006", at.place, "set takes a value for an entry: { \"%s\": $value }", c.Element.Name)
		return false
	case value.text == "$":
		b.fail("F006", value.place, "the parameter for an entry has a name, such as $value")
		return false
	case c.Kind == model.AddToEntry && !c.Element.Type.IsNumber():
		b.fail("F006", at.place, "only numbers can be added to, and %s is %s", c.Element.Name, c.Element.Type)
		return false
	case c.Kind == model.AddToEntry:
		by, param, err := amount(value, c.Element)
		if err != nil {
			b.fail("F006", value.place, "%s is not a number that can be added to %s", shown(value.text), c.Element.Name)
			return false
		}
		if c.Value.Param = param; param == "" {
			c.Value.Constant = by.String()
		}
		return true
	}
	condition := b.condition(c.Element, nil, value)
	if condition == nil {
		return false
	}
	if condition.Op != model.Eq {
		b.fail("F006", value.place, "set takes a value: a constant or a parameter such as $value")
		return false
	}
	c.Value = condition.Values[0]
	return true
}
