package randomdesign

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// An alteration is one change of a random design, as its next version could have it.
type alteration struct {
	name  string
	alter func(*altered) bool // false: the design has nothing to change so
}

// altered is a copy of a design that is being changed.
type altered struct {
	*rand.Rand
	root *node
}

var alterations = []alteration{
	{"docs", func(d *altered) bool { d.root.add(scalar("doc", "better")); return true }},
	{"optional attribute", func(d *altered) bool { return d.addAttribute(scalar("added", d.typeName()+"?")) }},
	{"required attribute", func(d *altered) bool { return d.addAttribute(scalar("added", d.typeName())) }},
	{"default", func(d *altered) bool {
		return d.addAttribute(mapping("added", scalar("type", "string"), scalar("default", "none")))
	}},
	{"attribute removed", (*altered).removeAttribute},
	{"type", func(d *altered) bool {
		return d.retype(func(t string) string {
			return map[string]string{"int": "number", "string": "int", "number": "string", "date": "string", "uuid": "string", "bool": "string", "timestamp": "string", "unixtime": "int"}[t]
		})
	}},
	{"optional", func(d *altered) bool {
		return d.retype(func(t string) string { return t + "?" })
	}},
	{"required", func(d *altered) bool {
		return d.retype(func(t string) string {
			if was, ok := strings.CutSuffix(t, "?"); ok {
				return was
			}
			return ""
		})
	}},
	{"enum value", func(d *altered) bool {
		return d.retype(func(t string) string { return changedText(t, `^enum\((.*)\)(\??)$`, "enum($1, ADDED)$2") })
	}},
	{"stored name", (*altered).rename},
	{"key", func(d *altered) bool { return d.retemplate(`^([A-Z]+)#`, "${1}X#") }},
	{"shards", func(d *altered) bool { return d.retemplate(`shard (\d)`, "shard 1$1") }},
	{"unique", (*altered).addUnique},
	{"version", (*altered).addVersion},
	{"encrypt", (*altered).encrypt},
	{"index", (*altered).addIndex},
}

// altering returns a copy of a design with one change, or nil.
func altering(root *node, a alteration, seed uint64) *node {
	d := &altered{rand.New(rand.NewPCG(seed, 11)), root.without(nil)}
	if !a.alter(d) {
		return nil
	}
	return d.root
}

func (d *altered) entity() *node {
	all := d.root.get("entities").kids
	return all[d.IntN(len(all))]
}

func (d *altered) typeName() string {
	return pick(d, "string", "int", "date", "bool", "list<string>", "enum(ONE, TWO)")
}

func (d *altered) addAttribute(a *node) bool {
	d.entity().get("attributes").add(a)
	return true
}

func (d *altered) removeAttribute() bool {
	attributes := d.entity().get("attributes")
	if len(attributes.kids) < 2 {
		return false
	}
	gone := attributes.kids[d.IntN(len(attributes.kids))]
	d.root = d.root.without(gone)
	return true
}

// retype gives an attribute another type, if there is one for its type.
func (d *altered) retype(to func(string) string) bool {
	attributes := d.entity().get("attributes").kids
	for _, i := range d.Perm(len(attributes)) {
		of := attributes[i]
		if !of.isText {
			of = of.get("type")
		}
		if of == nil {
			continue
		}
		if other := to(of.value); other != "" && other != of.value && !strings.HasSuffix(other, "??") {
			of.value = other
			return true
		}
	}
	return false
}

// changedText returns a text with what matches replaced, "" if nothing does.
func changedText(text, match, with string) string {
	expression := regexp.MustCompile(match)
	if !expression.MatchString(text) {
		return ""
	}
	return expression.ReplaceAllString(text, with)
}

// rename stores an attribute under another name.
func (d *altered) rename() bool {
	attributes := d.entity().get("attributes").kids
	a := attributes[d.IntN(len(attributes))]
	switch {
	case a.isText:
		*a = *mapping(a.key, scalar("type", a.value), scalar("name", "renamed"))
	case a.has("in"):
		return false
	case a.has("name"):
		a.get("name").value = "renamed"
	default:
		a.add(scalar("name", "renamed"))
	}
	return true
}

// retemplate changes the template of a key.
func (d *altered) retemplate(match, with string) bool {
	var templates []*node
	for _, table := range d.root.get("tables").kids {
		if items := table.get("items"); items != nil {
			templates = append(templates, items.all()...)
		}
	}
	for _, i := range d.Perm(len(templates)) {
		t := templates[i]
		if !t.isText || t.key == "when" {
			continue
		}
		if other := changedText(t.value, match, with); other != "" {
			t.value = other
			return true
		}
	}
	return false
}

func (d *altered) addUnique() bool {
	e := d.entity()
	if e.has("unique") {
		return false
	}
	for _, table := range d.root.get("tables").kids {
		if table.get("items") == nil || !table.get("items").has(e.key) || !table.has("sk") || table.get("pk").value != "PK" {
			continue
		}
		for _, a := range e.get("attributes").kids {
			if a.isText && a.value == "string" {
				e.add(words("unique", a.key))
				keys := mapping(e.key+"."+a.key, scalar("PK", fmt.Sprintf("ONLY#{%s}", a.key)), scalar("SK", "GUARD"))
				if !table.has("guards") {
					table.add(mapping("guards"))
				}
				table.get("guards").add(keys)
				return true
			}
		}
	}
	return false
}

func (d *altered) addVersion() bool {
	e := d.entity()
	if e.has("version") {
		return false
	}
	e.get("attributes").add(scalar("added", "int"))
	e.add(scalar("version", "added"))
	return true
}

func (d *altered) encrypt() bool {
	e := d.entity()
	for _, a := range e.get("attributes").kids {
		if a.isText && (a.value == "string" || a.value == "string?") && !e.has("encrypt") {
			e.add(words("encrypt", a.key))
			return true
		}
	}
	return false
}

// addIndex adds an index by an attribute that some items have, and a key to it that items get.
func (d *altered) addIndex() bool {
	for _, table := range d.root.get("tables").kids {
		items := table.get("items")
		if items == nil || items.isList || len(items.kids) == 0 {
			continue
		}
		item := items.kids[d.IntN(len(items.kids))]
		e := d.root.get("entities").get(item.key)
		at := slices.IndexFunc(e.get("attributes").kids, func(a *node) bool { return a.isText && (a.value == "date" || a.value == "uuid" || a.value == "string") })
		if item.isText || at < 0 {
			return false
		}
		if !table.has("indexes") {
			table.add(mapping("indexes"))
		}
		table.get("indexes").add(mapping("added", scalar("pk", "ADDEDPK")))
		item.add(scalar("ADDEDPK", "AD#{"+e.get("attributes").kids[at].key+"}"))
		return true
	}
	return false
}
