package read

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// A question is a read of one entity.
type question struct {
	pattern *model.Pattern
	entity  *model.Entity
	where   []*model.Condition // on attributes of the entity
	filter  []*model.Condition
}

// condition returns the condition of where on an attribute, or nil.
func (q *question) condition(a *model.Attribute) *model.Condition {
	for _, c := range q.where {
		if c.Attribute == a {
			return c
		}
	}
	return nil
}

// given reports whether where gives the attribute one value, or several one after the
// other.
func (q *question) given(a *model.Attribute) bool {
	c := q.condition(a)
	return c != nil && (c.Op == model.Eq || c.Op == model.In)
}

// questionOf returns the question of a pattern to an entity; a collect asks each of its
// entities by attributes of the same name.
func questionOf(p *model.Pattern, e *model.Entity) *question {
	return &question{pattern: p, entity: e, where: translate(p.Where, e), filter: translate(p.Filter, e)}
}

// translate replaces the attributes in conditions on another entity by those of the same
// name. It drops conditions on attributes that the entity lacks.
func translate(conditions []*model.Condition, e *model.Entity) []*model.Condition {
	var own []*model.Condition
	for _, c := range conditions {
		if mine := model.Translate(c, e); mine != nil {
			own = append(own, mine)
		}
	}
	return own
}

// asking returns the question with filters moved to where.
func (q *question) asking(filters []*model.Condition) *question {
	moved := &question{pattern: q.pattern, entity: q.entity, where: slices.Clone(q.where)}
	for _, c := range q.filter {
		switch {
		case !slices.Contains(filters, c):
			moved.filter = append(moved.filter, c)
		case c.Op != model.In && c.Op != model.Or && moved.condition(c.Attribute) == nil:
			moved.where = append(moved.where, c)
		}
	}
	return moved
}

// fanout returns how many values of an attribute the pattern says it asks for, or nil.
func (q *question) fanout(a *model.Attribute) *model.Fanout {
	for i, f := range q.pattern.Fanout {
		if f.Attribute.Name == a.Name {
			return &q.pattern.Fanout[i]
		}
	}
	return nil
}
