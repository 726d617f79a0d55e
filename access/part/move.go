package part

import (
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/access/shape"
)

// newMove returns a reader of a part that is a copy of its items, in another place.
func (c *Change) newMove(p *Part, from *Table) (*Reader, error) {
	to := c.table(p.To)
	switch {
	case to == nil || to.New == nil:
		return nil, fmt.Errorf("the next version has no table %s", p.To)
	case from.Old == nil:
		return nil, fmt.Errorf("the last version has no table %s", p.Table)
	case !hasEntity(from.Old, p.Entity) || !hasEntity(to.New, p.As):
		return nil, fmt.Errorf("%s of %s or %s of %s is in no table", p.Entity, p.Table, p.As, p.To)
	}
	m := &shape.Move{Old: from.Old, New: to.New, Entity: p.Entity, As: p.As, Names: map[string]string{}, Values: access.Item{}}
	for _, s := range p.Set {
		switch {
		case s.Key || s.Convert != "":
			return nil, fmt.Errorf("%s: a copy cannot be converted: change the value in a migration of its own", s.Attribute)
		case s.From != "":
			m.Names[s.From] = s.Attribute
		default:
			v, err := constant(s)
			if err != nil {
				return nil, err
			}
			m.Values[s.Attribute] = v
		}
	}
	for _, name := range p.Remove {
		if m.Names[name] == "" {
			m.Drop = append(m.Drop, name)
		}
	}
	r := &Reader{Part: p, In: from, Into: to, Move: m, Sources: m.Sources(), old: shape.NewReader(from.Old), new: shape.NewReader(to.New)}
	if from.New != nil {
		r.beside = shape.NewReader(from.New)
	}
	r.places = r.newPlaces()
	return r, nil
}

// newPlaces returns the places of the items for package call.
func (r *Reader) newPlaces() *access.Places {
	m, one := r.Move, r.In == r.Into
	keys := func(t *shape.Table) []string {
		if t.SK == "" {
			return []string{t.PK}
		}
		return []string{t.PK, t.SK}
	}
	return &access.Places{
		Old: access.Place{
			Table: r.In.Name, Keys: keys(m.Old), Item: m.Back, Name: m.NameBack, Only: m.Drop, Known: m.KnownBack,
			Attributes: func(item access.Item) []string { return m.Old.Attributes(m.Entity, item) },
			Key: func(known access.Item) (access.Item, error) {
				key := access.Item{}
				for _, name := range keys(m.Old) {
					v, err := m.KeyBack(name, known)
					if err != nil {
						return nil, err
					}
					key[name] = v
				}
				return key, nil
			},
		},
		New: access.Place{
			Table: r.Into.Name, Keys: keys(m.New), Item: m.Forth, Name: m.NameForth,
			Attributes: func(item access.Item) []string { return m.New.Attributes(m.As, item) },
			Holds: func(item access.Item) bool {
				old, new := m.Places(item)
				return new || !one || !old
			},
		},
	}
}

func hasEntity(t *shape.Table, name string) bool {
	for _, e := range t.Entities {
		if e.Name == name {
			return true
		}
	}
	return false
}

// IsOriginal reports whether an item of the old place is one of those that have copies. The error says why it is of no
// entity.
func (r *Reader) IsOriginal(item access.Item) (bool, error) {
	entity, wrong := r.old.Entity(item)
	if wrong == nil {
		return entity == r.Entity, nil
	}
	if r.beside != nil {
		if _, other := r.beside.Entity(item); other == nil {
			return false, nil
		}
	}
	return false, wrong
}

// IsCopy reports whether an item of the new place is a copy, or has been written there by programs.
func (r *Reader) IsCopy(item access.Item) bool {
	entity, wrong := r.new.Entity(item)
	return wrong == nil && entity == r.As
}

// Stays reports whether an item has the same key in both versions, so that it is its own copy.
func (r *Reader) Stays(item, copied access.Item) bool {
	return r.In == r.Into && EqualItems(r.Into.New.KeyOf(item), r.Into.New.KeyOf(copied))
}

// Own reports whether a copy is that of an original.
func (r *Reader) Own(copied, original access.Item) bool {
	if !r.IsCopy(copied) {
		return false
	}
	back, err := r.Move.Back(copied)
	return err == nil && EqualItems(r.In.Old.KeyOf(back), r.In.Old.KeyOf(original))
}
