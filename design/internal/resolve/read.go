package resolve

import (
	"cmp"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// A candidate is a path that answers the question, perhaps not as asked.
type candidate struct {
	read     *Read
	near     int
	problems []Problem // what is not as asked
}

// planRead finds the best path for a read.
func (l *Layout) planRead(p *model.Pattern) *Plan {
	plan := &Plan{Pattern: p}
	entities := p.Collect
	if p.Verb != model.Collect {
		entities = []*model.Entity{p.Entity}
	}
	for _, e := range entities {
		if l.Home(e) == nil {
			plan.Problems = append(plan.Problems, noHome(e, p.VerbPlace))
			return plan
		}
	}
	var candidates []*candidate
	for _, entry := range l.entries[entities[0]] {
		var c *candidate
		var out *Refusal
		if p.Verb == model.Collect {
			c, out = l.tryCollect(p, entry)
		} else {
			c, out = l.try(questionOf(p, p.Entity), entry)
		}
		if out != nil {
			plan.Refused = append(plan.Refused, *out)
			continue
		}
		candidates = append(candidates, c)
	}
	plan.choose(candidates)
	if fix := l.togetherFix(p); fix != "" {
		plan.Problems[len(plan.Problems)-1].Fix = fix // nothing serves it
	}
	return plan
}

func noHome(e *model.Entity, place diag.Place) Problem {
	return Problem{
		Code: "C301", Place: place, Message: e.Name + " lives in no table",
		Fix:     fmt.Sprintf("list %s under items of a table", e.Name),
		Related: []diag.Related{{Place: e.Place, Message: e.Name + " is declared here"}},
	}
}

// questionOf is what a pattern asks of an entity; a collect asks each of its entities
// by attributes of the same name.
func questionOf(p *model.Pattern, e *model.Entity) *question {
	return &question{pattern: p, entity: e, where: translate(p.Where, e), filter: translate(p.Filter, e)}
}

// translate names the entity's own attributes in conditions written for another one.
// Conditions on attributes it does not have are dropped.
func translate(conditions []*model.Condition, e *model.Entity) []*model.Condition {
	var own []*model.Condition
	for _, c := range conditions {
		a := e.Attribute(c.Attribute.Name)
		if a == nil {
			continue
		}
		if a != c.Attribute {
			other := *c
			other.Attribute = a
			c = &other
		}
		own = append(own, c)
	}
	return own
}

// try takes one path: it is a candidate, or it is out for a reason.
func (l *Layout) try(q *question, entry *Entry) (*candidate, *Refusal) {
	r := take(q, entry)
	if len(r.partition) < len(entry.PK) {
		return nil, r.refused(r.stop)
	}
	if filters := r.keyFilters(); len(filters) > 0 {
		moved := take(q.asking(filters), entry)
		if slices.ContainsFunc(filters, func(c *model.Condition) bool { return !moved.served[c] }) {
			return nil, r.refused(filtersKey(filters[0]))
		}
		q, r = moved.question, moved
	}
	unique := l.uniqueBy(r)
	var checks, filters []*model.Condition
	for _, c := range r.leftOver() {
		asksWhen := slices.ContainsFunc(r.when, func(w *model.Condition) bool { return w.Attribute == c.Attribute })
		switch {
		case asksWhen && !implied(q.where, whenOf(r.when, c.Attribute)):
			return nil, r.refused(r.partial(whenOf(r.when, c.Attribute)))
		case c.Op == model.Eq && unique && q.pattern.Verb == model.Get:
			checks = append(checks, c)
		case c.Op == model.Eq && unique && r.namesOne(): // of a list, which would ask again for what it drops itself
			filters = append(filters, c)
		default:
			return nil, r.refused(r.unserved(c))
		}
	}
	for _, w := range r.when {
		if !implied(slices.Concat(q.where, q.filter), w) {
			return nil, r.refused(r.partial(w))
		}
	}
	read := r.read(checks, unique)
	read.Filter = slices.Concat(read.Filter, filters)
	return &candidate{read: read, near: r.near(), problems: l.judge(r, read)}, nil
}

// keyFilters are the filters on key attributes of the path, which DynamoDB refuses.
func (r *route) keyFilters() []*model.Condition {
	var all []*model.Condition
	for _, c := range r.filter {
		isKey := func(k *model.Key) bool { return k.Name == c.Attribute.Stored }
		if slices.ContainsFunc(r.entry.PK, isKey) || slices.ContainsFunc(r.entry.SK, isKey) {
			all = append(all, c)
		}
	}
	return all
}

// asking is the question with filters asked for by the key.
func (q *question) asking(filters []*model.Condition) *question {
	moved := &question{pattern: q.pattern, entity: q.entity, where: slices.Clone(q.where)}
	for _, c := range q.filter {
		switch {
		case !slices.Contains(filters, c):
			moved.filter = append(moved.filter, c)
		case c.Op != model.In && moved.condition(c.Attribute) == nil:
			moved.where = append(moved.where, c)
		}
	}
	return moved
}

func filtersKey(c *model.Condition) *obstacle {
	return &obstacle{
		code: "C301", place: c.Place,
		reason: fmt.Sprintf("DynamoDB does not filter by a key attribute, here %s; ask for it in where", c.Attribute.Name),
		fix:    fmt.Sprintf("ask for %s in where as a range or one value, or drop what does not fit after the read", c.Attribute.Name),
	}
}

func whenOf(when []*model.Condition, a *model.Attribute) *model.Condition {
	for _, w := range when {
		if w.Attribute == a {
			return w
		}
	}
	return nil
}

// namesOne reports whether each request names one item of the table.
func (r *route) namesOne() bool { return r.entry.Path.IsTable() && r.whole }

// isGet reports whether one item of the table answers the pattern. A list stays a query: it
// is asked in pages, and for several values.
func (r *route) isGet() bool {
	return r.pattern.Verb == model.Get && r.namesOne() && !r.fansOut()
}

// fansOut reports whether there is one request for each of several values.
func (r *route) fansOut() bool {
	return slices.ContainsFunc(slices.Concat(r.partition, r.sort), func(c KeyCondition) bool {
		return slices.ContainsFunc(c.Low, func(part TextPart) bool { return part.Each })
	})
}

func (r *route) refused(o *obstacle) *Refusal {
	return &Refusal{Path: r.entry.Path, Code: o.code, Reason: o.reason, Near: r.near(), place: o.place, fix: o.fix}
}

// partial says that an index holds too little.
func (r *route) partial(w *model.Condition) *obstacle {
	reason := "it holds only items with " + w.String()
	if contradicted(r.where, w) {
		reason += ", and the pattern asks for others"
	}
	place := r.pattern.WhereAt
	if c := r.condition(w.Attribute); c != nil {
		place = c.Place
	}
	return &obstacle{code: "C310", place: place, reason: reason}
}

// read makes the request of a path that serves the question.
func (r *route) read(checks []*model.Condition, unique bool) *Read {
	read := &Read{
		Pattern: r.pattern, Entry: r.entry, Operation: Query, Entities: []*model.Entity{r.entity},
		Partition: r.partition, Sort: r.sort, Checks: checks, Filter: r.filter,
		Unique: unique || r.namesOne(), Queries: r.queries(),
		Eventual: !r.pattern.Consistent || r.entry.Path.IsGlobal(),
	}
	if r.isGet() {
		read.Operation = GetItem
	}
	if r.pattern.Order != nil {
		read.Descending = r.pattern.Order.Descending && !read.one(r)
	}
	return read
}

// queries is how many requests one call needs.
func (r *route) queries() int64 {
	n := int64(1)
	for a, each := range r.each {
		if !r.given(a) || r.fanout(a) == nil {
			n *= each
		}
	}
	for _, f := range r.pattern.Fanout {
		c := r.condition(r.entity.Attribute(f.Attribute.Name))
		if c != nil && r.served[c] {
			n *= f.Values
		}
	}
	return n
}

// fanout is what the pattern says about how many values it asks for, or nil.
func (q *question) fanout(a *model.Attribute) *model.Fanout {
	for i, f := range q.pattern.Fanout {
		if f.Attribute.Name == a.Name {
			return &q.pattern.Fanout[i]
		}
	}
	return nil
}

// uniqueBy reports whether at most one item of the entity has the key asked for: it
// gives the whole id, a value that is unique, or everything the primary key is made of.
func (l *Layout) uniqueBy(r *route) bool {
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
	attributes := PrimaryAttributes(l.Home(r.entity))
	return len(attributes) > 0 && given(attributes)
}

// PrimaryAttributes are the attributes an item's primary key is made of, each once.
func PrimaryAttributes(item *model.Item) []*model.Attribute {
	var all []*model.Attribute
	for _, name := range []string{item.Table.PK.Name, item.Table.SK.Name} {
		key := item.Key(name)
		if name == "" || key == nil {
			continue
		}
		for _, a := range key.Attributes() {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// choose takes the best candidate and lists the other paths, nearest first.
func (p *Plan) choose(candidates []*candidate) {
	slices.SortStableFunc(candidates, func(a, b *candidate) int {
		return cmp.Or(
			cmp.Compare(len(a.problems), len(b.problems)),
			cmp.Compare(a.read.rank(), b.read.rank()),
			cmp.Compare(a.read.Queries, b.read.Queries),
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
	slices.SortStableFunc(p.Refused, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(b.Near, a.Near), cmp.Compare(a.nearness(), b.nearness()))
	})
	if p.Read == nil {
		p.Problems = append(p.Problems, p.noPath())
	} else {
		p.Problems = append(p.Problems, p.oneQueryPerValue()...)
	}
}

// outranked says why a candidate was not taken.
func (c *candidate) outranked(best *candidate) Refusal {
	r := Refusal{Path: c.read.Entry.Path, Near: c.near}
	if len(c.problems) > 0 {
		r.Code, r.Reason, r.place = c.problems[0].Code, c.problems[0].Message, c.problems[0].Place
		return r
	}
	r.Reason = fmt.Sprintf("would serve it too; %s comes first", best.read.Entry.Path)
	return r
}

// rank orders paths that serve a question: the cheaper and fresher ones first.
func (r *Read) rank() int {
	switch {
	case r.Operation == GetItem:
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
func (r Refusal) nearness() int {
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
