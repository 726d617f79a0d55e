package arrange

import (
	"maps"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// snapshotArguments chooses arguments for the n-th call of a snapshot: mostly items that exist
// and belong together, now and then none for one of the parts, or one item for two of them.
func (ar *Arranger) snapshotArguments(c *program.Call, n int) *bind.Arguments {
	a := bind.NewArguments()
	for i, part := range c.Parts {
		m := exactly
		if n%3 == 1 && n/3%len(c.Parts) == i {
			m = nothing
		}
		target := ar.partTarget(part, a)
		if n%7 == 6 && i > 0 && c.Parts[i-1].Pattern.Entity == part.Pattern.Entity {
			target = ar.found(c.Parts[i-1], a)
		}
		given := maps.Clone(a.Values)
		own := ar.argumentsFor(part, part.Pattern.Entity, target, m, n)
		maps.Copy(a.Values, own.Values)
		maps.Copy(a.Values, given) // a value of several parts is chosen by the first
	}
	return a
}

// partTarget returns a random row that a part of a snapshot can find beside the arguments that
// are chosen already, or any row if there is none.
func (ar *Arranger) partTarget(part *program.Call, a *bind.Arguments) *state.Row {
	rows := slices.DeleteFunc(slices.Clone(ar.tables.Of(part.Pattern.Entity)), func(r *state.Row) bool { return !agrees(part, r, a) })
	if len(rows) == 0 {
		return ar.target(part, part.Pattern.Entity)
	}
	return rows[ar.rng.IntN(len(rows))]
}

// found returns the row that a part finds with arguments, or nil.
func (ar *Arranger) found(part *program.Call, a *bind.Arguments) *state.Row {
	for _, r := range ar.tables.Of(part.Pattern.Entity) {
		if agrees(part, r, a) {
			return r
		}
	}
	return nil
}

// agrees reports whether a row has the values that arguments give a part so far.
func agrees(part *program.Call, r *state.Row, a *bind.Arguments) bool {
	for _, condition := range part.Pattern.Where {
		if condition.Op != model.Eq || condition.Values[0].Param == "" {
			continue
		}
		value, given := a.Values[part.Ref(nil, condition.Values[0].Param, condition.Attribute).Input]
		if given && r.Values[condition.Attribute].String() != value.String() {
			return false
		}
	}
	return r.Values.Holds(constantConditions(part, part.Pattern.Entity))
}
