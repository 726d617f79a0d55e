package sample

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A draft is an item before its keys are computed.
type draft struct {
	entity *model.Entity
	values map[*model.Attribute]Value
	at     time.Time // when it was created
	serial int       // number of earlier items of its entity
}

// named returns the value of the attribute of that name, if the draft has it.
func (d *draft) named(name string) (Value, bool) {
	a := d.entity.Attribute(name)
	if a == nil {
		return Value{}, false
	}
	v, ok := d.values[a]
	return v, ok
}

type generator struct {
	layout  *resolve.Layout
	family  *family
	o       Options
	made    map[*model.Entity][]*draft
	clock   time.Time
	pools   map[string][]Value // values of attributes that group items and belong to no entity
	used    map[string]bool    // identities taken, of ids, unique rules and keys
	periods map[*model.Attribute][]model.FilterName
	rng     *rand.Rand // of the entity at hand, so that one entity's values do not depend on another's
}

// start is the creation time of the first sample item: a Friday morning.
var start = time.Date(2026, 2, 6, 9, 0, 0, 0, time.UTC)

// tries is the maximum number of attempts to generate a unique item.
const tries = 24

func newGenerator(l *resolve.Layout, o Options) *generator {
	return &generator{
		layout: l, family: newFamily(l), o: o,
		made: map[*model.Entity][]*draft{}, clock: start,
		pools: map[string][]Value{}, used: map[string]bool{}, periods: periodsOf(l),
	}
}

// entity generates the items of one entity: some for each of its parents, or a few.
func (g *generator) entity(e *model.Entity) {
	h := fnv.New64a()
	h.Write([]byte(e.Name))
	g.rng = rand.New(rand.NewPCG(g.o.Seed, h.Sum64()))
	refs := g.family.references(e)
	if len(refs) == 0 {
		for range g.roots(e) {
			g.add(e, nil, nil)
		}
		return
	}
	main := refs[0]
	parents := g.parents(e, main)
	if len(parents) == 0 { // a cycle of references: start it here
		for range g.o.Roots {
			g.add(e, nil, nil)
		}
		return
	}
	for i, parent := range parents[:min(len(parents), g.o.Roots)] {
		for range g.children(e, main, i) {
			g.add(e, main, parent)
		}
	}
}

// parents returns the items an attribute can refer to.
func (g *generator) parents(e *model.Entity, a *model.Attribute) []*draft {
	all := g.made[g.family.parent(e, a)]
	if g.family.owners[owned{e.Use, a.Name}] != nil {
		return all
	}
	_, condition := g.family.role(e, a)
	if condition == nil {
		return all
	}
	var fit []*draft
	for _, d := range all {
		if holdsOne(condition, d) {
			fit = append(fit, d)
		}
	}
	if len(fit) == 0 {
		return all
	}
	return fit
}

// roots returns the number of items an entity without parents gets: more where values group.
func (g *generator) roots(e *model.Entity) int {
	n := g.o.Roots
	if slices.ContainsFunc(e.Attributes, func(a *model.Attribute) bool { return g.family.groups(e, a) }) {
		n *= 2
	}
	if c := e.Volume.Count; c != nil {
		n = min(n, max(1, int(c.Int64())))
	}
	return n
}

// children returns the number of items the i-th parent gets: fewer for later ones, so that
// collections differ in size, and one where the reference is the id.
func (g *generator) children(e *model.Entity, main *model.Attribute, i int) int {
	n := max(1, g.o.Children-i)
	if len(e.ID) == 1 && e.ID[0] == main {
		return 1
	}
	per := e.PerOf(main)
	if per == nil {
		return n
	}
	if average := int(per.Avg.Ceil().Int64()); i == 0 && average > n && average <= g.o.Typical {
		return average
	}
	return min(n, max(1, int(per.Max.Int64())))
}

// add generates one item, retrying until it is unique.
func (g *generator) add(e *model.Entity, main *model.Attribute, parent *draft) {
	for attempt := range tries {
		d := &draft{
			entity: e, values: map[*model.Attribute]Value{},
			at: g.clock.Add(time.Duration(g.rng.Int64N(170_000)) * time.Millisecond), serial: len(g.made[e]),
		}
		g.inherit(d, main, parent, attempt)
		g.fill(d, attempt)
		identities := g.identities(d)
		if slices.ContainsFunc(identities, func(s string) bool { return g.used[s] }) {
			continue
		}
		for _, s := range identities {
			g.used[s] = true
		}
		g.made[e] = append(g.made[e], d)
		g.clock = g.clock.Add(4 * time.Minute)
		return
	}
}

// identities returns the texts that may occur once: the id, unique values, the primary key.
func (g *generator) identities(d *draft) []string {
	var all []string
	add := func(what string, attributes []*model.Attribute) {
		parts := []string{what, d.entity.Name}
		for _, a := range attributes {
			v, ok := d.values[a]
			if !ok {
				return // a missing value takes part in no rule
			}
			parts = append(parts, a.Name, v.String())
		}
		all = append(all, strings.Join(parts, "\x00"))
	}
	add("id", d.entity.ID)
	for _, u := range d.entity.Unique {
		add("unique", slices.Concat(u.Attributes, u.Per))
	}
	if key, ok := primaryKey(g.store(d)); ok {
		all = append(all, key)
	}
	return all
}

// inherit sets the attributes an item shares with the items it refers to: the reference
// itself and the attributes with the same name and type.
func (g *generator) inherit(d *draft, main *model.Attribute, parent *draft, attempt int) {
	if parent != nil {
		g.refer(d, main, parent)
	}
	for _, a := range g.family.references(d.entity) {
		if _, set := d.values[a]; set {
			continue
		}
		if candidates := g.agreeing(d, g.parents(d.entity, a)); len(candidates) > 0 {
			g.refer(d, a, candidates[(d.serial+attempt)%len(candidates)])
		}
	}
}

// agreeing returns the items that are consistent with the references of the draft: a question
// of the same project, if there is one.
func (g *generator) agreeing(d *draft, candidates []*draft) []*draft {
	var agree []*draft
	for _, c := range candidates {
		ok := true
		for a, v := range d.values {
			if w, has := c.named(a.Name); has && isID(a.Name) && w.String() != v.String() {
				ok = false
			}
		}
		if ok {
			agree = append(agree, c)
		}
	}
	if len(agree) == 0 {
		return candidates
	}
	return agree
}

// refer points an attribute at another item.
func (g *generator) refer(d *draft, a *model.Attribute, to *draft) {
	v, ok := to.values[g.family.key(to.entity)]
	if !ok {
		return
	}
	d.values[a] = v
	if a.Time != nil {
		if at, ok := idTime(v, a.Type.Base); ok { // the id says when
			d.values[a.Time] = timeValue(at, a.Time.Type.Base)
		}
	}
	for _, mine := range d.entity.Attributes {
		theirs := to.entity.Attribute(mine.Name)
		if theirs == nil || !shared(mine, theirs) || slices.Contains(d.entity.ID, mine) && g.family.parent(d.entity, mine) == nil {
			continue
		}
		if _, set := d.values[mine]; set {
			continue
		}
		if v, ok := to.values[theirs]; ok {
			d.values[mine] = v
		}
	}
}

// shared reports whether two attributes of one name mean the same thing: copies of an
// id or a name, not each entity's own times and numbers.
func shared(mine, theirs *model.Attribute) bool {
	if mine.Type.Base != theirs.Type.Base || mine.Lifecycle != nil {
		return false
	}
	switch mine.Type.Base {
	case model.ULID, model.UUID, model.UUIDv7, model.Geohash, model.String:
		return true
	case model.Enum:
		return slices.Equal(mine.Type.Values, theirs.Type.Values)
	case model.Integer:
		return isID(mine.Name)
	}
	return false
}

// fill gives the other attributes values: times first, because ids are made from them.
func (g *generator) fill(d *draft, attempt int) {
	for _, wantTimes := range []bool{true, false} {
		for i, a := range d.entity.Attributes {
			isTime := a.Type.Base == model.Timestamp || a.Type.Base == model.Unixtime
			if _, set := d.values[a]; set || isTime != wantTimes {
				continue
			}
			if a.Type.Optional && g.absent(d, a, i) || a.Default != nil && (d.serial+i)%3 == 1 { // an older item
				continue
			}
			d.values[a] = g.value(d, a, attempt)
		}
	}
}

// absent decides whether an optional attribute is missing: every second time, in turns.
func (g *generator) absent(d *draft, a *model.Attribute, position int) bool {
	if g.family.groups(d.entity, a) {
		return d.serial%3 == 2 // mostly there, so that the index has something to show
	}
	return (d.serial+position)%2 == 1
}

// value returns a value for an attribute: from the pool of its name if items group by it.
func (g *generator) value(d *draft, a *model.Attribute, attempt int) Value {
	if !a.Type.Optional || g.family.parent(d.entity, a) == nil {
		if g.pooled(d.entity, a) {
			return g.fromPool(d, a, attempt)
		}
		return g.typed(d, a, a.Type, attempt)
	}
	parents := g.parents(d.entity, a)
	if len(parents) == 0 {
		return g.typed(d, a, a.Type, attempt)
	}
	return parents[d.serial%len(parents)].values[g.family.key(g.family.parent(d.entity, a))]
}

// pooled reports whether the attribute's values are few and shared by all entities.
func (g *generator) pooled(e *model.Entity, a *model.Attribute) bool {
	switch a.Type.Base {
	case model.Enum, model.Bool, model.Timestamp, model.Unixtime, model.Date, model.Week:
		return false
	}
	return a.Time == nil && g.family.groups(e, a)
}

const poolSize = 2

// run returns the number of consecutive items with the same value of a pooled attribute. It
// differs between the attributes of an entity, so that all combinations occur.
func (g *generator) run(e *model.Entity, a *model.Attribute) int {
	n := 2
	for _, before := range e.Attributes {
		if before == a {
			break
		}
		if g.pooled(e, before) && g.family.parent(e, before) == nil {
			n *= poolSize
		}
	}
	return n
}

func (g *generator) fromPool(d *draft, a *model.Attribute, attempt int) Value {
	key := string(a.Type.Base) + " " + a.Name
	pool := g.pools[key]
	at := (d.serial/g.run(d.entity, a) + attempt) % poolSize
	for len(pool) <= at {
		fresh := &draft{entity: d.entity, values: d.values, at: start, serial: len(pool)}
		v := g.typed(fresh, a, a.Type, 0)
		if slices.ContainsFunc(pool, func(have Value) bool { return have.String() == v.String() }) {
			v = g.typed(fresh, a, a.Type, len(pool)+1)
		}
		pool = append(pool, v)
	}
	g.pools[key] = pool
	return pool[at]
}
