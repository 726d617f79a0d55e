package iamgen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// merge combines grants into statements that allow exactly the same: it drops grants that
// another covers, and combines grants that differ in one property.
func merge(grants []grant) []Statement {
	var all []Statement
	for _, g := range uncovered(grants) {
		s := Statement{Actions: []string{g.action}, Resources: []Resource{g.resource}, Attributes: g.attributes, Patterns: g.patterns}
		if g.key != "" {
			s.LeadingKeys = []string{g.key}
		}
		for _, key := range g.further {
			s.Further = append(s.Further, slices.DeleteFunc([]string{key}, func(k string) bool { return k == "" }))
		}
		all = append(all, s)
	}
	all = joined(all, func(a, b Statement) bool { return sameResources(a, b) && sameKeys(a, b) && sameAttributes(a, b) },
		func(to *Statement, from Statement) {
			to.Actions = union(to.Actions, from.Actions)
			slices.Sort(to.Actions)
		})
	all = joined(all, func(a, b Statement) bool {
		return sameResources(a, b) && sameActions(a, b) && sameAttributes(a, b) && sameFurther(a, b) && len(a.LeadingKeys) > 0 && len(b.LeadingKeys) > 0
	}, func(to *Statement, from Statement) {
		to.LeadingKeys = union(to.LeadingKeys, from.LeadingKeys)
		slices.Sort(to.LeadingKeys)
	})
	all = joined(all, func(a, b Statement) bool { return sameKeys(a, b) && sameActions(a, b) && sameAttributes(a, b) },
		func(to *Statement, from Statement) {
			to.Resources = union(to.Resources, from.Resources)
			slices.SortFunc(to.Resources, compareResources)
		})
	return ordered(all, grants)
}

// joined combines statements for which same returns true.
func joined(statements []Statement, same func(a, b Statement) bool, into func(to *Statement, from Statement)) []Statement {
	var all []Statement
	for _, s := range statements {
		i := slices.IndexFunc(all, func(have Statement) bool { return same(have, s) })
		if i < 0 {
			all = append(all, s)
			continue
		}
		into(&all[i], s)
		all[i].Patterns = union(all[i].Patterns, s.Patterns)
	}
	return all
}

// ordered sorts reads first, and then by the order of grants.
func ordered(all []Statement, grants []grant) []Statement {
	place := map[string]int{}
	for i, g := range grants {
		place[g.patterns[0]] = i
	}
	for i := range all {
		slices.SortFunc(all[i].Patterns, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
	}
	slices.SortStableFunc(all, func(a, b Statement) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), compareResources(a.Resources[0], b.Resources[0]))
	})
	return all
}

// rank returns the sort order of a statement: reads before writes.
func rank(s Statement) int {
	if s.Reads() {
		return 0
	}
	return 1
}

func sameResources(a, b Statement) bool { return slices.Equal(a.Resources, b.Resources) }
func sameActions(a, b Statement) bool   { return slices.Equal(a.Actions, b.Actions) }
func sameKeys(a, b Statement) bool {
	return slices.Equal(a.LeadingKeys, b.LeadingKeys) && sameFurther(a, b)
}
func sameFurther(a, b Statement) bool {
	return slices.EqualFunc(a.Further, b.Further, slices.Equal[[]string])
}
func sameAttributes(a, b Statement) bool { return slices.Equal(a.Attributes, b.Attributes) }

func union[T comparable](a, b []T) []T {
	all := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

// uncovered drops grants that another one covers, and adds their patterns to that one.
func uncovered(grants []grant) []grant {
	var kept []grant
	for _, g := range grants {
		if i := slices.IndexFunc(kept, func(have grant) bool { return covers(have, g) }); i >= 0 {
			kept[i].patterns = union(kept[i].patterns, g.patterns)
			continue
		}
		kept = slices.DeleteFunc(kept, func(have grant) bool {
			covered := covers(g, have)
			if covered {
				g.patterns = union(have.patterns, g.patterns)
			}
			return covered
		})
		kept = append(kept, g)
	}
	return kept
}

// covers reports whether a grant allows everything another one does.
func covers(a, b grant) bool {
	return a.action == b.action && a.resource == b.resource && coversKey(a.key, b.key) && coversAttributes(a.attributes, b.attributes) &&
		slices.EqualFunc(a.further, b.further, coversKey)
}

func coversAttributes(a, b []string) bool {
	if a == nil || b == nil {
		return a == nil
	}
	return !slices.ContainsFunc(b, func(name string) bool { return !slices.Contains(a, name) })
}

// coversKey reports whether one key with wildcards matches everything another one does.
func coversKey(a, b string) bool {
	if a == "" || b == "" || a == b {
		return a == "" || a == b
	}
	return hasWildcard(a) && matches(pieces(a), b)
}

// pieces returns the texts between the wildcards of a key.
func pieces(key string) []string {
	const star = "\x00"
	key = strings.ReplaceAll(key, "${*}", star)
	all := strings.Split(key, "*")
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], star, "${*}")
	}
	return all
}

func matches(pieces []string, text string) bool {
	first, last := pieces[0], pieces[len(pieces)-1]
	if !strings.HasPrefix(text, first) {
		return false
	}
	text = text[len(first):]
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, after, found := strings.Cut(text, piece)
		if !found {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, last)
}

// named sets the name of each statement: the pattern's, or one made of the role and the
// kind of access if several patterns share it.
func named(role string, statements []Statement) []Statement {
	used := map[string]int{}
	for i, s := range statements {
		sid := Letters(s.Patterns[0])
		if len(s.Patterns) > 1 {
			sid = Letters(role) + "Writes"
			if s.Reads() {
				sid = Letters(role) + "Reads"
			}
		}
		used[sid]++
		if n := used[sid]; n > 1 {
			sid += fmt.Sprint(n)
		}
		statements[i].Sid = sid
	}
	return statements
}

// Letters returns a name in upper camel case for statements and templates: aah-questions is
// AahQuestions.
func Letters(name string) string {
	var b strings.Builder
	up := true
	for _, r := range name {
		switch {
		case r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
			continue
		case up:
			r = unicode.ToUpper(r)
			up = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
