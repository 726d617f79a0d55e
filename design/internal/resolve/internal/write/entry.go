package write

import (
	"cmp"
	"fmt"
	"strconv"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/expression"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// changeEntry returns the clause that changes one entry of a map. ADD takes no path into a map,
// so a number is added with SET.
func changeEntry(x *expression.Writer, c *model.EntryChange) plan.Clause {
	value := func(v model.Operand) string { return x.Operand(cmp.Or(v.Param, c.Map.Name), c.Element, v) }
	switch c.Kind {
	case model.RemoveEntry:
		return x.Clause("REMOVE", func() string { return x.Entry(c.Entry) })
	case model.AddToEntry:
		return x.Clause("SET", func() string {
			path := x.Entry(c.Entry)
			return fmt.Sprintf("%s = if_not_exists(%s, %s) + %s", path, path, x.Operand("zero", c.Element, model.Operand{Constant: "0"}), value(c.Value))
		})
	}
	return x.Clause("SET", func() string { return x.Entry(c.Entry) + " = " + value(c.Value) })
}

// entryBounds returns the conditions that maps stay within their maximum: the entry is there
// already, or there is room for one more.
func (d *Draft) entryBounds(x *expression.Writer) []plan.Clause {
	var all []plan.Clause
	for _, c := range d.Step.Entries {
		if !c.Bounded() {
			continue
		}
		count := &model.Attribute{Name: c.Map.Name, Stored: c.Map.Stored, Type: model.Type{Base: model.Integer}}
		all = append(all, x.Clause("", func() string {
			most := x.Operand(c.Map.Name+"_max", count, model.Operand{Constant: strconv.FormatInt(c.Map.Max, 10)})
			return fmt.Sprintf("(attribute_exists(%s) OR size(%s) < %s)", x.Entry(c.Entry), x.Name(c.Map.Stored), most)
		}))
	}
	return all
}
