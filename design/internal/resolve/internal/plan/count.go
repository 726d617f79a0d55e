package plan

import (
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/logic"
)

// A Count is a declared counter whose value a pattern changes by what it writes.
type Count struct {
	Entity  *model.Entity // the one that has the counter
	Counter *model.Counter
	Step    *model.Step // the first action that changes what is counted
	// Kept says that the counter is right after the pattern: it is written by hand along
	// with what it counts, or by a write of the plan. Where DynamoDB refuses that write,
	// a problem of the plan says so.
	Kept bool
	// Told says that the caller gives the change of the counter, and nothing can check it:
	// the pattern does not say enough about the attributes in Lacks.
	Told  bool
	Lacks []*model.Attribute
}

// An Agreement is an attribute of an item that counts, and the attribute of the counted
// item that finds it.
type Agreement struct {
	Mine, Theirs *model.Attribute
	Of           *PlannedWrite // the action that writes what is counted
	Value        model.Operand // the value that the action gives Theirs
	Own          model.Operand // the value that finds the item that counts
}

// A Term is a part of what is added to a counter.
type Term struct {
	By    exact.Number // if there is no parameter
	Param string
	Minus bool               // it is subtracted
	Only  []*model.Condition // it counts only if they hold of the item of that action
	// Attribute is the attribute of the item of that action that the parameter is a value of; nil: the counter itself.
	Attribute *model.Attribute
	// Values are the values that the conditions compare, as the action gives them; nil: the item is given whole and has them.
	Values   map[*model.Attribute]model.Operand
	Of       *PlannedWrite // the action it counts, whose parameters are meant; nil: those of the pattern
	Repeated bool          // for each of the items of that action
}

// Compared returns the attributes that decide whether the part counts, each once.
func (t Term) Compared() []*model.Attribute {
	var all []*model.Attribute
	for _, c := range t.Only {
		for _, a := range logic.Compared(c) {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// Varies reports whether the sum of terms depends on the values of the caller.
func Varies(terms []Term) bool {
	return slices.ContainsFunc(terms, func(t Term) bool { return t.Param != "" || t.Repeated || len(t.Only) > 0 })
}

// Cancels reports whether two updates of counters have no effect together: one adds what
// the other subtracts.
func Cancels(a, b *Statement) bool {
	return slices.EqualFunc(a.Update, b.Update, func(c, other Clause) bool {
		return c.Word == "ADD" && other.Word == "ADD" && opposite(c.Values[0], other.Values[0])
	})
}

// opposite reports whether two numbers are each other's negative, whatever the caller gives.
func opposite(x, y Value) bool {
	if len(x.Sum) > 0 || len(y.Sum) > 0 {
		return slices.EqualFunc(x.Sum, y.Sum, oppositeTerms)
	}
	m, okM := constant(x.Operand)
	n, okN := constant(y.Operand)
	return okM && okN && m.Add(n).IsZero()
}

func oppositeTerms(s, t Term) bool {
	return s.Minus != t.Minus && s.By.Equal(t.By) && s.Param == t.Param && s.Attribute == t.Attribute && s.Of != nil && s.Of == t.Of &&
		s.Repeated == t.Repeated && slices.Equal(s.Only, t.Only) && maps.Equal(s.Values, t.Values)
}

// constant returns the number that an operand is, if the design states it.
func constant(v *model.Operand) (exact.Number, bool) {
	if v == nil || !v.IsConstant() {
		return exact.Zero, false
	}
	n, err := exact.Parse(v.Constant)
	return n, err == nil
}

// Digits returns a number of a design with all its digits, as a request holds it. Designs
// have none of more than 60.
func Digits(n exact.Number) string {
	return strings.TrimSuffix(strings.TrimRight(n.Fixed(60), "0"), ".")
}
