package loader

import (
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// allEntities builds the entities: attributes first, so that everything else can refer to
// them, also in other entities.
func (b *builder) allEntities(n *node) {
	if n == nil {
		return
	}
	blocks := map[*model.Entity]*entry{}
	for _, e := range n.entries {
		name := e.key.text
		if e.unfit || e.value.get("id") == nil || e.value.get("attributes") == nil {
			b.broken["entity "+name] = true
			continue
		}
		entity := &model.Entity{Name: name, Place: e.key.place}
		b.about("entity "+name, func() {
			b.entityAttributes(entity, e.value)
			var ok = b.whole(func() { entity.ID = b.attributes(entity, e.value.get("id")) })
			if !ok || len(entity.Attributes) == 0 {
				b.broken["entity "+name] = true
				return
			}
			b.entities[name] = entity
			blocks[entity] = e
			b.design.Entities = append(b.design.Entities, entity)
		})
	}
	for _, entity := range b.design.Entities {
		b.about("entity "+entity.Name, func() {
			b.entityFacts(entity, blocks[entity].value)
			entity.Accepts = b.acceptsOf(blocks[entity])
		})
	}
}

func (b *builder) entityAttributes(entity *model.Entity, block *node) {
	declared := block.get("attributes")
	for _, e := range declared.entries {
		var a *model.Attribute
		if !e.unfit && !e.value.flawed && b.whole(func() { a = b.attributeOf(e) }) {
			entity.Attributes = append(entity.Attributes, a)
		} else {
			b.broken[entity.Name+"."+e.key.text] = true
		}
	}
	b.storedNames(entity)
	for _, e := range declared.fit() {
		if a := entity.Attribute(e.key.text); a != nil && e.value.kind == mapping {
			b.madeFrom(entity, a, e.value.get("time"))
		}
	}
}

// attributeOf builds one attribute from its type or its block.
func (b *builder) attributeOf(e *entry) *model.Attribute {
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
	a.Type, err = model.ParseType(typeNode.text, func(name string) *model.Struct { return b.structs[name] })
	if err != nil && err.Unknown && !strings.Contains(err.Message, "did you mean") {
		name := substring(typeNode.text, err.Offset, err.Length)
		err.Message += b.found.didYouMean(name, slices.Sorted(maps.Keys(b.structs)))
	}
	if b.syntax(typeNode, err, nil) {
		a.Lifecycle = b.lifecycle(a, block)
	}
	return a
}

// storedNames checks that no two attributes are stored under one name.
func (b *builder) storedNames(entity *model.Entity) {
	first := map[string]*model.Attribute{}
	kept := entity.Attributes[:0:0]
	for _, a := range entity.Attributes {
		if have := first[a.Stored]; have != nil {
			b.whole(func() {
				b.fail("F006", a.Place, "%s and %s are both stored as %s", have.Name, a.Name, shown(a.Stored))
			})
			b.broken[entity.Name+"."+a.Name] = true
			continue
		}
		first[a.Stored] = a
		kept = append(kept, a)
	}
	entity.Attributes = kept
}

// madeFrom sets the time attribute of an id.
func (b *builder) madeFrom(entity *model.Entity, a *model.Attribute, n *node) {
	if n == nil {
		return
	}
	b.whole(func() {
		if a.Type.Base != model.ULID && a.Type.Base != model.UUIDv7 {
			b.fail("F006", n.place, "time is for ulid and uuidv7, which begin with a time; %s is %s", a.Name, a.Type)
			return
		}
		made := b.attribute(entity, n)
		if made == nil {
			return
		}
		if made.Type.Base != model.Timestamp && made.Type.Base != model.Unixtime {
			b.fail("F006", n.place, "%s is %s, not a timestamp", made.Name, made.Type)
			return
		}
		a.Time = made
	})
}

// lifecycle reads the transitions of an enum.
func (b *builder) lifecycle(a *model.Attribute, block *node) *model.Lifecycle {
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

func (b *builder) isState(a *model.Attribute, n *node) bool {
	if slices.Contains(a.Type.Values, n.text) {
		return true
	}
	b.fail("F006", n.place, "%s is never %s: %s", a.Name, shown(n.text), a.Type)
	return false
}

// entityFacts reads the keys of an entity other than its attributes. It omits those that
// cannot be parsed.
func (b *builder) entityFacts(entity *model.Entity, block *node) {
	entity.Doc, entity.Tags = block.get("doc").str(), texts(block.get("tags"))
	entity.IDPlace = block.get("id").place
	b.whole(func() { entity.Version = b.versionOf(entity, block.get("version")) })
	b.whole(func() { entity.TTL = b.optionalAttribute(entity, block.get("ttl")) })
	entity.TTLPlace = block.get("ttl").at()
	b.whole(func() { entity.Deadline = b.deadlineOf(entity, block.get("deadline")) })
	b.whole(func() { entity.Encrypt = b.attributes(entity, block.get("encrypt")) })
	b.uniques(entity, block.get("unique"))
	b.whole(func() { b.size(entity, block.get("size")) })
	b.whole(func() { b.volume(entity, block) })
	b.pers(entity, block.get("per"))
	b.counters(entity, block.get("counters"))
}

func (b *builder) versionOf(entity *model.Entity, n *node) *model.Attribute {
	a := b.optionalAttribute(entity, n)
	if a != nil && a.Type.Base != model.Integer {
		b.fail("F006", n.place, "a version is int, and %s is %s", a.Name, a.Type)
		return nil
	}
	return a
}

func (b *builder) deadlineOf(entity *model.Entity, n *node) *model.Attribute {
	a := b.optionalAttribute(entity, n)
	if a == nil {
		return nil
	}
	switch a.Type.Base {
	case model.Timestamp, model.Unixtime, model.Date:
		return a
	}
	b.fail("F006", n.place, "a deadline is a timestamp, unixtime or date, and %s is %s", a.Name, a.Type)
	return nil
}

func (b *builder) uniques(entity *model.Entity, n *node) {
	for _, item := range n.list() {
		rule := &model.Unique{Place: item.place}
		ok := !item.flawed && b.whole(func() {
			if item.kind != mapping {
				rule.Attributes = b.attributes(entity, item)
				return
			}
			rule.Attributes = b.attributes(entity, item.get("value"))
			rule.Per = b.attributes(entity, item.get("per"))
			for _, a := range rule.Per {
				if slices.Contains(rule.Attributes, a) {
					b.fail("F006", item.get("per").place, "%s is both the value and its scope", a.Name)
				}
			}
		})
		if ok {
			entity.Unique = append(entity.Unique, rule)
		}
	}
}
