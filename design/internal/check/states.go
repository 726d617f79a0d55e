package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A stateWrite is one write of an attribute that holds a state.
type stateWrite struct {
	pattern  *model.Pattern
	entity   *model.Entity
	place    diag.Place
	create   bool             // the item is created with it
	put      bool             // the whole item is written
	set      *model.Operand   // nil: a parameter
	from     map[string]bool  // the states it can come from; nil: any
	guarded  bool             // a condition names the state before
	held     bool             // generated code allows only transitions of the lifecycle
	state    *model.Attribute // the attribute
	required bool             // the item is one that the pattern requires
}

// isState reports whether an attribute holds the state of its item: it has a lifecycle, or
// is an enum whose name says so.
func isState(a *model.Attribute) bool {
	if a.Type.Base != model.Enum {
		return false
	}
	words := wordsOf(a.Name)
	return a.Lifecycle != nil || len(words) > 0 && slices.Contains([]string{"status", "state", "stage", "phase"}, words[len(words)-1])
}

// A state is an attribute that holds the state of an entity's items.
type state struct {
	entity    *model.Entity
	attribute *model.Attribute
	all       []stateWrite // all writes of the state, in file order
}

// states returns the states of the entities of the selected phases, with the writes of all
// phases.
func states(s *subject) []state {
	if s.known.states != nil {
		return s.known.states
	}
	all := []state{}
	for _, entity := range s.entities() {
		for _, a := range entity.Attributes {
			if !isState(a) {
				continue
			}
			of := state{entity: entity, attribute: a}
			for _, p := range s.using(entity) {
				plan := s.layout.Plan(p)
				of.all = append(append(of.all, of.inActions(p, plan)...), of.inRequirements(p, plan)...)
			}
			all = append(all, of)
		}
	}
	s.known.states = all
	return all
}

// inActions returns the writes of the state in the actions of a pattern.
func (s state) inActions(p *model.Pattern, plan *resolve.Plan) []stateWrite {
	var all []stateWrite
	for _, step := range p.Actions() {
		if step.Entity != s.entity {
			continue
		}
		write := stateWrite{pattern: p, entity: s.entity, state: s.attribute, place: step.Place}
		write.held = keepsLifecycle(plan, s.attribute, func(w *resolve.PlannedWrite) bool { return w.Item.Entity == s.entity && w.Step.Place == step.Place })
		write.from, write.guarded = resolve.StatesLeft(s.attribute, slices.Concat(step.Where, step.If))
		all = append(all, write.of(step, s.attribute)...)
	}
	return all
}

// inRequirements returns the writes of the state in the items a pattern requires and changes.
func (s state) inRequirements(p *model.Pattern, plan *resolve.Plan) []stateWrite {
	var all []stateWrite
	for _, r := range p.Requires {
		if r.Entity != s.entity {
			continue
		}
		for _, set := range r.Change {
			if set.Attribute != s.attribute {
				continue
			}
			write := stateWrite{pattern: p, entity: s.entity, state: s.attribute, place: set.Place, set: parameterAsNil(set.Value), required: true}
			write.held = keepsLifecycle(plan, s.attribute, func(w *resolve.PlannedWrite) bool { return w.Requirement == r })
			write.from, write.guarded = resolve.StatesLeft(s.attribute, slices.Concat(r.Where, r.If))
			all = append(all, write)
		}
	}
	return all
}

// keepsLifecycle reports whether a write of a plan enforces the lifecycle of an attribute. A
// pattern without a plan has its own finding.
func keepsLifecycle(plan *resolve.Plan, a *model.Attribute, is func(*resolve.PlannedWrite) bool) bool {
	i := slices.IndexFunc(plan.Writes, is)
	return i < 0 || plan.Writes[i].HoldsLifecycle(a)
}

// of returns the writes of the state in one step.
func (w stateWrite) of(step *model.Step, a *model.Attribute) []stateWrite {
	for _, set := range step.Set {
		if set.Attribute == a {
			w.set, w.create, w.put = parameterAsNil(set.Value), step.Verb == model.Create, step.Verb == model.Put
			if set.Place != (diag.Place{}) {
				w.place = set.Place
			}
			return []stateWrite{w}
		}
	}
	for _, set := range step.Initial {
		if set.Attribute == a {
			w.set, w.create = parameterAsNil(set.Value), true // only a new item gets it
			return []stateWrite{w}
		}
	}
	switch step.Verb {
	case model.Create:
		w.create = true
		return []stateWrite{w}
	case model.Put:
		w.put = true
		return []stateWrite{w}
	}
	return nil
}

func parameterAsNil(v *model.Operand) *model.Operand {
	if v == nil || !v.IsConstant() {
		return nil
	}
	return v
}

// stateNeverReached finds states that no pattern writes (T606). An enum without a lifecycle
// is checked only if patterns set its states by name.
func stateNeverReached(s *subject) {
	for _, state := range states(s) {
		named := slices.ContainsFunc(state.all, func(w stateWrite) bool { return w.set != nil && !w.create })
		if len(state.all) == 0 || (state.attribute.Lifecycle == nil && !named) {
			continue
		}
		if missing := state.unreached(); len(missing) > 0 {
			s.report.Add(state.neverReached(s.design, missing))
		}
	}
}

// unreached returns the values that no pattern writes.
func (s state) unreached() []string {
	reached := map[string]bool{resolve.FirstState(s.attribute): true}
	for _, w := range s.all {
		for _, value := range w.writes() {
			reached[value] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(s.attribute.Type.Values), func(value string) bool { return reached[value] })
}

// writes returns the states the write can set.
func (w stateWrite) writes() []string {
	switch {
	case w.set != nil:
		return []string{w.set.Constant}
	case w.create:
		return []string{resolve.FirstState(w.state)}
	case w.state.Lifecycle == nil:
		return w.state.Type.Values
	}
	var all []string
	for _, from := range w.state.Type.Values {
		if w.from == nil || w.from[from] {
			all = append(all, w.state.Lifecycle.Next[from]...)
		}
	}
	return all
}

// neverReached describes the values that no pattern writes, and the patterns that wait for
// them.
func (s state) neverReached(d *model.Design, missing []string) diag.Finding {
	a := s.attribute
	finding := diag.Finding{
		Code: "T606", Place: a.TypePlace, Subject: "entity " + s.entity.Name,
		Message: fmt.Sprintf("No pattern ever sets %s.%s to %s", s.entity.Name, a.Name, inWords(missing)),
		Fix:     fmt.Sprintf("Add a pattern that sets %s: %s, such as a sweep of overdue items, or remove the state", a.Name, missing[0]),
	}
	if s.entity.TTL != nil {
		finding.Message += "; TTL deletes, it does not change a state"
	}
	for _, p := range d.Patterns {
		for _, c := range model.Comparisons(slices.Concat(p.Where, p.Filter)) {
			if c.Attribute == a && slices.ContainsFunc(c.Values, func(v model.Operand) bool { return slices.Contains(missing, v.Constant) }) {
				finding.Related = append(finding.Related, diag.Related{Place: p.Place, Message: "waits for it"})
			}
		}
	}
	return finding
}

// transitions finds states set without checking the previous state (W806), and transitions
// that the lifecycle does not allow (W807).
func transitions(s *subject) {
	for _, state := range states(s) {
		for _, w := range state.all {
			if !w.pattern.HasTag(s.options.Tags) {
				continue
			}
			if forbidden := w.forbidden(); forbidden != "" {
				s.report.Add(w.forbiddenTransition(forbidden))
			} else if w.isUnguarded() {
				s.report.Add(w.unguarded(state.sources(w)))
			}
		}
	}
}

// isUnguarded reports whether the write changes the state of an existing item regardless of
// its previous state. With a lifecycle, generated code adds a condition on the previous
// state, or compares both if the caller passes both; unguarded are only states that the
// caller chooses without the previous state, and puts of whole items. Without a lifecycle, a
// version guards the write, and a put is meant to replace the item.
func (w stateWrite) isUnguarded() bool {
	if w.create {
		return false
	}
	if w.state.Lifecycle != nil {
		return !w.held
	}
	return !w.put && !w.guarded && w.entity.Version == nil
}

// forbidden describes the transition of the write that the lifecycle does not allow, or
// returns "".
func (w stateWrite) forbidden() string {
	life := w.state.Lifecycle
	if life == nil || w.set == nil {
		return ""
	}
	to := w.set.Constant
	if w.create {
		if to != resolve.FirstState(w.state) {
			return fmt.Sprintf("creates %s in state %s instead of %s", aName(w.entity.Name), to, resolve.FirstState(w.state))
		}
		return ""
	}
	var bad []string
	reachable := false
	for _, from := range w.state.Type.Values {
		allowed := life.Allows(from, to)
		reachable = reachable || allowed
		if w.from != nil && w.from[from] && !allowed && from != to {
			bad = append(bad, from)
		}
	}
	switch {
	case len(bad) > 0:
		return fmt.Sprintf("takes %s from %s to %s", w.state.Name, inWords(bad), to)
	case w.put && to == resolve.FirstState(w.state):
		return "" // of a new item; W806 finds a put that may replace one
	case !reachable:
		return fmt.Sprintf("sets %s to %s, and no state has a transition to it", w.state.Name, to)
	}
	return ""
}

func (w stateWrite) forbiddenTransition(what string) diag.Finding {
	return diag.Finding{
		Code: "W807", Place: w.place, Subject: "pattern " + w.pattern.Name,
		Message: fmt.Sprintf("%s %s, which the lifecycle of %s.%s does not allow", w.pattern.Name, what, w.entity.Name, w.state.Name),
		Fix:     fmt.Sprintf("Change the pattern, or add the transition to %s", w.state.Name),
		Related: []diag.Related{{Place: w.state.Lifecycle.Place, Message: "the transitions allowed"}},
	}
}

// unguarded describes a write that does not check the previous state, which is one of from.
func (w stateWrite) unguarded(from []string) diag.Finding {
	message := fmt.Sprintf("%s sets %s of %s to %s", w.pattern.Name, w.state.Name, aName(w.entity.Name), w.newState())
	fix, write := "", w.pattern.Name
	if w.required {
		write = fmt.Sprintf("the %s in requires of %s", w.entity.Name, w.pattern.Name)
	}
	switch {
	case w.state.Lifecycle != nil:
		message += ", and the lifecycle is not enforced: the previous state is unknown"
		fix = fmt.Sprintf("Add if: %s = $was to %s: generated code then rejects transitions that the lifecycle does not allow", w.state.Name, write)
		if w.put {
			fix += "; use create for a new item"
		}
	case len(from) == 0:
		message += " regardless of its previous value"
		fix = fmt.Sprintf("Add an if to %s that names the %s it comes from", write, w.state.Name)
	default:
		message += " regardless of its previous value"
		fix = fmt.Sprintf("Add if: %s = %s to %s", w.state.Name, from[0], write)
	}
	finding := diag.Finding{Code: "W806", Place: w.place, Subject: "pattern " + w.pattern.Name, Message: message, Fix: fix}
	if life := w.state.Lifecycle; life != nil {
		finding.Related = []diag.Related{{Place: life.Place, Message: "the transitions allowed"}}
	}
	return finding
}

// newState describes the new state.
func (w stateWrite) newState() string {
	switch {
	case w.set != nil:
		return w.set.Constant
	case w.state.Lifecycle != nil:
		return "a state the caller chooses"
	}
	return "a new value"
}

// sources returns the previous states of a write. Without a lifecycle it returns the
// initial state of items, if no other pattern changes it, and otherwise none.
func (s state) sources(w stateWrite) []string {
	first := resolve.FirstState(s.attribute)
	for _, other := range s.all {
		moves := slices.ContainsFunc(other.writes(), func(value string) bool { return value != first && (w.set == nil || value != w.set.Constant) })
		if other.pattern != w.pattern && moves {
			return nil
		}
	}
	if w.set != nil && w.set.Constant == first {
		return nil
	}
	return []string{first}
}
