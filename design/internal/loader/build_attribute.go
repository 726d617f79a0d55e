package loader

import (
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// An attributeBuilder builds the attributes of entities and struct types.
type attributeBuilder struct{ *reader }

// attribute builds one attribute from its type or its block.
func (b attributeBuilder) attribute(e *entry) *model.Attribute {
	typeNode, block := e.value, (*node)(nil)
	if e.value.kind == mapping {
		block = e.value
		typeNode = block.get("type")
	}
	a := &model.Attribute{
		Name: e.key.text, Stored: e.key.text, Place: e.key.place, TypePlace: typeNode.place,
		Doc: block.get("doc").str(), Size: b.bytes(block.get("size")),
	}
	if stored := block.get("name"); stored != nil {
		a.Stored = stored.text
	}
	var err *model.SyntaxError
	a.Type, err = model.ParseType(typeNode.text, func(name string) *model.Struct { return b.declared.structs[name] })
	if err != nil && err.Unknown && !strings.Contains(err.Message, "did you mean") {
		name := substring(typeNode.text, err.Offset, err.Length)
		err.Message += b.found.didYouMean(name, slices.Sorted(maps.Keys(b.declared.structs)))
	}
	if b.syntax(typeNode, err, nil) {
		a.Lifecycle = b.lifecycle(a, block)
		b.maximum(a, block.get("max"))
		b.earlier(a, block.get("was"))
		b.inKey(a, block)
		b.defaultValue(a, block.get("default"))
	}
	return a
}

// defaultValue reads the value of items that lack an attribute.
func (b attributeBuilder) defaultValue(a *model.Attribute, n *node) {
	switch {
	case n == nil:
	case a.Type.Optional:
		b.fail("F006", n.place, "%s is optional and has a default: remove ? if older items mean the default, or remove default if an item may have none", a.Name)
	case a.InKey:
		b.fail("F006", n.place, "%s exists only in the key, which is never missing: remove default", a.Name)
	case a.Lifecycle != nil:
		b.fail("F006", n.place, "%s has a lifecycle, and DynamoDB compares the state that is stored: give older items the state, and remove default", a.Name)
	default:
		text, err := model.ParseDefault(a, n.text)
		if b.syntax(n, err, nil) {
			a.Default = &text
		}
	}
}

// inKey reads whether an attribute exists only in the key.
func (b attributeBuilder) inKey(a *model.Attribute, block *node) {
	n := block.get("in")
	if n == nil {
		return
	}
	a.InKey, a.Stored = true, ""
	switch {
	case block.get("name") != nil:
		b.fail("F006", block.get("name").place, "%s exists only in the key and has no name in DynamoDB: remove name", a.Name)
	case a.Type.Optional:
		b.fail("F006", n.place, "%s may be absent, and a key never is: remove ? or in", a.Name)
	case !a.Type.InTemplate():
		b.fail("F006", n.place, "%s is %s, which cannot be part of a key's text", a.Name, a.Type)
	case a.Lifecycle != nil:
		b.fail("F006", n.place, "%s has a lifecycle, and a key never changes", a.Name)
	}
}

// maximum reads the maximum number of elements of a collection.
func (b attributeBuilder) maximum(a *model.Attribute, n *node) {
	switch a.Type.Base {
	case model.ListOf, model.SetOf, model.MapOf:
		if n != nil {
			a.Max = number(n).Int64()
		}
	default:
		if n != nil {
			b.fail("F006", n.place, "max is for a list, a set or a map; %s is %s", a.Name, a.Type)
		}
	}
}

// lifecycle reads the transitions of an enum.
func (b attributeBuilder) lifecycle(a *model.Attribute, block *node) *model.Lifecycle {
	n, start := block.get("lifecycle"), block.get("start")
	if n == nil {
		if start != nil {
			b.fail("F006", start.place, "start is for a lifecycle, and %s has none", a.Name)
		}
		return nil
	}
	if a.Type.Base != model.Enum {
		b.fail("F006", n.place, "a lifecycle is for an enum; %s is %s", a.Name, a.Type)
		return nil
	}
	l := &model.Lifecycle{Start: a.Type.Values[0], Next: map[string][]string{}, Place: n.place}
	if start != nil && b.isState(a, start) {
		l.Start = start.text
	}
	for _, e := range n.fit() {
		if !b.isState(a, e.key) {
			continue
		}
		l.Next[e.key.text] = []string{}
		for _, item := range e.value.items {
			switch {
			case !b.isState(a, item):
			case slices.Contains(l.Next[e.key.text], item.text):
				b.fail("F006", item.place, "%s is listed twice", item.text)
			default:
				l.Next[e.key.text] = append(l.Next[e.key.text], item.text)
			}
		}
	}
	return l
}

func (b attributeBuilder) isState(a *model.Attribute, n *node) bool {
	if slices.Contains(a.Type.Values, n.text) {
		return true
	}
	b.fail("F006", n.place, "%s is never %s: %s", a.Name, shown(n.text), a.Type)
	return false
}
