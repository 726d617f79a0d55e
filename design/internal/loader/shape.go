package loader

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
)

// checkShape validates a design against the format: unknown, duplicate and missing keys, and
// values of the wrong kind. It marks invalid nodes as unfit or flawed.
func checkShape(root *node, found *findings) {
	c := newShapeChecker(found)
	c.block(root, designSpec, slot{name: "the design", at: root.place})
}

type shapeChecker struct {
	found   *findings
	bounds  map[string]exact.Number
	subject string // the entity, table or pattern that is being checked
}

func newShapeChecker(found *findings) *shapeChecker {
	return &shapeChecker{found: found, bounds: map[string]exact.Number{}}
}

// A slot describes the position of a value for messages.
type slot struct {
	name    string     // rate, attribute email
	example string     // as YAML after the colon, or ""
	inFlow  bool       // the mapping around it is in brackets
	at      diag.Place // of its name
}

func (c *shapeChecker) fail(code diag.Code, place diag.Place, fix, format string, args ...any) {
	c.add(diag.Finding{Code: code, Place: place, Fix: fix, Message: fmt.Sprintf(format, args...)})
}

func (c *shapeChecker) add(f diag.Finding) {
	f.Subject = c.subject
	c.found.add(f)
}

// block checks a mapping with fixed keys. A problem inside makes it flawed.
func (c *shapeChecker) block(n *node, b *blockSpec, outer slot) {
	c.splitTexts(n)
	c.duplicates(n, func(e *entry) string { return e.key.text })
	for _, e := range n.entries {
		if e.unfit {
			n.flawed = true
			continue
		}
		spec := b.key(e.key.text)
		s := slot{name: e.key.text, inFlow: n.flow, at: e.key.place}
		switch {
		case spec != nil:
			s.example = spec.example
			e.unfit = !c.value(e.value, spec.value, s)
		default:
			c.unknownKey(e, b)
			e.unfit = true
		}
		n.flawed = n.flawed || e.unfit || e.value.flawed && !(spec != nil && spec.value.alone)
	}
	c.required(n, b, outer)
}

func (c *shapeChecker) unknownKey(e *entry, b *blockSpec) {
	key := e.key.text
	hint := c.found.didYouMean(key, b.keyNames())
	c.fail("F002", e.key.place, "Keys of "+b.an+": "+strings.Join(b.keyNames(), ", ")+".", "%s has no key %s%s", b.an, shown(key), hint)
}

// required checks that the required keys exist.
func (c *shapeChecker) required(n *node, b *blockSpec, outer slot) {
	what := outer.name
	have := func(key string) bool {
		for _, e := range n.entries {
			if e.key.text == key {
				return true
			}
		}
		return false
	}
	for _, k := range b.keys {
		if k.required && !have(k.name) {
			if c.misspelled(n, b, k.name) {
				continue
			}
			c.fail("F004", outer.at, fmt.Sprintf("Add %s: %s", k.name, k.example), "%s has no %s", what, k.name)
			n.flawed = true
		}
	}
	if len(b.oneOf) == 0 {
		return
	}
	var found []*entry
	for _, e := range n.entries {
		for _, key := range b.oneOf {
			if e.key.text == key {
				found = append(found, e)
			}
		}
	}
	switch {
	case len(found) == 0 && !c.misspelled(n, b, b.oneOf...):
		c.fail("F004", outer.at, "", "%s needs one of %s", what, inWords(b.oneOf))
		n.flawed = true
	case len(found) > 1 && found[0].key.text != found[1].key.text:
		c.add(diag.Finding{
			Code: "F006", Place: found[1].key.place,
			Message: fmt.Sprintf("%s has both %s and %s; it needs exactly one of %s", what, found[0].key.text, found[1].key.text, inWords(b.oneOf)),
			Related: []diag.Related{{Place: found[0].key.place, Message: found[0].key.text + " stands here"}},
		})
		n.flawed = true
	}
}

// misspelled reports whether an unknown key is likely one of some keys that are not there,
// so that they are not reported as missing too.
func (c *shapeChecker) misspelled(n *node, b *blockSpec, keys ...string) bool {
	return slices.ContainsFunc(n.entries, func(e *entry) bool { return slices.Contains(keys, meant(e, b)) })
}

// meant returns the key that a misspelled key of a block is taken for, or "".
func meant(e *entry, b *blockSpec) string {
	if b.key(e.key.text) != nil {
		return ""
	}
	key, _ := diag.Nearest(short(e.key.text), b.keyNames())
	return key
}

// duplicates reports duplicate keys; the first one takes effect.
func (c *shapeChecker) duplicates(n *node, identity func(*entry) string) {
	if distinct(n) {
		return
	}
	first := make(map[string]*entry, len(n.entries))
	for _, e := range n.entries {
		if e.unfit {
			continue
		}
		id := identity(e)
		have := first[id]
		if have == nil {
			first[id] = e
			continue
		}
		e.unfit = true
		n.flawed = true
		c.add(diag.Finding{
			Code: "F003", Place: e.key.place,
			Message: fmt.Sprintf("%s is a duplicate key", shown(e.key.text)),
			Related: []diag.Related{{Place: have.key.place, Message: "first declared here"}},
		})
	}
}

// distinct reports whether a small mapping has no duplicate keys.
func distinct(n *node) bool {
	if len(n.entries) > 16 {
		return false
	}
	for i, e := range n.entries {
		for _, other := range n.entries[:i] {
			if e.key.text == other.key.text {
				return false
			}
		}
	}
	return true
}

// value checks a value and reports whether it is of the right kind. It may still be flawed
// inside.
func (c *shapeChecker) value(n *node, v *valueSpec, s slot) bool {
	if n.kind == empty {
		c.emptyValue(n, v, s)
		return false
	}
	if c.isTemplate(n, v, s) {
		return false
	}
	v = v.option(n.kind)
	switch {
	case v.form != nil && n.kind == scalar:
		return c.scalar(n, v.form, s)
	case v.block != nil && n.kind == mapping:
		c.block(n, v.block, s)
		return true
	case v.names != nil && n.kind == mapping:
		return c.mapping(n, v, s)
	case v.names == nil && v.element != nil && n.kind == list:
		return c.list(n, v, s)
	}
	c.wrongKind(n, v, s)
	return false
}

// option returns the spec for a node of a kind: the matching option, or else one for the
// message.
func (v *valueSpec) option(k kind) *valueSpec {
	for _, o := range v.options {
		if o.kind() == k {
			return o
		}
	}
	return v
}

func (v *valueSpec) kind() kind {
	switch {
	case v.form != nil:
		return scalar
	case v.block != nil || v.names != nil:
		return mapping
	}
	return list
}

func (c *shapeChecker) mapping(n *node, v *valueSpec, s slot) bool {
	c.splitTexts(n)
	c.duplicates(n, func(e *entry) string {
		if v.names == ruleCode {
			return e.key.place.File + "\x00" + e.key.text
		}
		return e.key.text
	})
	if len(n.entries) < v.least {
		c.fail("F005", n.place, s.write(), "%s is empty", s.name)
		return false
	}
	for _, e := range n.entries {
		if e.unfit {
			continue
		}
		leave := c.enter(v, e)
		element := slot{name: nameOf(s, v, e), inFlow: n.flow, at: e.key.place}
		switch {
		case v.names.pattern != nil && !v.names.pattern.MatchString(e.key.text):
			c.fail("F006", e.key.place, "", "%s is not %s", shown(e.key.text), v.names.words)
			e.unfit = true
		default:
			e.unfit = !c.value(e.value, v.element, element)
		}
		n.flawed = n.flawed || e.unfit || e.value.flawed
		leave()
	}
	return true
}

// enter sets the entity, table or pattern being checked.
func (c *shapeChecker) enter(v *valueSpec, e *entry) (leave func()) {
	before := c.subject
	if before == "" && v.alone && v.element.block != nil {
		c.subject = v.element.block.name + " " + short(e.key.text)
	}
	return func() { c.subject = before }
}

// nameOf returns the name of an element of a mapping in messages: entity User, PK.
func nameOf(s slot, v *valueSpec, e *entry) string {
	switch {
	case v.element.block != nil:
		return v.element.block.name + " " + short(e.key.text)
	case s.name == "attributes":
		return "attribute " + short(e.key.text)
	}
	return short(e.key.text)
}

func (c *shapeChecker) list(n *node, v *valueSpec, s slot) bool {
	switch {
	case len(n.items) < v.least:
		c.fail("F005", n.place, s.write(), "%s is empty", s.name)
		return false
	case v.most > 0 && len(n.items) > v.most:
		c.fail("F006", n.items[v.most].place, "", "%s has %d entries; the maximum is %d", s.name, len(n.items), v.most)
		return false
	}
	element := slot{name: "an entry of " + s.name, inFlow: n.flow}
	if v.element.block != nil {
		element.name = v.element.block.an
	}
	kept := n.items[:0]
	for _, item := range n.items {
		element.at = item.place
		if c.value(item, v.element, element) {
			kept = append(kept, item)
			n.flawed = n.flawed || item.flawed
			continue
		}
		n.flawed = true
	}
	n.items = kept
	return true
}
