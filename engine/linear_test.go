package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"

	"sortkey.dev/engine"
)

// TestSingleItemsAreLinearizable has clients work on few items and checks that all
// they were told can be explained by every operation happening at one moment
// between its call and its return.
func TestSingleItemsAreLinearizable(t *testing.T) {
	onEachStore(t, engine.Options{}, func(s *stage) {
		s.createTable(keyed("registers", "id/N"))
		h := &history{}
		c := s.crew()
		c.start(8, func(client int) work {
			r := &registerClient{stage: s, history: h, client: client}
			return repeat(s.times(200, 60), r.step)
		})
		c.wait()
		h.check(s)
	})
}

// A register is the state of one item: a number, or absent.
type register int

const absent register = -1

// An act is what a client wants of one item. Its zero value reads.
type act struct {
	item   int
	verb   verb
	number register
	// When expects is not nil the act is refused where the item is something else.
	expects *register
}

type verb int

const (
	reads  verb = iota
	sets        // to a number
	adds        // a number to what is there; absent counts as 0
	clears      // makes it absent
)

// A told is what a client learned of one item: that its act was refused, and
// the states before and after the act as far as the answer showed them.
type told struct {
	refused       bool
	before, after *register
}

// step is what an item does: whether it can have told that in a state, and the next state.
func step(state register, a act, t told) (bool, register) {
	if t.before != nil && *t.before != state {
		return false, state
	}
	holds := a.expects == nil || *a.expects == state
	if holds == t.refused {
		return false, state
	}
	next := state
	if holds {
		next = a.apply(state)
	}
	return t.after == nil || *t.after == next, next
}

func (a act) apply(state register) register {
	switch a.verb {
	case sets:
		return a.number
	case adds:
		return max(0, state) + a.number
	case clears:
		return absent
	}
	return state
}

func (r *register) String() string {
	switch {
	case r == nil:
		return "?"
	case *r == absent:
		return "absent"
	}
	return fmt.Sprint(int(*r))
}

var registers = porcupine.Model{
	Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
		byItem := map[int][]porcupine.Operation{}
		for _, o := range all {
			item := o.Input.(act).item
			byItem[item] = append(byItem[item], o)
		}
		var parts [][]porcupine.Operation
		for _, part := range byItem {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return absent },
	Step: func(state, input, output any) (bool, any) {
		return step(state.(register), input.(act), output.(told))
	},
	DescribeOperation: func(input, output any) string {
		a, t := input.(act), output.(told)
		words := fmt.Sprintf("item %d: %s", a.item, [...]string{"read", "set ", "add ", "delete"}[a.verb])
		if a.verb == sets || a.verb == adds {
			words += a.number.String()
		}
		if a.expects != nil {
			words += " if " + a.expects.String()
		}
		if t.refused {
			words += " refused"
		}
		return fmt.Sprintf("%s: %s to %s", words, t.before, t.after)
	},
	DescribeState: func(state any) string { r := state.(register); return r.String() },
}

// A history collects what clients did. Its time counts calls and returns.
type history struct {
	clock      atomic.Int64
	mu         sync.Mutex
	operations []porcupine.Operation
}

// note takes in what a client did to several items between a call and now.
func (h *history) note(client int, call int64, acts []act, answers []told) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.clock.Add(1)
	for i := range acts {
		h.operations = append(h.operations, porcupine.Operation{ClientId: client, Input: acts[i], Call: call, Output: answers[i], Return: now})
	}
}

// check fails the test when the history cannot be explained, and leaves a picture of it.
func (h *history) check(s *stage) {
	s.Helper()
	result, info := porcupine.CheckOperationsVerbose(registers, h.operations, 0)
	if result == porcupine.Ok {
		return
	}
	picture, err := os.CreateTemp("", "history-*.html")
	if err != nil {
		s.Fatalf("the history is not linearizable, and there is no picture of it: %v", err)
	}
	defer picture.Close()
	if err := porcupine.Visualize(registers, info, picture); err != nil {
		s.Error(err)
	}
	s.Fatalf("the history is not linearizable: see %s", picture.Name())
}

// TestCheckerSeesViolations makes sure that the test above can fail: of each pair of
// histories, which differ in one answer, the checker takes the first and refuses the second.
func TestCheckerSeesViolations(t *testing.T) {
	one, two, three, none := register(1), register(2), register(3), absent
	set := func(n register) act { return act{verb: sets, number: n} }
	add := func(n register) act { return act{verb: adds, number: n} }
	for _, test := range []struct {
		name      string
		acts      []act // one after the other
		good, bad []told
	}{
		{"a stale read", []act{set(1), set(2), {}}, []told{{}, {}, {before: &two}}, []told{{}, {}, {before: &one}}},
		{"a read of the future", []act{set(1), {}, set(2)}, []told{{}, {before: &one}, {}}, []told{{}, {before: &two}, {}}},
		{"a lost addition", []act{add(1), add(1), {}}, []told{{}, {}, {before: &two}}, []told{{}, {}, {before: &one}}},
		{"a wrong sum", []act{add(1), add(2)}, []told{{}, {after: &three}}, []told{{}, {after: &two}}},
		{"an old value of others", []act{set(1), set(2)}, []told{{}, {before: &one}}, []told{{}, {before: &none}}},
		{"refused without cause", []act{set(1), {verb: clears, expects: &one}}, []told{{}, {}}, []told{{}, {refused: true}}},
		{"done against a condition", []act{set(1), {verb: clears, expects: &two}}, []told{{}, {refused: true}}, []told{{}, {}}},
		{"back from the dead", []act{set(1), {verb: clears}, {}}, []told{{}, {}, {before: &none}}, []told{{}, {}, {before: &one}}},
	} {
		good, bad := &history{}, &history{}
		for i, a := range test.acts {
			good.note(0, good.clock.Add(1), []act{a}, test.good[i:i+1])
			bad.note(0, bad.clock.Add(1), []act{a}, test.bad[i:i+1])
		}
		if !porcupine.CheckOperations(registers, good.operations) {
			t.Errorf("%s: the checker refuses the good history", test.name)
		}
		if porcupine.CheckOperations(registers, bad.operations) {
			t.Errorf("%s: the checker takes the bad history", test.name)
		}
	}
}

// TestCheckerSeesStaleReadInRealHistory spoils a history of a database by one read.
func TestCheckerSeesStaleReadInRealHistory(t *testing.T) {
	s := &stage{T: t, seed: 1}
	s.must(s.open())
	defer s.db.Close()
	s.createTable(keyed("registers", "id/N"))
	h := &history{}
	c := s.crew()
	c.start(4, func(client int) work {
		r := &registerClient{stage: s, history: h, client: client}
		return repeat(20, r.step)
	})
	c.wait()
	last := &registerClient{stage: s, history: h, client: 4}
	for _, n := range []register{1e6, 1e6 + 1} {
		s.must(last.play(s.Context(), puts, []act{{verb: sets, number: n}}))
	}
	s.must(last.play(s.Context(), gets, []act{{}}))
	if !porcupine.CheckOperations(registers, h.operations) {
		t.Fatal("the checker refuses the history as it was")
	}
	read := &h.operations[len(h.operations)-1]
	read.Output = told{before: new(register(1e6))}
	if porcupine.CheckOperations(registers, h.operations) {
		t.Error("the checker takes a read of what was overwritten")
	}
}

// step plays one random operation.
func (r *registerClient) step(ctx context.Context, rnd *rand.Rand) error {
	r.written++
	unique := register(1000*(1+r.client) + r.written)
	op := doors[rnd.IntN(len(doors))]
	items := rnd.Perm(itemsOfRegisters)[:op.items]
	acts := make([]act, op.items)
	for i, item := range items {
		a := &acts[i]
		a.item, a.verb = item, op.verbs[rnd.IntN(len(op.verbs))]
		switch a.verb {
		case sets:
			a.number = unique
		case adds:
			a.number = 1
		}
		if op.conditions && rnd.IntN(2) == 0 {
			a.expects = new(r.guess(rnd, item))
		}
	}
	return r.play(ctx, op.call, acts)
}

// guess is a state in which an item may be: the last that this client saw, or absent.
func (r *registerClient) guess(rnd *rand.Rand, item int) register {
	if rnd.IntN(3) == 0 {
		return absent
	}
	return r.seen[item]
}

// play makes a call that acts on items, until no transaction stands in its way, and notes it.
// A call that was refused for a conflict had no effect and told nothing.
func (r *registerClient) play(ctx context.Context, call call, acts []act) error {
	var answers []told
	var called int64
	err := insist(func() (err error) {
		called = r.history.clock.Add(1)
		answers, err = call(r, ctx, acts)
		return err
	})
	if err != nil {
		return fmt.Errorf("client %d: %v: %w", r.client, acts, err)
	}
	r.history.note(r.client, called, acts, answers)
	for i, answer := range answers {
		switch {
		case answer.after != nil:
			r.seen[acts[i].item] = *answer.after
		case answer.before != nil:
			r.seen[acts[i].item] = *answer.before
		}
	}
	return nil
}
