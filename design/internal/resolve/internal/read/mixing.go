package read

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// mixed returns the entities besides those asked for that a request can return too, and
// the guard rows, as entities of their own.
func (l *Planner) mixed(read *plan.Read) []*model.Entity {
	matcher := keytext.NewMatcher(read.Conditions())
	var others []*model.Entity
	for _, other := range l.On(read.Entry.Path) {
		if !slices.Contains(read.Entities, other.Item.Entity) && other.CanMatch(matcher) {
			others = append(others, other.Item.Entity)
		}
	}
	return others
}

// judgeMixing reports other entities in the result.
func judgeMixing(read *plan.Read) *plan.Problem {
	if len(read.Mixed) == 0 {
		return nil
	}
	mixed := make([]string, len(read.Mixed))
	related := make([]diag.Related, len(read.Mixed))
	for i, e := range read.Mixed {
		mixed[i] = e.Name
		related[i] = diag.Related{Place: e.Place, Message: e.Name + " can match the same key condition"}
	}
	all := strings.Join(mixed, ", ")
	fix := fmt.Sprintf("begin the sort keys of %s and %s with literals of their own", read.Entry.Item.Entity.Name, all)
	switch read.Pattern.Verb {
	case model.Get:
	case model.Collect:
		fix = collectApart(read, mixed)
	default:
		fix += ", or say collect"
	}
	return &plan.Problem{
		Code: "C305", Place: read.Pattern.VerbPlace, Fix: fix, Related: related,
		Message: fmt.Sprintf("%s returns %s too: %s", read.Entry.Path, all, conditionsText(read)),
	}
}

// collectApart says how a collect leaves out the items that lie among the entities it
// asks for. One query reads one range of keys, which begin alike for all of them and no
// other.
func collectApart(read *plan.Read, others []string) string {
	wanted := make([]string, len(read.Entities))
	for i, e := range read.Entities {
		wanted[i] = e.Name
	}
	key := "the sort key"
	if len(read.Entry.SK) > 0 {
		key = read.Entry.SK[0].Name
	}
	lie, do := "lies", "does"
	if len(others) > 1 {
		lie, do = "lie", "do"
	}
	rest := inSentence(others)
	return fmt.Sprintf("%s %s in the same stretch: begin %s of %s with one literal that %s %s not begin with, and begins_with leaves the rest out",
		rest, lie, key, inSentence(wanted), rest, do)
}

// conditionsText writes the conditions of a read on its keys.
func conditionsText(read *plan.Read) string {
	var all []string
	for _, c := range read.Conditions() {
		all = append(all, c.String())
	}
	return strings.Join(all, ", ")
}

// judgeLoose reports a collect by a beginning that ends with free text, which returns the
// items of longer texts too: TEAM#a to TEAM#a$ catches TEAM#a b. One key condition cannot
// leave them out.
func judgeLoose(routes []*route, read *plan.Read) []plan.Problem {
	if len(read.Sort) == 0 || read.Sort[0].Op != model.Between {
		return nil
	}
	for _, r := range routes {
		last := r.lastGiven()
		if last == nil || r.sort[0].Op != model.Eq || !keytext.SortsBeforeDelimiter(*last) || r.partitionHolds(last.Attribute) {
			continue
		}
		name, key, d := last.Attribute.Name, r.entry.SK[0], r.delimiter()
		return []plan.Problem{{
			Code: "C305", Place: read.Pattern.VerbPlace,
			Message: fmt.Sprintf("%s returns those of other %s too, which go on with %s: %s", read.Entry.Path, name, d.Sooner(), read.Sort[0]),
			Fix:     fmt.Sprintf("end %s of %s with a literal, such as %s%sMETA, so that all begin with %s%s, or use an id for %s instead of free text", key.Name, r.entity.Name, key.Template, d, read.Sort[0].Low, d, name),
			Related: []diag.Related{{Place: key.Place, Message: "nothing shows where " + name + " ends"}},
		}}
	}
	return nil
}

// partitionHolds reports whether all items of a partition have the same value.
func (r *route) partitionHolds(a *model.Attribute) bool {
	return slices.ContainsFunc(r.entry.PK, func(k *model.Key) bool {
		return slices.ContainsFunc(k.Parts(), func(p model.Part) bool { return p.Attribute == a && keytext.KeepsValue(p) })
	})
}

// lastGiven returns the hole that the first sort key ends with if all of it is given, or
// nil.
func (r *route) lastGiven() *model.Part {
	if len(r.entry.SK) == 0 || len(r.sort) == 0 || r.entry.SK[0].Template == nil {
		return nil
	}
	parts := r.entry.SK[0].Parts()
	if last := parts[len(parts)-1]; last.IsHole() {
		return &last
	}
	return nil
}
