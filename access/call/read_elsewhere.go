package call

import (
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// oldPlaceOf returns the places of the items of a pattern that reads by primary keys or scans, if they lie elsewhere in the old version and
// are read there in the phase of a client that Begin returned; nil: they are not. Such a pattern reads one entity.
func oldPlaceOf(c *access.Client, p *access.Pattern) *access.Places {
	if !affected(c, p) || c.Phase() >= access.PhaseRead {
		return nil
	}
	return movedBy(c, p)
}

func movedBy(c *access.Client, p *access.Pattern) *access.Places {
	if len(p.Parts) != 1 {
		return nil
	}
	return c.Design().Change.Places(p.Parts[0])
}

// inOld returns the pattern as it reads the old place, and the names of its expressions.
func inOld(p *access.Pattern, places *access.Places, names map[string]string) (*access.Pattern, map[string]string) {
	old := *p
	old.Table, old.Keys = places.Old.Table, places.Old.Keys
	return &old, renamedIn(names, oldKeyNames(places))
}

// oldKeyNames maps the attributes of the new primary key that items of the old place do not have to those of the old one: expressions ask
// by them whether an item is there.
func oldKeyNames(places *access.Places) map[string]string {
	names := map[string]string{}
	for i, key := range places.New.Keys {
		if _, stored := places.Old.Name(key); !stored {
			names[key] = places.Old.Keys[min(i, len(places.Old.Keys)-1)]
		}
	}
	return names
}

// oldKey returns the key of an item in the old place.
func oldKey(places *access.Places, key, known access.Item) (access.Item, error) {
	return places.Old.Key(places.Old.Known(key, known))
}

// oldKeys returns the keys of items in the old place.
func oldKeys(places *access.Places, keys, known []access.Item) ([]access.Item, error) {
	all := make([]access.Item, len(keys))
	for i, key := range keys {
		var of access.Item
		if i < len(known) {
			of = known[i]
		}
		var err error
		if all[i], err = oldKey(places, key, of); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// inPhaseOf returns the request as it is sent in the phase of a client that Begin returned.
func (g *Get) inPhaseOf(c *access.Client) *Get {
	in := *g
	in.Names = namesOf(c, g.Pattern, g.Names)
	if places := oldPlaceOf(c, g.Pattern); places != nil && g.Err == nil {
		in.Pattern, in.Names = inOld(g.Pattern, places, in.Names)
		in.Key, in.Err = oldKey(places, g.Key, g.Known)
	}
	return &in
}

// inPhaseOf returns the request as it is sent in the phase of a client that Begin returned.
func (g *Gets) inPhaseOf(c *access.Client) *Gets {
	in := *g
	in.Names = namesOf(c, g.Pattern, g.Names)
	if places := oldPlaceOf(c, g.Pattern); places != nil && g.Err == nil {
		in.Pattern, in.Names = inOld(g.Pattern, places, in.Names)
		in.Keys, in.Err = oldKeys(places, g.Keys, g.Known)
	}
	return &in
}

// onlyNew returns a function that skips the items of the old place which a read of the new one finds beside their copies.
func onlyNew[T any](c *access.Client, p *access.Pattern, decode func(access.Item) (T, error)) func(access.Item) (T, error) {
	var all []*access.Places
	if !affected(c, p) {
		return decode
	}
	for _, part := range p.Parts {
		if places := c.Design().Change.Places(part); places != nil {
			all = append(all, places)
		}
	}
	if len(all) == 0 {
		return decode
	}
	return func(item access.Item) (T, error) {
		for _, places := range all {
			if !places.New.Holds(item) {
				var none T
				return none, marshal.Skip
			}
		}
		return decode(item)
	}
}

// areBeside reports whether items that a pattern reads lie beside their copies in one table.
func areBeside(c *access.Client, p *access.Pattern) bool {
	return affected(c, p) && slices.ContainsFunc(p.Parts, func(part string) bool {
		places := c.Design().Change.Places(part)
		return places != nil && places.Old.Table == places.New.Table
	})
}

// inOldPlace returns the sweep as it reads the old version.
func (s Sweep) inOldPlace(c *access.Client) Sweep {
	s.Names = oldNames(c, s.Pattern, s.Names)
	if places := movedBy(c, s.Pattern); places != nil {
		s.Pattern, s.Names = inOld(s.Pattern, places, maps.Clone(s.Names))
	}
	return s
}
