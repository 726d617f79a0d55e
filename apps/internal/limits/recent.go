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
	new, older map[string]*kept // by scope
}

// kept is a window as this process has written it.
type kept struct {
	window platformdb.RateWindow
	unused int64 // uses of the newest slot that are counted and were not used yet
	over   bool  // the slot has ended: they are given back with the next write
}

// find returns the kept window of a scope; nil if there is none. The caller holds the lock.
func (r *recent) find(scope string) *kept {
	if k, ok := r.new[scope]; ok {
		return k
	}
	return r.older[scope]
}

// get returns the kept window of a scope, as it is stored; nil if there is none.
func (r *recent) get(scope string) *platformdb.RateWindow {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k := r.find(scope); k != nil {
		return new(k.window)
	}
	return nil
}

// put keeps a window with uses that are counted in it and were not used yet.
func (r *recent) put(stored platformdb.RateWindow, unused int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.new == nil || len(r.new) >= recentSize {
		r.new, r.older = make(map[string]*kept), r.new
	}
	r.new[stored.Scope] = &kept{window: stored, unused: unused}
}

// take uses one of the uses that are counted and not used yet, if they are of the current slot.
// It returns the window without those that are left.
func (r *recent) take(scope string, slot int64) (platformdb.RateWindow, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.find(scope)
	if k == nil || k.unused == 0 || k.over || k.window.Slot < slot {
		return platformdb.RateWindow{}, false
	}
	k.unused--
	w := k.window
	w.Hits -= k.unused
	return w, true
}

// used returns a stored window without those of its uses that this process has not used yet. If
// its newest slot has ended, they cannot be used any more.
func (r *recent) used(stored *platformdb.RateWindow, slot int64) *platformdb.RateWindow {
	if stored == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	w := *stored
	if k := r.find(stored.Scope); k != nil && k.window.Slot == stored.Slot {
		ended := stored.Slot < slot
		if ended || !k.over {
			w.Hits -= k.unused
		}
		k.over = k.over || ended
	}
	return &w
}
