package bind

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

func ComparedWith(c *model.Condition) []*model.Attribute {
	var all []*model.Attribute
	for _, v := range c.Values {
		if v.Attribute != nil {
			all = append(all, v.Attribute)
		}
	}
	return all
}

// A paramUse is a parameter that a write needs.
type ParamUse struct {
	Ref       program.Ref
	Param     string
	Attribute *model.Attribute
}

// UsesOf are the parameters the statement of a write needs.
func UsesOf(c *program.Call, w *program.Write) []ParamUse {
	var all []ParamUse
	use := func(param string, a *model.Attribute) {
		if param != "" {
			all = append(all, ParamUse{c.Ref(w, param, a), param, a})
		}
	}
	text := func(t resolve.Text) {
		for _, part := range t {
			if part.Value != nil && part.Shards == 0 {
				use(part.Value.Param, part.Attribute)
			}
		}
	}
	value := func(v resolve.Value) {
		switch {
		case v.Operand == nil:
			text(v.Text)
		case len(v.Sum) > 0:
			for _, term := range v.Sum {
				if term.Param != "" {
					ref := c.Term(w, term, v.Attribute)
					ref.First = ref.First && !term.Repeated // each item has its own
					all = append(all, ParamUse{ref, term.Param, v.Attribute})
				}
			}
		case v.Next:
			use(v.Attribute.Name, v.Attribute)
		default:
			use(v.Operand.Param, v.Attribute)
		}
	}
	only := func(clause *resolve.Clause, conditions []*model.Condition) {
		for _, condition := range conditions {
			for _, a := range append([]*model.Attribute{condition.Attribute}, ComparedWith(condition)...) {
				use(w.Decides(clause, a).Param, a)
			}
		}
	}
	for _, k := range w.Statement.Key {
		text(k.Low)
	}
	for _, f := range w.Statement.Item {
		value(f.Value)
		only(nil, f.Only)
	}
	for _, clause := range slices.Concat(w.Statement.Update, w.Statement.Condition) {
		only(&clause, clause.Only)
		for _, one := range []*resolve.Clause{&clause, clause.Else} {
			if one == nil {
				continue
			}
			for _, v := range one.Values {
				value(v)
			}
		}
	}
	only(nil, w.Statement.Only)
	return all
}
