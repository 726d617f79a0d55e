package verify

import (
	"context"
	"errors"
	"sync"

	smithyhttp "github.com/aws/smithy-go/transport/http"

	"sortkey.dev/access"
)

// A meter observes calls and remembers the last one, and the first one that had no response.
type meter struct {
	mu   sync.Mutex
	last access.Call
	lost error
}

// Observe remembers a call.
func (m *meter) Observe(_ context.Context, call access.Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = call
	if _, lost := errors.AsType[*smithyhttp.RequestSendError](call.Err); lost && m.lost == nil {
		m.lost = call.Err
	}
}

// unanswered returns the error of the first call that had no response. It says nothing about the
// pattern: the endpoint is gone, and further calls would only wait for it.
func (m *meter) unanswered() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lost
}

// units returns the units of the last call.
func (m *meter) units() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last.Units
}
