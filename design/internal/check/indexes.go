package check

import (
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// indexRules check the entries of indexes and the patterns that read them.
var indexRules = []rule{
	unread, silentlyMissing, staleIndexKey, oneSideOnly, handMadeIndex, duplicateInIndex, lateIndex, sameIndex, indexRewrites,
}

// unread finds indexes that no pattern uses (I402), and in used ones the entries that no
// pattern reads (I401). An index that a pattern could almost use is not reported: the
// pattern has its own finding. Patterns of all phases count.
func unread(s *subject) {
	for _, path := range s.indexes() {
		entries := s.entriesOn(path)
		read := slices.DeleteFunc(slices.Clone(entries), func(e *resolve.Entry) bool { return !s.isRead(e) })
		if len(read) == 0 {
			s.report.Add(indexUnused(s, path, entries))
			continue
		}
		for _, e := range entries {
			if !slices.Contains(read, e) && e.Item.Entity.HasTag(s.options.Tags) {
				s.report.Add(entryUnread(s, e))
			}
		}
	}
}

func indexUnused(s *subject, path resolve.Path, entries []*resolve.Entry) diag.Finding {
	finding := diag.Finding{
		Code: "I402", Place: path.Index.Place, Subject: "index " + path.String(),
		Fix: fmt.Sprintf("Remove the index %s, or add the pattern it is for", path.Index.Name),
	}
	if len(entries) == 0 {
		return indexEmpty(path, finding)
	}
	writes, price := exact.Zero, exact.Zero
	for _, e := range entries {
		w, p := s.entryCost(e)
		writes, price = writes.Add(w), price.Add(p)
	}
	finding.Message = fmt.Sprintf("No pattern reads %s, and it costs %s a month for %s index writes", path.Index.Name, money(price), figure(writes))
	return finding
}

// indexEmpty describes an index without entries. Mostly a key of it is misspelled, or belongs to
// no item yet.
func indexEmpty(path resolve.Path, finding diag.Finding) diag.Finding {
	finding.Message = fmt.Sprintf("No entity has values for the keys of %s, so the index is always empty", path.Index.Name)
	finding.Why = "A query of the index returns nothing."
	stored := storedNames(path.Table)
	for _, key := range slices.Concat(path.Index.PK, path.Index.SK) {
		if slices.Contains(stored, key.Name) {
			continue
		}
		finding.Place = key.Place
		finding.Message = fmt.Sprintf("No item of %s has %s, so the index %s is always empty", path.Table.Name, key.Name, path.Index.Name)
		finding.Fix = fmt.Sprintf("Write %s under items, or remove the index %s", key.Name, path.Index.Name)
		if e := onlyInKey(path.Table, key.Name); e != nil {
			finding.Message = fmt.Sprintf("%s of %s exists only in the key of the table, so the index %s is always empty", key.Name, e.Name, path.Index.Name)
			finding.Fix = fmt.Sprintf(`Write %s: "{%s}" under items, %s`, key.Name, key.Name, e.Name)
			break
		}
		others := slices.DeleteFunc(slices.Clone(stored), func(name string) bool { return isIndexKey(path.Index, name) })
		if near, ok := diag.Nearest(key.Name, others); ok {
			finding.Message += "; did you mean " + near + "?"
			finding.Fix = fmt.Sprintf("Write %s instead of %s, or %s under items", near, key.Name, key.Name)
		}
		break
	}
	return finding
}

// onlyInKey returns an entity of a table with an attribute of this name that exists only in the
// key, or nil.
func onlyInKey(t *model.Table, name string) *model.Entity {
	for _, item := range t.Items {
		if a := item.Entity.Attribute(name); a != nil && a.InKey {
			return item.Entity
		}
	}
	return nil
}

// isIndexKey reports whether a name is one of an index's keys.
func isIndexKey(x *model.Index, name string) bool {
	return slices.ContainsFunc(slices.Concat(x.PK, x.SK), func(key model.KeyName) bool { return key.Name == name })
}

// storedNames returns the names of all attributes that items of a table are stored with, sorted.
func storedNames(t *model.Table) []string {
	names := map[string]bool{}
	for _, item := range t.Items {
		for _, c := range item.Computed {
			names[c.Name] = true
		}
		for _, a := range item.Entity.Beside() {
			names[a.Stored] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func entryUnread(s *subject, e *resolve.Entry) diag.Finding {
	writes, price := s.entryCost(e)
	entity, index := e.Item.Entity.Name, e.Path.Index
	own := ownKeys(e)
	names := keyNames(own)
	finding := diag.Finding{
		Code: "I401", Place: e.Item.Place, Subject: "entity " + entity + " in " + e.Path.String(),
		Message: fmt.Sprintf("The %s entry of %s is read by no pattern and costs %s a month for %s writes", index.Name, entity, money(price), figure(writes)),
		Related: []diag.Related{{Place: index.Place, Message: "the index"}},
	}
	switch computed := firstComputed(own); {
	case computed != nil:
		finding.Place = computed.Place
		finding.Fix = fmt.Sprintf("Remove %s from %s", inWords(names), entity)
	case len(own) == 0:
		finding.Fix = fmt.Sprintf("Give %s keys of its own, and write them only for entities that patterns read through it", index.Name)
	default:
		finding.Fix = fmt.Sprintf("Store %s under another name in %s (name: …), so that %s does not index it", inWords(names), entity, index.Name)
	}
	return finding
}

// entryOverhead is the number of bytes DynamoDB adds to each index entry.
const entryOverhead = 100

// ownKeys returns the keys of an entry that its item would not have without the index.
func ownKeys(e *resolve.Entry) []*model.Key {
	primary := primaryNames(e.Path.Table)
	return slices.DeleteFunc(slices.Clone(indexKeys(e)), func(key *model.Key) bool { return slices.Contains(primary, key.Name) })
}

// keyNames returns the names of keys.
func keyNames(keys []*model.Key) []string {
	var names []string
	for _, key := range keys {
		names = append(names, key.Name)
	}
	return names
}

// indexKeys returns the keys of an entry that only the index has: a local index shares its
// partition key with the table.
func indexKeys(e *resolve.Entry) []*model.Key {
	if e.Path.Index != nil && e.Path.Index.Local {
		return e.SK
	}
	return slices.Concat(e.PK, e.SK)
}

// firstComputed returns the first key that is made from a template, or nil.
func firstComputed(keys []*model.Key) *model.Key {
	for _, key := range keys {
		if key.Template != nil {
			return key
		}
	}
	return nil
}

// silentlyMissing finds optional attributes in the keys of entries that patterns read
// (I403). It skips patterns that bind the attribute and keys whose when mentions it, where
// the omission is intended. If the key has another when, any comparison of the attribute in
// the pattern suffices.
func silentlyMissing(s *subject) {
	for _, entity := range s.entities() {
		for _, e := range s.layout.Entries(entity) {
			if e.Path.IsTable() {
				continue
			}
			for _, use := range itemKeys(e.Item) {
				if use.Path == e.Path && use.Key != nil {
					missingParts(s, e, use)
				}
			}
		}
	}
}

// missingParts reports the optional attributes in a key of an entry that patterns read.
func missingParts(s *subject, e *resolve.Entry, use keyUse) {
	for i, part := range use.Key.Parts() {
		if !part.IsHole() || !part.Attribute.Type.Optional || slices.ContainsFunc(e.When(), func(c *model.Condition) bool { return c.Attribute == part.Attribute }) {
			continue
		}
		readers := slices.DeleteFunc(slices.Clone(s.layout.Readers(e)), func(p *model.Pattern) bool {
			return bindsValue(p.Where, part.Attribute) || len(use.Key.When) > 0 && asksOf(p.Where, part.Attribute)
		})
		if len(readers) == 0 {
			continue
		}
		entity, a := e.Item.Entity.Name, part.Attribute.Name
		s.report.Add(diag.Finding{
			Code: "I403", Place: use.partPlace(i), Subject: "entity " + entity + " in " + e.Path.String(),
			Message: fmt.Sprintf("%s never returns %s without %s: the item is not in %s", readers[0].Name, aName(entity), a, e.Path.Index.Name),
			Fix:     fmt.Sprintf("Make %s required and give it a first value when %s is created, or state the omission with when: %s exists", a, aName(entity), a),
			Related: []diag.Related{{Place: part.Attribute.TypePlace, Message: a + " may be absent"}, {Place: readers[0].Place, Message: "reads the index"}},
		})
	}
}

// bindsValue reports whether a pattern gives the attribute's value.
func bindsValue(where []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(where, func(c *model.Condition) bool {
		return c.Attribute.Name == a.Name && (c.Op == model.Eq || c.Op == model.In)
	})
}

// asksOf reports whether a pattern compares an attribute, so that it wants only items that
// have it.
func asksOf(where []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(where, func(c *model.Condition) bool {
		return c.Attribute.Name == a.Name && c.Op != model.Missing && c.Op != model.Ne
	})
}

// staleIndexKey finds updates that change part of a composed index key without the values
// of the other parts (I404, I410). The caller can pass values that never change, and generated
// code asks for them (I410). Values that another write may change in the meantime cannot be
// passed safely (I404), unless the entity has a version.
func staleIndexKey(s *subject) {
	for _, p := range s.patterns() {
		for _, w := range s.layout.Plan(p).Writes {
			for _, x := range w.Indexes {
				if len(x.Stale) > 0 && w.Step != nil && w.Step.Verb != model.Upsert { // F020 reports an upsert
					s.report.Add(staleKey{p, w.Step, x}.finding(s))
				}
			}
		}
	}
}

// A staleKey is an index key that a step rewrites without some of its values.
type staleKey struct {
	pattern *model.Pattern
	step    *model.Step
	*resolve.IndexWrite
}

// finding describes the values that the step lacks.
func (k staleKey) finding(s *subject) diag.Finding {
	entity := k.Entry.Item.Entity
	moving := slices.DeleteFunc(slices.Clone(k.Stale), func(a *model.Attribute) bool { return !changesElsewhere(s, entity, a) })
	if len(moving) == 0 || entity.Version != nil && !resolve.OnlyAdds(k.step) {
		return k.asked()
	}
	return k.unsafe(moving)
}

// asked describes a key whose missing values the caller can pass.
func (k staleKey) asked() diag.Finding {
	entity, path := k.Entry.Item.Entity, k.Entry.Path
	changed, place, _ := k.changed()
	return diag.Finding{
		Code: "I410", Place: place, Subject: "pattern " + k.pattern.Name,
		Message: fmt.Sprintf("%s changes %s and needs %s too, to write the key of %s in %s", k.pattern.Name, changed, unknown(k.step, k.Stale, ""), entity.Name, path),
		Fix:     fmt.Sprintf("%s to make it explicit, or make %s native key attributes of %s", knowFix(k.pattern, k.step, k.Stale, "where"), attributeNames(keyAttributesOf(k.Entry)), path.Index.Name),
		Related: k.related(),
	}
}

// unsafe describes a key whose missing values other patterns change.
func (k staleKey) unsafe(moving []*model.Attribute) diag.Finding {
	entity, path := k.Entry.Item.Entity, k.Entry.Path
	changed, place, part := k.changed()
	fix := knowFix(k.pattern, k.step, moving, "where or set")
	if !resolve.OnlyAdds(k.step) { // an addition does not compare the version
		fix += fmt.Sprintf(", lock %s with version", entity.Name)
	}
	return diag.Finding{
		Code: "I404", Place: place, Subject: "pattern " + k.pattern.Name,
		Message: fmt.Sprintf("%s changes %s, which %s %s in %s, but does not know %s", k.pattern.Name, changed, part, entity.Name, path, unknown(k.step, moving, ", which other patterns change")),
		Fix:     fmt.Sprintf("%s, or make %s native key attributes of %s", fix, attributeNames(keyAttributesOf(k.Entry)), path.Index.Name),
		Related: k.related(),
	}
}

// changed returns the attribute that the step changes, where, and its role in the key.
func (k staleKey) changed() (name string, place diag.Place, role string) {
	if name, place := changedKeyPart(k.step, k.Entry); name != "" {
		return name, place, "is in the key of"
	}
	return decidingPart(k.step, k.Entry), k.step.Place, "decides whether the index has"
}

func (k staleKey) related() []diag.Related {
	return []diag.Related{{Place: indexKeys(k.Entry)[0].Place, Message: "the key that is rewritten"}}
}

// unknown returns the values of a key that a step does not have, and why: the new value of an
// attribute it adds to is unknown.
func unknown(step *model.Step, attributes []*model.Attribute, why string) string {
	added, others := addedTo(step, attributes)
	switch {
	case len(added) == 0:
		return attributeNames(others) + why
	case len(others) == 0:
		return "the new value of " + attributeNames(added)
	}
	return "the new value of " + attributeNames(added) + " and " + attributeNames(others) + why
}

// knowFix returns advice on how a pattern can give the values of attributes. An attribute
// that is added to must be set instead, because its new value is unknown.
func knowFix(p *model.Pattern, step *model.Step, attributes []*model.Attribute, where string) string {
	added, others := addedTo(step, attributes)
	set := fmt.Sprintf("et %s of %s to the new value, with the old one in where, instead of adding to it", attributeNames(added), p.Name)
	switch {
	case len(added) == 0:
		return fmt.Sprintf("Give %s in %s of %s", attributeNames(others), where, p.Name)
	case len(others) == 0:
		return "S" + set
	}
	return fmt.Sprintf("Give %s in %s of %s and s%s", attributeNames(others), where, p.Name, set)
}

// addedTo splits attributes into those that a step adds to and the others.
func addedTo(step *model.Step, attributes []*model.Attribute) (added, others []*model.Attribute) {
	for _, a := range attributes {
		if slices.ContainsFunc(step.Add, func(add *model.Addition) bool { return add.Attribute == a }) {
			added = append(added, a)
		} else {
			others = append(others, a)
		}
	}
	return added, others
}

// changesElsewhere reports whether any pattern may change the attribute of an existing item.
func changesElsewhere(s *subject, e *model.Entity, a *model.Attribute) bool {
	if slices.ContainsFunc(changes(s), func(c change) bool { return c.entity == e && c.attribute == a }) {
		return true
	}
	return slices.ContainsFunc(s.patterns(), func(p *model.Pattern) bool {
		return slices.ContainsFunc(p.Actions(), func(step *model.Step) bool {
			return step.Verb == model.Put && step.Entity == e && !slices.Contains(e.ID, a)
		})
	})
}

// decidingPart returns the first attribute that a step changes and that decides whether the
// entry has its key.
func decidingPart(step *model.Step, e *resolve.Entry) string {
	changes := func(a *model.Attribute) bool {
		return slices.ContainsFunc(step.Set, func(s *model.Assignment) bool { return s.Attribute == a }) ||
			slices.ContainsFunc(step.Add, func(s *model.Addition) bool { return s.Attribute == a }) || slices.Contains(step.Remove, a)
	}
	for _, key := range indexKeys(e) {
		for _, c := range key.When {
			if changes(c.Attribute) {
				return c.Attribute.Name
			}
		}
	}
	return "the item"
}

// changedKeyPart returns the first attribute of the entry's key that a step changes.
func changedKeyPart(step *model.Step, e *resolve.Entry) (string, diag.Place) {
	parts := keyAttributesOf(e)
	for _, set := range step.Set {
		if slices.Contains(parts, set.Attribute) {
			return set.Attribute.Name, set.Place
		}
	}
	for _, add := range step.Add {
		if slices.Contains(parts, add.Attribute) {
			return add.Attribute.Name, add.Place
		}
	}
	for _, removed := range step.Remove {
		if slices.Contains(parts, removed) {
			return removed.Name, step.Place
		}
	}
	return "", diag.Place{}
}

// keyAttributesOf returns the attributes an entry's keys are made of, each once.
func keyAttributesOf(e *resolve.Entry) []*model.Attribute {
	var all []*model.Attribute
	for _, key := range indexKeys(e) {
		for _, a := range key.Attributes() {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}
