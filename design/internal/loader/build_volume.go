package loader

import (
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

func (b *builder) size(entity *model.Entity, n *node) {
	if n == nil || n.flawed {
		return
	}
	entity.SizePlace = n.place
	if n.kind == scalar {
		entity.Size.Avg = b.bytes(n)
		return
	}
	avg, most := b.bytes(n.get("avg")), b.bytes(n.get("max"))
	if most > 0 && most < avg {
		b.fail("F006", n.get("max").place, "max is less than avg")
		return
	}
	entity.Size = model.Size{Avg: avg, Max: most}
}

// volume reads the number of items of an entity.
func (b *builder) volume(entity *model.Entity, block *node) {
	count, growth, keep := block.get("count"), block.get("growth"), block.get("keep")
	switch {
	case count != nil && growth != nil:
		b.fail("F006", growth.place, "count and growth exclude each other: count is the number of items, growth the number added")
	case keep != nil && growth == nil && block.entry("growth") == nil && !unfit(block, "growth"):
		b.fail("F006", keep.place, "keep needs growth")
	case count != nil:
		entity.Volume = model.Volume{Count: optionalNumber(count), Place: count.place}
	case growth != nil:
		rate := b.rate(growth)
		kept := b.duration(keep)
		if !b.failed {
			entity.Volume = model.Volume{Growth: &rate, Keep: kept, Place: growth.place}
		}
	}
}

// unfit reports whether a key exists but was reported.
func unfit(block *node, key string) bool {
	return slices.ContainsFunc(block.entries, func(e *entry) bool { return e.key.text == key && e.unfit })
}

func (b *builder) pers(entity *model.Entity, n *node) {
	for _, e := range n.fit() {
		per := &model.Per{Place: e.key.place}
		ok := !e.value.flawed && b.whole(func() {
			per.Attribute = b.attribute(entity, e.key)
			per.Avg, per.Max = number(e.value), number(e.value)
			if e.value.kind == mapping {
				b.perRange(per, e.value)
			}
		})
		if ok {
			entity.Per = append(entity.Per, per)
		}
	}
}

func (b *builder) perRange(per *model.Per, block *node) {
	avg, most := block.get("avg"), block.get("max")
	switch {
	case avg == nil && most == nil:
		b.fail("F004", block.place, "the number of items is missing: write { avg: 5, max: 60 }")
	case avg == nil:
		avg = most
	case most == nil:
		most = avg
	}
	per.Avg, per.Max = number(avg), number(most)
	if per.Max.Less(per.Avg) {
		b.fail("F006", most.place, "max is less than avg")
	}
}

func (b *builder) counters(entity *model.Entity, n *node) {
	for _, e := range n.fit() {
		counter := &model.Counter{Place: e.key.place, Shards: 1}
		if !e.value.flawed && b.whole(func() { b.counter(entity, counter, e) }) {
			entity.Counters = append(entity.Counters, counter)
		}
	}
}

func (b *builder) counter(entity *model.Entity, c *model.Counter, e *entry) {
	block := e.value
	c.Attribute = b.attribute(entity, e.key)
	if c.Attribute != nil && !c.Attribute.Type.IsNumber() {
		b.fail("F006", e.key.place, "a counter is a number, and %s is %s", c.Attribute.Name, c.Attribute.Type)
	}
	b.counted(c, block)
	if c.Of == nil {
		b.failed = true
		return
	}
	c.Where = b.conditions(c.Of, block.get("where"))
	b.match(entity, c, e)
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
func (b *builder) counted(c *model.Counter, block *node) {
	if n := block.get("count"); n != nil {
		c.Of = b.entity(n)
		return
	}
	n := block.get("sum")
	if n == nil {
		b.failed = true
		return
	}
	entityName, attributeName, _ := strings.Cut(n.text, ".")
	c.Of = b.entities[entityName]
	if c.Of == nil {
		b.unknown(n, "entity", entityName, slices.Sorted(maps.Keys(b.entities)))
		return
	}
	named := *n
	named.text = attributeName
	c.Sum = b.attribute(c.Of, &named)
	if c.Sum != nil && !c.Sum.Type.IsNumber() {
		b.fail("F006", n.place, "only numbers can be summed, and %s is %s", c.Sum.Name, c.Sum.Type)
	}
}

// match reads the attributes by which a counted item finds its counter.
func (b *builder) match(entity *model.Entity, c *model.Counter, e *entry) {
	if n := e.value.get("match"); n != nil {
		for _, pair := range n.fit() {
			mine, theirs := b.attribute(entity, pair.key), b.attribute(c.Of, pair.value)
			c.Match = append(c.Match, model.Match{Mine: mine, Theirs: theirs})
		}
		return
	}
	for _, mine := range entity.ID {
		theirs := c.Of.Attribute(mine.Name)
		if theirs == nil {
			b.failed = true
			if !b.broken[c.Of.Name+"."+mine.Name] {
				b.fail("F004", e.key.place, "%s has no attribute %s; state in match how it finds its %s", c.Of.Name, mine.Name, entity.Name)
			}
			continue
		}
		c.Match = append(c.Match, model.Match{Mine: mine, Theirs: theirs})
	}
}
