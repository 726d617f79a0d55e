package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// counterOutside finds patterns that create, delete or change items a declared counter
// counts without updating the counter, because neither the pattern nor its plan can find
// the item with the counter (W804).
func counterOutside(s *subject) {
	for _, p := range s.patterns() {
		for _, count := range s.layout.Plan(p).Counts {
			if !count.Kept {
				s.report.Add(countedApart(p, count, s.layout.Home(count.Entity)))
			}
		}
	}
}

// counterTold finds patterns whose plan cannot compute by how much declared counters change:
// the caller passes the difference, and nothing validates it (W812). It reports once per
// action.
func counterTold(s *subject) {
	for _, p := range s.patterns() {
		said := map[*model.Step]bool{}
		all := s.layout.Plan(p).Counts
		for _, count := range all {
			if !count.Told || len(count.Lacks) == 0 || said[count.Step] || slices.ContainsFunc(count.Lacks, func(a *model.Attribute) bool { return patches(count.Step, a) }) {
				continue
			}
			said[count.Step] = true
			s.report.Add(toldCounters(p, slices.DeleteFunc(slices.Clone(all), func(c *resolve.Count) bool { return c.Step != count.Step || !c.Told })))
		}
	}
}

func toldCounters(p *model.Pattern, counts []*resolve.Count) diag.Finding {
	var counters []string
	var lacks []*model.Attribute
	var related []diag.Related
	for _, c := range counts {
		counters = append(counters, c.Entity.Name+"."+c.Counter.Attribute.Name)
		related = append(related, diag.Related{Place: c.Counter.Place, Message: "counts " + c.Counter.Of.Name})
		for _, a := range c.Lacks {
			if !slices.Contains(lacks, a) {
				lacks = append(lacks, a)
			}
		}
	}
	var names []string
	for _, a := range lacks {
		names = append(names, a.Name)
	}
	step, told := counts[0].Step, strings.Join(counters, " and ")
	return diag.Finding{
		Code: "W812", Place: step.Place, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("The caller passes by how much %s changes %s, and nothing validates it: the change depends on the old %s of the %s, which the pattern does not give",
			p.Name, told, strings.Join(names, " and "), step.Entity.Name),
		Fix:     tellsCounters(p, step, lacks) + ", so that the difference can be computed",
		Related: related,
	}
}

// tellsCounters returns advice on how a pattern can give the values that decide by how much
// counters change.
func tellsCounters(p *model.Pattern, step *model.Step, lacks []*model.Attribute) string {
	var named, added []string
	for _, a := range lacks {
		name := a.Name + ": $"
		if changesNumber(step, a) {
			name += "old_" + a.Name
		}
		if adds(step, a) {
			added = append(added, a.Name)
		}
		named = append(named, name)
	}
	text := fmt.Sprintf("Add %s to where of %s", strings.Join(named, ", "), stepName(p, step))
	if len(added) > 0 {
		text += fmt.Sprintf(", and set %s rather than add to it", strings.Join(added, " and "))
	}
	return text
}

// changesCount reports whether a plan changes which items a counter counts.
func changesCount(plan *resolve.Plan, counter *model.Counter) bool {
	return slices.ContainsFunc(plan.Counts, func(c *resolve.Count) bool { return c.Counter == counter })
}

func adds(step *model.Step, a *model.Attribute) bool {
	return slices.ContainsFunc(step.Add, func(add *model.Addition) bool { return add.Attribute == a })
}

// patches reports whether a step sets an attribute only if it is given. F020 finds those that a
// counter depends on.
func patches(step *model.Step, a *model.Attribute) bool {
	return slices.ContainsFunc(step.Set, func(set *model.Assignment) bool { return set.Patch && set.Attribute == a })
}

// edits reports whether a step changes a part of an attribute.
func edits(step *model.Step, a *model.Attribute) bool {
	return slices.ContainsFunc(step.Edits, func(edit *model.Edit) bool { return edit.Attribute == a })
}

func changesNumber(step *model.Step, a *model.Attribute) bool {
	return adds(step, a) ||
		slices.ContainsFunc(step.Set, func(set *model.Assignment) bool { return set.Attribute == a })
}

// countedApart describes a change of counted items without their counter. The home is that of
// the item with the counter, or nil.
func countedApart(p *model.Pattern, count *resolve.Count, home *model.Item) diag.Finding {
	entity, counter := count.Entity, count.Counter
	name := entity.Name + "." + counter.Attribute.Name
	fix, place := findsCounting(p, count, home, name), count.Step.Place
	if strings.HasPrefix(fix, "Add ") && !count.Step.WhereAt.IsZero() {
		place = count.Step.WhereAt
	}
	return diag.Finding{
		Code: "W804", Place: place, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("%s changes the number of %s items, but does not update %s in the same transaction", p.Name, counter.Of.Name, name),
		Fix:     fix,
		Related: []diag.Related{{Place: counter.Place, Message: "counts " + counter.Of.Name}},
	}
}

// findsCounting returns advice on what a pattern needs to find the item with a counter:
// attributes in its where, or attributes of that item that no match covers.
func findsCounting(p *model.Pattern, count *resolve.Count, home *model.Item, name string) string {
	var lacks []string
	var primary []*model.Attribute
	if home != nil {
		primary = resolve.PrimaryAttributes(home)
	}
	for _, a := range primary {
		i := slices.IndexFunc(count.Counter.Match, func(m model.Match) bool { return m.Mine == a })
		if i < 0 {
			return fmt.Sprintf("%s cannot update %s because %s has no attribute %s. Add it to %s and to the counter's match",
				p.Name, name, count.Counter.Of.Name, a.Name, count.Counter.Of.Name)
		}
		their := count.Counter.Match[i].Theirs
		given := slices.ContainsFunc(count.Step.Where, func(c *model.Condition) bool { return c.Attribute == their && c.Op == model.Eq })
		if !given {
			value := ": $"
			if changesNumber(count.Step, their) {
				value += "old_" + their.Name
			}
			lacks = append(lacks, their.Name+value)
		}
	}
	if len(lacks) == 0 || count.Step.Verb == model.Create || count.Step.Verb == model.Put {
		return fmt.Sprintf("%s cannot update %s because it does not know the key of the %s. Give the key in the pattern", p.Name, name, count.Entity.Name)
	}
	return fmt.Sprintf("Add %s to where of %s: it is needed to find the %s and update %s in the same transaction", strings.Join(lacks, ", "), stepName(p, count.Step), count.Entity.Name, name)
}

// stepName names an action of a pattern so that its where is found: the pattern, a step of a
// transaction, or an item that the pattern requires.
func stepName(p *model.Pattern, step *model.Step) string {
	for _, r := range p.Requires {
		if r.Place == step.Place {
			return fmt.Sprintf("the %s in requires of %s", r.Entity.Name, p.Name)
		}
	}
	if p.Verb == model.Transact {
		return fmt.Sprintf("%s %s in %s", step.Verb, step.Entity.Name, p.Name)
	}
	return p.Name
}

// handKeptCounter finds undeclared counters that are updated in a separate write from the
// items their name says they count (W804).
func handKeptCounter(s *subject) {
	made := creations(s.design)
	for _, a := range s.actions(model.Update, model.Upsert) {
		for _, add := range a.step.Add {
			if counted := countedElsewhere(made, a.pattern, a.step.Entity, add.Attribute); counted != nil {
				s.report.Add(keptByHand(a, add.Attribute, add.Place, counted))
			}
		}
	}
}

// A creation is a pattern that creates items of an entity.
type creation struct {
	pattern *model.Pattern
	entity  *model.Entity
}

// creations returns all creations, in the design's order.
func creations(d *model.Design) []creation {
	var all []creation
	for _, p := range d.Patterns {
		for _, step := range p.Actions() {
			if step.Verb.Makes() {
				all = append(all, creation{p, step.Entity})
			}
		}
	}
	return all
}

// countedElsewhere returns the pattern that creates the counted items if it does not update
// the number itself.
func countedElsewhere(made []creation, p *model.Pattern, entity *model.Entity, a *model.Attribute) *model.Pattern {
	counted := countedBy(a.Name)
	if counted == nil || counterOf(entity, a) != nil || slices.ContainsFunc(p.Actions(), func(step *model.Step) bool { return counted(step.Entity) }) {
		return nil
	}
	for _, c := range made {
		if counted(c.entity) && !slices.ContainsFunc(c.pattern.Actions(), func(step *model.Step) bool {
			return step.Entity == entity && changesNumber(step, a)
		}) {
			return c.pattern
		}
	}
	return nil
}

// keptByHand describes an action that adds to a number in a separate write from the pattern
// that creates the counted items.
func keptByHand(by action, a *model.Attribute, place diag.Place, creator *model.Pattern) diag.Finding {
	p, entity := by.pattern, by.step.Entity
	fix := fmt.Sprintf("Do both in one transaction, or declare %s under counters of %s, so that it is updated automatically", a.Name, entity.Name)
	if counterOf(entity, a) != nil {
		fix = fmt.Sprintf("Do both in one transaction, or remove the change of %s: the declared counter updates it with %s", a.Name, creator.Name)
	}
	return diag.Finding{
		Code: "W804", Place: place, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("%s adds to %s.%s in a separate write from %s, which creates the counted items", p.Name, entity.Name, a.Name, creator.Name),
		Fix:     fix,
		Related: []diag.Related{{Place: creator.Place, Message: "creates the item"}},
	}
}

// counterBypassed finds patterns that change a declared counter but no counted item: the
// second half of a count kept in two writes (W804), or a change without a cause (W809).
func counterBypassed(s *subject) {
	for _, a := range s.actions(model.Update, model.Upsert) {
		if a.step.Entity == nil {
			continue
		}
		for _, counter := range a.step.Entity.Counters {
			place, ok := changePlace(a.step, counter.Attribute)
			if !ok || changesCount(s.layout.Plan(a.pattern), counter) {
				continue
			}
			s.report.Add(bypassed(s.design, a, counter, place))
		}
	}
}

// bypassed describes an action that changes a counter at a place without a counted item.
func bypassed(d *model.Design, a action, counter *model.Counter, place diag.Place) diag.Finding {
	if creator := countedByRule(d, counter); creator != nil && adds(a.step, counter.Attribute) {
		return keptByHand(a, counter.Attribute, place, creator)
	}
	return diag.Finding{
		Code: "W809", Place: place, Subject: "pattern " + a.pattern.Name,
		Message: fmt.Sprintf("%s changes %s.%s, but does not create or delete a %s", a.pattern.Name, a.step.Entity.Name, counter.Attribute.Name, counter.Of.Name),
		Fix:     fmt.Sprintf("Remove the change of %s, or change the %s in the same transaction", counter.Attribute.Name, counter.Of.Name),
		Related: []diag.Related{{Place: counter.Place, Message: "counts " + counter.Of.Name}},
	}
}

// changePlace returns the place where a step adds to a number or sets it to a constant.
// Setting it to a parameter is a lost update, which is another finding.
func changePlace(step *model.Step, a *model.Attribute) (diag.Place, bool) {
	for _, add := range step.Add {
		if add.Attribute == a {
			return add.Place, true
		}
	}
	for _, set := range step.Set {
		if set.Attribute == a && parameterAsNil(set.Value) != nil {
			return set.Place, true
		}
	}
	return diag.Place{}, false
}

// countedByRule returns a pattern that creates counted items and does not change the counter.
func countedByRule(d *model.Design, counter *model.Counter) *model.Pattern {
	for _, p := range d.Patterns {
		if !makes(p, counter.Of) {
			continue
		}
		touches := slices.ContainsFunc(p.Actions(), func(step *model.Step) bool { return changesNumber(step, counter.Attribute) })
		if !touches {
			return p
		}
	}
	return nil
}

// countedAgain finds puts of counted items (W809): a put that replaces an item counts it
// again. A put on the condition that the item does not exist is a create.
func countedAgain(s *subject) {
	for _, a := range s.actions(model.Put) {
		if isFirst(a.step) {
			continue
		}
		if entity, counter := countedIn(s.design, a.step.Entity); counter != nil {
			s.report.Add(diag.Finding{
				Code: "W809", Place: a.step.Place, Subject: "pattern " + a.pattern.Name,
				Message: fmt.Sprintf("%s puts %s; if it replaces an existing one, %s.%s counts it twice", a.pattern.Name, aName(a.step.Entity.Name), entity.Name, counter.Attribute.Name),
				Fix:     fmt.Sprintf("Use create in %s, which fails if the item exists, and update to change an item", a.pattern.Name),
				Related: []diag.Related{{Place: counter.Place, Message: "counts " + counter.Of.Name}},
			})
		}
	}
}

// countLost finds deletes of an item with a counter whose id can be reused (W809): the
// counter of the recreated item starts at zero, although counted items may still exist.
// Shards are not deleted, so sharded counters stay correct.
func countLost(s *subject) {
	for _, a := range s.actions(model.Delete) {
		if a.step.Entity == nil || !comesBack(s.design, a.step.Entity) {
			continue
		}
		for _, counter := range a.step.Entity.Counters {
			name := counter.Attribute.Name
			if counter.Shards > 1 || asksForZero(slices.Concat(a.step.Where, a.step.If), counter.Attribute) {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "W809", Place: a.step.Place, Subject: "pattern " + a.pattern.Name,
				Message: fmt.Sprintf("%s deletes %s; one created again with the same id starts with %s at zero, although counted items may still exist", a.pattern.Name, aName(a.step.Entity.Name), name),
				Fix:     fmt.Sprintf("Add if: %s = 0 to %s", name, a.pattern.Name),
				Related: []diag.Related{{Place: counter.Place, Message: "counts " + counter.Of.Name}},
			})
		}
	}
}

// comesBack reports whether a deleted item can be created again with the same id: it can
// unless ids are generated.
func comesBack(d *model.Design, e *model.Entity) bool {
	madeUp := slices.ContainsFunc(e.ID, func(a *model.Attribute) bool {
		return a.Type.Base == model.ULID || a.Type.Base == model.UUID || a.Type.Base == model.UUIDv7
	})
	return !madeUp && slices.ContainsFunc(d.Patterns, func(p *model.Pattern) bool { return makes(p, e) })
}

// asksForZero reports whether conditions hold only for items whose number is 0.
func asksForZero(conditions []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(conditions, func(c *model.Condition) bool {
		return c.Attribute == a && c.Op == model.Eq && c.Values[0].Constant == "0"
	})
}

// isFirst reports whether a put requires that the item does not exist.
func isFirst(step *model.Step) bool {
	return slices.ContainsFunc(step.If, func(c *model.Condition) bool {
		return c.Op == model.Missing && (!c.Attribute.Type.Optional || slices.Contains(step.Entity.ID, c.Attribute))
	})
}

// countedIn returns the first counter that counts or sums an entity, or nil.
func countedIn(d *model.Design, of *model.Entity) (*model.Entity, *model.Counter) {
	for _, entity := range d.Entities {
		for _, counter := range entity.Counters {
			if counter.Of == of {
				return entity, counter
			}
		}
	}
	return nil, nil
}

// sumType finds counters whose type cannot hold the sum (W811): fractions in an integer, or
// instants, which cannot be added.
func sumType(s *subject) {
	for _, e := range s.entities() {
		for _, c := range e.Counters {
			if c.Sum == nil {
				continue
			}
			mine, theirs := c.Attribute.Type, c.Sum.Type
			whole := mine.Base == model.Integer || mine.Base == model.Unixtime
			finding := diag.Finding{Code: "W811", Place: c.Place, Subject: "entity " + e.Name}
			switch name := e.Name + "." + c.Attribute.Name; {
			case theirs.Base == model.Unixtime:
				finding.Message = fmt.Sprintf("%s sums %s.%s, which is %s: instants cannot be added", name, c.Of.Name, c.Sum.Name, theirs)
				finding.Fix = fmt.Sprintf("Sum an int of %s, such as a number of seconds, or count its items", c.Of.Name)
			case whole && theirs.Base != model.Integer:
				finding.Message = fmt.Sprintf("%s is %s but sums %s.%s, which is %s and can have fractions", name, mine, c.Of.Name, c.Sum.Name, theirs)
				finding.Fix = fmt.Sprintf("Make %s %s", name, model.Type{Base: theirs.Base})
			default:
				continue
			}
			finding.Related = []diag.Related{{Place: c.Sum.TypePlace, Message: fmt.Sprintf("%s is %s", c.Sum.Name, theirs)}}
			s.report.Add(finding)
		}
	}
}
