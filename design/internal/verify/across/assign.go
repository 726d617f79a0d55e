package across

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Explain runs two versions of a design on each other's items, gives each change the calls that show
// it, and returns the evidence that shows none of them.
func Explain(ctx context.Context, c *change.Changes, before, after *model.Design, api API, o Options) ([]*Evidence, error) {
	same := pairsOf(c.Matching)
	rest := &finder{best: map[string]*Evidence{}}
	for n := range uint64(mostSeeds) {
		var found []*Evidence
		for i, parts := range partsOf(before, after) {
			own := o
			own.Seed, own.Prefix = o.Seed+n, fmt.Sprintf("%s%d-%d-", o.Prefix, n, i)
			some, err := Run(ctx, resolve.New(parts[0]), resolve.New(parts[1]), same, api, own)
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
		for _, e := range assign(c.All, found) {
			rest.keep(e)
		}
		if !slices.ContainsFunc(c.All, lacksEvidence) {
			break
		}
	}
	return withoutFaults(ctx, rest.all(), before, after, api, o)
}

// mostSeeds is the number of random seeds that are tried while running does not show some change.
const mostSeeds = 3

// lacksEvidence reports whether running should have shown a change, and did not.
func lacksEvidence(c *change.Change) bool {
	return c.Evidence == "" && c.Class != diag.Compatible && shows[c.Code] != nil
}

// pairsOf returns what a matching pairs.
func pairsOf(m *change.Matching) *Pairs {
	same := NewPairs()
	for _, e := range m.Entities {
		if e.Old != nil && e.New != nil {
			same.Entities(e.Old, e.New)
			addAttributes(same, e.Attributes)
		}
	}
	for _, s := range m.Structs {
		if s.Old != nil && s.New != nil {
			addAttributes(same, s.Fields)
		}
	}
	return same
}

func addAttributes(same *Pairs, all []*change.AttributePair) {
	for _, a := range all {
		if a.Old == nil || a.New == nil {
			continue
		}
		same.Attributes(a.Old, a.New)
		for _, v := range a.Values {
			if v.Old != "" && v.New != "" {
				same.Values(a.Old, a.New, v.Old, v.New)
			}
		}
	}
}

// partsOf pairs the designs that two versions consist of: the versions themselves, and the designs
// that both use. A design that only one of them uses has no items of the other.
func partsOf(before, after *model.Design) [][2]*model.Design {
	all := [][2]*model.Design{{before.Parts()[0], after.Parts()[0]}}
	for _, u := range after.Uses {
		i := slices.IndexFunc(before.Uses, func(old *model.Use) bool { return old.Name == u.Name })
		if i < 0 {
			i = slices.IndexFunc(before.Uses, func(old *model.Use) bool { return old.Design.Name == u.Design.Name })
		}
		if i >= 0 {
			all = append(all, [2]*model.Design{before.Uses[i].Design, u.Design})
		}
	}
	return all
}

// unreadable are the kinds of evidence of items that code cannot decode.
var unreadable = []string{"error", "done", "unreadable", "refused"}

// shows maps the code of a change to the kinds of evidence that show it. Codes that are not here have
// none.
var shows = map[diag.Code][]string{
	"E004": append([]string{"outcome", "content", "lost", "unseen", "missing", "unknown"}, unreadable...),
	"E012": append([]string{"missing", "outcome", "content", "unseen", "lost", "version", "counter", "guard", "leftover", "stale"}, unreadable...),
	"E013": {"lost"},
	"E014": append([]string{"lost", "unseen", "missing"}, unreadable...),
	"E015": append([]string{"outcome", "content", "lost", "unseen", "missing", "stale", "unknown", "surplus", "guard", "leftover", "counter"}, unreadable...),
	"E016": append([]string{"outcome", "content", "lost", "unseen", "missing", "stale", "unknown", "surplus", "guard", "leftover", "counter"}, unreadable...),
	"E017": append([]string{"outcome", "unknown", "content", "missing", "lost", "unseen", "stale", "counter", "guard", "leftover"}, unreadable...),
	"E018": {"unknown"},
	"E019": append([]string{"outcome", "content", "missing", "lost", "unseen"}, unreadable...),
	"E020": append([]string{"content", "missing", "lost", "unseen", "outcome", "guard", "leftover", "counter", "stale"}, unreadable...),
	"E021": append([]string{"missing", "lost", "surplus", "outcome", "stale", "content", "unseen", "order", "guard", "leftover", "counter"}, unreadable...),
	"E022": append([]string{"missing", "stale", "lost", "order"}, unreadable...),
	"E023": append([]string{"missing", "stale", "lost", "surplus", "order"}, unreadable...),
	"E025": unreadable,
	"E026": append([]string{"missing", "surplus", "order"}, unreadable...),
	"E027": append([]string{"missing", "stale", "lost"}, unreadable...),
	"E028": append([]string{"missing"}, unreadable...),
	"E029": append([]string{"missing", "stale", "lost", "counter", "content"}, unreadable...),
	"E030": append([]string{"surplus", "missing"}, unreadable...),
	"E031": {"cursor"},
	"E032": append([]string{"unknown", "missing", "lost", "stale", "unseen", "counter", "outcome", "guard", "leftover"}, unreadable...),
	"E033": append([]string{"content", "lost", "unseen", "missing", "stale"}, unreadable...),
	"E041": append([]string{"missing", "surplus", "order", "lost", "outcome", "unseen", "stale", "content", "guard", "leftover", "counter"}, unreadable...),
	"E042": append([]string{"missing", "lost", "outcome", "unseen", "stale", "content", "guard", "leftover", "counter"}, unreadable...),
	"E043": append([]string{"missing", "lost", "outcome", "unseen", "stale", "content"}, unreadable...),
	"E044": append([]string{"missing", "lost", "outcome", "unseen", "stale", "content"}, unreadable...),
	"E045": append([]string{"missing", "lost", "outcome", "unseen", "stale", "content"}, unreadable...),
	"E061": {"guard", "leftover", "outcome"},
	"E062": {"counter", "content"},
	"E063": {"guard", "leftover", "counter", "content", "outcome"},
	"E064": append([]string{"version", "outcome", "lost"}, unreadable...),
}

// mostShown is the number of calls that one change shows.
const mostShown = 3

// assign gives changes the evidence that shows them, and returns the rest.
func assign(all []*change.Change, found []*Evidence) []*Evidence {
	rest := assignBy(all, found, (*Evidence).about)
	unshown := slices.DeleteFunc(slices.Clone(all), func(c *change.Change) bool { return c.Evidence != "" })
	rest = assignBy(unshown, rest, (*Evidence).mayBeAbout)
	return assignBy(all, rest, (*Evidence).mayBeAbout)
}

// assignBy gives changes without evidence the evidence that is about them, and returns the rest.
func assignBy(all []*change.Change, found []*Evidence, about func(*Evidence, *change.Change) bool) []*Evidence {
	used := map[*Evidence]bool{}
	for _, c := range all {
		best := map[string]*Evidence{} // by direction and kind
		for _, e := range found {
			if !slices.Contains(shows[c.Code], e.Kind) || !about(e, c) {
				continue
			}
			used[e] = true
			key := string(e.Code) + e.Kind
			if best[key] == nil || e.smaller(best[key]) {
				best[key] = e
			}
		}
		if c.Evidence == "" {
			c.Evidence = shown(best)
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(e *Evidence) bool { return used[e] })
}

// mayBeAbout reports whether evidence that does not tell which attribute or key it is about is about
// the entity that changed.
func (e *Evidence) mayBeAbout(c *change.Change) bool {
	if c.Class == diag.Compatible && c.Code == "E014" && !c.Dangerous {
		return false
	}
	return c.Entity != nil && slices.ContainsFunc(e.Subjects, func(s any) bool {
		if c.Code == "E033" || c.Code == "E004" { // which are about several attributes
			return belongs(s, c.Entity)
		}
		return s == any(c.Entity.Old) && c.Entity.Old != nil || s == any(c.Entity.New) && c.Entity.New != nil
	})
}

// shown returns evidence as one text: the smallest call of each version first, then writes that are done and
// answer with an error.
func shown(best map[string]*Evidence) string {
	f := &finder{best: best}
	all := f.all()
	var first, more []*Evidence
	for _, e := range all {
		if slices.ContainsFunc(first, func(other *Evidence) bool { return other.Code == e.Code }) {
			more = append(more, e)
			continue
		}
		first = append(first, e)
	}
	slices.SortStableFunc(more, func(a, b *Evidence) int { return cmp.Compare(a.certainty(), b.certainty()) })
	var texts []string
	for _, e := range append(first, more...) {
		if len(texts) < mostShown && (e.Kind != "cursor" || len(texts) == 0) {
			texts = append(texts, e.String())
		}
	}
	return strings.Join(texts, "; ")
}

// certainty orders evidence: calls after which the caller does not know what happened come first.
func (e *Evidence) certainty() int {
	if e.Kind == "done" {
		return 0
	}
	return 1
}

// about reports whether evidence is about what changed.
func (e *Evidence) about(c *change.Change) bool {
	is := func(subject any) bool { return slices.Contains(e.Subjects, subject) }
	switch {
	case c.Code == "E031":
		return true
	case c.Code == "E014" && c.Attribute == nil && c.Class == diag.Compatible && !c.Dangerous: // a key that the index's change is about
		return false
	case c.Code == "E013": // a new attribute that is dropped
		return slices.ContainsFunc(e.Subjects, func(s any) bool {
			a, ok := s.(*model.Attribute)
			pair := c.Entity.Attribute(a)
			return ok && pair != nil && pair.Old == nil
		})
	case c.Code == "E030" && c.Pattern != nil:
		return e.Pattern == c.Pattern.Old || e.Pattern == c.Pattern.New
	case c.Attribute != nil && slices.ContainsFunc(e.Subjects, func(s any) bool {
		a, ok := s.(*model.Attribute)
		return ok && (hasField(a.Type, c.Attribute.Old) || hasField(a.Type, c.Attribute.New))
	}):
		return true
	case c.Attribute != nil:
		return is(c.Attribute.Old) || is(c.Attribute.New) || e.keyOf(c.Attribute)
	case c.Code == "E025" && e.Kind == "refused":
		return slices.ContainsFunc(e.Subjects, func(s any) bool {
			entity, ok := s.(*model.Entity)
			return ok && slices.ContainsFunc(slices.Concat(c.Index.New.PK, c.Index.New.SK), func(k model.KeyName) bool { return entity.Stored(k.Name) != nil })
		})
	case c.Index != nil:
		return is(c.Index.Old) || is(c.Index.New)
	case c.Entity != nil && slices.Contains([]diag.Code{"E022", "E023", "E029"}, c.Code):
		return slices.ContainsFunc(e.Subjects, func(s any) bool {
			_, key := s.(*KeyOf)
			return (key || c.Code == "E029" && counts(s, c.Entity)) && belongs(s, c.Entity)
		})
	case c.Entity != nil && c.Code == "E062":
		return slices.ContainsFunc(e.Subjects, func(s any) bool { return counts(s, c.Entity) })
	case c.From != nil && slices.ContainsFunc(e.Subjects, func(s any) bool { return belongs(s, c.From) }):
		return true
	case c.Entity != nil:
		return is(c.Entity.Old) || is(c.Entity.New) || slices.ContainsFunc(e.Subjects, func(s any) bool { return belongs(s, c.Entity) })
	case c.Table != nil && (c.Code == "E041" || c.Code == "E045"):
		return is(c.Table.Old) || is(c.Table.New) || slices.ContainsFunc(e.Subjects, func(s any) bool { return inTable(s, c.Table) })
	case c.Table != nil:
		return is(c.Table.Old) || is(c.Table.New) || slices.ContainsFunc(e.Subjects, func(s any) bool { return isType(s, c.Table) })
	case c.Pattern != nil:
		return e.Pattern == c.Pattern.Old || e.Pattern == c.Pattern.New
	}
	return false
}

// hasField reports whether values of a type have a field of a struct type.
func hasField(t model.Type, field *model.Attribute) bool {
	for t.Element != nil {
		t = *t.Element
	}
	return t.Struct != nil && field != nil && slices.ContainsFunc(t.Struct.Attributes, func(a *model.Attribute) bool {
		return a == field || a.Type.Struct != t.Struct && hasField(a.Type, field)
	})
}

// counts reports whether a subject is a counter of an entity.
func counts(subject any, p *change.EntityPair) bool {
	a, ok := subject.(*model.Attribute)
	return ok && slices.ContainsFunc([]*model.Entity{p.Old, p.New}, func(e *model.Entity) bool { return e != nil && counterOf(e, a) != nil })
}

// inTable reports whether a subject is an entity of a table or a part of one.
func inTable(subject any, p *change.TablePair) bool {
	return slices.ContainsFunc([]*model.Table{p.Old, p.New}, func(t *model.Table) bool {
		return t != nil && slices.ContainsFunc(t.Items, func(item *model.Item) bool {
			return subject == any(item.Entity) || belongs(subject, &change.EntityPair{Pair: change.Pair[*model.Entity]{Old: item.Entity}})
		})
	})
}

// isType reports whether a subject is the attribute that holds the entity of the items of a table.
func isType(subject any, p *change.TablePair) bool {
	key, ok := subject.(*KeyOf)
	return ok && slices.ContainsFunc([]*model.Table{p.Old, p.New}, func(t *model.Table) bool {
		return t != nil && t.Type == key.Name && t.Item(key.Entity) != nil
	})
}

// keyOf reports whether evidence is about a key that holds an attribute.
func (e *Evidence) keyOf(p *change.AttributePair) bool {
	return slices.ContainsFunc(e.Subjects, func(s any) bool {
		key, ok := s.(*KeyOf)
		return ok && (slices.Contains(key.Holds, p.Old) && p.Old != nil || slices.Contains(key.Holds, p.New) && p.New != nil)
	})
}

// belongs reports whether a subject is a part of an entity.
func belongs(subject any, p *change.EntityPair) bool {
	of := func(e *model.Entity) bool { return e != nil && (e == p.Old || e == p.New) }
	switch s := subject.(type) {
	case *KeyOf:
		return of(s.Entity)
	case *model.Guard:
		return of(s.Entity)
	case *model.Attribute:
		return p.Old != nil && slices.Contains(p.Old.Attributes, s) || p.New != nil && slices.Contains(p.New.Attributes, s)
	}
	return false
}
