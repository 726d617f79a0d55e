package oracle

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// olderAbout returns a condition for Expected that mostly holds for the item with a key.
func (g *generator) olderAbout(t *table, key Item) *Condition {
	attributes := slices.Concat(t.key(), keyAttributes, documentAttributes)
	c := g.olderCondition(t, attributes)
	for range 4 {
		if c.olderComplaint() != "" && g.oneIn(4) || c.olderComplaint() == "" && c.holds(t.get(key)) || g.oneIn(6) {
			break
		}
		c = g.olderCondition(t, attributes)
	}
	return c
}

// olderCondition returns a condition that the parameters before expressions can represent.
func (g *generator) olderCondition(t *table, attributes []string) *Condition {
	var parts []Condition
	for range 1 + g.IntN(3) {
		p := Path{pick(g, attributes...)}
		if !slices.ContainsFunc(parts, func(c Condition) bool { return c.attribute() == p.head() }) {
			parts = append(parts, *g.olderComparison(t, p))
		}
	}
	if len(parts) == 1 {
		return &parts[0]
	}
	return &Condition{Op: pick(g, "AND", "OR"), Of: parts}
}

func (g *generator) olderComparison(t *table, p Path) *Condition {
	c := &Condition{Operands: []Operand{{Path: p}}}
	with := func(op string, values ...types.AttributeValue) *Condition {
		c.Op = op
		for _, v := range values {
			c.Operands = append(c.Operands, Operand{Value: v})
		}
		return c
	}
	scalar := func() types.AttributeValue {
		if g.oneIn(40) {
			return g.document(1)
		}
		return g.nearScalar(t, p)
	}
	switch g.IntN(8) {
	case 0:
		return with(pick(g, "attribute_exists", "attribute_not_exists"))
	case 1:
		return with("begins_with", pick(g, S("a"), S(""), B("\x00"), S("ab"), scalar()))
	case 2, 3:
		part := g.part(g.near(t, p))
		if !slices.Contains([]string{"S", "N", "B"}, kind(part)) && !g.oneIn(10) {
			part = scalar()
		}
		return with(pick(g, "contains", "not_contains"), part)
	case 4:
		low, high := scalar(), scalar()
		if c, ok := order(low, high); (!ok || c > 0) && !g.oneIn(20) {
			low = high
		}
		return with("BETWEEN", low, high)
	case 5:
		first := scalar()
		values := []types.AttributeValue{first}
		for range g.IntN(3) {
			if v := scalar(); kind(v) == kind(first) || g.oneIn(20) {
				values = append(values, v)
			}
		}
		return with("IN", values...)
	case 6:
		return with(pick(g, "<", "<=", ">", ">="), scalar())
	}
	return with(pick(g, "=", "=", "<>"), g.near(t, p))
}

// olderUpdate returns an update that AttributeUpdates can represent.
func (g *generator) olderUpdate(t *table, key Item) (u Update) {
	old := t.get(key)
	if old == nil {
		old = key
	}
	for range 1 + g.IntN(3) {
		a := g.olderAction(t)
		for range 5 {
			if _, complaints := (Update{a}).apply(old); len(complaints) == 0 || g.oneIn(20) {
				break
			}
			a = g.olderAction(t)
		}
		if !slices.ContainsFunc(u.paths(), a.Path.overlaps) {
			u = append(u, a)
		}
	}
	return u
}

func (g *generator) olderAction(t *table) Action {
	a := g.action(t)
	for len(a.Path) > 1 || a.Do == "SET" && a.To.Value == nil {
		a = g.action(t)
	}
	switch {
	case g.oneIn(6):
		return Action{Do: "ADD", Path: Path{"l"}, To: Term{Value: g.list(1)}}
	case g.oneIn(60):
		return Action{Do: pick(g, "ADD", "DELETE"), Path: a.Path, To: Term{Value: g.document(1)}}
	}
	return a
}

// topLevel returns the attributes that paths start with, without duplicates.
func topLevel(paths []Path) (all []Path) {
	for _, p := range paths {
		if p = p[:1]; !slices.ContainsFunc(all, p.overlaps) {
			all = append(all, p)
		}
	}
	return all
}

// makeOlder changes a page to the parameters before expressions.
func (g *generator) makeOlder(t *table, x *Index, p *Page) {
	p.Older = true
	if p.Spoil != zeroLimit {
		p.Spoil = ""
	}
	if p.Filter != nil || g.oneIn(3) {
		p.Filter = g.olderCondition(t, g.filterAttributes(t, x))
	}
	p.Project = topLevel(p.Project)
}
