package across

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/send"
	"sortkey.dev/design/internal/verify/internal/state"
)

// write calls a write of the caller many times.
func (w *world) write(ctx context.Context, c *program.Call) error {
	runs := w.o.Writes
	if slices.ContainsFunc(c.Writes, func(one *program.WriteStep) bool { return one.Step.Verb == model.Put }) {
		runs *= 2 // half of them replace an item
	}
	for n := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		run := n + n/2 // one of three scenarios is one that must be refused, which says little
		if n == runs-1 {
			run = 2
		}
		s, _, err := w.caller.arranger.Scenario(c, run)
		if err != nil {
			return nil // no items of the maker let it be done
		}
		if n%3 == 1 {
			w.duplicate(s)
			w.renew(s)
		}
		if err := w.writeOnce(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// duplicate gives an item that is created the unique values of another item, where only the caller
// keeps them unique.
func (w *world) duplicate(s *judge.Scenario) {
	for _, act := range s.Actions {
		if !act.Whole() || act.Write.Given == nil || act.Index >= len(s.Arguments.Items[act.Write.Given]) {
			continue
		}
		e := act.Step.Entity
		for _, g := range s.GuardsOf(e) {
			others := w.caller.tables.Of(e)
			if w.guardOf(g) != nil || len(others) == 0 {
				continue
			}
			values := s.Arguments.Items[act.Write.Given][act.Index]
			for _, u := range e.Unique {
				if !slices.Equal(u.Attributes, g.Attributes) {
					continue
				}
				for _, a := range slices.Concat(u.Attributes, u.Per) {
					if v, ok := others[0].Values[a]; ok && !slices.Contains(e.ID, a) {
						values[a] = v
					}
				}
			}
		}
	}
}

// renew gives attributes whose types differ between the designs values that only the caller may have.
func (w *world) renew(s *judge.Scenario) {
	for _, act := range s.Actions {
		if act.Whole() && act.Write.Given != nil && act.Index < len(s.Arguments.Items[act.Write.Given]) {
			values := s.Arguments.Items[act.Write.Given][act.Index]
			for _, a := range act.Step.Entity.Attributes {
				if v, is, ok := w.novel(act.Step.Entity, a); ok {
					state.Assign(values, a, v, is)
				}
			}
		}
	}
	for _, input := range s.Call.Inputs {
		if _, given := s.Arguments.Values[input]; !given || input.Kind != program.Value || input.Attribute == nil {
			continue
		}
		if v, is, ok := w.novel(nil, input.Attribute); ok && is {
			s.Arguments.Values[input] = v
		}
	}
}

// novel returns a value of an attribute that the design of the maker does not have, or none where
// only the caller takes that.
func (w *world) novel(e *model.Entity, a *model.Attribute) (v sample.Value, is, ok bool) {
	other := w.same.attributes[a]
	if other == nil || e != nil && slices.Contains(e.ID, a) {
		return v, false, false
	}
	if other.Type.String() == a.Type.String() {
		if e == nil || a.Type.Base != model.String || !w.rekeyed(e, a) {
			return v, false, false
		}
		return w.caller.arranger.Invent(a), true, true
	}
	if a.Type.Base == model.Enum {
		for _, text := range a.Type.Values {
			if _, paired := w.same.values[a][text]; !paired && !slices.Contains(other.Type.Values, text) {
				return state.Constant(a, text), true, true
			}
		}
	}
	if a.Type.Optional && !other.Type.Optional {
		return v, false, e != nil
	}
	return w.caller.arranger.Invent(a), true, true
}

// rekeyed reports whether an attribute is in a key that the designs make in other ways.
func (w *world) rekeyed(e *model.Entity, a *model.Attribute) bool {
	home, other := w.caller.layout.Home(e), w.maker.layout.Home(w.same.entities[e])
	if home == nil || other == nil {
		return false
	}
	return slices.ContainsFunc(home.Computed, func(c *model.Computed) bool {
		key, their := home.Key(c.Name), other.Key(c.Name)
		return slices.Contains(key.Attributes(), a) && (their == nil || their.Template == nil || their.Template.Text != c.Template.Text)
	})
}

// guardOf returns the guard of the maker that keeps the same values unique, or nil.
func (w *world) guardOf(g *model.Guard) *model.Guard {
	for _, t := range w.maker.layout.Design().Tables {
		for _, other := range t.Guards {
			if w.same.entities[g.Entity] == other.Entity && slices.EqualFunc(g.Attributes, other.Attributes, func(a, b *model.Attribute) bool { return w.same.attributes[a] == b }) {
				return other
			}
		}
	}
	return nil
}

// writeOnce makes one call on the items of the maker, and compares what it did with what the code
// of both must find afterwards. It leaves the tables as they were.
func (w *world) writeOnce(ctx context.Context, s *judge.Scenario) error {
	st, ok := w.stage(s)
	if !ok {
		return nil
	}
	d := st.Judge()
	if d.Twice {
		return nil
	}
	st.Arguments.Seal = w.seal
	writes, err := bind.WriteCall(st.Call, st.Arguments)
	if err != nil || len(writes) == 0 || bind.TouchedTwice(writes) != "" {
		return nil // nothing is sent
	}
	seen := w.callOf(st.Call, st.Arguments)
	touched := w.touched(st, writes)
	defer w.restore(ctx, touched)
	if ok, err := w.set(ctx, st); !ok || err != nil {
		return err
	}
	before, err := w.looks(ctx, d)
	if err != nil {
		return err
	}
	err = send.Write(ctx, w.client, st.Call, bind.WritePattern(st.Call, 0), writes, func(item access.Item) (access.Item, error) {
		_, err := w.caller.decoder.whole(st.Call.Writes[0].Item.Entity, item)
		return item, err
	})
	if w.compareOutcome(seen, d, err) {
		return nil
	}
	if err := w.compareOwn(ctx, seen, d, before); err != nil {
		return err
	}
	return w.compareTheirs(ctx, seen, st, d)
}

// compareOutcome compares whether the call succeeded, and reports whether nothing else is to be
// compared.
func (w *world) compareOutcome(seen *sighting, d *judge.Verdict, err error) bool {
	r := &judge.Result{}
	d.CompareOutcome(r, err)
	if len(r.Differences) > 0 {
		switch _, done := errors.AsType[*access.DoneError](err); {
		case done, err != nil && !access.Refused(err):
			w.failed(seen, err)
		case err != nil && d.Refused(): // for another reason than the oracle's
		case err != nil:
			text, subjects := w.explain(seen, err)
			w.note(seen, "outcome", "is refused: "+text, subjects...)
		default:
			w.accepted(seen, d)
		}
		return true
	}
	return err != nil
}

// accepted notes a call that succeeded and must be refused.
func (w *world) accepted(seen *sighting, d *judge.Verdict) {
	for _, ch := range d.Changes {
		if ch.New == nil || ch.New.Entity != nil || ch.Old == nil {
			continue
		}
		for _, t := range w.caller.layout.Design().Tables {
			for _, g := range t.Guards {
				if t == ch.Table && w.guardOf(g) == nil {
					w.note(seen, "guard", fmt.Sprintf("accepts %s that another item has: no row keeps it", names(g.Attributes)), g, g.Entity)
					return
				}
			}
		}
	}
	w.note(seen, "outcome", "is done, and must be refused")
}

func names(all []*model.Attribute) string {
	texts := make([]string, len(all))
	for i, a := range all {
		texts[i] = a.Name
	}
	return strings.Join(texts, ", ")
}
