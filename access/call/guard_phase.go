package call

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
	"sortkey.dev/access/marshal"
)

// Rows of a unique rule that only the new version of a design has. Generated code prints its transactions as in peace, with
// the name of the rule's part on the actions of its rows:
//
//	call.Action{Kind: call.Put, Name: "guard User.email", Part: "User.email", …}
//
// The actions of rows follow that of the item that they belong to, which holds the values that a row is deleted for. What becomes
// of them in a phase:
//
//   - PhaseBefore: nothing is sent.
//   - PhasePrepare: no row is put. The row of a value that the item loses is taken away if it is the item's own.
//   - PhaseWrite and PhaseRead: a row is put where there is none, and where there is the item's own. The row of a value that the
//     item loses is taken away if it is the item's own. One that is missing or of another item stays as it is: two items with
//     one value must be able to part.
//   - PhaseAfter: as printed.

// isNewRow reports whether a write is that of a row that only the new version of a design has.
func isNewRow(w *Action) bool { return w.Part != "" && isGuardRow(w) }

// rowsInPhase takes the writes of rows that only the new version has out of the writes of a transaction. It returns the others, and a
// function that puts what is sent of the rows in a phase in again, behind what became of the others.
func rowsInPhase(phase access.Phase, writes []Action) (others []Action, with func([]Action) []Action) {
	if !slices.ContainsFunc(writes, func(w Action) bool { return isNewRow(&w) }) {
		return writes, func(others []Action) []Action { return others }
	}
	var rows []Action
	after := []int{} // how many of the others are before each row
	for i := range writes {
		w := &writes[i]
		if !isNewRow(w) {
			others = append(others, *w)
			continue
		}
		if row, sent := rowInPhase(phase, writes, i); sent {
			rows, after = append(rows, row), append(after, len(others))
		}
	}
	return others, func(others []Action) []Action {
		var all []Action
		next := 0
		for n := range len(others) + 1 {
			for ; next < len(rows) && (after[next] == n || n == len(others)); next++ {
				all = append(all, rows[next])
			}
			if n < len(others) {
				all = append(all, others[n])
			}
		}
		return all
	}
}

// rowInPhase returns what is sent of the write of a row in a phase, and whether anything is.
func rowInPhase(phase access.Phase, writes []Action, at int) (Action, bool) {
	w := writes[at]
	switch {
	case w.Err != nil || phase == access.PhaseAfter:
		return w, true
	case phase == access.PhaseBefore, phase == access.PhasePrepare && w.Kind == Put:
		return w, false
	}
	owner := ownerKey(writes, at)
	if len(owner) == 0 {
		w.Err = errors.New("access: the item that the row belongs to is not written before it")
		return w, true
	}
	if w.Kind == Put {
		w.setCondition(func(x *rowConditions) string {
			own := "attribute_not_exists(" + x.name(w.KeyNames[0]) + ") OR " + x.is(owner)
			if w.freedBy != nil {
				own += " OR " + x.is(w.freedBy)
			}
			return own
		})
		return w, true
	}
	named := marshal.OwnerName(slices.Min(slices.Collect(maps.Keys(owner)))) // a row that names no owner lacks it, and so does none
	check := w
	check.Kind = Check
	check.setCondition(func(x *rowConditions) string { return "attribute_exists(" + x.name(named) + ") AND NOT " + x.is(owner) })
	w.setCondition(func(x *rowConditions) string { return "attribute_not_exists(" + x.name(named) + ") OR " + x.is(owner) })
	w.otherwise = &check
	return w, true
}

// setCondition gives a write another condition.
func (w *Action) setCondition(build func(*rowConditions) string) {
	x := &rowConditions{names: map[string]string{}, values: access.Item{}}
	w.Condition = build(x)
	w.Names, w.Values = x.names, x.values
}

// rowConditions builds conditions on the owner of a row.
type rowConditions struct {
	names  map[string]string
	values access.Item
}

func (x *rowConditions) name(attribute string) string {
	for placeholder, of := range x.names {
		if of == attribute {
			return placeholder
		}
	}
	placeholder := fmt.Sprintf("#k%d", len(x.names))
	x.names[placeholder] = attribute
	return placeholder
}

// is returns the condition that a row belongs to an item.
func (x *rowConditions) is(owner access.Item) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(owner)) {
		value := fmt.Sprintf(":k%d", len(x.values))
		x.values[value] = owner[name]
		all = append(all, x.name(marshal.OwnerName(name))+" = "+value)
	}
	return "(" + strings.Join(all, " AND ") + ")"
}

// ownerKey returns the primary key of the item that a row belongs to: that of the last write before it that is no row; nil if there is
// none.
func ownerKey(writes []Action, at int) access.Item {
	for _, w := range slices.Backward(writes[:at]) {
		if isGuardRow(&w) {
			continue
		}
		if w.Kind != Put {
			return w.Key
		}
		key := access.Item{}
		for _, name := range w.KeyNames {
			key[name] = w.Item[name]
		}
		return key
	}
	return nil
}

// otherwise returns the writes of a transaction that was cancelled with those in the place of the ones whose condition failed that
// stand in for them, and whether there are any. Whatever else failed, the other transaction may have been carried out before, under its token.
func otherwise(writes []Action, err error) ([]Action, bool) {
	all, is := errors.AsType[*types.TransactionCanceledException](err)
	if !is || len(all.CancellationReasons) < len(writes) {
		return writes, false
	}
	var changed []Action
	for i, reason := range all.CancellationReasons[:len(writes)] {
		if writes[i].otherwise == nil || textOf(reason.Code) != code.ConditionalCheckFailed {
			continue
		}
		if changed == nil {
			changed = slices.Clone(writes)
		}
		was, instead := writes[i], *writes[i].otherwise
		was.otherwise, instead.otherwise = nil, &was
		changed[i] = instead
	}
	return changed, changed != nil
}

// mostVariants bounds how often a transaction is sent with other writes.
const mostVariants = 8
