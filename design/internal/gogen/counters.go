package gogen

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// printCounters prints a method for each counter that is spread over rows of its own: it
// adds them up.
func (g *generator) printCounters(p *printer) error {
	for _, e := range g.design.Entities {
		for _, sum := range g.layout.Sums(e) {
			if err := g.printSum(p, sum); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *generator) printSum(p *printer, sum *resolve.Sum) error {
	e, counter, table := sum.Item.Entity, sum.Counter, sum.Item.Table
	a, name := counter.Attribute, g.sums[counter]
	units := exact.Int(int64(counter.Shards))
	if !sum.Consistent {
		units = units.Over(2)
	}
	p.doc(g.sumDocs(sum, units)...)
	p.line("func (db *DB) %s(ctx context.Context, key %s) (sum %s, err error) {", name, g.keys[e], g.valueType(a))
	p.line("k := new(marshal.KeyText)")
	p.line("keys := make([]access.Item, %d)", counter.Shards)
	p.line("for shard := range keys {")
	p.line("keys[shard] = access.Item{")
	for _, c := range sum.Key {
		value, err := g.sumKey(sum, c)
		if err != nil {
			return err
		}
		p.line("%q: %s,", c.Name, value)
	}
	p.line("}")
	p.line("}")
	p.line("if err = k.Err(); err != nil {")
	p.line("return sum, fmt.Errorf(\"%s: %%w\", err)", name)
	p.line("}")
	p.line("pattern := &access.Pattern{Name: %q, Table: %q, Units: %s, Keys: %s}", name, table.Name, unitText(units), goStrings(tableKeys(table)))
	p.line("return call.BatchSum(ctx, db.c, pattern, keys, %q, %t, %s)", a.Stored, sum.Consistent, parseFunc(a.Type, ""))
	p.line("}")
	p.blank()
	return nil
}

// sumDocs is the doc comment: what is added up, the request, the price, and what it is not.
func (g *generator) sumDocs(sum *resolve.Sum, units exact.Number) []string {
	name, counter := g.entities[sum.Item.Entity], sum.Counter
	isOf := "how many " + counter.Of.Name + " items count for it"
	if counter.Sum != nil {
		isOf = "the sum of " + counter.Sum.Name + " of the " + counter.Of.Name + " items that count for it"
	}
	reads := "It may lack what was written just now: no pattern that reads %s from its table is consistent."
	if sum.Consistent {
		reads = "It is strongly consistent, as a pattern is that reads %s from its table."
	}
	return []string{
		fmt.Sprintf("%s adds up the counter %s of one %s, which is spread over %d items: %s.", g.sums[counter], counter.Attribute.Name, name, counter.Shards, isOf),
		"\t" + sum.String() + "\n\tabout " + figures.Quantity(units) + " RRU a call",
		"What is not there counts nothing: before the first is counted the sum is 0. " + fmt.Sprintf(reads, name),
	}
}

// sumKey is the expression of a key attribute of the row whose number is shard.
func (g *generator) sumKey(sum *resolve.Sum, c resolve.KeyCondition) (string, error) {
	e, key := sum.Item.Entity, sum.Item.Key(c.Name)
	field := func(a *model.Attribute) string { return "key." + g.fields[a] }
	if c.Name != sum.Key[len(sum.Key)-1].Name {
		return g.patternMethods().primaryValue(sum.Item, key), nil
	}
	chain := fmt.Sprintf("k.Of(%q)", e.Name)
	for _, part := range c.Low {
		switch {
		case part.Value == nil:
			chain += ".Lit(" + strconv.Quote(part.Literal) + ")"
		case part.Attribute == nil:
			chain += ".Lit(marshal.FormatInt(int64(shard)))"
		default:
			step, err := keyStep(model.Part{Attribute: part.Attribute, Filters: part.Filters}, field(part.Attribute))
			if err != nil {
				return "", fmt.Errorf("%s of %s: %w", c.Name, e.Name, err)
			}
			if rest, hole := strings.CutPrefix(step, "Hole("); hole && key.Template == nil {
				step = "Whole(" + rest // a text that is a key as it is may hold the delimiter
			}
			chain += "." + step
		}
	}
	return fmt.Sprintf("marshal.S(%s.%s())", chain, finish(sum.Item.Table, c.Name)), nil
}
