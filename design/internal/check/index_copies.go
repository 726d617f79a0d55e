package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// oneSideOnly finds pairs, such as user1Id and user2Id, that can be queried by only one of
// the two (I405). It skips entities of which a transaction writes two items, one per side.
func oneSideOnly(s *subject) {
	for _, entity := range s.entities() {
		first, second := pairOf(entity)
		if first == nil || s.layout.Home(entity) == nil || writtenTwice(s.design, entity) {
			continue
		}
		entries := s.layout.Entries(entity)
		if leads(entries, second) {
			first, second = second, first
		}
		if !leads(entries, first) || leads(entries, second) {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "I405", Place: entity.IDPlace, Subject: "entity " + entity.Name,
			Message: fmt.Sprintf("%s can be queried by %s, but no partition key contains %s, so the other side cannot find it", entity.Name, first.Name, second.Name),
			Fix:     fmt.Sprintf("Write one %s item per side in a transaction, or add an index with %s as its partition key", entity.Name, second.Name),
			Related: []diag.Related{{Place: second.Place, Message: "cannot be queried"}},
		})
	}
}

// leads reports whether the partition key of an entry contains the attribute.
func leads(entries []*resolve.Entry, a *model.Attribute) bool {
	return slices.ContainsFunc(entries, func(e *resolve.Entry) bool {
		return slices.ContainsFunc(e.PK, func(key *model.Key) bool { return slices.Contains(key.Attributes(), a) })
	})
}

// pairOf returns the two attributes of an id that identify two of the same kind.
func pairOf(entity *model.Entity) (first, second *model.Attribute) {
	for i, a := range entity.ID {
		for _, b := range entity.ID[i+1:] {
			if a.Type.Base == b.Type.Base && isPair(a.Name, b.Name) {
				return a, b
			}
		}
	}
	return nil, nil
}

// ordinals lists the words that distinguish two of a kind in names.
var ordinals = []string{"1", "2", "a", "b", "one", "two", "first", "second", "other", "left", "right"}

// isPair reports whether two names differ only by an ordinal:
// user1Id and user2Id, first_user and second_user, userId and otherUserId, userId and otherId.
func isPair(a, b string) bool {
	one, oneMarked := withoutOrdinals(a)
	two, twoMarked := withoutOrdinals(b)
	if !oneMarked && !twoMarked {
		return false
	}
	if slices.Equal(one, two) {
		return true
	}
	shorter, longer := one, two
	if len(longer) < len(shorter) {
		shorter, longer = two, one
	}
	return oneMarked != twoMarked && len(shorter) == 1 && len(longer) == 2 && shorter[0] == "id" && longer[1] == "id"
}

func withoutOrdinals(name string) (words []string, marked bool) {
	for _, word := range wordsOf(name) {
		if slices.Contains(ordinals, word) {
			marked = true
			continue
		}
		words = append(words, word)
	}
	return words, marked
}

// wordsOf splits a name at capitals, digits and underscores, in lower case.
func wordsOf(name string) []string {
	var words []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words = append(words, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	previous := ' '
	for _, c := range name {
		switch {
		case c == '_' || c == '-':
			flush()
			previous = c
			continue
		case unicode.IsUpper(c) && !unicode.IsUpper(previous), unicode.IsDigit(c) != unicode.IsDigit(previous):
			flush()
		}
		word.WriteRune(c)
		previous = c
	}
	flush()
	return words
}

// writtenTwice reports whether a transaction writes two of the entity.
func writtenTwice(d *model.Design, entity *model.Entity) bool {
	return slices.ContainsFunc(d.Patterns, func(p *model.Pattern) bool {
		n := int64(0)
		for _, step := range p.Steps {
			if step.Entity == entity && step.Verb != model.Check {
				n += max(step.Each, 1)
			}
		}
		return n > 1
	})
}

// isCopy reports whether items of b only repeat data of items of a, rather than being
// another relation of the same things (a favourite also has a user and an item): they
// have the same id, or one transaction creates both.
func isCopy(d *model.Design, b, a *model.Entity) bool {
	return repeatsOnly(b, a) && (sameNames(a.ID, b.ID) || madeTogether(d, a, b))
}

func madeTogether(d *model.Design, a, b *model.Entity) bool {
	return slices.ContainsFunc(d.Patterns, func(p *model.Pattern) bool { return makes(p, a) && makes(p, b) })
}

// repeatsOnly reports whether each attribute of b is one of a, the id of a among them.
func repeatsOnly(b, a *model.Entity) bool {
	if a == b || len(b.Attributes) >= len(a.Attributes) {
		return false
	}
	for _, mine := range b.Attributes {
		theirs := a.Attribute(mine.Name)
		if theirs == nil || theirs.Type.Base != mine.Type.Base {
			return false
		}
	}
	return !slices.ContainsFunc(a.ID, func(id *model.Attribute) bool { return b.Attribute(id.Name) == nil })
}

// handMadeIndex finds entities whose items duplicate an index of another entity (I406).
func handMadeIndex(s *subject) {
	for _, b := range s.entities() {
		home := s.layout.Home(b)
		if home == nil {
			continue
		}
		partition := home.Key(home.Table.PK.Name)
		if partition == nil || len(partition.Attributes()) == 0 {
			continue
		}
		for _, a := range s.design.Entities {
			if e := indexBy(s.layout.Entries(a), partition); e != nil && isCopy(s.design, b, a) {
				s.report.Add(handMade(b, a, home, e))
				break
			}
		}
	}
}

// indexBy returns the first entry of a global index whose partition key is made of the same
// attributes, or nil.
func indexBy(entries []*resolve.Entry, partition *model.Key) *resolve.Entry {
	for _, e := range entries {
		if e.Path.IsGlobal() && len(e.PK) == 1 && sameNames(e.PK[0].Attributes(), partition.Attributes()) {
			return e
		}
	}
	return nil
}

func sameNames(a, b []*model.Attribute) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x *model.Attribute) bool {
		return !slices.ContainsFunc(b, func(y *model.Attribute) bool { return x.Name == y.Name })
	})
}

// handMade describes the entity b, whose items repeat an index entry of a.
func handMade(b, a *model.Entity, home *model.Item, e *resolve.Entry) diag.Finding {
	by := attributeNames(home.Key(home.Table.PK.Name).Attributes())
	return diag.Finding{
		Code: "I406", Place: home.Place, Subject: "entity " + b.Name,
		Message: fmt.Sprintf("The items of %s list %s by %s, as the index %s already does", b.Name, a.Name, by, e.Path.Index.Name),
		Fix:     fmt.Sprintf("Remove %s and read %s through %s, or remove the index", b.Name, a.Name, e.Path.Index.Name),
		Related: []diag.Related{{Place: e.Path.Index.Place, Message: "the index that holds the same"}},
	}
}

// duplicateInIndex finds copies of an item that are in the same index, because they have
// the index's key attributes (I407).
func duplicateInIndex(s *subject) {
	for _, path := range s.indexes() {
		entries := slices.DeleteFunc(s.entriesOn(path), func(e *resolve.Entry) bool { return !isNatural(e) })
		for _, of := range entries {
			if copies := copiesOf(s.design, of, entries); len(copies) > 0 {
				s.report.Add(duplicates(of, copies))
			}
		}
	}
}

// copiesOf returns the entries whose items only repeat data of the items of another entry.
func copiesOf(d *model.Design, of *resolve.Entry, entries []*resolve.Entry) []*resolve.Entry {
	var copies []*resolve.Entry
	for _, e := range entries {
		if isCopy(d, e.Item.Entity, of.Item.Entity) {
			copies = append(copies, e)
		}
	}
	return copies
}

// isNatural reports whether an entity is in an index by its own attributes, so possibly
// by accident.
func isNatural(e *resolve.Entry) bool {
	return !slices.ContainsFunc(indexKeys(e), func(key *model.Key) bool { return key.Attribute == nil || len(key.When) > 0 })
}

func duplicates(of *resolve.Entry, copies []*resolve.Entry) diag.Finding {
	var names []string
	finding := diag.Finding{Code: "I407", Place: of.Path.Index.Place, Subject: "index " + of.Path.String()}
	for _, e := range copies {
		names = append(names, e.Item.Entity.Name)
		finding.Related = append(finding.Related, diag.Related{Place: e.Item.Place, Message: e.Item.Entity.Name + " is in the index too"})
	}
	thing, keys := of.Item.Entity.Name, inWords(keyNames(indexKeys(of)))
	finding.Message = fmt.Sprintf("%s contains each %s %s: %s have %s as well", of.Path.Index.Name, thing, timesWord(len(copies)+1), inWords(names), keys)
	if len(copies) == 1 {
		finding.Message = fmt.Sprintf("%s contains each %s twice: %s has %s as well", of.Path.Index.Name, thing, names[0], keys)
	}
	finding.Fix = fmt.Sprintf("Store %[2]s in %[1]s only; remove them from %[3]s or store them under other names", thing, keys, inWords(names))
	return finding
}

func timesWord(n int) string { return fmt.Sprintf("%d times", n) }
