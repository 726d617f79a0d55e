package write

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/expression"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// words maps the kinds of edits of sets to the words of an update expression.
var words = map[model.EditKind]string{model.Include: "ADD", model.Exclude: "DELETE"}

// edit returns the clause that changes a part of a collection. DynamoDB has no empty sets, so
// there is no clause for one.
func (d *Draft) edit(x *expression.Writer, edit *model.Edit) plan.Clause {
	a := edit.Attribute
	elements := model.Operand{Param: edit.Param}
	if edit.Kind == model.Append {
		return set(x, a.Stored, func() string {
			name := x.Name(a.Stored)
			return fmt.Sprintf("list_append(if_not_exists(%s, %s), %s)", name, x.EmptyList(a), x.Operand(edit.Param, a, elements))
		})
	}
	clause := x.Clause(words[edit.Kind], func() string { return x.Name(a.Stored) + " " + x.Operand(edit.Param, a, elements) })
	clause.Only, clause.Own = []*model.Condition{logic.Exists(a)}, true
	return clause
}

// bounds returns the conditions that collections stay within their maximum. The elements of a
// set count even if it has them already: DynamoDB cannot tell before it adds them.
func (d *Draft) bounds(x *expression.Writer) []plan.Clause {
	var all []plan.Clause
	for _, edit := range d.Step.Edits {
		if a := edit.Attribute; edit.Bounded() {
			all = append(all, x.Clause("", func() string {
				name := x.Name(a.Stored)
				return fmt.Sprintf("(attribute_not_exists(%s) OR size(%s) <= %s)", name, name, x.Room(a, model.Operand{Param: edit.Param}))
			}))
		}
	}
	return all
}

// editProblems returns the edits that DynamoDB cannot make: of values that the client encrypts.
func editProblems(step *model.Step) []plan.Problem {
	var all []plan.Problem
	report := func(a *model.Attribute, place diag.Place) {
		if slices.Contains(step.Entity.Encrypt, a) {
			all = append(all, plan.Problem{
				Code: "F020", Place: place,
				Message: fmt.Sprintf("%s of %s is encrypted, and DynamoDB cannot change a part of it", a.Name, step.Entity.Name),
				Fix:     fmt.Sprintf("set %s as a whole, or remove it from encrypt", a.Name),
			})
		}
	}
	for _, edit := range step.Edits {
		report(edit.Attribute, edit.Place)
	}
	for _, entry := range step.Entries {
		report(entry.Map, entry.Place)
	}
	return all
}
