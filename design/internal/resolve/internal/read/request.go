package read

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/expression"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// read returns the request of a path that serves the question.
func (r *route) read(checks []*model.Condition, unique bool) *plan.Read {
	read := &plan.Read{
		Pattern: r.pattern, Entry: r.entry, Operation: plan.Query, Entities: []*model.Entity{r.entity},
		Partition: r.partition, Sort: r.sort, Checks: checks, Filter: r.filters(),
		Unique: unique || r.namesOne(), Queries: r.queries(),
		Eventual: !r.pattern.Consistent || r.entry.Path.IsGlobal(),
	}
	switch {
	case r.isGet():
		read.Operation = plan.GetItem
	case r.isBatch():
		read.Operation = plan.BatchGetItem
	}
	if r.pattern.Order != nil {
		read.Descending = r.pattern.Order.Descending && !r.one(read)
	}
	return read
}

// queries returns how many requests one call needs.
func (r *route) queries() int64 {
	n := int64(1)
	for a, each := range r.each {
		if !r.given(a) || r.fanout(a) == nil {
			n *= each
		}
	}
	for _, f := range r.pattern.Fanout {
		a := r.entity.Attribute(f.Attribute.Name)
		if c := r.condition(a); c != nil && r.served[c] && (r.given(a) || r.spans[a] != nil) {
			n *= f.Values
		}
	}
	return n
}

// complete gives a read its statement and what follows from the path: the keys that place
// an item on it, the beginning that all answers share, and where selected attributes are
// found.
func complete(r *plan.Read) {
	r.Keys = placingKeys(r.Entry.Path)
	if len(r.Sort) > 0 {
		r.Lead = lead(r.Sort[len(r.Sort)-1])
	}
	if len(r.Pattern.Select) > 0 {
		r.Rows = rows(r)
	}
	r.Statement = statement(r)
}

// placingKeys returns the attributes that place an item on a path: those of the index, then
// those of the table, each once.
func placingKeys(path layout.Path) []string {
	names := layout.KeyNames(layout.Path{Table: path.Table})
	if path.Index != nil {
		names = slices.Concat(path.Index.PK, path.Index.SK, names)
	}
	var all []string
	for _, name := range names {
		if !slices.Contains(all, name.Name) {
			all = append(all, name.Name)
		}
	}
	return all
}

// lead returns the beginning that all keys that a condition matches share.
func lead(c keytext.Condition) keytext.Text {
	if c.Kind != "S" {
		return nil
	}
	switch c.Op {
	case model.Eq:
		return c.Low
	case model.BeginsWith:
		return fixed(c.Low)
	case model.Between:
		return keytext.Shared(c.Low, c.High)
	}
	return nil
}

// fixed cuts off the value that a prefix ends with. A prefix ends at a delimiter; one that
// ends with a value is itself the beginning that the caller asks for.
func fixed(t keytext.Text) keytext.Text {
	if n := len(t); n > 0 && t[n-1].Value != nil {
		return t[:n-1]
	}
	return t
}

// rows returns the selected attributes of each entity and where they are found.
func rows(r *plan.Read) map[*model.Entity][]plan.Held {
	all := map[*model.Entity][]plan.Held{}
	for _, e := range r.Entities {
		for _, a := range r.Pattern.Select {
			if own := e.Attribute(a.Name); own != nil {
				all[e] = append(all[e], plan.NewHeld(r.Entry.Path, r.Entry.Path.Table.Item(e), own))
			}
		}
	}
	return all
}

// statement writes the request of a read.
func statement(r *plan.Read) *plan.Statement {
	x := expression.New()
	s := &plan.Statement{
		Operation: r.Operation, Table: r.Entry.Path.Table, Index: r.Entry.Path.Index,
		Descending: r.Descending, Consistent: !r.Eventual,
	}
	if r.ByKey() {
		s.Key = r.Conditions()
	} else {
		for _, m := range r.Marks {
			s.Filter = append(s.Filter, markClause(x, m))
		}
		var keys []string
		for _, c := range r.Conditions() {
			keys = append(keys, x.Key(c))
		}
		s.KeyCondition = strings.Join(keys, " AND ")
		for _, c := range r.Filter {
			clause := x.Clause("", func() string { return x.Condition(c) })
			x.OrEmptySet(&clause, c)
			s.Filter = append(s.Filter, clause)
		}
	}
	switch {
	case len(r.Pattern.Select) > 0:
		s.Projection = projection(r)
		for _, name := range s.Projection {
			x.Name(name)
		}
	case len(r.Missing) > 0 && !r.Entry.Path.IsGlobal():
		s.All = true // of a local index: else only what it holds comes back
	}
	x.Into(s)
	if !r.ByKey() && len(s.Filter) == 0 {
		s.Limit = r.Pattern.Limit
	}
	return s
}

// projection names the attributes that are selected or compared after the read. Those
// that an index holds only inside a composed key are read back out of that key. A local
// index sees the attributes of a filter only if they are fetched from the table.
func projection(r *plan.Read) []string {
	var all []string
	add := func(stored string) {
		if !slices.Contains(all, stored) {
			all = append(all, stored)
		}
	}
	for _, e := range r.Entities {
		for _, held := range r.Rows[e] {
			add(held.Name)
		}
		for _, c := range r.Checks {
			if own := e.Attribute(c.Attribute.Name); own != nil {
				add(layout.HeldBy(r.Entry.Path, r.Entry.Path.Table.Item(e), own))
			}
		}
	}
	if r.Operation == plan.BatchGetItem || r.Pattern.Part != "" { // by which answers are told apart, and items that lack all other attributes from those that do not exist
		for _, name := range r.Keys {
			add(name)
		}
	}
	if !r.Entry.Path.IsGlobal() {
		for _, a := range r.Missing {
			add(a.Stored)
		}
	}
	return all
}
