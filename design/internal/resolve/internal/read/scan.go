package read

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/expression"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// scan returns the read of a whole table or index that answers a pattern: the one with the
// fewest other entities, because their items are read and paid for too.
func (l *Planner) scan(p *model.Pattern) *plan.Read {
	var all []*plan.Read
	for _, entry := range l.Entries(p.Entity) {
		if read := l.scanOf(p, entry); read != nil {
			all = append(all, read)
		}
	}
	if len(all) == 0 {
		return nil // it lacks a key of its table, which is a finding of its own
	}
	return slices.MinFunc(all, func(a, b *plan.Read) int {
		return cmp.Or(cmp.Compare(len(a.Mixed), len(b.Mixed)), cmp.Compare(scanRank(a), scanRank(b)))
	})
}

// scanRank orders paths with the same entities: entries without all attributes are smaller,
// and a table is fresher than an index.
func scanRank(r *plan.Read) int {
	switch x := r.Entry.Path.Index; {
	case x == nil:
		return 1
	case x.Project.Kind == model.ProjectAll:
		return 2
	}
	return 0
}

// scanOf returns the scan of one path; nil if the path lacks some of the items or attributes.
func (l *Planner) scanOf(p *model.Pattern, entry *layout.Entry) *plan.Read {
	read := &plan.Read{
		Pattern: p, Entry: entry, Operation: plan.Scan, Entities: []*model.Entity{p.Entity},
		Filter: slices.Concat(p.Where, p.Filter), Queries: 1, Eventual: !p.Consistent,
	}
	read.Mixed = l.mixed(read)
	if entry.Path.IsTable() {
		read.Marks = marks(read)
		return read
	}
	holes := slices.ContainsFunc(entry.Keys(), func(k *model.Key) bool {
		return slices.ContainsFunc(k.Attributes(), func(a *model.Attribute) bool { return a.Type.Optional })
	})
	if p.Consistent || holes || len(entry.When()) > 0 || len(missing(read, p.Entity)) > 0 {
		return nil
	}
	read.Marks = marks(read)
	if len(read.Mixed) > 0 && len(read.Marks) == 0 {
		return nil // nothing tells the items apart
	}
	return read
}

// marks returns the filters that tell the items of a scan from others: by the attribute with
// the entity's name, or by the beginnings of the primary key.
func marks(r *plan.Read) []plan.Mark {
	path, item := r.Entry.Path, r.Entry.Item
	sharded := path.IsTable() && slices.ContainsFunc(item.Entity.Counters, func(c *model.Counter) bool { return c.Shards > 1 })
	if len(r.Mixed) == 0 && !sharded {
		return nil
	}
	if t := path.Table.Type; t != "" && path.Projects(t) {
		return []plan.Mark{{Name: t, Text: item.Entity.TypeName()}}
	}
	var all []plan.Mark
	for _, key := range layout.PrimaryKeys(item) {
		if begin := beginning(key); begin != "" {
			all = append(all, plan.Mark{Name: key.Name, Text: begin, Prefix: true})
		}
	}
	return all
}

// beginning returns the literal that a key begins with.
func beginning(key *model.Key) string {
	var text strings.Builder
	for _, part := range key.Parts() {
		if part.IsHole() {
			break
		}
		text.WriteString(part.Literal)
	}
	return text.String()
}

// markClause writes the filter of a mark.
func markClause(x *expression.Writer, m plan.Mark) plan.Clause {
	return x.Clause("", func() string {
		name, value := x.Name(m.Name), x.Text(m.Name, "S", keytext.Text{keytext.Literal(m.Text)})
		if m.Prefix {
			return fmt.Sprintf("begins_with(%s, %s)", name, value)
		}
		return fmt.Sprintf("%s = %s", name, value)
	})
}

// acceptedScan answers a list that no key serves by a scan, if the pattern accepts that.
func (l *Planner) acceptedScan(made *plan.Plan) {
	p := made.Pattern
	if p.Verb != model.List || made.Read != nil || !p.AcceptsRule("C301") || made.Problems[len(made.Problems)-1].Code != "C301" {
		return
	}
	made.Read = l.scan(p)
	if p.Order != nil {
		made.Problems = append(made.Problems, plan.Problem{
			Code: "O201", Place: p.Order.Place, Message: "a scan comes in no order",
			Fix: fmt.Sprintf("sort by %s after the read, or add the index that C301 describes", p.Order.Attribute.Name),
		})
	}
}
