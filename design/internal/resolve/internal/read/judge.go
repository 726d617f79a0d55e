package read

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// judge returns in which way a read is not as asked: its order, consistency, attributes,
// other entities in the result, or several items where one is expected.
func (l *Planner) judge(r *route, read *plan.Read) []plan.Problem {
	var problems []plan.Problem
	note := func(p *plan.Problem) {
		if p != nil {
			problems = append(problems, *p)
		}
	}
	note(r.never)
	note(r.judgeOrder(read))
	note(judgeConsistency(read))
	note(judgeProjection(read))
	read.Mixed = l.mixed(read)
	note(judgeMixing(read))
	if r.pattern.Verb == model.Get && !read.Unique {
		note(notOne(r))
	}
	return problems
}

// judgeConsistency reports a consistent read of a global index.
func judgeConsistency(read *plan.Read) *plan.Problem {
	if !read.Pattern.Consistent || !read.Entry.Path.IsGlobal() {
		return nil
	}
	return &plan.Problem{
		Code: "C303", Place: read.Pattern.ConsistAt,
		Message: fmt.Sprintf("only %s, a global index, serves the pattern, and it cannot be read consistently", read.Entry.Path),
	}
}

// judgeProjection reports attributes that the index does not hold. A local index is no
// problem: DynamoDB fetches the rest from the table.
func judgeProjection(read *plan.Read) *plan.Problem {
	p, x := read.Pattern, read.Entry.Path.Index
	if x == nil || x.Project.Kind == model.ProjectAll {
		return nil
	}
	for _, e := range read.Entities {
		read.Missing = append(read.Missing, missing(read, e)...)
	}
	if len(read.Missing) == 0 || x.Local {
		return nil
	}
	place := p.SelectAt
	if len(p.Select) == 0 {
		place = p.VerbPlace
	}
	return &plan.Problem{
		Code: "C304", Place: place,
		Message: fmt.Sprintf("%s does not hold %s", read.Entry.Path, plan.Names(read.Missing)),
		Fix:     fmt.Sprintf("add %s to project of %s, or select only what it holds", storedNames(read.Missing), x.Name),
		Related: []diag.Related{{Place: x.Project.Place, Message: "what the index holds"}},
	}
}

// missing returns the attributes of an entity that the read needs and its index does not
// hold.
func missing(read *plan.Read, e *model.Entity) []*model.Attribute {
	needed := slices.Clone(e.Attributes)
	if len(read.Pattern.Select) > 0 {
		needed = own(e, nil, read.Pattern.Select)
	}
	needed = own(e, needed, conditionAttributes(read.Checks))
	path := read.Entry.Path
	whole := len(read.Pattern.Select) == 0 // whole items are decoded by the names of their attributes
	needed = slices.DeleteFunc(needed, func(a *model.Attribute) bool {
		return path.Gives(path.Table.Item(e), a) && (a.InKey || !whole || path.Projects(a.Stored))
	})
	// DynamoDB filters by attributes, not by pieces of a key
	filtered := slices.DeleteFunc(own(e, nil, conditionAttributes(read.Filter)), func(a *model.Attribute) bool { return path.Projects(a.Stored) })
	return own(e, needed, filtered)
}

// own adds the attributes of an entity that have the same names as others, each once.
func own(e *model.Entity, all, others []*model.Attribute) []*model.Attribute {
	for _, a := range others {
		if mine := e.Attribute(a.Name); mine != nil && !slices.Contains(all, mine) {
			all = append(all, mine)
		}
	}
	return all
}

// storedNames lists attributes as a design writes them in a projection.
func storedNames(list []*model.Attribute) string {
	all := make([]string, len(list))
	for i, a := range list {
		all[i] = a.Stored
	}
	return strings.Join(all, ", ")
}

// notOne returns the problem that several items can answer a get.
func notOne(r *route) *plan.Problem {
	return &plan.Problem{
		Code: "C307", Place: r.pattern.VerbPlace,
		Message: fmt.Sprintf("several %s can have the same %s", r.entity.Name, plan.Names(conditionAttributes(r.where))),
		Fix:     fmt.Sprintf("give %s in where, say list, or declare unique: [%s]", plan.Names(r.entity.ID), plan.Names(conditionAttributes(r.where))),
	}
}

// conditionAttributes returns the attributes that conditions are about.
func conditionAttributes(conditions []*model.Condition) []*model.Attribute {
	var all []*model.Attribute
	for _, c := range conditions {
		all = append(all, logic.Compared(c)...)
	}
	return all
}
