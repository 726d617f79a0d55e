package cost

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A match describes the items one query of a pattern reads, before any filter.
type match struct {
	items exact.Number
	size  exact.Number // of one item, on average
	known bool
	why   string // how the number of items was estimated, if it needs explaining
}

// read prices a read: each query reads its share of the items, in pages.
func (p *pricer) read(c *PatternCost) {
	r := c.Plan.Read
	queries := max(r.Queries, 1)
	shards := shardsAsked(c.Pattern, r)
	m := p.matched(c.Pattern, r, shards*r.Periods())
	units, pages := QueryUnits(m.items, m.size, r.Eventual)
	if r.ByKey() {
		units, pages = ReadUnits(m.size.Ceil().Int64(), r.Eventual), exact.One
	}
	c.Items, c.Known = m.items.Times(queries), m.known
	c.Pages, c.Requests = pages, pages.Times(queries)
	if r.Operation == resolve.BatchGetItem {
		c.Requests = exact.Int(ceilDiv(queries, MostGets))
	}
	c.Uses = []Use{{Path: r.Entry.Path, Read: units.Times(queries), Why: whyRead(r, m, queries)}}
	if units := fetched(r, m); !units.IsZero() {
		c.Uses = append(c.Uses, Use{
			Path: resolve.Path{Table: r.Entry.Path.Table}, Read: units.Times(queries),
			Why: counted(m.items, "item") + " fetched from the table, because the local index lacks attributes",
		})
	}
	p.heat.read(c, r, units, queries/r.Periods(), shards) // each period is another value, and the hottest is one of them
}

func whyRead(r *resolve.Read, m match, queries int64) string {
	why := counted(m.items, "item") + " of " + sizeText(m.size)
	if r.Eventual {
		why += ", eventually consistent"
	}
	for _, s := range r.Spans() {
		why += fmt.Sprintf(", in each of %d %s", s.Most, s.Units())
	}
	if times := queries / r.Periods(); times > 1 {
		why = fmt.Sprintf("%d times %s", times, why)
	}
	if m.why != "" {
		why += "; " + m.why
	}
	return why
}

// fetched returns the units of reading attributes that a local index does not project from
// its table, item by item.
func fetched(r *resolve.Read, m match) exact.Number {
	path := r.Entry.Path
	if path.Index == nil || !path.Index.Local || len(r.Missing) == 0 {
		return exact.Zero
	}
	return ReadUnits(ItemSize(r.Entry.Item).Avg, r.Eventual).Mul(m.items)
}

// shardsAsked returns the number of queries of a read that are due to shards of its partition
// key.
func shardsAsked(pattern *model.Pattern, r *resolve.Read) int64 {
	shards := int64(1)
	for _, key := range r.Entry.PK {
		for _, part := range key.Parts() {
			if f, ok := part.Filter(model.Shard); ok && !binds(pattern.Where, part.Attribute.Name) {
				shards *= int64(max(f.N, 1))
			}
		}
	}
	if shards > r.Queries {
		return 1
	}
	return shards
}

// binds reports whether conditions bind an attribute to one value.
func binds(conditions []*model.Condition, name string) bool {
	return slices.ContainsFunc(conditions, func(c *model.Condition) bool {
		return c.Attribute.Name == name && c.Op == model.Eq
	})
}

// matched returns the items one query reads. A query of one shard or period reads its share of the
// matching items, but has the whole limit, because the wanted items may be in any of them.
func (p *pricer) matched(pattern *model.Pattern, r *resolve.Read, shards int64) match {
	if len(r.Entities) > 1 {
		return limited(pattern, r, p.collected(pattern, r), shards)
	}
	size := exact.Int(p.items.size(r.Entry).Avg)
	if r.Unique {
		return match{items: exact.One, size: size, known: true}
	}
	m := p.behindKey(pattern, r, r.Entry)
	m.size = size
	return limited(pattern, r, m, shards)
}

// limited bounds the items that match a key by returns and limit of a pattern. A filter
// applies after items are read and counted against DynamoDB's Limit, so with a filter neither
// returns nor limit bounds what is read: the caller reads on until it has enough.
func limited(pattern *model.Pattern, r *resolve.Read, m match, shards int64) match {
	filtered := len(r.Filter) > 0
	returns := pattern.Returns
	if shards > 1 {
		m.items = m.items.Over(shards)
		returns = returnsOfShard(pattern, filtered, shards)
	}
	switch {
	case returns != nil && filtered:
		return filteredReturns(pattern, r, m, *returns)
	case returns != nil:
		m.items, m.known, m.why = *returns, true, ""
		return m
	case pattern.Limit > 0 && filtered:
		return filteredLimit(m, exact.Int(pattern.Limit))
	}
	limit := exact.Int(pattern.Limit)
	switch {
	case pattern.Limit > 0 && (!m.known || limit.Less(m.items)):
		m.items, m.known, m.why = limit, true, ""
	case pattern.Verb == model.Get && !m.known:
		m.items, m.known = exact.One, true
	case m.known && hasRange(pattern.Where):
		m.why = "all items of the key, because returns does not say how many are in the range"
	}
	return m
}

// returnsOfShard returns the items a pattern returns from each of several shards; nil if
// unknown, or if the limit ends the answer, because every shard is queried with the whole
// limit.
func returnsOfShard(pattern *model.Pattern, filtered bool, shards int64) *exact.Number {
	returns := pattern.Returns
	if returns == nil || pattern.Limit > 0 && !filtered && !returns.Less(exact.Int(pattern.Limit)) {
		return nil
	}
	part := returns.Over(shards)
	return &part
}

// filteredReturns returns the items read to return a number of items after a filter: all of the
// key, unless a range bounds what is read. How many are in the range follows from the share of
// them that the filter leaves.
func filteredReturns(pattern *model.Pattern, r *resolve.Read, m match, returns exact.Number) match {
	if !m.known {
		m.items, m.known, m.why = m.items.Max(returns), true, "at least what it returns; how many the filter removes is not stated"
		return m
	}
	all := m.items.Max(returns)
	m.items, m.why = all, "the filter leaves "+short(returns)
	if !hasRange(pattern.Where) {
		return m
	}
	left, why := share(r.Entities[0], r.Filter)
	inRange, ok := returns.Div(left)
	if ok && inRange.Less(all) {
		m.items, m.why = inRange, "the filter leaves "+short(returns)+" of those in the range, estimated: "+why
	}
	return m
}

// filteredLimit returns the items read to reach a limit after a filter.
func filteredLimit(m match, limit exact.Number) match {
	if m.known {
		m.why = "all items of the key, because the limit applies before the filter"
		return m
	}
	m.items, m.known, m.why = m.items.Max(limit), true, "at least its limit; how many the filter removes is not stated"
	return m
}

func hasRange(conditions []*model.Condition) bool {
	return slices.ContainsFunc(conditions, func(c *model.Condition) bool { return c.Op.IsRange() })
}

// collected adds up the items a collect reads of each entity.
func (p *pricer) collected(pattern *model.Pattern, r *resolve.Read) match {
	sum := match{known: true}
	bytes := exact.Zero
	for _, entity := range r.Entities {
		entry := p.items.entryOn(entity, r.Entry.Path)
		if entry == nil {
			continue
		}
		m := p.behindKey(pattern, r, entry)
		sum.items = sum.items.Add(m.items)
		sum.known = sum.known && m.known
		bytes = bytes.Add(m.items.Times(p.items.size(entry).Avg))
	}
	sum.size, _ = bytes.Div(sum.items)
	return sum
}

// behindKey returns the number of items of an entity that match the key of a read.
func (p *pricer) behindKey(pattern *model.Pattern, r *resolve.Read, entry *resolve.Entry) match {
	entity := entry.Item.Entity
	bound := boundBy(pattern, r, entity)
	if len(entity.ID) > 0 && containsAll(bound, entity.ID) {
		return match{items: exact.One, known: true}
	}
	m := match{items: exact.One}
	for _, a := range bound {
		if per := entity.PerOf(a); per != nil && (!m.known || per.Avg.Less(m.items)) {
			m.items, m.known = per.Avg, true
		}
	}
	if m.known {
		return m
	}
	return p.fewValues(entity, entry, bound)
}

// boundBy returns the attributes of an entity that a read's key binds. The conditions of a
// collect are about the first entity; the others have attributes with the same names.
func boundBy(pattern *model.Pattern, r *resolve.Read, entity *model.Entity) []*model.Attribute {
	var bound []*model.Attribute
	for _, c := range pattern.Where {
		if c.Op != model.Eq && c.Op != model.In || slices.Contains(r.Checks, c) {
			continue
		}
		if a := entity.Attribute(c.Attribute.Name); a != nil {
			bound = append(bound, a)
		}
	}
	return bound
}

func containsAll(list, wanted []*model.Attribute) bool {
	for _, a := range wanted {
		if !slices.Contains(list, a) {
			return false
		}
	}
	return true
}

// fewValues estimates the items of a key that is constant or has few values: all items, or
// the share with those values.
func (p *pricer) fewValues(entity *model.Entity, entry *resolve.Entry, bound []*model.Attribute) match {
	items := p.items.count(entity)
	if items.IsZero() {
		return match{items: exact.One, why: "the number of items is not stated"}
	}
	conditions := entry.When()
	for _, a := range bound {
		values := possible(a.Type)
		if values == 0 {
			return match{items: exact.One, why: "the number of items per " + a.Name + " is not stated"}
		}
		if !binds(conditions, a.Name) {
			items = items.Over(values)
		}
	}
	part, _ := share(entity, conditions)
	return match{items: items.Mul(part).Max(exact.One), known: len(bound) == 0 && len(conditions) == 0, why: "estimated from the number of stored items"}
}
