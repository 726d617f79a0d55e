package verify

import (
	"context"
	"sync"

	"sortkey.dev/access"
)

// A meter observes calls and remembers the last one.
type meter struct {
	mu   sync.Mutex
	last access.Call
}

// Observe remembers a call.
func (m *meter) Observe(_ context.Context, call access.Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = call
}

// units returns the units of the last call.
func (m *meter) units() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last.Units
}
