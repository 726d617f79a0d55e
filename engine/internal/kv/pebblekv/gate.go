package pebblekv

import (
	"sync"
	"sync/atomic"
)

// gate counts running calls and, once closed, rejects new ones. Unlike a read lock it
// may be entered again from inside without a deadlock with close.
type gate struct {
	state   atomic.Int64  // running calls, plus gateClosed
	closing chan struct{} // closed when new calls are rejected
	drained chan struct{}
	once    sync.Once
}

const gateClosed = 1 << 62

func (g *gate) init() {
	g.closing = make(chan struct{})
	g.drained = make(chan struct{})
}

// enter reports whether the gate was open; if so leave must follow.
func (g *gate) enter() bool {
	if g.state.Add(1) < gateClosed {
		return true
	}
	g.leave()
	return false
}

func (g *gate) leave() {
	if g.state.Add(-1) == gateClosed {
		g.once.Do(func() { close(g.drained) })
	}
}

// close rejects new calls and waits for the running ones. It reports whether it was the
// first to do so.
func (g *gate) close() bool {
	for {
		running := g.state.Load()
		if running >= gateClosed {
			<-g.drained
			return false
		}
		if g.state.CompareAndSwap(running, running+gateClosed) {
			break
		}
	}
	close(g.closing)
	g.enter() // so that the last leave is seen even if no call is running
	<-g.drained
	return true
}
