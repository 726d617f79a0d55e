package bind

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// ComparedWith returns the attributes that a condition compares its attribute with.
func ComparedWith(c *model.Condition) []*model.Attribute {
	var all []*model.Attribute
	for _, v := range c.Values {
		if v.Attribute != nil {
			all = append(all, v.Attribute)
		}
	}
	return all
}

// A ParamUse is the use of a parameter in a write.
type ParamUse struct {
	Ref       program.Ref
	Param     string
	Attribute *model.Attribute
}

// UsesOf returns the uses of parameters in the statement of a write.
func UsesOf(c *program.Call, w *program.WriteStep) []ParamUse {
	u := &uses{c: c, w: w}
	for _, k := range w.Statement.Key {
		u.text(k.Low)
	}
	for _, f := range w.Statement.Item {
		u.value(f.Value)
		u.only(nil, f.Only)
	}
	for _, clause := range slices.Concat(w.Statement.Update, w.Statement.Condition) {
		u.clause(&clause)
	}
	u.only(nil, w.Statement.Only)
	return u.all
}

// uses collects the uses of parameters in a write.
type uses struct {
	c   *program.Call
	w   *program.WriteStep
	all []ParamUse
}

// param adds a use of a parameter, unless it is "".
func (u *uses) param(param string, a *model.Attribute) {
	if param != "" {
		u.all = append(u.all, ParamUse{u.c.Ref(u.w, param, a), param, a})
	}
}

// text adds the parameters of the text of a key.
func (u *uses) text(t resolve.Text) {
	for _, part := range t {
		if part.Value != nil && part.Shards == 0 {
			u.param(part.Value.Param, part.Attribute)
		}
	}
}

// value adds the parameters of a value.
func (u *uses) value(v resolve.Value) {
	switch {
	case v.Operand == nil:
		u.text(v.Text)
	case len(v.Sum) > 0:
		for _, term := range v.Sum {
			u.term(term, v.Attribute)
		}
	case v.Next:
		u.param(v.Attribute.Name, v.Attribute)
	default:
		u.param(v.Operand.Param, v.Attribute)
	}
}

// term adds the parameter of a term of a sum. Each repeated item has its own.
func (u *uses) term(term resolve.Term, a *model.Attribute) {
	if term.Param != "" {
		ref := u.c.Term(u.w, term, a)
		ref.First = ref.First && !term.Repeated
		u.all = append(u.all, ParamUse{ref, term.Param, a})
	}
}

// only adds the parameters that decide whether a clause, or without one a field or a write,
// is left out.
func (u *uses) only(clause *resolve.Clause, conditions []*model.Condition) {
	for _, condition := range conditions {
		u.param(u.w.Decides(clause, condition.Attribute).Param, condition.Attribute)
		for _, a := range ComparedWith(condition) {
			u.param(u.w.Decides(clause, a).Param, a)
		}
	}
}

// clause adds the parameters of a clause and of its alternative.
func (u *uses) clause(clause *resolve.Clause) {
	u.only(clause, clause.Only)
	for _, one := range []*resolve.Clause{clause, clause.Else} {
		if one == nil {
			continue
		}
		for _, n := range one.Names {
			u.param(n.Param, n.Of)
		}
		for _, v := range one.Values {
			u.value(v)
		}
	}
}
