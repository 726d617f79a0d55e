// Package live tells those who wait inside a process that something changed: an open page, a
// long poll. It carries no content, only the hint to look again, so nothing is lost
// when hints come faster than they are read. What changed in other processes comes in
// through the streams of tables; a system's own work feeds them to Tell.
package live

import (
	"maps"
	"slices"
	"sync"
)

// A Topic is what a hint is about, such as "question 01J...".
type Topic string

// A Hub brings those who tell and those who listen together. The zero Hub is ready.
type Hub struct {
	mu        sync.Mutex
	listeners map[Topic]map[*Listener]struct{}
	places    map[string]int // who waits from where
	inside    int            // all who wait
}

// MostFrom is how many wait from one place at a moment: the open pages of an office, but not
// all that one program can open.
const MostFrom = 200

// most is how many wait at a moment in all, wherever they come from: each of them has a connection and
// some memory, and who has many addresses has many places.
const most = 5000

// Enter lets somebody wait who comes from a place, such as a network, unless MostFrom wait
// from there or too many in all. Who was let in has to leave, once.
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

// A Listener hears of its topics until it is closed.
type Listener struct {
	hub    *Hub
	topics []Topic

	mu      sync.Mutex
	changed map[Topic]struct{}
	wake    chan struct{}
}

// Listen begins to listen. The listener has to be closed.
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

// Tell says that topics changed. It never waits.
func (h *Hub) Tell(topics ...Topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range topics {
		for l := range h.listeners[topic] {
			l.note(topic)
		}
	}
}

// Listeners returns how many listen to a topic.
func (h *Hub) Listeners(topic Topic) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.listeners[topic])
}

// Topics returns all that somebody listens to, in no order. Who cannot say what changed tells all
// of them.
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
	default: // it will look anyway
	}
}

// C is readable when something changed; Changed then says what.
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

// Close ends the listening.
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
