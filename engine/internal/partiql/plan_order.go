package partiql

import (
	"bytes"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/number"
)

// checkOrder checks the ORDER BY clause.
func (p *selectPlan) checkOrder() error {
	if len(p.order) == 0 {
		return nil
	}
	if p.where == nil {
		return dynamo.Invalid("Must have WHERE clause in the statement when using ORDER BY clause.")
	}
	for _, term := range p.order {
		if !p.key.Has(term.name) {
			return dynamo.Invalid("Attribute %s in ORDER BY clause must be part of the primary key", term.name)
		}
	}
	if p.branches == nil {
		return dynamo.Invalid("Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")
	}
	if len(p.branches) == 1 {
		return nil
	}
	switch p.term(p.key.Partition[0].Name) {
	case 0:
		return nil
	case -1:
		return dynamo.Invalid("Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.")
	default:
		return dynamo.Invalid("ORDER BY must name the partition key before the sort key when more than one partition is read")
	}
}

// term returns the index of the term of ORDER BY that names an attribute, or -1.
func (p *selectPlan) term(name string) int {
	return slices.IndexFunc(p.order, func(t orderTerm) bool { return t.name == name })
}

// sortBranches sorts the queries in the order of the statement and reports whether
// they run backward. Without ORDER BY they stay in the order of the text. Over several
// partitions a sort key without a term descends.
func (p *selectPlan) sortBranches() (backward bool) {
	if len(p.order) == 0 {
		return false
	}
	if len(p.key.Sort) > 0 {
		i := p.term(p.key.Sort[0].Name)
		backward = i < 0 && len(p.branches) > 1 || i >= 0 && p.order[i].desc
	}
	if len(p.branches) == 1 {
		return backward
	}
	descending := p.order[p.term(p.key.Partition[0].Name)].desc
	slices.SortStableFunc(p.branches, func(a, b branch) int {
		order := compareValues(a.value, b.value)
		if descending {
			order = -order
		}
		if order == 0 && a.sort != nil && b.sort != nil {
			if order = compareEnds(spanOf(a.sort).low, spanOf(b.sort).low); backward {
				order = -order
			}
		}
		return order
	})
	return backward
}

// compareValues orders values like keys. Values of different kinds, of
// which one cannot be a key, are ordered by kind.
func compareValues(a, b dynamo.Value) int {
	switch k := a.Kind(); {
	case k != b.Kind():
		return int(k) - int(b.Kind())
	case k == dynamo.KindNumber:
		return number.Compare(a.Bytes(), b.Bytes())
	case k.IsScalarKey():
		return bytes.Compare(a.Bytes(), b.Bytes())
	default:
		return bytes.Compare(a, b)
	}
}

// A span is the range of sort keys that a condition allows.
type span struct{ low, high end }

// An end is one end of a span; a nil value: it is open.
type end struct {
	value     dynamo.Value
	exclusive bool
	prefix    bool // of a high end: values that begin with it are included
}

// spanOf returns the range of a condition that narrows a query; nil means no limit.
func spanOf(c *condition) span {
	if c == nil {
		return span{}
	}
	v := c.values[0]
	switch c.use {
	case useEqual:
		return span{end{value: v}, end{value: v}}
	case useLess:
		return span{high: end{value: v, exclusive: true}}
	case useLessOrEqual:
		return span{high: end{value: v}}
	case useGreater:
		return span{low: end{value: v, exclusive: true}}
	case useGreaterOrEqual:
		return span{low: end{value: v}}
	case useBetween:
		return span{end{value: v}, end{value: c.values[1]}}
	default:
		return span{end{value: v}, end{value: v, prefix: true}}
	}
}

// compareEnds orders low ends. At the same value, the end that includes it is lower.
func compareEnds(a, b end) int {
	switch {
	case a.value == nil && b.value == nil:
		return 0
	case a.value == nil:
		return -1
	case b.value == nil:
		return 1
	}
	switch order := compareValues(a.value, b.value); {
	case order != 0 || a.exclusive == b.exclusive:
		return order
	case a.exclusive:
		return 1
	default:
		return -1
	}
}

// overlaps reports whether the key ranges of two branches of one partition overlap.
func overlaps(a, b branch) bool {
	one, two := spanOf(a.sort), spanOf(b.sort)
	return reaches(one.low, two.high) && reaches(two.low, one.high)
}

// reaches reports whether a low end is not above a high end.
func reaches(low, high end) bool {
	if low.value == nil || high.value == nil {
		return true
	}
	if low.value.Kind() != high.value.Kind() {
		return false
	}
	order := compareValues(low.value, high.value)
	switch {
	case high.prefix && high.value.Kind().IsScalarKey() && bytes.HasPrefix(low.value.Bytes(), high.value.Bytes()):
		return true
	case order == 0:
		return !low.exclusive && !high.exclusive
	default:
		return order < 0
	}
}
