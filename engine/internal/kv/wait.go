package kv

import (
	"sync"
	"sync/atomic"
)

// LogWaiters holds the calls of [Store.WaitLog] that wait for one shard. A store keeps one for
// each shard; the zero value is ready. Without waiters it costs a store one atomic
// load per commit. It is safe for concurrent use.
type LogWaiters struct {
	waiting atomic.Int32 // length of the list; read without mu

	mu    sync.Mutex
	first *waiter
}

// Notify wakes the waiters for a sequence of at most newest. The store calls it once readers
// can see the record with that sequence: then a waiter either finds the record or is
// notified by this call.
func (l *LogWaiters) Notify(newest uint64) {
	if l.waiting.Load() != 0 {
		l.notify(newest)
	}
}

func (l *LogWaiters) notify(newest uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := l.first; p != nil; {
		next := p.next
		if p.after < newest {
			l.remove(p) // notified once
			p.wait.signal()
		}
		p = next
	}
}

// add adds a waiter that is in no list.
func (l *LogWaiters) add(p *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.next = l.first
	if p.next != nil {
		p.next.prev = p
	}
	l.first, p.joined = p, true
	l.waiting.Add(1)
}

// remove removes a waiter that may no longer be in the list. The caller holds l.mu.
func (l *LogWaiters) remove(p *waiter) {
	if !p.joined {
		return
	}
	if p.prev == nil {
		l.first = p.next
	} else {
		p.prev.next = p.next
	}
	if p.next != nil {
		p.next.prev = p.prev
	}
	p.prev, p.next, p.joined = nil, nil, false
	l.waiting.Add(-1)
}

// LogWait is one call of [Store.WaitLog]. It is used by one goroutine.
type LogWait struct {
	notified chan struct{} // gets one message for any number of shards
	waiters  []waiter
}

// waiter is the entry of a LogWait in the list of one shard. All but the first three
// fields belong to the list.
type waiter struct {
	wait  *LogWait
	list  *LogWaiters // nil until it has joined
	after uint64

	joined     bool
	prev, next *waiter
}

// NewLogWait returns a wait for records after these positions. It must join the shards.
func NewLogWait(after []LogPosition) *LogWait {
	w := &LogWait{notified: make(chan struct{}, 1), waiters: make([]waiter, len(after))}
	for i, position := range after {
		w.waiters[i].wait, w.waiters[i].after = w, position.Sequence
	}
	return w
}

// Join adds w to the waiters of the shard of its i-th position. It is called once for each
// position, before the store checks whether the shard already has a new record: a record
// that arrives in between must not be missed.
func (w *LogWait) Join(i int, shard *LogWaiters) {
	w.waiters[i].list = shard
	shard.add(&w.waiters[i])
}

// Notified returns a channel that gets a message when a shard that w has joined has a new record.
func (w *LogWait) Notified() <-chan struct{} { return w.notified }

// Leave removes w from all shards.
func (w *LogWait) Leave() {
	for i := range w.waiters {
		p := &w.waiters[i]
		if p.list == nil {
			continue
		}
		p.list.mu.Lock()
		p.list.remove(p)
		p.list.mu.Unlock()
	}
}

func (w *LogWait) signal() {
	select {
	case w.notified <- struct{}{}:
	default: // another shard was first
	}
}
