package arrange

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Assumed holds what the estimate of a design assumes of a typical write.
type Assumed struct {
	Size     func(*model.Entity) int64 // of an item, in bytes
	Replaces func(*model.Step) bool    // whether a put replaces an item
	fillers  func(*model.Entity) []filler
}

// TypicalScenario returns the n-th scenario of a write in which the items are as the estimate of
// the design assumes them: of the stated size, with their optional attributes, as many as a
// repeated step allows, and present where a delete or a put expects them.
func (ar *Arranger) TypicalScenario(c *program.Call, n int, assumed Assumed) (*judge.Scenario, *judge.Verdict, error) {
	h := fnv.New64a()
	h.Write([]byte(c.Pattern.Name))
	assumed.fillers = ar.fillers
	other := *ar
	other.generator = &generator{layout: ar.layout, rng: rand.New(rand.NewPCG(h.Sum64(), uint64(n)))}
	other.assumed = &assumed
	s, d, err := other.arrange(c, n)
	if err != nil {
		return nil, nil, err
	}
	return s.Scenario, d, nil
}

// completeOptional gives values the optional attributes that they lack, as other items have them,
// and mostly what puts the item into its sparse indexes: the estimate assumes its entries there.
func (s *arrangement) completeOptional(e *model.Entity, values sample.Values) {
	if s.assumed == nil {
		return
	}
	kept := s.kept(e)
	for _, a := range e.Attributes {
		if _, ok := values[a]; ok {
			continue
		}
		values[a] = s.gen.invent(a, sample.Value{})
		for _, r := range s.Tables.Of(e) {
			if v, ok := r.Values[a]; ok && !kept[a] {
				values[a] = v
				break
			}
		}
	}
	agree(e, values)
	for _, conditions := range s.assumedConditions(e) {
		if s.gen.rng.IntN(4) > 0 {
			s.enter(conditions, values, kept)
		}
	}
}

// assumedConditions returns the conditions under which an item has index entries and is counted.
func (s *arrangement) assumedConditions(e *model.Entity) [][]*model.Condition {
	var all [][]*model.Condition
	for _, entry := range s.Layout.Entries(e) {
		all = append(all, entry.When())
	}
	for _, other := range s.Layout.Design().Entities {
		for _, counter := range other.Counters {
			if counter.Of == e {
				all = append(all, counter.Where)
			}
		}
	}
	return all
}

// moveReplaced gives an item that a put replaces all its attributes, and the new one other values
// in index keys: the estimate assumes that the entries move.
func (s *arrangement) moveReplaced(e *model.Entity, r *state.Row, values sample.Values) {
	if s.assumed == nil {
		return
	}
	old, kept := maps.Clone(r.Values), s.kept(e)
	s.completeOptional(e, old)
	s.Place(s.Tables.RowOf(e, old))
	for _, entry := range s.Layout.Entries(e) {
		for _, key := range entry.Keys() {
			for _, a := range key.Attributes() {
				if v, ok := values[a]; ok && !kept[a] && v.Compare(old[a]) == 0 {
					values[a] = s.gen.invent(a, v)
				}
			}
		}
	}
}

// unlikeAssigned mostly gives an item before an update other states than those that the update sets: the
// estimate assumes that they change.
func (s *arrangement) unlikeAssigned(act *judge.Action, values sample.Values) {
	if s.assumed == nil || act.Step.Verb != model.Update {
		return
	}
	for _, set := range act.Step.Set {
		a := set.Attribute
		if v := act.Assigned(a); a.Type.Base == model.Bool && v.IsConstant() && s.gen.rng.IntN(4) > 0 {
			values[a] = state.Constant(a, strconv.FormatBool(v.Constant != "true"))
		}
	}
}

// enter changes values so that conditions hold, as far as constants say how.
func (s *arrangement) enter(conditions []*model.Condition, values sample.Values, kept map[*model.Attribute]bool) {
	for _, c := range conditions {
		if c.Op == model.Missing && !kept[c.Attribute] {
			delete(values, c.Attribute)
			continue
		}
		constant := (c.Op == model.Eq || c.Op == model.In) && c.Values[0].IsConstant()
		if constant && !kept[c.Attribute] && !values.Holds([]*model.Condition{c}) {
			values[c.Attribute] = state.Constant(c.Attribute, c.Values[s.gen.rng.IntN(len(c.Values))].Constant)
		}
	}
}

// fitSizes gives the items of a typical scenario the size that the estimate assumes, as far as an
// attribute that nothing compares allows it.
func (s *arrangement) fitSizes() {
	if s.assumed == nil {
		return
	}
	for range 2 { // the size after the call follows from the one before it
		for _, ch := range s.Judge().Changes {
			s.fitChange(ch)
		}
	}
}

// fitChange resizes the item of one change before the call, and the one that the caller gives.
func (s *arrangement) fitChange(ch *judge.Change) {
	e, act := entityOf(ch), ch.Action
	if e == nil {
		return
	}
	fillers, want, growth := s.assumed.fillers(e), s.assumed.Size(e), int64(0)
	switch {
	case ch.New == nil:
	case act != nil && act.Whole():
		s.resizeGiven(act, fillers, want-state.SizeOf(ch.New.Item))
	case ch.Old != nil:
		s.keepLengths(act, fillers, ch.Old.Values)
		growth = max(0, state.SizeOf(ch.New.Item)-state.SizeOf(ch.Old.Item))
	}
	if ch.Old != nil {
		s.Place(s.Tables.RowOf(e, resize(fillers, ch.Old.Values, want-growth-state.SizeOf(ch.Old.Item))))
	}
}

// keepLengths gives the parameters of an update that set a filler values as long as the old ones.
func (s *arrangement) keepLengths(act *judge.Action, fillers []filler, old sample.Values) {
	for _, f := range fillers {
		if act == nil || act.Assigned(f.attribute) == nil || act.Assigned(f.attribute).Param == "" || f.attribute.Type.Base != model.String {
			continue
		}
		if have := old[f.attribute]; have.Kind == sample.Text {
			s.bind(act, act.Assigned(f.attribute).Param, f.attribute, sample.Value{Kind: sample.Text, Text: lengthened("~", int64(len(have.Text))-1)})
		}
	}
}

// resizeGiven resizes an item that the caller gives whole. What the pattern sets stays.
func (s *arrangement) resizeGiven(act *judge.Action, fillers []filler, by int64) {
	items := s.Arguments.Items[act.Write.Given]
	if act.Index >= len(items) {
		return
	}
	fillers = slices.DeleteFunc(slices.Clone(fillers), func(f filler) bool { return act.Assigned(f.attribute) != nil })
	items[act.Index] = resize(fillers, items[act.Index], by)
}

// entityOf returns the entity of the row of a change; nil: a guard or a shard.
func entityOf(ch *judge.Change) *model.Entity {
	switch {
	case ch.New != nil:
		return ch.New.Entity
	case ch.Old != nil:
		return ch.Old.Entity
	}
	return nil
}
