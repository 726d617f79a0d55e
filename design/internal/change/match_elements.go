package change

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// entities matches entities and their attributes.
func (m *Matching) entities(u uses) {
	all, lost := pairs(m.Old.Entities, m.New.Entities, func(e *model.Entity, isNew bool) identity {
		id := identity{name: u.name(e.Name, e.Use, isNew)}
		if e.Was != "" {
			id.was = e.Was
			if e.Use != "" {
				id.was = u.name(e.Use+"."+e.Was, e.Use, isNew)
			}
		}
		return id
	})
	note(m, "entity", names(m.Old.Entities, func(e *model.Entity) string { return e.LocalName() }), lost, func(e *model.Entity) (string, string, diag.Place) {
		return e.Name, e.Was, e.WasPlace
	})
	for _, pair := range all {
		p := &EntityPair{Pair: pair}
		if p.Old != nil {
			m.entityOfOld[p.Old] = p
		}
		if p.New != nil {
			m.entityOfNew[p.New] = p
		}
		var was, is []*model.Attribute
		owner := ""
		if p.Old != nil {
			was = p.Old.Attributes
		}
		if p.New != nil {
			is, owner = p.New.Attributes, p.New.Name
		}
		p.Attributes = m.attributes(owner, was, is, p.Old != nil)
		m.Entities = append(m.Entities, p)
	}
}

// attributes matches the attributes of an entity or the fields of a struct type. Those of a new entity
// were nothing before.
func (m *Matching) attributes(owner string, before, after []*model.Attribute, known bool) []*AttributePair {
	all, lost := pairs(before, after, func(a *model.Attribute, _ bool) identity { return identity{a.Name, a.Was} })
	if known {
		note(m, "attribute of "+owner, names(before, func(a *model.Attribute) string { return a.Name }), lost, func(a *model.Attribute) (string, string, diag.Place) {
			return owner + "." + a.Name, a.Was, a.WasPlace
		})
	}
	matched := make([]*AttributePair, len(all))
	for i, pair := range all {
		matched[i] = &AttributePair{Pair: pair}
		if pair.Old != nil && pair.New != nil {
			matched[i].Values = m.values(owner, pair.Old, pair.New)
		}
	}
	return matched
}

// values matches the values of enums.
func (m *Matching) values(owner string, before, after *model.Attribute) []Pair[string] {
	if before.Type.Base != model.Enum || after.Type.Base != model.Enum {
		return nil
	}
	all, lost := pairs(before.Type.Values, after.Type.Values, func(value string, isNew bool) identity {
		if isNew {
			return identity{value, after.WasValues[value]}
		}
		return identity{value, before.WasValues[value]}
	})
	note(m, "value of "+owner+"."+after.Name, before.Type.Values, lost, func(value string) (string, string, diag.Place) {
		return value, after.WasValues[value], after.WasPlace
	})
	return all
}

func (m *Matching) structs(u uses) {
	all, _ := pairs(m.Old.Structs, m.New.Structs, func(s *model.Struct, isNew bool) identity {
		use, _, _ := strings.Cut(s.Name, ".")
		return identity{name: u.name(s.Name, use, isNew)}
	})
	for _, pair := range all {
		p := &StructPair{Pair: pair}
		if p.Old != nil && p.New != nil {
			p.Fields = m.attributes(p.New.Name, p.Old.Attributes, p.New.Attributes, true)
		}
		m.Structs = append(m.Structs, p)
	}
}

// tables matches tables and their indexes. Names of tables are those in DynamoDB, with the prefix of a
// used design.
func (m *Matching) tables(before, after *model.Design) {
	prefix := map[*model.Table]string{}
	for _, u := range slices.Concat(before.Uses, after.Uses) {
		for _, t := range u.Design.Tables {
			prefix[t] = u.Prefix
		}
	}
	all, lost := pairs(m.Old.Tables, m.New.Tables, func(t *model.Table, isNew bool) identity {
		id := identity{name: t.Name}
		if t.Was != "" {
			id.was = prefix[t] + t.Was
		}
		return id
	})
	note(m, "table", names(m.Old.Tables, func(t *model.Table) string { return t.Name }), lost, func(t *model.Table) (string, string, diag.Place) {
		return t.Name, t.Was, t.WasPlace
	})
	for _, pair := range all {
		p := &TablePair{Pair: pair}
		var was, is []*model.Index
		if p.Old != nil {
			was = p.Old.Indexes
		}
		if p.New != nil {
			m.tableOfNew[p.New], is = p, p.New.Indexes
		}
		var lost []*model.Index
		p.Indexes, lost = pairs(was, is, func(x *model.Index, _ bool) identity { return identity{x.Name, x.Was} })
		if p.Old != nil && p.New != nil {
			note(m, "index of "+p.New.Name, names(was, func(x *model.Index) string { return x.Name }), lost, func(x *model.Index) (string, string, diag.Place) {
				return x.Name, x.Was, x.WasPlace
			})
		}
		m.Tables = append(m.Tables, p)
	}
}

// note keeps what says that it was something that the old version does not have.
func note[T any](m *Matching, kind string, known []string, all []T, describe func(T) (name, was string, place diag.Place)) {
	for _, one := range all {
		name, was, place := describe(one)
		m.Lost = append(m.Lost, Lost{Kind: kind, Name: name, Was: was, Place: place, Known: known})
	}
}

func names[T any](all []T, name func(T) string) []string {
	of := make([]string, len(all))
	for i, one := range all {
		of[i] = name(one)
	}
	return of
}
