package read

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// snapshot plans the parts of a snapshot. DynamoDB reads each by its primary key, and takes no
// index.
func (l *Planner) snapshot(p *model.Pattern) *plan.Plan {
	made := &plan.Plan{Pattern: p}
	var parts []*plan.Read
	for _, part := range p.Parts {
		read, problems := l.part(part)
		if read != nil {
			complete(read)
			parts = append(parts, read)
		}
		made.Problems = append(made.Problems, problems...)
	}
	if len(parts) == len(p.Parts) {
		made.Parts = parts
	}
	return made
}

// part plans one part of a snapshot; the read is nil if it does not name one item.
func (l *Planner) part(p *model.Pattern) (*plan.Read, []plan.Problem) {
	entry := l.TableEntry(p.Entity)
	if entry == nil {
		return nil, []plan.Problem{plan.NoHome(p.Entity, p.VerbPlace)}
	}
	c, refusal := l.tryOne(questionOf(p, p.Entity), entry)
	if refusal != nil || c.read.Operation != plan.GetItem {
		return nil, []plan.Problem{partNeedsKey(p, entry.Item)}
	}
	return c.read, c.problems
}

// partNeedsKey returns the problem that a part of a snapshot does not name one item.
func partNeedsKey(p *model.Pattern, item *model.Item) plan.Problem {
	place := p.WhereAt
	if place.IsZero() {
		place = p.VerbPlace
	}
	problem := plan.Problem{
		Code: "C309", Place: place,
		Message: fmt.Sprintf("a part of a snapshot reads one item by its primary key, and where does not name one %s", p.Entity.Name),
		Fix:     fmt.Sprintf("give each of %s one value in where, and nothing else", plan.Names(layout.PrimaryAttributes(item))),
		Related: []diag.Related{{Place: item.Place, Message: "the key of " + p.Entity.Name}},
	}
	var missing []*model.Attribute
	for _, a := range layout.PrimaryAttributes(item) {
		if logic.Equality(p.Where, a) == nil {
			missing = append(missing, a)
		}
	}
	if len(missing) > 0 {
		problem.Message = fmt.Sprintf("a part of a snapshot needs the primary key of its %s, and where gives no single value for %s", p.Entity.Name, plan.Names(missing))
		problem.Fix = fmt.Sprintf("give one value for %s in where", plan.Names(missing))
	}
	return problem
}
