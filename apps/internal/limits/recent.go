package limits

import (
	"sync"

	"sortkey.dev/apps/internal/platform/platformdb"
)

// recentSize is the number of windows after which the older half of those that are kept is
// dropped.
const recentSize = 4096

// recent keeps the windows that this process has written last, so that the next use needs no
// read. Another process may have written a kept window since; the conditions of the writes notice
// that.
type recent struct {
	mu         sync.Mutex
	new, older map[string]platformdb.RateWindow // by scope
}

// get returns the kept window of a scope; nil if there is none.
func (r *recent) get(scope string) *platformdb.RateWindow {
	r.mu.Lock()
	defer r.mu.Unlock()
	if kept, ok := r.new[scope]; ok {
		return &kept
	}
	if kept, ok := r.older[scope]; ok {
		return &kept
	}
	return nil
}

// put keeps a window.
func (r *recent) put(stored platformdb.RateWindow) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.new == nil || len(r.new) >= recentSize {
		r.new, r.older = make(map[string]platformdb.RateWindow), r.new
	}
	r.new[stored.Scope] = stored
}
