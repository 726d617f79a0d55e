package pebblekv

import (
	"sync"
	"sync/atomic"
)

// gate counts running calls and, once closed, keeps new ones out. Unlike a read lock it
// may be entered again from inside without the risk of waiting for the one who closes.
type gate struct {
	state   atomic.Int64  // running calls, plus gateClosed
	closing chan struct{} // closed when no new calls get in
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

// close keeps new calls out and waits for the running ones. It reports whether it was the
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
	g.enter() // so that the last one to leave is seen even if nobody is inside
	<-g.drained
	return true
}
