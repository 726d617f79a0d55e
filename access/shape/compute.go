package shape

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
)

// Entity returns the name of the entity that an item is of, "" for a row that the design writes beside
// its items, or why the item is of none.
func (r *Reader) Entity(item access.Item) (string, *Misfit) {
	e, wrong := r.find(item)
	if e == nil || wrong != nil {
		return "", wrong
	}
	return e.Name, nil
}

// KeyText returns the text that a key of an entity has for an item, by the attributes of the item,
// and whether the item has that key. The error says why the item does not tell.
func (r *Reader) KeyText(entity, key string, item access.Item) (text string, has bool, err error) {
	e := r.byName(entity)
	if e == nil || e.keys[key] == nil {
		return "", false, fmt.Errorf("%s has no key %s", entity, key)
	}
	if !e.holds(r, e.when(key), item) {
		return "", false, nil
	}
	text, has, known := e.text(r, e.keys[key], item)
	if !known {
		return "", false, fmt.Errorf("%s of %s is made of a value that is not stored as it is in the key", key, entity)
	}
	return text, has, nil
}

// HasKey reports whether items of an entity have a key that is made from a template.
func (r *Reader) HasKey(entity, key string) bool {
	e := r.byName(entity)
	return e != nil && e.keys[key] != nil
}

// Stores reports whether items of an entity have an attribute, which is not made from a template.
func (r *Reader) Stores(entity, attribute string) bool {
	e := r.byName(entity)
	return e != nil && e.attributes[attribute] != nil && !e.attributes[attribute].InKey
}

// KeySources returns the stored attributes that decide whether an item of an entity has a key and what
// its text is, sorted.
func (r *Reader) KeySources(entity, key string) []string {
	e := r.byName(entity)
	if e == nil || e.keys[key] == nil {
		return nil
	}
	all := e.sources(r, key)
	slices.Sort(all)
	return slices.Compact(all)
}

// sources returns the stored attributes that decide whether there is a key and what its text is.
func (e *entityReader) sources(r *Reader, key string) []string {
	var all []string
	add := func(name string) {
		a := e.attributes[name]
		switch {
		case a == nil:
		case a.InKey:
			all = append(all, r.table.primary()...)
		default:
			all = append(all, name)
		}
	}
	for _, p := range e.keys[key].parts {
		if p.attribute != nil {
			add(p.attribute.Name)
		}
	}
	for _, name := range Compared(e.when(key)) {
		add(name)
	}
	return all
}

// Compared returns the attributes that conditions compare.
func Compared(conditions []Condition) []string {
	var all []string
	for _, c := range conditions {
		all = append(all, c.Attribute)
		for _, v := range c.Values {
			if name, is := strings.CutPrefix(v, "{"); is {
				all = append(all, strings.TrimSuffix(name, "}"))
			}
		}
	}
	return all
}

func (r *Reader) byName(entity string) *entityReader {
	for _, e := range r.entities {
		if e.Name == entity {
			return e
		}
	}
	return nil
}

// when returns the conditions of a key.
func (e *entityReader) when(key string) []Condition {
	for _, k := range e.Keys {
		if k.Name == key {
			return k.When
		}
	}
	return nil
}
