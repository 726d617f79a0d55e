package loader

import (
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A counterBuilder builds the counters of an entity.
type counterBuilder struct {
	*reader
	entity *model.Entity
}

func (b counterBuilder) all(n *node) []*model.Counter {
	var all []*model.Counter
	for _, e := range n.fit() {
		counter := &model.Counter{Place: e.key.place, Shards: 1}
		if !e.value.flawed && b.whole(func() { b.counter(counter, e) }) {
			all = append(all, counter)
		}
	}
	return all
}

func (b counterBuilder) counter(c *model.Counter, e *entry) {
	block := e.value
	c.Attribute = b.declared.attribute(b.entity, e.key)
	if c.Attribute != nil && !c.Attribute.Type.IsNumber() {
		b.fail("F006", e.key.place, "a counter is a number, and %s is %s", c.Attribute.Name, c.Attribute.Type)
	}
	b.counted(c, block)
	if c.Of == nil {
		b.failed = true
		return
	}
	c.Where = b.conditions(c.Of, block.get("where"))
	b.match(c, e)
	c.Min, c.Max = optionalNumber(block.get("min")), optionalNumber(block.get("max"))
	if c.Min != nil && c.Max != nil && c.Max.Less(*c.Min) {
		b.fail("F006", block.get("max").place, "max is less than min")
	}
	if shards := block.get("shards"); shards != nil {
		c.Shards = int(min(number(shards).Int64(), maxShards))
		if number(shards).Cmp(exact.Int(maxShards)) > 0 {
			b.fail("F006", shards.place, "a counter has at most %d shards", maxShards)
		}
	}
}

// maxShards is the maximum number of shards of a counter, all of which are read.
const maxShards = 1000

// counted reads count or sum of a counter.
func (b counterBuilder) counted(c *model.Counter, block *node) {
	if n := block.get("count"); n != nil {
		c.Of = b.declared.entity(n)
		return
	}
	n := block.get("sum")
	if n == nil {
		b.failed = true
		return
	}
	entityName, attributeName, _ := strings.Cut(n.text, ".")
	c.Of = b.declared.entityNamed(n, entityName)
	if c.Of == nil {
		return
	}
	named := *n
	named.text = attributeName
	c.Sum = b.declared.attribute(c.Of, &named)
	if c.Sum != nil && !c.Sum.Type.IsNumber() {
		b.fail("F006", n.place, "only numbers can be summed, and %s is %s", c.Sum.Name, c.Sum.Type)
	}
}

// match reads the attributes by which a counted item finds its counter.
func (b counterBuilder) match(c *model.Counter, e *entry) {
	if n := e.value.get("match"); n != nil {
		for _, pair := range n.fit() {
			mine, theirs := b.declared.attribute(b.entity, pair.key), b.declared.attribute(c.Of, pair.value)
			b.sameType(pair.value.place, mine, theirs)
			c.Match = append(c.Match, model.Match{Mine: mine, Theirs: theirs})
		}
		return
	}
	for _, mine := range b.entity.ID {
		theirs := c.Of.Attribute(mine.Name)
		if theirs == nil {
			b.failed = true
			if !b.declared.broken[c.Of.Name+"."+mine.Name] {
				b.fail("F004", e.key.place, "%s has no attribute %s; state in match how it finds its %s", c.Of.Name, mine.Name, b.entity.Name)
			}
			continue
		}
		b.sameType(e.key.place, mine, theirs)
		c.Match = append(c.Match, model.Match{Mine: mine, Theirs: theirs})
	}
}

// sameType reports attributes of a match whose values cannot be compared, because they have
// different types.
func (b counterBuilder) sameType(place diag.Place, mine, theirs *model.Attribute) {
	if mine == nil || theirs == nil {
		return
	}
	one, other := mine.Type, theirs.Type
	one.Optional, other.Optional = false, false
	if one.String() != other.String() && !(isText(one.Base) && isText(other.Base)) {
		b.fail("F006", place, "%s is %s and %s is %s: they cannot be compared; give both the same type", mine.Name, one, theirs.Name, other)
	}
}

// isText reports whether values of a type are plain texts for programs.
func isText(base model.Base) bool {
	switch base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return true
	}
	return false
}
