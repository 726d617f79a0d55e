package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// writeRules look at writes that meet other writes.
var writeRules = []rule{
	readModifyWrite, uniqueNotEnforced, heldReads, counterOutside, handKeptCounter, transitions, copiesApart,
	guardBypassed, guardKeys, counterBypassed, countedAgain, countLost, expiryBreaksRule, sumType, counterTold,
}

// readModifyWrite finds numbers that are set where others add (W801): declared
// counters, and numbers called a count of something that other patterns create or
// add to. A version lock or a condition on the number makes a lost update fail.
func readModifyWrite(s *subject) {
	for _, p := range s.patterns() {
		for _, step := range p.Actions() {
			if step.Verb != model.Update || step.Entity == nil || step.Entity.Version != nil {
				continue
			}
			for _, set := range step.Set {
				if parameterAsNil(set.Value) != nil || !set.Attribute.Type.IsNumber() || mentions(step.If, set.Attribute) {
					continue
				}
				if other := s.countsWith(p, step.Entity, set.Attribute); other != "" {
					s.lostUpdate(p, step, set, other)
				}
			}
		}
	}
}

func mentions(conditions []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(conditions, func(c *model.Condition) bool { return c.Attribute == a })
}

// countsWith says why a number is a counter, or "".
func (s *subject) countsWith(p *model.Pattern, entity *model.Entity, a *model.Attribute) string {
	if c := counterOf(entity, a); c != nil {
		return fmt.Sprintf("it counts %s", c.Of.Name)
	}
	ofName := countedBy(a.Name)
	if ofName == nil {
		return ""
	}
	for _, other := range s.design.Patterns {
		for _, step := range other.Actions() {
			addsToo := step.Entity == entity && other != p && adds(step, a)
			creates := step.Verb == model.Create && step.Entity != entity && ofName(step.Entity)
			if addsToo || creates {
				return other.Name + " changes it too"
			}
		}
	}
	return ""
}

func counterOf(entity *model.Entity, a *model.Attribute) *model.Counter {
	for _, c := range entity.Counters {
		if c.Attribute == a {
			return c
		}
	}
	return nil
}

// isCount reports whether a number is called a count of something.
func isCount(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	return words[len(words)-1] == "count" || slices.Contains([]string{"count", "current", "total", "num", "number"}, words[0])
}

// countedBy tells which entities a number counts by its name: question_count and
// total_questions count a Question; a current_bid is one bid, not how many there are. It is nil for a name that is no count.
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

func (s *subject) lostUpdate(p *model.Pattern, step *model.Step, set *model.Assignment, other string) {
	a := set.Attribute.Name
	s.report.Add(diag.Finding{
		Code: "W801", Place: set.Place, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("%s sets %s of %s to a number it read before, and %s", p.Name, a, aName(step.Entity.Name), other),
		Fix:     fmt.Sprintf("Write add: { %s: 1 } instead of setting it", a),
	})
}

// copiesApart finds things and their copies of the same id that no transaction writes
// together (W808). Where one is written as the other goes, they never exist together.
func copiesApart(s *subject) {
	for _, b := range s.entities() {
		for _, a := range s.design.Entities {
			if !repeatsOnly(b, a) || !sameNames(a.ID, b.ID) || s.writtenTogether(a, b) {
				continue
			}
			first, second := s.writerOf(a), s.writerOf(b)
			if first == nil || second == nil {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "W808", Place: second.Place, Subject: "pattern " + second.Name,
				Message: fmt.Sprintf("%s writes %s and %s its copy %s, each on its own", first.Name, a.Name, second.Name, b.Name),
				Fix:     fmt.Sprintf("Write %s and %s in one transact", a.Name, b.Name),
				Related: []diag.Related{{Place: first.Place, Message: "writes " + a.Name}},
			})
		}
	}
}

func (s *subject) writtenTogether(a, b *model.Entity) bool {
	return slices.ContainsFunc(s.design.Patterns, func(p *model.Pattern) bool {
		return !p.Verb.Reads() && slices.Contains(p.Entities(), a) && slices.Contains(p.Entities(), b)
	})
}

// writerOf is the first pattern that makes an entity.
func (s *subject) writerOf(entity *model.Entity) *model.Pattern {
	for _, p := range s.design.Patterns {
		if makes(p, entity) {
			return p
		}
	}
	return nil
}

func makes(p *model.Pattern, entity *model.Entity) bool {
	return slices.ContainsFunc(p.Actions(), func(step *model.Step) bool {
		return step.Entity == entity && (step.Verb == model.Create || step.Verb == model.Put)
	})
}
