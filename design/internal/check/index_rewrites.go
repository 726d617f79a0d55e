package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// mostNamed is the number of patterns that one finding names.
const mostNamed = 3

// indexRewrites tells the author of a design, once for each table, which updates change what an
// index key is made of (I411): generated code rewrites the key in the same request, and code
// written by hand must do so too.
func indexRewrites(s *subject) {
	for _, t := range s.design.Tables {
		var names []string
		var first *model.Pattern
		var keys []string
		for _, p := range s.patterns() {
			rewritten := s.rewrittenKeys(p, t)
			if len(rewritten) == 0 {
				continue
			}
			if first == nil {
				first, keys = p, rewritten
			}
			names = append(names, p.Name)
		}
		if first == nil {
			continue
		}
		many, set := "", "set"
		if len(names) == 1 {
			set = "sets"
		}
		if rest := len(names) - mostNamed; rest > 0 {
			names, many = names[:mostNamed], fmt.Sprintf(", and %d more updates,", rest)
		}
		s.report.Add(diag.Finding{
			Code: "I411", Place: t.Place, Subject: "table " + t.Name,
			Message: fmt.Sprintf("%s%s %s attributes that index keys of %s are made of; generated code rewrites the keys in the same request, as %s in %s, and code written by hand must do so too", inWords(names), many, set, t.Name, inWords(keys), first.Name),
			Related: []diag.Related{{Place: first.Place, Message: "rewrites " + inWords(keys)}},
		})
	}
}

// rewrittenKeys returns the composed index keys of a table that a pattern must write because it
// sets a part of them.
func (s *subject) rewrittenKeys(p *model.Pattern, t *model.Table) []string {
	var all []string
	for _, w := range s.layout.Plan(p).Writes {
		if w.Step == nil || w.Step.Verb != model.Update && w.Step.Verb != model.Upsert || w.Item == nil || w.Item.Table != t {
			continue
		}
		for _, x := range w.Indexes {
			for _, key := range x.Entry.Keys() {
				if key.Template != nil && x.Change != resolve.Untouched && setsPart(w.Step, key) && !slices.Contains(all, key.Name) {
					all = append(all, key.Name)
				}
			}
		}
	}
	return all
}

// setsPart reports whether an update changes an attribute that a key is made of or depends on.
func setsPart(step *model.Step, key *model.Key) bool {
	parts := slices.Clone(key.Attributes())
	for _, c := range key.When {
		parts = append(parts, c.Attribute)
	}
	return slices.ContainsFunc(step.Set, func(set *model.Assignment) bool { return slices.Contains(parts, set.Attribute) }) ||
		slices.ContainsFunc(step.Remove, func(a *model.Attribute) bool { return slices.Contains(parts, a) })
}
