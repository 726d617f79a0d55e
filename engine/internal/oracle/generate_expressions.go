package oracle

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// documentAttributes are never keys, so expressions may use paths into them.
var documentAttributes = []string{"l", "m", "n", "t", "u", "v", "w", "z", "value", "x.y"}

// path returns a path to one of some attributes, or into it.
func (g *generator) path(attributes []string) Path {
	p := Path{pick(g, attributes...)}
	if !g.oneIn(2) {
		return p
	}
	switch p[0] {
	case "l":
		p = append(p, g.IntN(4))
		if g.oneIn(4) {
			p = append(p, "k")
		}
	case "m":
		p = append(p, pick(g, "k", "j", "value"))
		if g.oneIn(4) {
			p = append(p, "k")
		}
	}
	return p
}

// paths returns paths that do not overlap.
func (g *generator) paths(attributes []string, n int) (all []Path) {
	for range n {
		p := g.path(attributes)
		if !slices.ContainsFunc(all, p.overlaps) {
			all = append(all, p)
		}
	}
	return all
}

// projection returns a projection, mostly none.
func (g *generator) projection(t *table) []Path {
	if g.oneIn(3) {
		return g.paths(slices.Concat(t.key(), keyAttributes, documentAttributes), 1+g.IntN(4))
	}
	return nil
}

// maybe returns a condition, or none.
func (g *generator) maybe(t *table, key Item) *Condition {
	if g.oneIn(2) {
		return nil
	}
	return g.about(t, key)
}

// about returns a condition that mostly holds for the item with a key.
func (g *generator) about(t *table, key Item) *Condition {
	c := g.condition(t, slices.Concat(t.key(), keyAttributes, documentAttributes), 2)
	if !c.holds(t.get(key)) && !g.oneIn(3) {
		return &Condition{Op: "NOT", Of: []Condition{*c}}
	}
	return c
}

// condition returns a condition on some attributes.
func (g *generator) condition(t *table, attributes []string, depth int) *Condition {
	if depth == 0 || !g.oneIn(3) {
		return g.comparison(t, attributes)
	}
	switch g.IntN(3) {
	case 0:
		return &Condition{Op: "NOT", Of: []Condition{*g.condition(t, attributes, depth-1)}}
	default:
		c := &Condition{Op: pick(g, "AND", "OR")}
		for range 2 + g.IntN(2) {
			c.Of = append(c.Of, *g.condition(t, attributes, depth-1))
		}
		return c
	}
}

// near returns a value to compare with the value at a path: often that of an item.
func (g *generator) near(t *table, p Path) types.AttributeValue {
	if v := p.in(g.item(t)); v != nil && !g.oneIn(3) && valueSize(v) < 1000 {
		return v
	}
	if kind := keyTypes[p.head()]; kind != "" && !g.oneIn(8) {
		return g.keyValue(kind, 5)
	}
	return g.document(1)
}

// nearScalar is near for a string, a number or a binary value.
func (g *generator) nearScalar(t *table, p Path) types.AttributeValue {
	if v := g.near(t, p); slices.Contains([]string{"S", "N", "B"}, kind(v)) {
		return v
	}
	return g.keyValue(pick(g, "S", "N", "B"), 5)
}

func (g *generator) comparison(t *table, attributes []string) *Condition {
	p := g.path(attributes)
	of := func(op string, operands ...Operand) *Condition {
		return &Condition{Op: op, Operands: append([]Operand{{Path: p}}, operands...)}
	}
	switch g.IntN(10) {
	case 0:
		return of(pick(g, "attribute_exists", "attribute_not_exists"))
	case 1:
		return of("attribute_type", Operand{Value: S(pick(g, "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"))})
	case 2:
		return of("begins_with", Operand{Value: pick(g, S("a"), S(""), B("\x00"), S("ab"))})
	case 3:
		return of("contains", Operand{Value: g.part(g.near(t, p))})
	case 4:
		low, high := g.nearScalar(t, p), g.nearScalar(t, p)
		if c, ok := order(low, high); !ok {
			high = low
		} else if c > 0 {
			low, high = high, low
		}
		return of("BETWEEN", Operand{Value: low}, Operand{Value: high})
	case 5:
		c := of("IN")
		for range 1 + g.IntN(3) {
			c.Operands = append(c.Operands, Operand{Value: g.near(t, p)})
		}
		return c
	case 6:
		return &Condition{Op: pick(g, "=", "<", "<=", ">", ">="), Operands: []Operand{{Path: p, Size: true}, {Value: N(fmt.Sprint(g.IntN(4)))}}}
	case 7:
		if q := g.path(attributes); !p.overlaps(q) {
			return of(pick(g, "=", "<>", "<", "<=", ">", ">="), Operand{Path: q})
		}
	case 8:
		return of(pick(g, "<", "<=", ">", ">="), Operand{Value: g.nearScalar(t, p)})
	}
	return of(pick(g, "=", "=", "<>"), Operand{Value: g.near(t, p)})
}

// part returns a value that v may contain.
func (g *generator) part(v types.AttributeValue) types.AttributeValue {
	if list, ok := v.(*types.AttributeValueMemberL); ok && len(list.Value) > 0 {
		return pick(g, list.Value...)
	}
	if all := members(v); len(all) > 0 {
		return pick(g, all...)
	}
	return v
}

// update returns an update that mostly succeeds on the item with a key.
func (g *generator) update(t *table, key Item) (u Update) {
	old := t.get(key)
	if old == nil {
		old = key
	}
	for range 1 + g.IntN(4) {
		a := g.action(t)
		for range 5 {
			if _, complaints := (Update{a}).apply(old); len(complaints) == 0 || g.oneIn(20) {
				break
			}
			a = g.action(t)
		}
		if !slices.ContainsFunc(u.paths(), a.Path.overlaps) || g.oneIn(60) {
			u = append(u, a)
		}
	}
	return u
}

func (g *generator) action(t *table) Action {
	if g.oneIn(80) {
		return Action{Do: "SET", Path: Path{pick(g, t.key()...)}, To: Term{Value: S("a")}}
	}
	if g.oneIn(3) {
		name := pick(g, keyAttributes...)
		if g.oneIn(4) {
			return Action{Do: "REMOVE", Path: Path{name}}
		}
		return Action{Do: "SET", Path: Path{name}, To: Term{Value: g.indexValue(name)}}
	}
	p := g.path(documentAttributes)
	switch g.IntN(10) {
	case 0, 1:
		return Action{Do: "REMOVE", Path: p}
	case 2:
		return Action{Do: "ADD", Path: Path{pick(g, "n", "n", "t", "z")}, To: Term{Value: g.number()}}
	case 3:
		name := pick(g, "u", "v", "w")
		return Action{Do: pick(g, "ADD", "DELETE"), Path: Path{name}, To: Term{Value: g.attribute(name)}}
	case 4:
		return Action{Do: pick(g, "ADD", "DELETE"), Path: p, To: Term{Value: g.set(pick(g, "SS", "NS", "BS"))}}
	}
	return Action{Do: "SET", Path: p, To: g.term(p)}
}

// term returns a right side for a target.
func (g *generator) term(p Path) Term {
	value := func(v types.AttributeValue) Term { return Term{Value: v} }
	of := func(op string, terms ...Term) Term { return Term{Op: op, Of: terms} }
	here := Term{Path: p}
	orElse := func(v types.AttributeValue) Term { return Term{Op: "if_not_exists", Path: p, Of: []Term{value(v)}} }
	switch n := g.IntN(6); {
	case n == 0:
		return Term{Path: g.path(slices.Concat(keyAttributes, documentAttributes))}
	case n == 1:
		return orElse(g.document(1))
	case n == 2 && p.head() == "n":
		return of(pick(g, "+", "-"), orElse(N("0")), value(g.number()))
	case n == 3 && (p.head() == "n" || g.oneIn(4)):
		return of(pick(g, "+", "-"), here, value(g.number()))
	case n == 2 && p.head() == "l":
		return of("list_append", orElse(L()), value(g.list(1)))
	case n == 3 && p.head() == "l":
		return pick(g, of("list_append", here, value(g.list(1))), of("list_append", value(g.list(1)), here))
	case len(p) == 1:
		return value(g.attribute(p.head()))
	}
	return value(g.document(2))
}
