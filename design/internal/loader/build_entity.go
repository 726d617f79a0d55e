package loader

import (
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// An entityBuilder builds the entities of a design.
type entityBuilder struct{ *reader }

// all builds the entities: attributes first, so that everything else can refer to
// them, also in other entities.
func (b entityBuilder) all(n *node) []*model.Entity {
	if n == nil {
		return nil
	}
	var entities []*model.Entity
	blocks := map[*model.Entity]*entry{}
	for _, e := range n.entries {
		name := e.key.text
		if e.unfit || e.value.get("id") == nil || e.value.get("attributes") == nil {
			b.declared.broken["entity "+name] = true
			continue
		}
		entity := &model.Entity{Name: name, Place: e.key.place}
		b.about("entity "+name, func() {
			b.attributes(entity, e.value)
			var ok = b.whole(func() { entity.ID = b.declared.attributes(entity, e.value.get("id")) })
			if !ok || len(entity.Attributes) == 0 {
				b.declared.broken["entity "+name] = true
				return
			}
			b.declared.entities[name] = entity
			blocks[entity] = e
			entities = append(entities, entity)
		})
	}
	for _, entity := range entities {
		b.about("entity "+entity.Name, func() {
			b.facts(entity, blocks[entity].value)
			b.keyOnly(entity)
			entity.Accepts = b.acceptsOf(blocks[entity])
		})
	}
	onlyOnce(b.reader, entities, func(e *model.Entity) (string, string, diag.Place) { return e.Name, e.Was, e.WasPlace })
	return entities
}

func (b entityBuilder) attributes(entity *model.Entity, block *node) {
	declared := block.get("attributes")
	for _, e := range declared.entries {
		var a *model.Attribute
		if !e.unfit && !e.value.flawed && b.whole(func() { a = attributeBuilder(b).attribute(e) }) {
			entity.Attributes = append(entity.Attributes, a)
		} else {
			b.declared.broken[entity.Name+"."+e.key.text] = true
		}
	}
	b.storedNames(entity)
	onlyOnce(b.reader, entity.Attributes, func(a *model.Attribute) (string, string, diag.Place) { return a.Name, a.Was, a.WasPlace })
	for _, e := range declared.fit() {
		if a := entity.Attribute(e.key.text); a != nil && e.value.kind == mapping {
			b.madeFrom(entity, a, e.value.get("time"))
		}
	}
}

// keyOnly checks that no attribute that exists only in the key has a task that needs it stored.
func (b entityBuilder) keyOnly(entity *model.Entity) {
	for _, a := range entity.Attributes {
		task := ""
		switch {
		case !a.InKey:
			continue
		case entity.Version == a:
			task = "the version"
		case entity.TTL == a:
			task = "the ttl"
		case slices.Contains(entity.Encrypt, a):
			task = "encrypted"
		case slices.ContainsFunc(entity.Counters, func(c *model.Counter) bool { return c.Attribute == a }):
			task = "a counter"
		default:
			continue
		}
		b.whole(func() {
			b.fail("F006", a.Place, "%s is %s, so it cannot exist only in the key: remove in: key", a.Name, task)
		})
	}
}

// storedNames checks that no two attributes are stored under one name.
func (b entityBuilder) storedNames(entity *model.Entity) {
	first := map[string]*model.Attribute{}
	kept := entity.Attributes[:0:0]
	for _, a := range entity.Attributes {
		if have := first[a.Stored]; have != nil && !a.InKey {
			b.whole(func() {
				b.fail("F006", a.Place, "%s and %s are both stored as %s", have.Name, a.Name, shown(a.Stored))
			})
			b.declared.broken[entity.Name+"."+a.Name] = true
			continue
		}
		first[a.Stored] = a
		kept = append(kept, a)
	}
	entity.Attributes = kept
}

// madeFrom sets the time attribute of an id.
func (b entityBuilder) madeFrom(entity *model.Entity, a *model.Attribute, n *node) {
	if n == nil {
		return
	}
	b.whole(func() {
		if a.Type.Base != model.ULID && a.Type.Base != model.UUIDv7 {
			b.fail("F006", n.place, "time is for ulid and uuidv7, which begin with a time; %s is %s", a.Name, a.Type)
			return
		}
		made := b.declared.attribute(entity, n)
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

// facts reads the keys of an entity other than its attributes. It omits those that
// cannot be parsed.
func (b entityBuilder) facts(entity *model.Entity, block *node) {
	if n := block.get("label"); n != nil {
		entity.Label, entity.LabelPlace = n.text, n.place
	}
	entity.Was, entity.WasPlace = b.was(entity.Name, block.get("was"))
	b.from(entity, block.get("from"))
	entity.Doc, entity.Tags = block.get("doc").str(), texts(block.get("tags"))
	entity.IDPlace = block.get("id").place
	b.whole(func() { entity.Version = b.version(entity, block.get("version")) })
	b.whole(func() { entity.TTL = b.declared.optionalAttribute(entity, block.get("ttl")) })
	entity.TTLPlace = block.get("ttl").at()
	b.whole(func() { entity.Deadline = b.deadline(entity, block.get("deadline")) })
	b.whole(func() { entity.Encrypt = b.declared.attributes(entity, block.get("encrypt")) })
	b.uniques(entity, block.get("unique"))
	b.whole(func() { b.size(entity, block.get("size")) })
	b.whole(func() { b.volume(entity, block) })
	b.pers(entity, block.get("per"))
	entity.Counters = counterBuilder{b.reader, entity}.all(block.get("counters"))
}

func (b entityBuilder) version(entity *model.Entity, n *node) *model.Attribute {
	a := b.declared.optionalAttribute(entity, n)
	if a != nil && a.Type.Base != model.Integer {
		b.fail("F006", n.place, "a version is int, and %s is %s", a.Name, a.Type)
		return nil
	}
	return a
}

func (b entityBuilder) deadline(entity *model.Entity, n *node) *model.Attribute {
	a := b.declared.optionalAttribute(entity, n)
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

func (b entityBuilder) uniques(entity *model.Entity, n *node) {
	for _, item := range n.list() {
		rule := &model.Unique{Place: item.place}
		ok := !item.flawed && b.whole(func() {
			if item.kind != mapping {
				rule.Attributes = b.declared.attributes(entity, item)
				return
			}
			rule.Attributes = b.declared.attributes(entity, item.get("value"))
			rule.Per = b.declared.attributes(entity, item.get("per"))
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
