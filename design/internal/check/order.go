package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// orderRules check the order of results. An order that no key provides is a problem of the
// pattern's plan and reported with it.
var orderRules = []rule{numbersAsText, enumsAsText, tiesWithoutOrder, textBeforeDelimiter}

// numbersAsText finds numbers that sort as text in a sort key (O202, or O203 for decimals)
// where a list sorts by the number and no pattern asks for one value of it. It skips numbers
// of the id, whose order has no meaning.
func numbersAsText(s *subject) {
	reported := refusedAsText(s)
	for _, e := range s.entities() {
		for _, entry := range s.layout.Entries(e) {
			for _, use := range entryKeys(entry) {
				sortedAsText(s, entry, use, reported)
			}
		}
	}
}

// sortedAsText reports the numbers in one sort key that sort as text, except those that are
// already reported.
func sortedAsText(s *subject, entry *resolve.Entry, use keyUse, reported map[*model.Attribute]bool) {
	if !use.Sort || use.Key.Template == nil {
		return
	}
	for i, part := range use.Key.Parts() {
		if !part.IsHole() || part.Order() != model.ByText || slices.Contains(entry.Item.Entity.ID, part.Attribute) || reported[part.Attribute] {
			continue
		}
		if reader := leftOpen(s, entry, part.Attribute); reader != nil {
			s.report.Add(asText(use, i, reader))
		}
	}
}

// refusedAsText returns the numbers that plans already report as ordered or compared as text.
func refusedAsText(s *subject) map[*model.Attribute]bool {
	refused := map[*model.Attribute]bool{}
	for _, p := range s.patterns() {
		for _, problem := range s.layout.Plan(p).Problems {
			if problem.Code != "O202" && problem.Code != "O203" {
				continue
			}
			if p.Order != nil {
				refused[p.Order.Attribute] = true
			}
			for _, c := range p.Where {
				refused[c.Attribute] = true
			}
		}
	}
	return refused
}

func asText(use keyUse, i int, reader *model.Pattern) diag.Finding {
	part := use.Key.Template.Parts[i]
	finding := diag.Finding{
		Code: "O202", Place: use.partPlace(i), Subject: "entity " + use.Item.Entity.Name,
		Message: fmt.Sprintf("10 sorts before 9: %s in the %s", part, use),
		Related: []diag.Related{{Place: reader.Place, Message: reader.Name + " lists in this order"}},
	}
	if part.Attribute.Type.Base != model.Integer {
		finding.Code, finding.Message = "O203", fmt.Sprintf("10.5 sorts before 9: %s in the %s", part, use)
	}
	if len(part.Filters) == 0 {
		padded := part
		padded.Filters = []model.Filter{{Name: model.Pad, N: 5}}
		finding.Fix = fmt.Sprintf("Write %s: %s, with as many digits as the largest %s has", use.Name, rewritten(use.Key.Template, i, padded.String()), part.Attribute.Name)
		if base := part.Attribute.Type.Base; base == model.Numeric || base == model.Decimal {
			finding.Fix = fmt.Sprintf("Keep %s as an int of its smallest unit and pad that, or make it a sort key of its own, which sorts numbers by value", part.Attribute.Name)
		}
	}
	return finding
}

// leftOpen returns a pattern that lists through the entry without binding the attribute, or
// nil if there is none or another pattern binds it.
func leftOpen(s *subject, entry *resolve.Entry, a *model.Attribute) *model.Pattern {
	var open *model.Pattern
	for _, p := range s.layout.Readers(entry) {
		if !p.HasTag(s.options.Tags) || p.Verb == model.Get {
			continue
		}
		if slices.ContainsFunc(p.Where, func(c *model.Condition) bool { return c.Attribute == a }) {
			return nil
		}
		if p.Verb == model.List && open == nil {
			open = p
		}
	}
	return open
}

// enumsAsText finds lists ordered by an enum whose declaration order is not its sort order
// (O203).
func enumsAsText(s *subject) {
	for _, p := range s.patterns() {
		if p.Order == nil || p.Order.Attribute.Type.Base != model.Enum {
			continue
		}
		a := p.Order.Attribute
		read := s.layout.Plan(p).Read
		if read == nil || read.Ordered == nil || slices.IsSorted(a.Type.Values) {
			continue
		}
		sorted := slices.Sorted(slices.Values(a.Type.Values))
		s.report.Add(diag.Finding{
			Code: "O203", Place: p.Order.Place, Subject: "pattern " + p.Name,
			Message: fmt.Sprintf("%s sorts by %s, which sorts alphabetically: %s", p.Name, a.Name, strings.Join(sorted, ", ")),
			Fix:     fmt.Sprintf("Store a number for the rank of %s and sort by that; if alphabetical order is intended, declare %s: enum(%s)", a.Name, a.Name, strings.Join(sorted, ", ")),
			Related: []diag.Related{{Place: a.TypePlace, Message: "declared as " + strings.Join(a.Type.Values, ", ")}},
		})
	}
}

// tiesWithoutOrder finds index keys that end in the value a list is ordered by, so that the
// order of equal values is undefined (O204). A table's primary key is unique, and so is an
// id made from the time.
func tiesWithoutOrder(s *subject) {
	told := map[*resolve.Entry]bool{}
	for _, p := range s.patterns() {
		read := s.layout.Plan(p).Read
		if p.Order == nil || read == nil || read.Ordered == nil || read.Entry.Path.IsTable() || told[read.Entry] {
			continue
		}
		if entry := read.Entry; read.Ordered.Attribute.Time == nil && !uniqueInIndex(entry) && !fewAtATime(entry, p.Order.Attribute) {
			told[entry] = true
			s.report.Add(tie(p, entry))
		}
	}
}

// fewPerKey is the number of items of one partition key up to which two of them in the same
// millisecond are not to be expected.
const fewPerKey = 1000

// fewAtATime reports whether an instant orders an index whose partition keys have few items each,
// such as the reviews of one user.
func fewAtATime(entry *resolve.Entry, a *model.Attribute) bool {
	if a.Type.Base != model.Timestamp {
		return false
	}
	return slices.ContainsFunc(entry.PK, func(key *model.Key) bool {
		return slices.ContainsFunc(key.Attributes(), func(held *model.Attribute) bool {
			per := entry.Item.Entity.PerOf(held)
			return per != nil && per.Max.Cmp(exact.Int(fewPerKey)) <= 0
		})
	})
}

// uniqueInIndex reports whether the key of an index entry is unique.
func uniqueInIndex(entry *resolve.Entry) bool {
	e, kept := entry.Item.Entity, keptInEntry(entry)
	return holds(kept, e.ID) || slices.ContainsFunc(e.Unique, func(u *model.Unique) bool {
		return holds(kept, u.Attributes) && holds(kept, u.Per)
	})
}

// keptInEntry returns the attributes whose values the key of an entry distinguishes.
func keptInEntry(entry *resolve.Entry) []*model.Attribute {
	var kept []*model.Attribute
	for _, key := range slices.Concat(entry.PK, entry.SK) {
		for _, part := range key.Parts() {
			if part.IsHole() && keepsApart(part) {
				kept = append(kept, part.Attribute)
			}
		}
	}
	return kept
}

func tie(p *model.Pattern, entry *resolve.Entry) diag.Finding {
	uses, e := entryKeys(entry), entry.Item.Entity
	last := uses[len(uses)-1]
	missing := slices.DeleteFunc(slices.Clone(e.ID), func(a *model.Attribute) bool { return slices.Contains(keptInEntry(entry), a) })
	return diag.Finding{
		Code: "O204", Place: last.place(), Subject: subjectOf(last),
		Message: fmt.Sprintf("Two items of %s with the same %s have no defined order in %s, whose key does not contain %s", e.Name, p.Order.Attribute.Name, entry.Path, inWords(namesOf(missing))),
		Fix:     tieFix(last, missing),
		Related: []diag.Related{{Place: p.Order.Place, Message: p.Name + " asks for this order"}},
	}
}

// namesOf returns the names of attributes.
func namesOf(attributes []*model.Attribute) []string {
	names := make([]string, len(attributes))
	for i, a := range attributes {
		names[i] = a.Name
	}
	return names
}

// tieFix returns advice to append the rest of the id to the sort key. Templates have the names
// of attributes, keys of several attributes the names under which they are stored.
func tieFix(last keyUse, missing []*model.Attribute) string {
	d := last.Path.Table.Delimiter.String()
	tail := d + "{" + strings.Join(namesOf(missing), "}"+d+"{") + "}"
	switch index := last.Path.Index; {
	case last.Key.Template != nil:
		return fmt.Sprintf(`Write %s: "%s%s"`, last.Name, last.Key.Template, tail)
	case !index.Local && len(index.SK)+len(missing) <= maxKeyParts:
		var names []string
		for _, name := range index.SK {
			names = append(names, name.Name)
		}
		for _, a := range missing {
			names = append(names, a.Stored)
		}
		return fmt.Sprintf("Write sk: [%s]", strings.Join(names, ", "))
	}
	first := model.Part{Attribute: last.Key.Attribute}
	if first.Order() == model.ByText {
		first.Filters = []model.Filter{{Name: model.Pad, N: 10}}
	}
	return fmt.Sprintf(`Name the sort key %s_key and write %s_key: "%s%s" under items, %s`,
		last.Name, last.Name, first, tail, last.Item.Entity.Name)
}

// textBeforeDelimiter finds free text that is sorted or compared with # after it, where a
// space, ! or " sorts first (O205), once per key. Generated names contain none of these.
func textBeforeDelimiter(s *subject) {
	told := map[string]bool{}
	for _, p := range s.patterns() {
		read := s.layout.Plan(p).Read
		if read == nil {
			continue
		}
		key, i := read.SortsLoosely()
		if key == nil || madeByProgram(key.Parts()[i].Attribute.Name) {
			continue
		}
		for _, use := range entryKeys(read.Entry) {
			if use.Name == key.Name && use.Sort && !told[use.String()] {
				told[use.String()] = true
				s.report.Add(looseText(use, i, p))
			}
		}
	}
}

func looseText(use keyUse, i int, reader *model.Pattern) diag.Finding {
	text := use.Key.Template.Parts[i].Attribute
	name, native := text.Name, []string{text.Stored}
	for _, a := range use.Item.Entity.ID {
		if a != text && len(native) < maxKeyParts {
			native = append(native, a.Stored)
		}
	}
	index := "an index"
	if use.Path.IsGlobal() {
		index = use.Path.String()
	}
	fix := fmt.Sprintf("Put {%s} last in %s, or give %s a sort key of several attributes: sk: [%s]", name, use.Name, index, strings.Join(native, ", "))
	return diag.Finding{
		Code: "O205", Place: use.partPlace(i), Subject: subjectOf(use),
		Message: fmt.Sprintf("%s is free text before # in the %s: a space, ! or \" in it sorts before #, so Ann Lee comes before Ann, in lists and in ranges", name, use),
		Fix:     fix,
		Related: []diag.Related{{Place: reader.Place, Message: reader.Name + " sorts by or compares it"}},
	}
}

// entryKeys returns the keys of an entry as key uses.
func entryKeys(entry *resolve.Entry) []keyUse {
	var uses []keyUse
	for _, use := range itemKeys(entry.Item) {
		if use.Path.Index == entry.Path.Index && use.Key != nil {
			uses = append(uses, use)
		}
	}
	return uses
}
