package kv

import (
	"sync"
	"sync/atomic"
)

// LogWaiters are the calls of [Store.WaitLog] that wait for one shard. A store keeps one for
// each shard; the zero value is ready. As long as nobody waits it costs a store one atomic
// load per commit. It is safe for concurrent use.
type LogWaiters struct {
	waiting atomic.Int32 // length of the list; read without mu

	mu    sync.Mutex
	first *waitPlace
}

// Wake wakes who waits for a sequence of at most newest. The store calls it after it would
// show the record with that sequence to whoever asks: then a waiter either finds the record
// or is found by this call.
func (l *LogWaiters) Wake(newest uint64) {
	if l.waiting.Load() != 0 {
		l.wake(newest)
	}
}

func (l *LogWaiters) wake(newest uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := l.first; p != nil; {
		next := p.next
		if p.after < newest {
			l.remove(p) // the next commit need not look at it again
			p.wait.signal()
		}
		p = next
	}
}

// add needs a place that is in no list.
func (l *LogWaiters) add(p *waitPlace) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.next = l.first
	if p.next != nil {
		p.next.prev = p
	}
	l.first, p.joined = p, true
	l.waiting.Add(1)
}

// remove needs l.mu. A place that is not in the list any more stays out.
func (l *LogWaiters) remove(p *waitPlace) {
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
	news   chan struct{} // gets one message, however many shards have news
	places []waitPlace
}

// waitPlace is the place of a LogWait in the list of one shard. All but the first three
// fields belong to the list.
type waitPlace struct {
	wait  *LogWait
	list  *LogWaiters // nil until it has joined
	after uint64

	joined     bool
	prev, next *waitPlace
}

// NewLogWait returns a wait for records behind these positions. It waits for nothing until it
// has joined the shards.
func NewLogWait(after []LogPosition) *LogWait {
	w := &LogWait{news: make(chan struct{}, 1), places: make([]waitPlace, len(after))}
	for i, position := range after {
		w.places[i].wait, w.places[i].after = w, position.Sequence
	}
	return w
}

// Join puts w among the waiters of the shard of its i-th position. It is called once for each
// position, and before the store looks whether the shard has news already: news that comes
// between the two must not be missed.
func (w *LogWait) Join(i int, shard *LogWaiters) {
	w.places[i].list = shard
	shard.add(&w.places[i])
}

// News returns a channel with a message as soon as a shard that w has joined has news.
func (w *LogWait) News() <-chan struct{} { return w.news }

// Leave takes w out of all shards.
func (w *LogWait) Leave() {
	for i := range w.places {
		p := &w.places[i]
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
	case w.news <- struct{}{}:
	default: // another shard was first
	}
}
