package shape

import (
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A Move describes the items of an entity that lie elsewhere in the next version of a design: under another
// key, or in another table. It makes the item of each place from that of the other, so that a migration and
// the programs that go on meanwhile write the same copies.
//
// It is plain data, and must not be changed or copied after its first use. It is safe for use by many
// goroutines at once.
type Move struct {
	Old, New   *Table            // the items of the two tables, which may be one
	Entity, As string            // the entity in Old and in New
	Names      map[string]string // by attributes of Old, those under which New stores the same values
	Values     access.Item       // what old items that lack attributes of New have there
	Drop       []string          // attributes of Old that New does not store

	once        sync.Once
	forth, back *direction
}

// Forth returns the item of the new place for one of the old place. The error says why there can be none.
func (m *Move) Forth(old access.Item) (access.Item, error) {
	m.once.Do(m.prepare)
	made, err := m.forth.make(old)
	if err != nil {
		return nil, err
	}
	to := m.forth.to
	if !to.matches(m.forth.entity, made) {
		return nil, fmt.Errorf("%s: an attribute of its key holds what separates the parts of keys", m.As)
	}
	if wrong := to.read(m.forth.entity, made); wrong != nil {
		return nil, wrong
	}
	return made, nil
}

// Back returns the item of the old place for one of the new place. It lacks what the new place does not store, and has
// what only the new version knows.
func (m *Move) Back(new access.Item) (access.Item, error) {
	m.once.Do(m.prepare)
	return m.back.make(new)
}

// Sources returns the attributes of items of the old place that decide the key of the new place, without those
// that decide the key of the old one: they can change while the item stays where it is.
func (m *Move) Sources() []string {
	m.once.Do(m.prepare)
	var fixed, all []string
	for _, name := range m.Old.primary() {
		fixed = append(append(fixed, name), m.back.plain.KeySources(m.Entity, name)...)
	}
	was := map[string]string{}
	for old, new := range m.Names {
		was[new] = old
	}
	for _, name := range m.New.primary() {
		sources := m.forth.plain.KeySources(m.As, name)
		if m.forth.entity.keys[name] == nil {
			sources = []string{name} // the attribute itself is the key
		}
		for _, source := range sources {
			if old, renamed := was[source]; renamed {
				source = old
			}
			if m.Values[source] == nil && !slices.Contains(fixed, source) {
				all = append(all, source)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// prepare reads the descriptions.
func (m *Move) prepare() {
	names := make(map[string]string, len(m.Names))
	for old, new := range m.Names {
		names[new] = old
	}
	m.forth = newDirection(m.Old, m.New, m.Entity, m.As, m.Names, m.Values, m.Drop)
	m.back = newDirection(m.New, m.Old, m.As, m.Entity, names, nil, nil)
}

// NameForth returns the name under which the new place stores what the old one stores in an attribute, and whether an update
// there changes it: it has keys of its own.
func (m *Move) NameForth(attribute string) (string, bool) {
	m.once.Do(m.prepare)
	return m.forth.updated(attribute)
}

// NameBack is NameForth from the new place to the old one.
func (m *Move) NameBack(attribute string) (string, bool) {
	m.once.Do(m.prepare)
	return m.back.updated(attribute)
}

// A direction makes items of one place from those of another.
type direction struct {
	from   *Reader
	to     *Reader
	source *entityReader // in from
	entity *entityReader // in to
	plain  *Reader       // reads attributes that only a key holds as if they were stored
	leave  map[string]bool
	names  map[string]string
	values access.Item
}

func newDirection(from, to *Table, entity, as string, names map[string]string, values access.Item, drop []string) *direction {
	d := &direction{from: NewReader(from), to: NewReader(to), plain: NewReader(stored(to, as)), names: names, values: values, leave: map[string]bool{}}
	d.source, d.entity = d.from.byName(entity), d.to.byName(as)
	if d.source == nil || d.entity == nil { // no design compiler writes it
		panic(fmt.Sprintf("shape: a move of %s to %s, of which one is in no table", entity, as))
	}
	for _, k := range d.source.Keys {
		d.leave[k.Name] = true
	}
	if from.Type != "" {
		d.leave[from.Type] = true
	}
	for _, name := range drop {
		d.leave[name] = true
	}
	return d
}

// stored returns the description of a table in which the items of an entity store all their attributes.
func stored(t *Table, entity string) *Table {
	plain := *t
	plain.Entities = slices.Clone(t.Entities)
	for i := range plain.Entities {
		e := &plain.Entities[i]
		if e.Name != entity {
			continue
		}
		e.Attributes = slices.Clone(e.Attributes)
		for j := range e.Attributes {
			e.Attributes[j].InKey = false
		}
	}
	return &plain
}

// make makes the item of the other place.
func (d *direction) make(item access.Item) (access.Item, error) {
	made := make(access.Item, len(item)+2)
	for name, v := range item {
		if name, stored := d.name(name); stored {
			made[name] = v
		}
	}
	for name, v := range d.values {
		if made[name] == nil {
			made[name] = v
		}
	}
	d.fromKey(item, made)
	if name := d.to.table.Type; name != "" {
		made[name] = marshal.S(d.entity.label())
	}
	for _, k := range d.entity.Keys {
		text, has, err := d.plain.KeyText(d.entity.Name, k.Name, made)
		if err != nil {
			return nil, err
		}
		limit := 2048
		if k.Name == d.to.table.SK {
			limit = 1024
		}
		switch {
		case !has:
			continue
		case text == "" || len(text) > limit:
			return nil, fmt.Errorf("its %s would have %d bytes, and DynamoDB takes 1 to %d", k.Name, len(text), limit)
		}
		made[k.Name] = marshal.S(text)
	}
	for i := range d.entity.Attributes {
		if a := &d.entity.Attributes[i]; a.InKey {
			delete(made, a.Name)
		}
	}
	for _, name := range d.to.table.primary() {
		if made[name] == nil {
			return nil, fmt.Errorf("it has nothing for the key %s", name)
		}
	}
	return made, nil
}

// name returns the name of an attribute in the other place, and whether it has it from this one.
func (d *direction) name(attribute string) (string, bool) {
	if other, renamed := d.names[attribute]; renamed {
		return other, true
	}
	return attribute, !d.leave[attribute]
}

// updated returns the name of an attribute in the other place, and whether an update there changes it.
func (d *direction) updated(attribute string) (string, bool) {
	name, stored := d.name(attribute)
	if a := d.entity.attributes[name]; a != nil && a.InKey || slices.Contains(d.to.table.primary(), name) {
		return name, false
	}
	return name, stored
}

// fromKey adds the attributes that only the key of an item holds.
func (d *direction) fromKey(item, made access.Item) {
	for i := range d.source.Attributes {
		a := &d.source.Attributes[i]
		if !a.InKey {
			continue
		}
		name, stored := d.name(a.Name)
		if text, has := d.source.value(d.from, a, item); has && stored {
			made[name] = typed(a, text)
		}
	}
}

// typed returns a text of a key as an attribute stores it.
func typed(a *Attribute, text string) types.AttributeValue {
	base := baseOf(a.Type)
	switch kindOr(base, "S") {
	case "N":
		return marshal.Num(canonical(base, text))
	case "BOOL":
		return &types.AttributeValueMemberBOOL{Value: text == marshal.FormatBool(true)}
	}
	return marshal.S(text)
}

// KeyOf returns the primary key of an item of the table.
func (t *Table) KeyOf(item access.Item) access.Item {
	key := make(access.Item, 2)
	for _, name := range t.primary() {
		key[name] = item[name]
	}
	return key
}

// Attributes returns the attributes that an item has, and those that its entity may have, sorted.
func (t *Table) Attributes(entity string, item access.Item) []string {
	var all []string
	for name := range item {
		all = append(all, name)
	}
	for _, e := range t.Entities {
		if e.Name != entity {
			continue
		}
		for _, a := range e.Attributes {
			if !a.InKey {
				all = append(all, a.Name)
			}
		}
		for _, k := range e.Keys {
			all = append(all, k.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
