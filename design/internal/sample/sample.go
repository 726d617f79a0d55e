// Package sample generates sample items for a design: plausible values by type and name,
// deterministic for a seed and consistent with each other. A child refers to an existing
// parent, an id begins with its creation time, counters match the items they count, and
// every key is computed from its template as in generated code.
//
// Reports show sample items, and verification loads them into an engine. The package does not
// validate: a design with errors gets fewer items, never an error.
package sample

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Options selects the number of items. The zero Options are for a page.
type Options struct {
	Seed     uint64 // other seeds give other values
	Roots    int    // items of an entity that refers to no other; 0 means 3
	Children int    // most items of an entity for one it refers to; 0 means 3
	// Typical gives one parent of each entity the average number of items that the design
	// states, up to this number; 0: none.
	Typical int
}

// An Item is one item as stored in its table.
type Item struct {
	Entity     *model.Entity
	Table      *model.Table // nil: the entity lies in none
	Attributes []Attribute  // keys of the table first, then in the order of the design
}

// An Attribute is one stored attribute of an item.
type Attribute struct {
	Name   string           // in DynamoDB, "" if it exists only in the key
	Origin *model.Attribute // nil: computed for the table
	Value  Value
}

// Get returns the value stored under a name, and whether there is one.
func (i *Item) Get(name string) (Value, bool) {
	for _, a := range i.Attributes {
		if a.Name == name {
			return a.Value, true
		}
	}
	return Value{}, false
}

// Items returns the items of all entities of a layout, in the order of the design.
func Items(l *resolve.Layout, o Options) []*Item {
	if o.Roots <= 0 {
		o.Roots = 3
	}
	if o.Children <= 0 {
		o.Children = 3
	}
	g := newGenerator(l, o)
	for _, e := range g.family.order {
		g.entity(e)
	}
	g.count()
	var items []*Item
	taken := map[string]bool{}
	for _, e := range l.Design().Entities {
		for _, d := range g.made[e] {
			item := g.store(d)
			if key, ok := primaryKey(item); ok && taken[key] {
				continue // two entities with one key: a finding of its own
			} else if ok {
				taken[key] = true
			}
			items = append(items, item)
		}
	}
	return items
}

// Values maps attributes of an entity to the values of an item.
type Values map[*model.Attribute]Value

// Values returns the values the item has for attributes of its entity.
func (i *Item) Values() Values {
	all := Values{}
	for _, a := range i.Attributes {
		if a.Origin != nil {
			all[a.Origin] = a.Value
		}
	}
	return all
}

// Stored returns an item of an entity with these values, as the layout stores it: with every
// key that follows from them.
func Stored(l *resolve.Layout, e *model.Entity, values Values) *Item {
	return store(l, &draft{entity: e, values: values})
}

// Computed returns the value a template gives an item with these values, and whether it has
// one.
func Computed(c *model.Computed, v Values) (Value, bool) { return computed(c, &draft{values: v}) }

// Fulfil sets values of an item to meet the equalities among conditions. It does not recompute
// the keys.
func (i *Item) Fulfil(conditions []*model.Condition) {
	for _, c := range conditions {
		if (c.Op != model.Eq && c.Op != model.In) || !c.Values[0].IsConstant() {
			continue
		}
		value := constantOf(c.Attribute.Type, c.Values[0].Constant)
		at := slices.IndexFunc(i.Attributes, func(a Attribute) bool { return a.Origin == c.Attribute })
		if at < 0 {
			i.Attributes = append(i.Attributes, Attribute{Name: c.Attribute.Stored, Origin: c.Attribute, Value: value})
		} else {
			i.Attributes[at].Value = value
		}
	}
}

// constantOf returns a constant of a design as a value of a type.
func constantOf(t model.Type, s string) Value {
	switch {
	case t.IsNumber():
		return digits(s)
	case t.Base == model.Bool:
		return truth(s == "true")
	}
	return text(s)
}

// Holds reports whether all conditions hold for an item with these values.
func (v Values) Holds(conditions []*model.Condition) bool {
	return holds(conditions, &draft{values: v})
}

func (g *generator) store(d *draft) *Item { return store(g.layout, d) }

// store returns the item as its table holds it.
func store(l *resolve.Layout, d *draft) *Item {
	item := &Item{Entity: d.entity}
	home := l.Home(d.entity)
	if home != nil {
		item.Table = home.Table
		item.Attributes = make([]Attribute, 0, len(home.Computed)+1+len(d.values))
		for _, c := range home.Computed {
			if v, ok := computed(c, d); ok {
				item.Attributes = append(item.Attributes, Attribute{Name: c.Name, Value: v})
			}
		}
		if home.Table.Type != "" && d.entity.Stored(home.Table.Type) == nil {
			item.Attributes = append(item.Attributes, Attribute{Name: home.Table.Type, Value: text(d.entity.TypeName())})
		}
	}
	for _, a := range d.entity.Attributes {
		if v, ok := d.values[a]; ok {
			item.Attributes = append(item.Attributes, Attribute{Name: a.Stored, Origin: a, Value: v})
		}
	}
	if home != nil {
		item.Attributes = keysFirst(item.Attributes, home.Table)
	}
	return item
}

// keysFirst moves the table's primary key to the front and leaves the rest in order.
func keysFirst(list []Attribute, t *model.Table) []Attribute {
	rank := func(a Attribute) int {
		switch {
		case a.Name == t.PK.Name:
			return 0
		case a.Name == t.SK.Name:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(a, b Attribute) int { return rank(a) - rank(b) })
	return list
}

// primaryKey returns the item's key as one text, unless it lies nowhere or lacks a part.
func primaryKey(item *Item) (string, bool) {
	if item.Table == nil {
		return "", false
	}
	pk, ok := item.Get(item.Table.PK.Name)
	if !ok {
		return "", false
	}
	key := item.Table.Name + "\x00" + string(pk.Kind) + pk.String()
	if item.Table.SK.Name == "" {
		return key, true
	}
	sk, ok := item.Get(item.Table.SK.Name)
	return key + "\x00" + string(sk.Kind) + sk.String(), ok
}
