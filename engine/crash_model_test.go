package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

// A doc is an item as the crash tests write it: strings and ints by name.
type doc map[string]any

// attributes returns the item in the SDK's types.
func (d doc) attributes() map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{}
	for name, value := range d {
		switch v := value.(type) {
		case string:
			item[name] = &types.AttributeValueMemberS{Value: v}
		case int:
			item[name] = &types.AttributeValueMemberN{Value: strconv.Itoa(v)}
		}
	}
	return item
}

// stored returns the item as the engine stores it.
func (d doc) stored() string {
	var e dynamo.Encoder
	e.OpenItem()
	for name, value := range d {
		e.Name(name)
		switch v := value.(type) {
		case string:
			e.String(v)
		case int:
			if err := e.Number(strconv.AppendInt(nil, int64(v), 10)); err != nil {
				panic(err)
			}
		}
	}
	item, err := e.CloseItem()
	if err != nil {
		panic(err)
	}
	return string(item)
}

// showItem formats a stored item, without its padding.
func showItem(item string) string {
	if item == "" {
		return "nothing"
	}
	var b strings.Builder
	for name, v := range dynamo.Item(item).All() {
		if name != "pad" {
			fmt.Fprintf(&b, "%s=%s ", name, v.Bytes())
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

func textOf(item, name string) string {
	if v := dynamo.Item(item).Get(name); v != nil {
		return string(v.Bytes())
	}
	return ""
}

// numberOf returns a number attribute of a stored item, if it is a number.
func numberOf(item, name string) (int, bool) {
	v := dynamo.Item(item).Get(name)
	if v.Kind() != dynamo.KindNumber {
		return 0, false
	}
	n, err := strconv.Atoi(string(v.Bytes()))
	return n, err == nil
}

// An itemID names an item. Every item belongs to the actor that its pk begins with.
type itemID struct{ table, pk, sk string }

func (id itemID) owner() string {
	name, _, _ := strings.Cut(id.pk, "-")
	return name
}

func (id itemID) key() map[string]types.AttributeValue {
	return doc{"pk": id.pk, "sk": id.sk}.attributes()
}

// A shape holds the settings of a table that can change.
type shape struct {
	indexes string // their names, sorted
	stream  bool
	expires bool
}

// A state holds everything that one actor is responsible for.
type state struct {
	items  map[itemID]string // as stored
	hot    int               // the amount it added to the shared item
	shapes map[string]shape  // of the tables; the administrator's only
}

func (s state) clone() state {
	return state{maps.Clone(s.items), s.hot, maps.Clone(s.shapes)}
}

// A step is one operation of an actor.
type step struct {
	what string
	run  func(context.Context, *API) error
	next state // after it
	// transaction is the request, when it is a transaction with a token.
	transaction *dynamodb.TransactWriteItemsInput
	refused     bool // the engine has to refuse it
	at          time.Time
}

// An actor executes one step after the other, so after a crash only the outcome of its
// last step is unknown.
type actor struct {
	name   string
	place  int // in the history
	states []state
	steps  []*step // steps[n] leads from states[n] to states[n+1]
	acked  int     // steps that were acknowledged
	fences [][]int // by acknowledged step: how many steps each actor had begun by then
}

func (a *actor) last() state { return a.states[len(a.states)-1] }

// A history records what all actors have done so far.
type history struct {
	mu     sync.Mutex
	moved  *sync.Cond
	actors []*actor
	err    error        // the first failure
	ticks  atomic.Int64 // of the clock: tenths of seconds
}

func newHistory(names ...string) *history {
	h := &history{}
	h.moved = sync.NewCond(&h.mu)
	for i, name := range names {
		a := &actor{name: name, place: i, states: []state{{items: map[itemID]string{}, shapes: map[string]shape{}}}}
		h.actors = append(h.actors, a)
	}
	return h
}

// epoch is ten seconds before the end of a token generation.
var epoch = time.Date(2026, 3, 1, 11, 59, 50, 0, time.UTC)

func (h *history) now() time.Time {
	return epoch.Add(time.Duration(h.ticks.Load()) * 100 * time.Millisecond)
}

// do begins a step, executes it and acknowledges it.
func (h *history) do(ctx context.Context, db *DB, a *actor, s *step) error {
	h.ticks.Add(1)
	s.at = h.now()
	h.mu.Lock()
	a.steps = append(a.steps, s)
	a.states = append(a.states, s.next)
	h.mu.Unlock()
	err := s.run(ctx, db.API())
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.moved.Broadcast()
	if err != nil {
		err = fmt.Errorf("%s, step %d, %s: %w", a.name, len(a.steps), s.what, err)
		if h.err == nil {
			h.err = err
		}
		return err
	}
	fence := make([]int, len(h.actors))
	for i, other := range h.actors {
		fence[i] = len(other.steps)
	}
	a.fences = append(a.fences, fence)
	a.acked++
	return nil
}

// await waits until a number of steps have been acknowledged, or a step has failed.
func (h *history) await(steps int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.err == nil {
		sum := 0
		for _, a := range h.actors {
			sum += a.acked
		}
		if sum >= steps {
			return
		}
		h.moved.Wait()
	}
}

// ackedSteps returns the number of acknowledged steps of each actor.
func (h *history) ackedSteps() []int {
	h.mu.Lock()
	defer h.mu.Unlock()
	var counts []int
	for _, a := range h.actors {
		counts = append(counts, a.acked)
	}
	return counts
}

// pasts returns a copy of the steps that each actor has begun.
func (h *history) pasts() []actor {
	h.mu.Lock()
	defer h.mu.Unlock()
	var pasts []actor
	for _, a := range h.actors {
		past := *a
		past.states, past.steps, past.fences = slices.Clip(a.states), slices.Clip(a.steps), slices.Clip(a.fences)
		pasts = append(pasts, past)
	}
	return pasts
}
