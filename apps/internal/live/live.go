// Package live notifies listeners within a process, such as open pages and long polls, that
// something changed. A hint has no content, so hints that arrive faster than they are read can be
// merged. Changes of other processes arrive through the streams of tables, which a system's
// worker feeds to Tell.
package live

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"
	"time"
)

// A Topic is the subject of a hint, such as "question 01J...".
type Topic string

// A Hub connects publishers and listeners. The zero Hub is ready to use.
type Hub struct {
	mu        sync.Mutex
	listeners map[Topic]map[*Listener]struct{}
	places    map[string]int  // number of waiting callers by place
	inside    int             // number of all waiting callers
	told      [1024]time.Time // when a topic was told last, by the hash of the topic
}

var seed = maphash.MakeSeed()

// slot returns the place of a topic in told. Topics that share one seem to change together.
func (h *Hub) slot(topic Topic) *time.Time {
	return &h.told[maphash.String(seed, string(topic))%uint64(len(h.told))]
}

// ChangedSince reports whether one of topics was told since a time: whether a page that was made
// then may be old. It may report a change that there was not.
func (h *Hub) ChangedSince(since time.Time, topics ...Topic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(topics, func(topic Topic) bool { return !h.slot(topic).Before(since) })
}

// MostFrom is the maximum number of waiting callers from one place: enough for the open pages of
// an office, but not for all that one program can open.
const MostFrom = 200

// most is the maximum number of waiting callers in all. Each has a connection and some memory,
// and a client with many addresses has many places.
const most = 5000

// Enter admits a waiting caller from a place, such as a network, unless MostFrom callers wait
// from there or too many in all. An admitted caller must call leave once.
func (h *Hub) Enter(place string) (leave func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.places[place] >= MostFrom || h.inside >= most {
		return nil, false
	}
	if h.places == nil {
		h.places = make(map[string]int)
	}
	h.places[place]++
	h.inside++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.inside--
		if h.places[place]--; h.places[place] == 0 {
			delete(h.places, place)
		}
	}, true
}

// A Listener receives hints of its topics until it is closed.
type Listener struct {
	hub    *Hub
	topics []Topic

	mu      sync.Mutex
	changed map[Topic]struct{}
	wake    chan struct{}
}

// Listen returns a listener, which must be closed.
func (h *Hub) Listen(topics ...Topic) *Listener {
	l := &Listener{hub: h, topics: topics, changed: make(map[Topic]struct{}), wake: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = make(map[Topic]map[*Listener]struct{})
	}
	for _, topic := range topics {
		if h.listeners[topic] == nil {
			h.listeners[topic] = make(map[*Listener]struct{})
		}
		h.listeners[topic][l] = struct{}{}
	}
	return l
}

// Tell notifies the listeners of topics. It never blocks.
func (h *Hub) Tell(topics ...Topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range topics {
		*h.slot(topic) = time.Now()
		for l := range h.listeners[topic] {
			l.note(topic)
		}
	}
}

// Listeners returns the number of listeners of a topic.
func (h *Hub) Listeners(topic Topic) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.listeners[topic])
}

// Topics returns all topics that have listeners, in no order, for callers that do not know what
// changed.
func (h *Hub) Topics() []Topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Keys(h.listeners))
}

func (l *Listener) note(topic Topic) {
	l.mu.Lock()
	l.changed[topic] = struct{}{}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default: // a hint is already pending
	}
}

// C is readable when something changed; Changed returns the topics.
func (l *Listener) C() <-chan struct{} { return l.wake }

// Changed returns the topics that changed since the last call, in no order.
func (l *Listener) Changed() []Topic {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := make([]Topic, 0, len(l.changed))
	for topic := range l.changed {
		changed = append(changed, topic)
	}
	clear(l.changed)
	return changed
}

// Close ends the subscription.
func (l *Listener) Close() {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	for _, topic := range l.topics {
		delete(l.hub.listeners[topic], l)
		if len(l.hub.listeners[topic]) == 0 {
			delete(l.hub.listeners, topic)
		}
	}
}
