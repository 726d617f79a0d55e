package read

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// tryCollect takes one path for all entities of a collect: they must lie in the same
// partition, and the text that they share of the sort key is the condition.
func (l *Planner) tryCollect(p *model.Pattern, first *layout.Entry) (*candidate, *plan.Refusal) {
	var routes []*route
	for _, e := range p.Collect {
		r, out := l.collectRoute(p, first.Path, e)
		if out != nil {
			return nil, out
		}
		routes = append(routes, r)
	}
	lead := routes[0]
	for _, r := range routes[1:] {
		if !keytext.SameKeys(lead.partition, r.partition) {
			return nil, r.refused(&obstacle{code: "C301", reason: fmt.Sprintf(
				"%s lies in partition %s, %s in %s", lead.entity.Name, lead.partition[0].Low, r.entity.Name, r.partition[0].Low)})
		}
	}
	sort, out := sharedSort(routes)
	if out != nil {
		return nil, out
	}
	read := lead.read(nil, false)
	read.Operation, read.Entities, read.Sort, read.Unique = plan.Query, p.Collect, sort, false
	read.Filter, read.Checks = lead.filter, nil
	read.Descending = p.Order != nil && p.Order.Descending
	return &candidate{read: read, near: lead.near(), problems: l.judgeCollect(routes, read)}, nil
}

// collectRoute takes one path for one entity of a collect, or returns why it is refused.
func (l *Planner) collectRoute(p *model.Pattern, path layout.Path, e *model.Entity) (*route, *plan.Refusal) {
	refuse := func(reason, fix string) (*route, *plan.Refusal) {
		return nil, &plan.Refusal{Path: path, Code: "C301", Reason: reason, Fix: fix}
	}
	entry := l.Entry(path, e)
	if entry == nil {
		return refuse(e.Name+" is not in it", "")
	}
	q := questionOf(p, e)
	if len(q.where) < len(p.Where) {
		return refuse(lacks(p.Where, e), "")
	}
	if len(q.filter) < len(p.Filter) {
		return refuse(lacks(p.Filter, e)+", so that the filter would drop all of them",
			"filter by what all of them have, or drop what does not fit after the read")
	}
	r := take(q, entry)
	if len(r.partition) < len(entry.PK) {
		return nil, r.refused(&obstacle{code: r.stop.code, place: r.stop.place, reason: e.Name + ": " + r.stop.reason, fix: r.stop.fix})
	}
	if o := r.leavesOut(); o != nil {
		return nil, r.refused(o)
	}
	if filters := r.keyFilters(); len(filters) > 0 {
		return nil, r.refused(r.filtersKey(filters[0]))
	}
	return r, nil
}

// lacks says which attribute of conditions an entity lacks.
func lacks(conditions []*model.Condition, e *model.Entity) string {
	for _, a := range conditionAttributes(conditions) {
		if e.Attribute(a.Name) == nil {
			return fmt.Sprintf("%s has no %s", e.Name, a.Name)
		}
	}
	return e.Name + " has other attributes"
}

// leavesOut returns the condition of the index that leaves out items that are asked for,
// as an obstacle, or nil.
func (r *route) leavesOut() *obstacle {
	for _, w := range r.when {
		if !logic.Implied(slices.Concat(r.where, r.filter), w) {
			return r.partial(w)
		}
	}
	return nil
}

// sharedSort returns the condition that catches the sort keys of all entities. Everything
// that where asks for beyond the partition must be in the text that they share. Conditions
// that the partition serves already narrow it further if they share that text too.
//
// ORDER#{id} and ORDER#{id}#LINE#{n} are asked for as BETWEEN ORDER#1 AND ORDER#1$, which
// does not catch ORDER#10.
func sharedSort(routes []*route) ([]keytext.Condition, *plan.Refusal) {
	shared, out := sharedText(routes)
	if out != nil {
		return nil, out
	}
	key := routes[0].entry.SK
	delimiter := routes[0].delimiter()
	prefix := upToDelimiter(shared, delimiter)
	all := func(holds func(*route) bool) bool {
		return !slices.ContainsFunc(routes, func(r *route) bool { return !holds(r) })
	}
	between := all(func(r *route) bool { return r.endsOrGoesOnAfter(shared) })
	for _, texts := range []func(*route) []keytext.Text{(*route).needs, (*route).demands} {
		switch {
		case all(func(r *route) bool { return reaches(prefix, texts(r)) }):
			if len(prefix) == 0 {
				return nil, nil
			}
			return []keytext.Condition{keytext.NewCondition(key[0], model.BeginsWith, prefix)}, nil
		case between && all(func(r *route) bool { return reaches(shared, texts(r)) }):
			c := keytext.NewCondition(key[0], model.Between, shared)
			c.High = shared.With(keytext.Literal(delimiter.After()))
			return []keytext.Condition{c}, nil
		}
	}
	lacking := routes[slices.IndexFunc(routes, func(r *route) bool { return !reaches(prefix, r.demanded) })]
	return nil, lacking.refused(&obstacle{code: "C301", reason: "the sort keys do not share all that where asks for"})
}

func (r *route) needs() []keytext.Text   { return r.needed }
func (r *route) demands() []keytext.Text { return r.demanded }

// sharedText returns the text that the sort keys of all entities begin with.
func sharedText(routes []*route) (keytext.Text, *plan.Refusal) {
	var shared keytext.Text
	for i, r := range routes {
		if r.ranged || slices.ContainsFunc(r.demanded[min(1, len(r.demanded)):], func(t keytext.Text) bool { return len(t) > 0 }) {
			return nil, r.refused(&obstacle{code: "C301", reason: "a collect shares only the beginning of the sort key"})
		}
		if left := r.leftOver(); len(left) > 0 {
			return nil, r.refused(r.unserved(left[0]))
		}
		if i == 0 {
			shared = r.sortText()
		}
		shared, _, _ = keytext.Split(shared, r.sortText())
	}
	return shared, nil
}

// sortText returns the known beginning of the first sort key.
func (r *route) sortText() keytext.Text {
	if len(r.sort) == 0 {
		return nil
	}
	return r.sort[0].Low
}

// upToDelimiter cuts a text after its last delimiter, or after a value of fixed width:
// both end at the same place in every key.
func upToDelimiter(t keytext.Text, d model.Delimiter) keytext.Text {
	if len(t) == 0 {
		return nil
	}
	last := t[len(t)-1]
	if last.Value != nil && keytext.FixedWidth(last.Part()) {
		return t
	}
	cut := strings.LastIndex(last.Literal, d.String()) + 1
	return slices.Clone(t[:len(t)-1]).With(keytext.Literal(last.Literal[:cut]))
}

// reaches reports whether a text is as long as the wanted text of the first sort key.
func reaches(t keytext.Text, wanted []keytext.Text) bool {
	if len(wanted) == 0 {
		return true
	}
	_, rest, _ := keytext.Split(wanted[0], t)
	return len(rest) == 0
}

// endsOrGoesOnAfter reports whether the sort key ends with the text or a delimiter
// follows it.
func (r *route) endsOrGoesOnAfter(t keytext.Text) bool {
	_, _, rest := keytext.Split(t, r.sortText())
	if len(rest) == 0 {
		return len(r.sort) > 0 && r.sort[0].Op == model.Eq
	}
	return strings.HasPrefix(rest[0].Literal, r.delimiter().String())
}

// judgeCollect judges the read as a whole: its order must be that of every entity, and
// nothing may sort one entity before the other.
func (l *Planner) judgeCollect(routes []*route, read *plan.Read) []plan.Problem {
	problems := append(l.judge(routes[0], read), judgeLoose(routes, read)...)
	order := read.Pattern.Order
	if order == nil || read.Ordered == nil {
		return problems
	}
	var shared keytext.Text
	if len(read.Sort) > 0 {
		shared = read.Sort[0].Low
	}
	for _, r := range routes {
		own := &plan.Read{Entry: r.entry}
		problem := r.judgeOrder(own)
		if _, rest, _ := keytext.Split(r.sortText(), shared); problem == nil && len(rest) > 0 {
			problem = &plan.Problem{Code: "O201", Place: order.Place, Message: fmt.Sprintf(
				"%s sorts by kind first: %s come together", r.entry.Path, r.entity.Name)}
		}
		if problem == nil {
			problem = judgeAlike(routes[0].orderedUpTo(read.Ordered), r.orderedUpTo(own.Ordered), read.Entry.Item.Entity, r, order)
		}
		if problem != nil {
			read.Ordered = nil
			return append(problems, *problem)
		}
	}
	return problems
}

// judgeAlike returns the problem that an entity writes the value it is ordered by in another
// form than the first one, so that they do not sort among each other: a date beside an instant.
func judgeAlike(lead, own []model.Part, first *model.Entity, r *route, order *model.Ordering) *plan.Problem {
	for i := range min(len(lead), len(own)) {
		if sortAlike(lead[i], own[i]) {
			continue
		}
		return &plan.Problem{
			Code: "O201", Place: order.Place,
			Message: fmt.Sprintf("%s sorts %s by %s and %s by %s, which have no common order",
				r.entry.Path, first.Name, described(lead[i]), r.entity.Name, described(own[i])),
			Fix: fmt.Sprintf("write %s in the same form in %s of both", order.Attribute.Name, r.ordered.Name),
		}
	}
	return nil
}

// orderedUpTo returns the parts that order the result, up to the one given.
func (r *route) orderedUpTo(part *model.Part) []model.Part {
	for i := range r.order {
		if &r.order[i] == part {
			return r.order[:i+1]
		}
	}
	return nil
}

// sortAlike reports whether two parts write the same values as the same texts.
func sortAlike(a, b model.Part) bool {
	if !a.IsHole() || !b.IsHole() {
		return a.IsHole() == b.IsHole() && a.Literal == b.Literal
	}
	return a.Attribute.Type.Base == b.Attribute.Type.Base && slices.Equal(a.Filters, b.Filters) &&
		(keytext.FixedWidth(a) || a.Open == b.Open)
}

// described writes a part with the type of its value.
func described(p model.Part) string {
	if !p.IsHole() {
		return p.Literal
	}
	return fmt.Sprintf("%s (%s)", p, p.Attribute.Type)
}
