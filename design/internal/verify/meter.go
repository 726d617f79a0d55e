package verify

import (
	"context"
	"sync"

	"sortkey.dev/access"
)

// A meter keeps what the last call took.
type meter struct {
	mu   sync.Mutex
	last access.Call
}

// Observe notes a call.
func (m *meter) Observe(_ context.Context, call access.Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = call
}

func (m *meter) units() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last.Units
}
