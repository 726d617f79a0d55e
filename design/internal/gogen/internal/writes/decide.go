package writes

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// What a design leaves to the values of the caller is decided in Go: whether an index has an
// entry, whether there is a guard's row, what the old value must be.

// when returns the Go condition that all conditions hold for what a write leaves behind, nil
// if they always do.
func when(s *patterns.Scope, w *program.WriteStep, clause *resolve.Clause, conditions []*model.Condition) (syntax.Expr, error) {
	return s.M.Package.Items.Values.Holds(conditions, values.Source{
		Attribute: func(a *model.Attribute) (values.Value, error) { return decided(s, w, w.Decides(clause, a), a) },
		Param:     func(v model.Operand, a *model.Attribute) (values.Value, error) { return decided(s, w, v, a) },
	})
}

// decided returns a value that decides something.
func decided(s *patterns.Scope, w *program.WriteStep, v model.Operand, a *model.Attribute) (values.Value, error) {
	if v.Param == "" {
		return given(s.M.Package.Items.Values.Constant(a, v.Constant), a, false), nil
	}
	ref := s.M.Call.Ref(w, v.Param, a)
	if ref.IsZero() {
		return values.Value{}, fmt.Errorf("%s: nothing gives $%s, which decides about %s", s.M.Call.Pattern.Name, v.Param, a.Name)
	}
	return deciding(s, ref, a, nil), nil
}

// deciding returns a value that decides something, in the variable of a current item if there
// is one.
func deciding(s *patterns.Scope, ref program.Ref, a *model.Attribute, item syntax.Expr) values.Value {
	at := s.In(ref, item)
	if as := s.M.EnumOf(ref, a); as != nil {
		if at.Pointer {
			as = syntax.Pointer(as)
		}
		at.X = syntax.CallOf(as, at.X)
	}
	seen := s.M.Seen[ref.Input] // the version seen is a number in any case
	return given(at.X, a, ref.Optional() && (seen == "" || !syntax.Equal(at.X, syntax.Name(seen))))
}

// given returns a value of an attribute that may be missing or not, whatever the attribute
// may.
func given(x syntax.Expr, a *model.Attribute, optional bool) values.Value {
	t := a.Type
	t.Optional = optional
	return values.Value{X: x, Type: t}
}

// isThere returns the condition that a value of a key is there, nil if it always is. Of
// several items that must agree one that has it is enough: then all must.
func isThere(s *patterns.Scope, w *program.WriteStep, part resolve.TextPart) syntax.Expr {
	if part.Value.Param == "" {
		return nil
	}
	ref := s.M.Call.Ref(w, part.Value.Param, part.Attribute)
	switch {
	case ref.IsZero() || !ref.Optional():
		return nil
	case ref.First && ref.Attribute != nil:
		has := ofOne(s.M.ItemType(ref.Input), syntax.Name("bool"), syntax.IsSet(s.M.Of(ref, one).X))
		return syntax.CallOf(library.Of("slices", "ContainsFunc"), s.M.Place(ref.Input), has)
	case ref.First:
		return nil
	}
	return syntax.IsSet(s.At(ref).X)
}

// elsewhere returns the condition that two counters of which one loses what the other gets
// are not the same: then nothing changes. It is nil if there is no such pair, and if there
// are more than two. A sharded counter is written for both, in different rows.
func elsewhere(s *patterns.Scope, w *program.WriteStep) syntax.Expr {
	var pair []*program.WriteStep
	for _, other := range s.M.Call.Writes {
		if other.Item == w.Item && other.Implied == w.Implied {
			pair = append(pair, other)
		}
	}
	if len(pair) != 2 || w.Shards > 1 || !resolve.Cancels(pair[0].Statement, pair[1].Statement) {
		return nil
	}
	var differs []syntax.Expr
	for i, key := range pair[0].Key {
		other := pair[1].Key[i].Low
		for j, part := range key.Low {
			if part.Value == nil || j >= len(other) || other[j].Value == nil {
				continue
			}
			x, errX := s.PartValue(pair[0], part)
			y, errY := s.PartValue(pair[1], other[j])
			if errX == nil && errY == nil && !syntax.Equal(x, y) {
				differs = append(differs, syntax.Compare(x, "!=", y))
			}
		}
	}
	return syntax.Or(differs...)
}

// presence returns the conditions that the values of a write's key are there, where the
// design does not say so: an item without them is counted nowhere.
func presence(s *patterns.Scope, w *program.WriteStep) []syntax.Expr {
	var all []syntax.Expr
	for _, c := range w.Key {
		for _, part := range c.Low {
			if part.Value == nil || part.Shards > 0 || decidesOf(w.Statement.Only, part.Attribute) {
				continue
			}
			cond := isThere(s, w, part)
			if cond != nil && !slices.ContainsFunc(all, func(have syntax.Expr) bool { return syntax.Equal(have, cond) }) {
				all = append(all, cond)
			}
		}
	}
	return all
}

func decidesOf(conditions []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(conditions, func(c *model.Condition) bool { return c.Attribute == a })
}

// needed returns the conditions under which there is such a write at all. A counter that does
// not change needs none.
func needed(s *patterns.Scope, w *program.WriteStep) ([]syntax.Expr, error) {
	var all []syntax.Expr
	only, err := when(s, w, nil, w.Statement.Only)
	if err != nil {
		return nil, err
	}
	if only != nil {
		all = append(all, only)
	}
	if w.Operation == resolve.PutItem && w.Given != nil {
		return all, nil
	}
	all = append(all, presence(s, w)...)
	if w.Implied == "" || w.Guard != nil || w.Requirement != nil {
		return all, nil
	}
	if cond := elsewhere(s, w); cond != nil {
		all = append(all, cond)
	}
	changes, err := changes(s, w)
	if changes != nil {
		all = append(all, changes)
	}
	return all, err
}

// changes returns the condition that an implied update adds anything, nil if it always does.
func changes(s *patterns.Scope, w *program.WriteStep) (syntax.Expr, error) {
	var all []syntax.Expr
	for _, c := range w.Statement.Update {
		if c.Word != "ADD" || len(c.Values) == 0 {
			continue
		}
		v := c.Values[0]
		if len(v.Sum) == 0 && v.Operand.Param == "" {
			return nil, nil
		}
		cond, err := adds(s, w, v)
		if err != nil || cond == nil {
			return nil, err
		}
		all = append(all, cond)
	}
	return syntax.Or(all...), nil
}

// adds returns the condition that a number is added.
func adds(s *patterns.Scope, w *program.WriteStep, v resolve.Value) (syntax.Expr, error) {
	if len(v.Sum) == 1 && v.Sum[0].Param == "" && v.Sum[0].Repeated && len(v.Sum[0].Only) == 0 {
		if input := repeats(s.M, v.Sum[0].Of); input != nil {
			return syntax.Compare(syntax.Builtin("len", s.M.Place(input)), ">", syntax.Int(0)), nil
		}
	}
	if len(v.Sum) > 0 && isExact(v) {
		args, spread, err := exactTerms(s, w, v)
		call := library.Call("HasSum", args...)
		call.Spread = spread
		return call, err
	}
	var number syntax.Expr
	if len(v.Sum) == 0 {
		at, err := s.Operand(w, *v.Operand, v.Attribute)
		if err != nil {
			return nil, err
		}
		number = at.Value()
	} else {
		total, err := sumOf(s, w, v)
		if err != nil {
			return nil, err
		}
		number = total.x
	}
	if v.Attribute.Type.Base == model.Decimal {
		return syntax.Compare(syntax.Method(number, "Cmp", syntax.Str("0")), "!=", syntax.Int(0)), nil
	}
	return syntax.Compare(number, "!=", syntax.Int(0)), nil
}
