package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// writeRules check writes for conflicts with other writes.
var writeRules = []rule{
	readModifyWrite, uniqueNotEnforced, heldReads, counterOutside, handKeptCounter, transitions, copiesApart,
	guardBypassed, guardKeys, counterBypassed, countedAgain, countLost, expiryBreaksRule, sumType, counterTold,
	leftBehind, staleCopies, sameMoment, belowZero, unrecoverable, countedTwice,
}

// readModifyWrite finds counters that are set instead of added to (W801): declared counters,
// numbers that another pattern adds to, and numbers whose name says they count items that other
// patterns create. A condition on the number prevents the lost update; a version does so unless another pattern
// adds to the number, which does not increment the version.
func readModifyWrite(s *subject) {
	for _, a := range s.actions(model.Update, model.Upsert) {
		for _, set := range a.step.Set {
			if parameterAsNil(set.Value) != nil || mentions(a.step.If, set.Attribute) {
				continue
			}
			var counted *model.Entity
			other := addedWithout(s.design, a, set.Attribute)
			if a.step.Entity.Version == nil {
				other = ""
				if set.Attribute.Type.IsNumber() {
					other, counted = countsWith(s.design, a, set.Attribute)
				}
			}
			if other != "" {
				s.report.Add(lostUpdate(a, set, other, counted))
			}
		}
	}
	for _, a := range s.actions(model.Put) {
		replacesAdded(s, a)
	}
}

// replacesAdded finds puts that replace a number to which another pattern adds (W801): an addition
// does not increment the version, so a version does not help.
func replacesAdded(s *subject, a action) {
	e := a.step.Entity
	if resolve.NeedsAbsence(a.step) {
		return
	}
	for _, number := range e.Attributes {
		other := addedWithout(s.design, a, number)
		if e.Version == nil && number.Type.IsNumber() {
			other = addedBy(s.design, a, number)
		}
		if other == "" || counterOf(e, number) != nil || mentions(a.step.If, number) { // W809 finds a put over a declared counter
			continue
		}
		s.report.Add(diag.Finding{
			Code: "W801", Place: a.step.Place, Subject: "pattern " + a.pattern.Name,
			Message: fmt.Sprintf("%s replaces %s of %s by a value based on an earlier read, and %s", a.pattern.Name, number.Name, aName(e.Name), other),
			Fix:     fmt.Sprintf("Use create for a new %s, and an update that sets the other attributes for an existing one", e.Name),
		})
	}
}

// addedBy returns which other pattern adds to a number that an action writes, or "".
func addedBy(d *model.Design, by action, a *model.Attribute) string {
	for _, other := range d.Patterns {
		for _, step := range other.Actions() {
			if other != by.pattern && step.Entity == by.step.Entity && adds(step, a) {
				return other.Name + " adds to it"
			}
		}
	}
	return ""
}

// addedWithout returns why the version does not protect an attribute that an action writes: it
// is a declared counter, or another pattern only adds to it or edits it. Otherwise it returns "".
func addedWithout(d *model.Design, by action, a *model.Attribute) string {
	e := by.step.Entity
	if c := counterOf(e, a); c != nil {
		return fmt.Sprintf("it counts %s, without incrementing the version", c.Of.Name)
	}
	for _, other := range d.Patterns {
		for _, step := range other.Actions() {
			if other == by.pattern || step.Entity != e || !resolve.OnlyAdds(step) {
				continue
			}
			if adds(step, a) {
				return other.Name + " adds to it without incrementing the version"
			}
			if edits(step, a) {
				return other.Name + " changes parts of it without incrementing the version"
			}
		}
	}
	return ""
}

func mentions(conditions []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(model.Comparisons(conditions), func(c *model.Condition) bool { return c.Attribute == a })
}

// countsWith returns why a number that an action sets is a counter, or "", and the entity that its
// name says it counts, or nil.
func countsWith(d *model.Design, set action, a *model.Attribute) (string, *model.Entity) {
	entity := set.step.Entity
	if c := counterOf(entity, a); c != nil {
		return fmt.Sprintf("it counts %s", c.Of.Name), nil
	}
	if other := addedBy(d, set, a); other != "" {
		return other, nil
	}
	ofName := countedBy(a.Name)
	if ofName == nil {
		return "", nil
	}
	for _, other := range d.Patterns {
		for _, step := range other.Actions() {
			if (step.Verb == model.Create || step.Verb == model.Upsert) && step.Entity != entity && ofName(step.Entity) {
				return other.Name + " changes it too", step.Entity
			}
		}
	}
	return "", nil
}

func counterOf(entity *model.Entity, a *model.Attribute) *model.Counter {
	for _, c := range entity.Counters {
		if c.Attribute == a {
			return c
		}
	}
	return nil
}

// isCount reports whether the name of a number says that it is a count.
func isCount(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	return words[len(words)-1] == "count" || slices.Contains([]string{"count", "current", "total", "num", "number"}, words[0])
}

// countedBy returns a function that reports whether a number counts an entity, by its name:
// question_count and total_questions count a Question; current_bid is one bid, not a count.
// It returns nil for a name that is not a count.
func countedBy(name string) func(*model.Entity) bool {
	if !isCount(name) {
		return nil
	}
	words := wordsOf(name)
	saysCount := words[len(words)-1] == "count"
	words = slices.DeleteFunc(words, func(word string) bool { return !saysCount && strings.TrimSuffix(word, "s") == word })
	return func(entity *model.Entity) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(strings.TrimSuffix(word, "s"), entity.Name) })
	}
}

// lostUpdate reports a number that is set while others change it. counted is the entity whose items
// it counts by its name, or nil.
func lostUpdate(by action, set *model.Assignment, other string, counted *model.Entity) diag.Finding {
	a := set.Attribute.Name
	fix := fmt.Sprintf("Write add: { %s: 1 } instead of setting it", a)
	switch {
	case counterOf(by.step.Entity, set.Attribute) != nil:
		fix = fmt.Sprintf("Take %s out of set of %s: generated code keeps it", a, by.pattern.Name)
	case counted != nil:
		fix = fmt.Sprintf("Write counters: { %s: { count: %s } } in %s and take %s out of set of %s: generated code then keeps it", a, counted.Name, by.step.Entity.Name, a, by.pattern.Name)
	case !set.Attribute.Type.IsNumber():
		fix = fmt.Sprintf("Change only parts of %s, or add if: %s = $old_%s", a, a, a)
	}
	return diag.Finding{
		Code: "W801", Place: set.Place, Subject: "pattern " + by.pattern.Name,
		Message: fmt.Sprintf("%s sets %s of %s to a value based on an earlier read, and %s", by.pattern.Name, a, aName(by.step.Entity.Name), other),
		Fix:     fix,
	}
}

// copiesApart finds entities and their copies with the same id that are not written in one
// transaction (W808). It skips copies that are written when the original is deleted.
func copiesApart(s *subject) {
	for _, b := range s.entities() {
		for _, a := range s.design.Entities {
			if !repeatsOnly(b, a) || !sameNames(a.ID, b.ID) || !copiesMore(b) || writtenTogether(s.design, a, b) {
				continue
			}
			first, second := writerOf(s.design, a), writerOf(s.design, b)
			if first == nil || second == nil {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "W808", Place: second.Place, Subject: "pattern " + second.Name,
				Message: fmt.Sprintf("%s writes %s and %s writes its copy %s, in separate transactions", first.Name, a.Name, second.Name, b.Name),
				Fix:     fmt.Sprintf("Write %s and %s in one transaction", a.Name, b.Name),
				Related: []diag.Related{{Place: first.Place, Message: "writes " + a.Name}},
			})
		}
	}
}

// copiesMore reports whether an entity that repeats another is a copy of it: its id identifies a
// thing, which a name or a day does not, and it has more than the id, times and a version.
func copiesMore(e *model.Entity) bool {
	if !slices.ContainsFunc(e.ID, identifies) {
		return false
	}
	return slices.ContainsFunc(e.Attributes, func(a *model.Attribute) bool {
		switch a.Type.Base {
		case model.Timestamp, model.Unixtime, model.Date, model.Week:
			return false
		}
		return a != e.Version && !slices.Contains(e.ID, a)
	})
}

// identifies reports whether an attribute is an identifier by its type or name.
func identifies(a *model.Attribute) bool {
	switch a.Type.Base {
	case model.ULID, model.UUID, model.UUIDv7:
		return true
	}
	return namedAsID(a.Name)
}

func writtenTogether(d *model.Design, a, b *model.Entity) bool {
	return slices.ContainsFunc(d.Patterns, func(p *model.Pattern) bool {
		return !p.Verb.Reads() && slices.Contains(p.Entities(), a) && slices.Contains(p.Entities(), b)
	})
}

// writerOf returns the first pattern that creates an entity.
func writerOf(d *model.Design, entity *model.Entity) *model.Pattern {
	for _, p := range d.Patterns {
		if makes(p, entity) {
			return p
		}
	}
	return nil
}

func makes(p *model.Pattern, entity *model.Entity) bool {
	return slices.ContainsFunc(p.Actions(), func(step *model.Step) bool {
		return step.Entity == entity && step.Verb.Makes()
	})
}
