package reads

import (
	"fmt"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/resolve"
)

// Sums builds a method for each sharded counter that adds up its rows.
func Sums(i *items.Items) ([]syntax.Decl, error) {
	var all []syntax.Decl
	for _, e := range i.Design.Entities {
		for _, s := range i.Layout.Sums(e) {
			d, err := sum(i, s)
			if err != nil {
				return nil, err
			}
			all = append(all, d)
		}
	}
	return all, nil
}

func sum(i *items.Items, s *resolve.Sum) (syntax.Decl, error) {
	e, counter, table := s.Item.Entity, s.Counter, s.Item.Table
	a, name := counter.Attribute, i.Names.Sums[counter]
	units := exact.Int(int64(counter.Shards))
	if !s.Consistent {
		units = units.Over(2)
	}
	row := &syntax.Composite{Type: library.Access("Item"), Layout: syntax.Fit}
	for _, c := range s.Key {
		value, err := sumKey(i, s, c)
		if err != nil {
			return nil, err
		}
		row.Elems = append(row.Elems, syntax.Elem{Key: syntax.Str(c.Name), Value: value})
	}
	keys, problem := syntax.Name("keys"), syntax.Name("err")
	pattern := syntax.Make(library.Access("Pattern"), syntax.Elem{Field: "Name", Value: syntax.Str(name)}, syntax.Elem{Field: "Table", Value: syntax.Str(table.Name)},
		syntax.Elem{Field: "Units", Value: patterns.Units(units)}, syntax.Elem{Field: "Keys", Value: syntax.Strings(items.TableKeys(table)...)})
	return &syntax.FuncDecl{
		Doc: sumDoc(i, s, units), Receiver: patterns.Receiver, Name: name,
		Params:  []syntax.Param{patterns.Context(), {Name: "key", Type: syntax.Name(i.Names.Keys[e])}},
		Results: []syntax.Param{{Name: "sum", Type: i.Values.ValueType(a)}, {Name: "err", Type: syntax.Name("error")}},
		Body: []syntax.Stmt{
			syntax.Let("k", syntax.Builtin("new", library.Access("KeyText"))),
			syntax.Let("keys", syntax.Builtin("make", syntax.ListOf(library.Access("Item")), syntax.Int(int(counter.Shards)))),
			&syntax.Range{Key: "shard", X: keys, Body: []syntax.Stmt{syntax.Set(&syntax.Index{X: keys, Index: syntax.Name("shard")}, row)}},
			&syntax.If{
				Init: syntax.Set(problem, syntax.Method(items.K, "Err")), Cond: syntax.IsSet(problem),
				Then: []syntax.Stmt{syntax.Returns(syntax.Name("sum"), syntax.CallOf(library.Of("fmt", "Errorf"), syntax.Str(name+": %w"), problem))},
			},
			syntax.Let("pattern", syntax.Addr(pattern)),
			syntax.Returns(library.Call("BatchSum", syntax.Name("ctx"), patterns.Client, syntax.Name("pattern"), keys,
				syntax.Str(a.Stored), syntax.Name(fmt.Sprint(s.Consistent)), i.Values.ParseFunc(a))),
		},
	}, nil
}

// sumDoc returns the doc comment: what is added up, the request, the price, and how
// consistent it is.
func sumDoc(i *items.Items, s *resolve.Sum, units exact.Number) syntax.Doc {
	name, counter := i.Names.Entities[s.Item.Entity], s.Counter
	isOf := "how many " + counter.Of.Name + " items count for it"
	if counter.Sum != nil {
		isOf = "the sum of " + counter.Sum.Name + " of the " + counter.Of.Name + " items that count for it"
	}
	reads := "The read is eventually consistent, as all patterns are that read %s from its table."
	if s.Consistent {
		reads = "The read is strongly consistent, as a pattern is that reads %s from its table."
	}
	return syntax.Doc{
		fmt.Sprintf("%s adds up the counter %s of one %s, which is sharded over %d items: %s.", i.Names.Sums[counter], counter.Attribute.Name, name, counter.Shards, isOf),
		"\t" + s.String() + "\n\tabout " + figures.Quantity(units) + " RRU a call",
		"The sum of a counter that was never written is 0. " + fmt.Sprintf(reads, name),
	}
}

// sumKey returns the value of a key attribute of the row whose number is shard.
func sumKey(i *items.Items, s *resolve.Sum, c resolve.KeyCondition) (syntax.Expr, error) {
	e, key := s.Item.Entity, s.Item.Key(c.Name)
	if c.Name != s.Key[len(s.Key)-1].Name {
		return i.PrimaryValue(s.Item, key), nil
	}
	chain := items.KeyBegin(e, s.Item.Table)
	for _, part := range c.Low {
		step := values.Lit(syntax.Str(part.Literal))
		switch {
		case part.Value == nil:
		case part.Attribute == nil:
			step = values.Lit(library.Call("FormatInt", syntax.Builtin("int64", syntax.Name("shard"))))
		default:
			var err error
			field := syntax.Dot(syntax.Name("key"), i.Names.Fields[part.Attribute])
			if step, err = values.StepOf(part.Part(), field); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", c.Name, e.Name, err)
			}
			if key.Template == nil {
				step = step.Whole()
			}
		}
		chain = step.On(chain)
	}
	return library.Call("S", syntax.Method(chain, values.Finish(s.Item.Table, c.Name))), nil
}
