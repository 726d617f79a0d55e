package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// transactionTooLarge finds transactions above DynamoDB's limits on actions and size (L703),
// including the rows added for guards and counters.
func transactionTooLarge(s *subject) {
	for _, p := range s.patterns() {
		plan := s.layout.Plan(p)
		if len(plan.Writes) < 2 && p.Verb != model.Transact && p.Verb != model.Snapshot {
			continue
		}
		message := totalOf(plan).excess(p.Name)
		if message == "" {
			continue
		}
		finding := diag.Finding{Code: "L703", Place: p.VerbPlace, Subject: "pattern " + p.Name, Message: message}
		if many := mostRepeated(p); many != nil {
			finding.Related = []diag.Related{{Place: many.Place, Message: fmt.Sprintf("%d times %s %s", many.Each, many.Verb, many.Entity.Name)}}
		}
		s.report.Add(finding)
	}
}

// A transactionTotal is the number of actions of a transaction and the size of its items.
type transactionTotal struct {
	actions int64
	implied int64 // actions for guards and counters
	bytes   int64 // of the items that are written or read, on average
	most    int64 // of the items that are written or read, at most
}

// totalOf adds up the writes or reads of a transaction.
func totalOf(plan *resolve.Plan) transactionTotal {
	var t transactionTotal
	for _, r := range plan.Parts {
		size := cost.ItemSize(r.Entry.Item)
		t.actions++
		t.bytes += size.Avg
		t.most += max(size.Avg, size.Max)
	}
	for _, w := range plan.Writes {
		n := repeats(w)
		t.actions += n
		if w.Implied != "" {
			t.implied += n
			continue
		}
		if w.Item != nil && (w.Operation == resolve.PutItem || w.Operation == resolve.UpdateItem) {
			size := cost.ItemSize(w.Item)
			t.bytes += n * size.Avg
			t.most += n * max(size.Avg, size.Max)
		}
	}
	return t
}

// excess describes how the transaction of a pattern exceeds a limit, or returns "".
func (t transactionTotal) excess(pattern string) string {
	switch {
	case t.actions > maxTransactionActions && t.implied > 0:
		return fmt.Sprintf("%s has %d actions, %d of them for guards and counters, and a transaction can have %d", pattern, t.actions, t.implied, maxTransactionActions)
	case t.actions > maxTransactionActions:
		return fmt.Sprintf("%s has %d actions, and a transaction can have %d", pattern, t.actions, maxTransactionActions)
	case t.bytes > maxTransactionBytes:
		return fmt.Sprintf("The items of %s are %s together, and a transaction can have %s", pattern, bytesText(t.bytes), bytesText(maxTransactionBytes))
	case t.most > maxTransactionBytes:
		return fmt.Sprintf("The items of %s can be %s together, and a transaction can have %s", pattern, bytesText(t.most), bytesText(maxTransactionBytes))
	}
	return ""
}

// repeats returns the number of actions of a transaction one planned write stands for.
func repeats(w *resolve.PlannedWrite) int64 {
	if w.Step == nil {
		return 1
	}
	return max(w.Step.Each, 1)
}

// mostRepeated returns the step with the most actions in a transaction, or nil.
func mostRepeated(p *model.Pattern) *model.Step {
	var most *model.Step
	for _, step := range p.Steps {
		if step.Each > 1 && (most == nil || step.Each > most.Each) {
			most = step
		}
	}
	return most
}

// An aim is an item that a transaction addresses by its primary key.
type aim struct {
	verb   model.Verb
	entity *model.Entity
	where  []*model.Condition
	at     diag.Place
}

// sameItemTwice finds transactions with two actions on one item (L706). Created and put items
// are separate parameters, so they are assumed to differ.
func sameItemTwice(s *subject) {
	for _, p := range s.patterns() {
		aims := aimsOf(p)
		for i, b := range aims {
			same := slices.IndexFunc(aims[:i], func(a aim) bool { return a.isSameItem(b, s.layout.Home(b.entity)) })
			if same < 0 {
				continue
			}
			a := aims[same]
			s.report.Add(diag.Finding{
				Code: "L706", Place: b.at, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s %s the same %s twice: %s and %s", p.Name, touches(p), b.entity.Name, a.verb, b.verb),
				Fix:     combineFix(a, b),
				Related: []diag.Related{{Place: a.at, Message: "the first time"}},
			})
		}
	}
}

// maybeSameItem finds transactions with two actions on items that are the same if the caller
// gives two parameters the same value (L711).
func maybeSameItem(s *subject) {
	for _, p := range s.patterns() {
		aims := aimsOf(p)
		for i, b := range aims {
			for _, a := range aims[:i] {
				one, other := a.differsBy(b, s.layout.Home(b.entity))
				if one == "" {
					continue
				}
				s.report.Add(diag.Finding{
					Code: "L711", Place: b.at, Subject: "pattern " + p.Name,
					Message: fmt.Sprintf("%s %s one %s twice if $%s and $%s are the same, and DynamoDB then rejects the transaction", p.Name, touches(p), b.entity.Name, one, other),
					Fix:     fmt.Sprintf("Reject equal $%s and $%s before the call", one, other),
					Related: []diag.Related{{Place: a.at, Message: "the other action"}},
				})
			}
		}
	}
}

// touches returns the verb for what a transaction does to its items.
func touches(p *model.Pattern) string {
	if p.Verb == model.Snapshot {
		return "reads"
	}
	return "touches"
}

func aimsOf(p *model.Pattern) []aim {
	var aims []aim
	for _, part := range p.Parts {
		aims = append(aims, aim{part.Verb, part.Entity, part.Where, part.VerbPlace})
	}
	for _, step := range p.Actions() {
		if step.Each <= 1 && (step.Verb.InPlace() || step.Verb == model.Delete || step.Verb == model.Check) {
			aims = append(aims, aim{step.Verb, step.Entity, step.Where, step.Place})
		}
	}
	for _, r := range p.Requires {
		verb := model.Check
		switch {
		case r.Consume:
			verb = model.Delete
		case len(r.Change) > 0:
			verb = model.Update
		}
		aims = append(aims, aim{verb, r.Entity, r.Where, r.Place})
	}
	return aims
}

func combineFix(a, b aim) string {
	switch {
	case a.verb == model.Check || b.verb == model.Check:
		return fmt.Sprintf("Make the check an if of the other action on %s", a.entity.Name)
	case a.verb == b.verb:
		return fmt.Sprintf("Combine the two into one %s of %s", a.verb, a.entity.Name)
	}
	return fmt.Sprintf("Keep one of the two actions on %s", a.entity.Name)
}

// isSameItem reports whether two aims have the same primary key. The item is the home of b, or
// nil.
func (a aim) isSameItem(b aim, item *model.Item) bool {
	if a.entity != b.entity || item == nil || !complete(item) {
		return false
	}
	for _, use := range primaryKey(item) {
		for _, attribute := range use.Key.Attributes() {
			first, second := bound(a.where, attribute), bound(b.where, attribute)
			if first == nil || second == nil || *first != *second {
				return false
			}
		}
	}
	return true
}

// differsBy returns the first two parameters that keep the primary keys of two aims apart, or ""
// if something else does or nothing. The item is the home of b, or nil.
func (a aim) differsBy(b aim, item *model.Item) (one, other string) {
	if a.entity != b.entity || item == nil || !complete(item) {
		return "", ""
	}
	for _, use := range primaryKey(item) {
		for _, attribute := range use.Key.Attributes() {
			first, second := bound(a.where, attribute), bound(b.where, attribute)
			switch {
			case first == nil || second == nil:
				return "", ""
			case *first == *second:
			case first.Param == "" || second.Param == "":
				return "", "" // a constant, which may be any value of the other
			case one == "":
				one, other = first.Param, second.Param
			}
		}
	}
	return one, other
}

// bound returns the value that where binds an attribute to, or nil.
func bound(where []*model.Condition, a *model.Attribute) *model.Operand {
	for _, c := range where {
		if c.Attribute == a && c.Op == model.Eq && len(c.Values) == 1 {
			return &c.Values[0]
		}
	}
	return nil
}
