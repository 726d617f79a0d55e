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

// TestSingleItemsAreLinearizable runs clients on few items and checks that all outcomes
// can be explained by every operation happening at one moment between its call and its
// return.
func TestSingleItemsAreLinearizable(t *testing.T) {
	onEachStore(t, engine.Options{}, func(s *testDB) {
		s.createTable(keyed("registers", "id/N"))
		h := &history{}
		c := s.newWorkers()
		c.start(8, func(client int) work {
			r := &registerClient{testDB: s, history: h, client: client}
			return repeat(s.times(200, 60), r.step)
		})
		c.wait()
		h.check(s)
	})
}

// A register is the state of one item: a number, or absent.
type register int

const absent register = -1

// An act is the request of a client for one item. Its zero value reads.
type act struct {
	item   int
	verb   verb
	number register
	// If expects is not nil, the act is rejected where the item has another state.
	expects *register
}

type verb int

const (
	reads  verb = iota
	sets        // to a number
	adds        // a number to what is there; absent counts as 0
	clears      // makes it absent
)

// An outcome holds the knowledge of a client about one item: whether its act was rejected, and
// the states before and after the act as far as the response had them.
type outcome struct {
	refused       bool
	before, after *register
}

// step reports whether an act in a state can have an outcome, and returns the next state.
func step(state register, a act, t outcome) (bool, register) {
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
		return step(state.(register), input.(act), output.(outcome))
	},
	DescribeOperation: func(input, output any) string {
		a, t := input.(act), output.(outcome)
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

// A history records what clients did. Its time counts calls and returns.
type history struct {
	clock      atomic.Int64
	mu         sync.Mutex
	operations []porcupine.Operation
}

// note records the acts of a client on several items between a call and now.
func (h *history) note(client int, call int64, acts []act, answers []outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.clock.Add(1)
	for i := range acts {
		h.operations = append(h.operations, porcupine.Operation{ClientId: client, Input: acts[i], Call: call, Output: answers[i], Return: now})
	}
}

// check fails the test if the history is not linearizable, and writes a visualization of it.
func (h *history) check(s *testDB) {
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

// TestCheckerSeesViolations checks that the test above can fail: of each pair of
// histories, which differ in one outcome, the checker accepts the first and rejects the second.
func TestCheckerSeesViolations(t *testing.T) {
	one, two, three, none := register(1), register(2), register(3), absent
	set := func(n register) act { return act{verb: sets, number: n} }
	add := func(n register) act { return act{verb: adds, number: n} }
	for _, test := range []struct {
		name      string
		acts      []act // one after the other
		good, bad []outcome
	}{
		{"a stale read", []act{set(1), set(2), {}}, []outcome{{}, {}, {before: &two}}, []outcome{{}, {}, {before: &one}}},
		{"a read of the future", []act{set(1), {}, set(2)}, []outcome{{}, {before: &one}, {}}, []outcome{{}, {before: &two}, {}}},
		{"a lost addition", []act{add(1), add(1), {}}, []outcome{{}, {}, {before: &two}}, []outcome{{}, {}, {before: &one}}},
		{"a wrong sum", []act{add(1), add(2)}, []outcome{{}, {after: &three}}, []outcome{{}, {after: &two}}},
		{"an old value of others", []act{set(1), set(2)}, []outcome{{}, {before: &one}}, []outcome{{}, {before: &none}}},
		{"refused without cause", []act{set(1), {verb: clears, expects: &one}}, []outcome{{}, {}}, []outcome{{}, {refused: true}}},
		{"done against a condition", []act{set(1), {verb: clears, expects: &two}}, []outcome{{}, {refused: true}}, []outcome{{}, {}}},
		{"back from the dead", []act{set(1), {verb: clears}, {}}, []outcome{{}, {}, {before: &none}}, []outcome{{}, {}, {before: &one}}},
	} {
		good, bad := &history{}, &history{}
		for i, a := range test.acts {
			good.note(0, good.clock.Add(1), []act{a}, test.good[i:i+1])
			bad.note(0, bad.clock.Add(1), []act{a}, test.bad[i:i+1])
		}
		if !porcupine.CheckOperations(registers, good.operations) {
			t.Errorf("%s: the checker rejects the good history", test.name)
		}
		if porcupine.CheckOperations(registers, bad.operations) {
			t.Errorf("%s: the checker accepts the bad history", test.name)
		}
	}
}

// TestCheckerSeesStaleReadInRealHistory replaces one read of a real history with a stale one.
func TestCheckerSeesStaleReadInRealHistory(t *testing.T) {
	s := &testDB{T: t, seed: 1}
	s.must(s.open())
	defer s.db.Close()
	s.createTable(keyed("registers", "id/N"))
	h := &history{}
	c := s.newWorkers()
	c.start(4, func(client int) work {
		r := &registerClient{testDB: s, history: h, client: client}
		return repeat(20, r.step)
	})
	c.wait()
	last := &registerClient{testDB: s, history: h, client: 4}
	for _, n := range []register{1e6, 1e6 + 1} {
		s.must(last.play(s.Context(), puts, []act{{verb: sets, number: n}}))
	}
	s.must(last.play(s.Context(), gets, []act{{}}))
	if !porcupine.CheckOperations(registers, h.operations) {
		t.Fatal("the checker rejects the unchanged history")
	}
	read := &h.operations[len(h.operations)-1]
	read.Output = outcome{before: new(register(1e6))}
	if porcupine.CheckOperations(registers, h.operations) {
		t.Error("the checker accepts a stale read")
	}
}

// step executes one random operation.
func (r *registerClient) step(ctx context.Context, rnd *rand.Rand) error {
	r.written++
	unique := register(1000*(1+r.client) + r.written)
	op := operations[rnd.IntN(len(operations))]
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

// guess returns a state that an item may have: the last that this client saw, or absent.
func (r *registerClient) guess(rnd *rand.Rand, item int) register {
	if rnd.IntN(3) == 0 {
		return absent
	}
	return r.seen[item]
}

// play makes a call, retries it on conflict, and records it. A call that failed with a
// conflict had no effect and no outcome.
func (r *registerClient) play(ctx context.Context, call call, acts []act) error {
	var answers []outcome
	var called int64
	err := retryOnConflict(func() (err error) {
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
