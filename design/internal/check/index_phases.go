package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// lateIndex finds indexes whose phase is later than that of a pattern that needs them
// (I408). Phases are tags that end in a number, such as phase2.
func lateIndex(s *subject) {
	for _, path := range s.indexes() {
		if stem, comes, ok := firstPhase(path.Index.Tags, ""); ok {
			late(s, path, stem, comes)
		}
	}
}

// late reports an index that comes with a later phase than its first reader.
func late(s *subject, path resolve.Path, stem string, comes int) {
	index := path.Index
	var first *model.Pattern
	earliest := comes
	finding := diag.Finding{Code: "I408", Place: index.Place, Subject: "index " + path.String()}
	for _, e := range s.entriesOn(path) {
		for _, p := range s.layout.Readers(e) {
			_, needed, ok := firstPhase(phasesOf(p), stem)
			if !ok || needed >= comes {
				continue
			}
			finding.Related = append(finding.Related, diag.Related{Place: p.Place, Message: fmt.Sprintf("%s reads the index in %s%d", p.Name, stem, needed)})
			if needed < earliest {
				first, earliest = p, needed
			}
		}
	}
	if first == nil {
		return
	}
	finding.Message = fmt.Sprintf("%s comes with %s%d, but %s needs it in %s%d", index.Name, stem, comes, first.Name, stem, earliest)
	finding.Fix = fmt.Sprintf("Bring %s with %s%d", index.Name, stem, earliest)
	s.report.Add(finding)
}

// phasesOf returns a pattern's tags, or those of its entity if it has none.
func phasesOf(p *model.Pattern) []string {
	if len(p.Tags) > 0 || p.Entity == nil {
		return p.Tags
	}
	return p.Entity.Tags
}

// firstPhase returns the smallest phase number of tags with the given stem, or with any
// stem if it is empty.
func firstPhase(tags []string, stem string) (string, int, bool) {
	first, found := 0, false
	for _, tag := range tags {
		name := strings.TrimRight(tag, "0123456789")
		n, err := strconv.Atoi(tag[len(name):])
		if err != nil || (stem != "" && name != stem) {
			continue
		}
		if !found || n < first {
			stem, first, found = name, n, true
		}
	}
	return stem, first, found
}

// sameIndex finds two global indexes of a table that could be merged (I409): computed keys
// with different names, the same projection, and no entity in both.
func sameIndex(s *subject) {
	for _, table := range s.design.Tables {
		for i, a := range table.Indexes {
			for _, b := range table.Indexes[i+1:] {
				if couldShare(s, a, b) {
					s.report.Add(shareIndex(table, a, b))
				}
			}
		}
	}
}

// couldShare reports whether two indexes of a table could be one.
func couldShare(s *subject, a, b *model.Index) bool {
	if a.Local || b.Local || len(a.PK) != len(b.PK) || len(a.SK) != len(b.SK) ||
		a.Project.Kind != b.Project.Kind || !sameTexts(a.Project.Attributes, b.Project.Attributes) {
		return false
	}
	if slices.Equal(bareNames(a), bareNames(b)) {
		return true
	}
	ours := s.entriesOn(resolve.Path{Table: a.Table, Index: a})
	theirs := s.entriesOn(resolve.Path{Table: b.Table, Index: b})
	return shareable(s, ours) && shareable(s, theirs) && !slices.ContainsFunc(ours, func(e *resolve.Entry) bool {
		return slices.ContainsFunc(theirs, func(f *resolve.Entry) bool {
			return e.Item == f.Item || resolve.CanEqual(e.PK[0], f.PK[0])
		})
	})
}

// shareable reports whether all entries are read and have computed keys, which can be renamed.
func shareable(s *subject, entries []*resolve.Entry) bool {
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(e *resolve.Entry) bool {
		return !s.isRead(e) || slices.ContainsFunc(indexKeys(e), func(key *model.Key) bool { return key.Template == nil })
	})
}

func sameTexts(a, b []string) bool {
	one, two := slices.Clone(a), slices.Clone(b)
	slices.Sort(one)
	slices.Sort(two)
	return slices.Equal(one, two)
}

// bareNames returns the key attributes of an index, without places.
func bareNames(x *model.Index) []string {
	var names []string
	for _, key := range slices.Concat(x.PK, x.SK) {
		names = append(names, key.Name)
	}
	return names
}

func shareIndex(table *model.Table, a, b *model.Index) diag.Finding {
	message := fmt.Sprintf("%s and %s of %s contain different entities and could be one index", a.Name, b.Name, table.Name)
	fix := fmt.Sprintf("Write the keys of %s under the names of %s and remove %s", b.Name, a.Name, b.Name)
	if slices.Equal(bareNames(a), bareNames(b)) {
		message = fmt.Sprintf("%s and %s of %s have the same keys and the same content", a.Name, b.Name, table.Name)
		fix = "Remove " + b.Name
	}
	return diag.Finding{
		Code: "I409", Place: b.Place, Subject: "index " + table.Name + "." + b.Name, Message: message, Fix: fix,
		Related: []diag.Related{{Place: a.Place, Message: "the other index"}},
	}
}
