package loader

import (
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A patternBuilder builds the patterns of a design.
type patternBuilder struct{ *reader }

// all builds the patterns. It omits patterns that cannot be parsed completely.
func (b patternBuilder) all(n *node) []*model.Pattern {
	if n == nil {
		return nil
	}
	blocks := map[*model.Pattern]*entry{}
	for _, e := range n.entries {
		p := &model.Pattern{Name: e.key.text, Place: e.key.place}
		b.about("pattern "+p.Name, func() {
			built := !e.unfit && b.whole(func() { b.pattern(p, e) })
			if !built || e.value.flawed {
				b.declared.broken["pattern "+p.Name] = true
				return
			}
			b.declared.patterns[p.Name] = p
			blocks[p] = e
		})
	}
	var kept []*model.Pattern
	for _, e := range n.entries {
		p := b.declared.patterns[e.key.text]
		if p == nil || blocks[p] != e {
			continue
		}
		b.about("pattern "+p.Name, func() {
			if b.whole(func() { p.BasedOn = b.basedOn(p, e.value.get("based_on")) }) {
				p.Complete()
				kept = append(kept, p)
				return
			}
			delete(b.declared.patterns, p.Name) // a write: no other pattern is based on it
			b.declared.broken["pattern "+p.Name] = true
		})
	}
	return kept
}

func (b patternBuilder) pattern(p *model.Pattern, e *entry) {
	block := e.value
	p.Doc, p.Tags = block.get("doc").str(), texts(block.get("tags"))
	p.Accepts = b.acceptsOf(e)
	b.workload(p, block)
	verb := verbOf(block, verbNames)
	if verb == nil {
		b.failed = true
		return
	}
	p.Verb, p.VerbPlace = model.Verb(verb.key.text), verb.key.place
	b.outOfPlace(block, p.Verb)
	switch p.Verb {
	case model.Collect:
		b.collect(p, verb.value)
	case model.Transact:
		b.steps(p, verb.value)
	case model.Snapshot:
		b.parts(p, verb.value)
	default:
		p.Entity = b.declared.entity(verb.value)
	}
	if b.failed {
		return
	}
	switch {
	case p.Entity != nil:
		b.action(&p.Action, block)
		b.reading(p, p.Entity, block)
	case p.Verb == model.Collect:
		p.Where, p.WhereAt = b.sharedConditions(p.Collect, block.get("where")), block.get("where").at()
		b.reading(p, union(p.Collect), block)
	}
	p.HotOf = b.hotKeys(p, block.get("hot"))
	b.requirements(p, block.get("requires"))
	p.Claims = claimBuilder(b).ofPattern(p, block.get("expect"))
}

// hotKeys reads the shares of the hottest values of attributes.
func (b patternBuilder) hotKeys(p *model.Pattern, n *node) map[string]exact.Number {
	if n == nil || len(n.entries) == 0 {
		return nil
	}
	of := p.Entity
	if entities := p.Entities(); len(entities) > 1 {
		of = union(entities)
		of.Name = p.Name
	}
	shares := map[string]exact.Number{}
	for _, e := range n.fit() {
		if a := b.declared.attribute(of, e.key); a != nil {
			shares[a.Name] = number(e.value)
		}
	}
	p.HotPlace = n.place
	return shares
}

// verbOf returns the entry of the verb of a block.
func verbOf(block *node, verbs []string) *entry {
	for _, e := range block.fit() {
		if slices.Contains(verbs, e.key.text) {
			return e
		}
	}
	return nil
}

func (b patternBuilder) workload(p *model.Pattern, block *node) {
	if n := block.get("rate"); n != nil {
		p.Rate, p.RatePlace = b.rate(n), n.place
	}
	if n := block.get("peak"); n != nil {
		peak := b.rate(n)
		p.Peak = &peak
	}
	if n := block.get("hot"); n != nil && len(n.entries) == 0 {
		p.Hot, p.HotPlace = optionalNumber(n), n.place
	}
	if n := block.get("reach"); n != nil {
		p.Reach, p.ReachAt = b.duration(n), n.place
	}
}

// belongs maps keys to the verbs they are for; other keys are for all verbs.
var belongs = map[string][]model.Verb{
	"filter":     {model.List, model.Collect, model.Scan},
	"order":      {model.List, model.Collect},
	"limit":      {model.List, model.Collect, model.Scan},
	"returns":    {model.List, model.Collect, model.Scan},
	"select":     {model.Get, model.List, model.Collect, model.Scan},
	"consistent": {model.Get, model.List, model.Collect, model.Scan},
	"segments":   {model.Scan},
	"where":      {model.Get, model.List, model.Collect, model.Create, model.Put, model.Update, model.Upsert, model.Delete, model.Check},
	"fanout":     {model.Get, model.List, model.Collect},
	"reach":      {model.Get, model.List, model.Collect, model.Scan},
	"set":        {model.Create, model.Put, model.Update, model.Upsert},
	"patch":      {model.Update},
	"initial":    {model.Upsert},
	"add":        {model.Update, model.Upsert},
	"append":     {model.Update, model.Upsert},
	"remove":     {model.Update, model.Upsert},
	"if":         {model.Create, model.Put, model.Update, model.Upsert, model.Delete, model.Check},
	"requires":   {model.Create, model.Put, model.Update, model.Upsert, model.Delete, model.Transact},
	"based_on":   {model.Create, model.Put, model.Update, model.Upsert, model.Delete, model.Transact},
}

// outOfPlace reports keys that are not for the verb.
func (b patternBuilder) outOfPlace(block *node, verb model.Verb) {
	for _, e := range block.fit() {
		verbs, limited := belongs[e.key.text]
		if !limited || slices.Contains(verbs, verb) {
			continue
		}
		if each := map[model.Verb]string{model.Snapshot: "part", model.Transact: "step"}[verb]; e.key.text == "where" && each != "" {
			b.fail("F002", e.key.place, "where cannot be used with %s; write it in each %s", verb, each)
			continue
		}
		if e.key.text == "where" {
			b.fail("F002", e.key.place, "where cannot be used with %s, which reads everything; say filter", verb)
			continue
		}
		var names []string
		for _, v := range verbs {
			names = append(names, string(v))
		}
		b.fail("F002", e.key.place, "%s cannot be used with %s; it is for %s", e.key.text, verb, inWords(names))
	}
}

func (b patternBuilder) collect(p *model.Pattern, n *node) {
	for _, item := range n.items {
		e := b.declared.entity(item)
		switch {
		case e == nil:
		case slices.Contains(p.Collect, e):
			b.fail("F006", item.place, "%s is listed twice", e.Name)
		default:
			p.Collect = append(p.Collect, e)
		}
	}
	if len(p.Collect) == 1 && !b.failed {
		b.fail("F006", n.place, "collect reads several entities; for one, use list: %s", p.Collect[0].Name)
	}
}

// sharedConditions reads conditions on several entities at once: each of them must
// have the attribute.
func (b patternBuilder) sharedConditions(entities []*model.Entity, n *node) []*model.Condition {
	for _, e := range n.fit() {
		for _, entity := range entities {
			b.declared.attribute(entity, e.key)
		}
	}
	if b.failed || len(entities) == 0 {
		return nil
	}
	return b.conditions(entities[0], n)
}

// union returns an entity with all attributes of several; of attributes with the same name it
// has the first.
func union(entities []*model.Entity) *model.Entity {
	all := &model.Entity{Name: "no entity of the collect"}
	for _, e := range entities {
		for _, a := range e.Attributes {
			if all.Attribute(a.Name) == nil {
				all.Attributes = append(all.Attributes, a)
			}
		}
	}
	return all
}

func (b patternBuilder) steps(p *model.Pattern, n *node) {
	for _, item := range n.items {
		verb := verbOf(item, stepNames)
		if verb == nil {
			b.failed = true
			continue
		}
		step := &model.Step{Verb: model.Verb(verb.key.text), Place: verb.key.place, Each: 1}
		b.outOfPlace(item, step.Verb)
		step.Entity = b.declared.entity(verb.value)
		if step.Entity == nil {
			continue
		}
		b.action(&step.Action, item)
		if each := item.get("each"); each != nil {
			step.Each = number(each).Int64()
		}
		p.Steps = append(p.Steps, step)
	}
}

// parts reads the parts of a snapshot: each is a get of its own.
func (b patternBuilder) parts(p *model.Pattern, n *node) {
	for _, item := range n.items {
		get := item.get("get")
		if get == nil {
			b.failed = true
			continue
		}
		part := &model.Pattern{
			Name: p.Name, Part: get.text, Place: p.Place, Doc: p.Doc, Tags: p.Tags,
			Verb: model.Get, VerbPlace: get.place, Rate: p.Rate, RatePlace: p.RatePlace, Peak: p.Peak,
			Consistent: true, ConsistAt: p.VerbPlace,
		}
		if as := item.get("as"); as != nil {
			part.Part = as.text
		}
		if part.Entity = b.declared.entity(get); part.Entity == nil {
			continue
		}
		part.Where, part.WhereAt = b.conditions(part.Entity, item.get("where")), item.get("where").at()
		if n := item.get("select"); n != nil {
			part.Select, part.Row = b.declared.selected(part.Entity, n)
			part.SelectAt = n.place
		}
		if slices.ContainsFunc(p.Parts, func(other *model.Pattern) bool { return other.Part == part.Part }) {
			b.fail("F006", item.place, "two parts are called %s; name one of them with as", part.Part)
			continue
		}
		p.Parts = append(p.Parts, part)
	}
}

// reading reads the keys that only reads have. e has the attributes that can be named.
func (b patternBuilder) reading(p *model.Pattern, e *model.Entity, block *node) {
	p.Filter = b.filter(e, block.get("filter"))
	if n := block.get("order"); n != nil {
		order, err := model.ParseOrdering(n.text, e)
		if b.syntax(n, err, e) {
			order.Place = n.place
			p.Order = order
		}
	}
	if n := block.get("select"); n != nil {
		p.Select, p.Row = b.declared.selected(e, n)
		p.SelectAt = n.place
	}
	if n := block.get("limit"); n != nil {
		p.Limit = number(n).Int64()
	}
	if n := block.get("segments"); n != nil {
		if p.Segments = number(n).Int64(); p.Segments > maxSegments {
			b.fail("F006", n.place, "a scan has at most %d segments", maxSegments)
		}
	}
	p.Returns = optionalNumber(block.get("returns"))
	if n := block.get("consistent"); n != nil {
		p.Consistent, p.ConsistAt = isTrue(n), n.place
	}
	for _, f := range block.get("fanout").fit() {
		if a := b.declared.attribute(e, f.key); a != nil {
			p.Fanout = append(p.Fanout, model.Fanout{Attribute: a, Values: number(f.value).Int64(), Place: f.key.place})
		}
	}
}

// basedOn reads the reads that a write depends on.
func (b patternBuilder) basedOn(p *model.Pattern, n *node) []*model.Pattern {
	var all []*model.Pattern
	for _, item := range n.list() {
		read := b.declared.pattern(item)
		switch {
		case read == nil:
		case !read.Verb.Reads():
			b.fail("F006", item.place, "%s is %s, not a read", read.Name, read.Verb)
		default:
			all = append(all, read)
		}
	}
	p.BasedOnAt = n.at()
	return all
}
