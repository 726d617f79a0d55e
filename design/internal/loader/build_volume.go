package loader

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

func (b entityBuilder) size(entity *model.Entity, n *node) {
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
func (b entityBuilder) volume(entity *model.Entity, block *node) {
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

func (b entityBuilder) pers(entity *model.Entity, n *node) {
	for _, e := range n.fit() {
		per := &model.Per{Place: e.key.place}
		ok := !e.value.flawed && b.whole(func() {
			per.Attribute = b.declared.attribute(entity, e.key)
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

func (b entityBuilder) perRange(per *model.Per, block *node) {
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
