// Package read plans the reads of a design: it proves which key serves a pattern, with
// the exact key condition, or says of every path why it is refused.
//
// It knows nothing of writes and counters.
package read

import (
	"cmp"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// A Planner plans the reads of a design.
type Planner struct {
	*layout.Items
}

// A candidate is a path that answers the question, perhaps not as asked.
type candidate struct {
	read     *plan.Read
	near     int
	filters  int            // of the pattern, that may drop items of the path
	problems []plan.Problem // in which way it is not as asked
}

// Plan finds the best path for a read.
func (l *Planner) Plan(p *model.Pattern) *plan.Plan {
	if p.Verb == model.Snapshot {
		return l.snapshot(p)
	}
	made := &plan.Plan{Pattern: p}
	entities := p.Collect
	if p.Verb != model.Collect {
		entities = []*model.Entity{p.Entity}
	}
	for _, e := range entities {
		if l.Home(e) == nil {
			made.Problems = append(made.Problems, plan.NoHome(e, p.VerbPlace))
			return made
		}
	}
	if p.Verb == model.Scan {
		if made.Read = l.scan(p); made.Read != nil {
			complete(made.Read)
		}
		return made
	}
	var candidates []*candidate
	for _, entry := range l.Entries(entities[0]) {
		c, out := l.try(p, entry)
		if out != nil {
			made.Refused = append(made.Refused, *out)
			continue
		}
		candidates = append(candidates, c)
	}
	choose(made, candidates)
	if fix := l.togetherFix(p); fix != "" {
		made.Problems[len(made.Problems)-1].Fix = fix // nothing serves it
	}
	l.acceptedScan(made)
	if made.Read != nil {
		complete(made.Read)
	}
	return made
}

// try takes one path: it returns a candidate, or why the path is refused.
func (l *Planner) try(p *model.Pattern, entry *layout.Entry) (*candidate, *plan.Refusal) {
	if p.Verb == model.Collect {
		return l.tryCollect(p, entry)
	}
	return l.tryOne(questionOf(p, p.Entity), entry)
}

// Finds returns the path on which the key of an entity could be read by conditions, or
// nil.
func (l *Planner) Finds(e *model.Entity, where []*model.Condition) *layout.Path {
	q := &question{pattern: &model.Pattern{Verb: model.Get, Action: model.Action{Entity: e}}, entity: e, where: where}
	for _, entry := range l.Entries(e) {
		if r := take(q, entry); len(r.partition) == len(entry.PK) && len(r.leftOver()) == 0 {
			return &entry.Path
		}
	}
	return nil
}

// tryOne takes one path for a read of one entity.
func (l *Planner) tryOne(q *question, entry *layout.Entry) (*candidate, *plan.Refusal) {
	r := take(q, entry)
	if len(r.partition) < len(entry.PK) {
		return nil, r.refused(r.stop)
	}
	if filters := r.keyFilters(); len(filters) > 0 {
		moved := take(q.asking(filters), entry)
		if slices.ContainsFunc(filters, func(c *model.Condition) bool { return !moved.served[c] }) {
			return nil, r.refused(r.filtersKey(filters[0]))
		}
		r = moved
	}
	unique := l.uniqueBy(r)
	checks, filters, out := r.compareAfter(unique)
	if out == nil {
		out = r.leavesOut()
	}
	if out != nil {
		return nil, r.refused(out)
	}
	read := r.read(checks, unique)
	read.Filter = slices.Concat(read.Filter, filters)
	return &candidate{read: read, near: r.near(), filters: len(r.filters()), problems: l.judge(r, read)}, nil
}

// compareAfter returns the conditions that the key does not serve and that are compared
// after the read of one item, or by a filter, or why the path is refused.
func (r *route) compareAfter(unique bool) (checks, filters []*model.Condition, out *obstacle) {
	for _, c := range r.leftOver() {
		when := whenOf(r.when, c.Attribute)
		switch {
		case when != nil && !logic.Implied(r.where, when):
			return nil, nil, r.partial(when)
		case c.Op == model.Eq && unique && r.pattern.Verb == model.Get:
			checks = append(checks, c)
		case c.Op == model.Eq && unique && r.namesOne(): // of a list, which would ask again for what it drops itself
			filters = append(filters, c)
		default:
			return nil, nil, r.unserved(c)
		}
	}
	return checks, filters, nil
}

// uniqueBy reports whether at most one item of the entity has the key asked for: it
// gives the whole id, a value that is unique, or everything the primary key is made of.
func (l *Planner) uniqueBy(r *route) bool {
	given := func(attributes []*model.Attribute) bool {
		return !slices.ContainsFunc(attributes, func(a *model.Attribute) bool {
			return !r.given(a) || !r.served[r.condition(a)]
		})
	}
	if len(r.entity.ID) > 0 && given(r.entity.ID) {
		return true
	}
	for _, u := range r.entity.Unique {
		if given(u.Attributes) && given(u.Per) {
			return true
		}
	}
	attributes := layout.PrimaryAttributes(l.Home(r.entity))
	return len(attributes) > 0 && given(attributes)
}

// choose takes the best candidate into the plan and lists the other paths, nearest first.
func choose(p *plan.Plan, candidates []*candidate) {
	slices.SortStableFunc(candidates, func(a, b *candidate) int {
		return cmp.Or(
			cmp.Compare(len(a.problems), len(b.problems)),
			cmp.Compare(a.read.Queries, b.read.Queries), // each reads at least a block
			cmp.Compare(a.filters, b.filters),
			cmp.Compare(rank(a.read), rank(b.read)),
			cmp.Compare(b.near, a.near),
			cmp.Compare(a.read.Entry.Path.String(), b.read.Entry.Path.String()),
		)
	})
	for i, c := range candidates {
		if i == 0 {
			p.Read = c.read
			p.Problems = append(p.Problems, c.problems...)
			continue
		}
		p.Refused = append(p.Refused, c.outranked(candidates[0]))
	}
	slices.SortStableFunc(p.Refused, func(a, b plan.Refusal) int {
		return cmp.Or(cmp.Compare(b.Near, a.Near), cmp.Compare(nearness(a), nearness(b)))
	})
	if p.Read == nil {
		p.Problems = append(p.Problems, noPath(p))
	} else {
		p.Problems = append(p.Problems, uncountedValues(p.Read)...)
		p.Problems = append(p.Problems, idleFanout(p.Read)...)
	}
}

// outranked returns why a candidate was not taken.
func (c *candidate) outranked(best *candidate) plan.Refusal {
	r := plan.Refusal{Path: c.read.Entry.Path, Near: c.near}
	if len(c.problems) > 0 {
		r.Code, r.Reason, r.Place = c.problems[0].Code, c.problems[0].Message, c.problems[0].Place
		return r
	}
	r.Reason = fmt.Sprintf("would serve it too; %s comes first", best.read.Entry.Path)
	return r
}

// rank orders paths that serve a question: cheaper and fresher ones first.
func rank(r *plan.Read) int {
	switch {
	case r.ByKey():
		return 0
	case r.Entry.Path.IsTable():
		return 1
	case r.Entry.Path.IsGlobal():
		return 3
	}
	return 2
}

// nearness orders refusals that serve the same number of conditions: those that fail by
// order or by a condition of the index are nearer than those whose key does not fit.
func nearness(r plan.Refusal) int {
	switch {
	case r.Code == "":
		return 0
	case r.Code[0] == 'O':
		return 1
	case r.Code != "C301":
		return 2
	}
	return 3
}
