// Package limits counts how often a subject does something and refuses what exceeds a rate
// limit. Windows slide: of any interval of the length of the window, no more uses than the limit
// allows are inside, also if the interval crosses the hour.
//
// A window is cut into twelve slots, and a use counts as long as its slot overlaps the last
// window. A full window is therefore available again after at most thirteen twelfths of its
// length, and never too early. Counts are in the database and hold for all processes; a refused
// use writes nothing.
//
// Of a limit of some hundred, a process counts a hundredth at once and uses it up before it writes
// again. So a busy subject costs one write for many uses. A limit is never exceeded; several
// processes together may refuse a hundredth each too early.
//
// The package does not know what is limited or who asks. The domains and the fronts of the
// systems call it; the subject is hashed, because it may be an address.
package limits

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// A Limit says how often something may be done. A limit whose window changes begins to count
// anew.
type Limit struct {
	Name   string // unique in the system
	Most   int    // uses of one subject in a window
	Window time.Duration
}

// An Allowance says how much of a limit a subject has left.
type Allowance struct {
	Limit     Limit
	Remaining int
	// Reset is the earliest time at which more is allowed than now; the current time if nothing
	// was used.
	Reset time.Time
	// Wait is the time until the next use is allowed; zero if it is allowed now.
	Wait time.Duration
}

// A Limiter counts uses. It is safe for concurrent use.
type Limiter struct {
	p      *platform.Platform
	recent recent
	writes singleflight.Group // of windows of which several uses are counted at once, by scope
}

// New returns a limiter that counts in the database of a platform.
func New(p *platform.Platform) *Limiter { return &Limiter{p: p} }

// Allow counts a use of a limit by a subject. If the limit is exhausted, it returns a
// *refusal.Error of kind TooMany and counts nothing. The allowance is returned with it, too.
func (l *Limiter) Allow(ctx context.Context, limit Limit, subject string) (Allowance, error) {
	scope, err := l.scope(limit, subject)
	if err != nil {
		return Allowance{}, err
	}
	if limit.block() == 1 {
		w, allowed, err := l.use(ctx, limit, scope)
		return l.answer(w, allowed, err)
	}
	for {
		if w, ok := l.take(limit, scope); ok {
			return l.answer(w, true, nil)
		}
		mine := false
		result, err, _ := l.writes.Do(scope, func() (any, error) {
			mine = true
			w, allowed, err := l.use(ctx, limit, scope)
			return outcome{w, allowed}, err
		})
		switch o := result.(outcome); {
		case mine, err == nil && !o.allowed:
			return l.answer(o.window, o.allowed, err)
		case ctx.Err() != nil:
			return l.answer(window{limit: limit}, false, ctx.Err())
		}
		// Another caller has counted for both, or has failed.
	}
}

// An outcome is what a write of a window found.
type outcome struct {
	window  window
	allowed bool
}

// take uses one of the uses that this process has counted before.
func (l *Limiter) take(limit Limit, scope string) (window, bool) {
	now := l.p.Now()
	kept, ok := l.recent.take(scope, limit.slotAt(now))
	if !ok {
		return window{}, false
	}
	w, _ := current(limit, now, &kept)
	return w, true
}

// use counts a use in the database, with others that this process keeps for later.
func (l *Limiter) use(ctx context.Context, limit Limit, scope string) (w window, allowed bool, err error) {
	guess := l.recent.get(scope)
	err = access.RetryOnConflict(ctx, func() (retry bool, err error) {
		stored := guess
		w, allowed = l.current(limit, stored)
		if guess = nil; stored == nil || !allowed { // a refusal depends on what is stored only
			if stored, err = l.stored(ctx, scope); err != nil {
				return false, err
			}
			w, allowed = l.current(limit, stored)
		}
		if !allowed {
			return false, nil
		}
		err = l.count(ctx, scope, &w, stored)
		var unmet *access.ConditionError[platformdb.RateWindow]
		if errors.As(err, &unmet) { // a concurrent use was counted first, or the window was deleted
			guess = unmet.Current
			return true, nil
		}
		return false, err
	})
	return w, allowed, err
}

// Allows returns what Allow would return, without counting a use. Callers that limit failures
// count later, only if the action fails.
func (l *Limiter) Allows(ctx context.Context, limit Limit, subject string) (Allowance, error) {
	scope, err := l.scope(limit, subject)
	if err != nil {
		return Allowance{}, err
	}
	stored, err := l.stored(ctx, scope)
	if err != nil {
		return Allowance{}, fmt.Errorf("read the limit %s: %w", limit.Name, err)
	}
	w, allowed := l.current(limit, stored)
	return l.answer(w, allowed, nil)
}

// current returns the window of a limit now, by the stored one, and whether one more use is
// allowed.
func (l *Limiter) current(limit Limit, stored *platformdb.RateWindow) (window, bool) {
	now := l.p.Now()
	return current(limit, now, l.recent.used(stored, limit.slotAt(now)))
}

// scope returns the key of a limit's uses by a subject. The window is part of it, because the
// numbers of slots depend on it.
func (l *Limiter) scope(limit Limit, subject string) (string, error) {
	if limit.Name == "" || limit.Most < 1 || limit.Window < time.Second {
		return "", fmt.Errorf("limits: limit %q allows %d in %s; it needs a name, a number and a window of a second or more", limit.Name, limit.Most, limit.Window)
	}
	return fmt.Sprintf("%s:%d:%s", limit.Name, limit.Window.Milliseconds(), l.p.Box.Hash("limit", subject)), nil
}

// stored reads the uses of a scope; nil if there are none.
func (l *Limiter) stored(ctx context.Context, scope string) (*platformdb.RateWindow, error) {
	stored, err := l.p.DB.GetRateWindow(ctx, scope)
	if errors.Is(err, access.ErrNotFound) {
		return nil, nil
	}
	return &stored, err
}

// count writes the next uses of a window, of which one is used now and the others are kept. The
// error is a ConditionError if the stored window has changed.
func (l *Limiter) count(ctx context.Context, scope string, w *window, stored *platformdb.RateWindow) (err error) {
	key := platformdb.RateWindowKey{Scope: scope}
	uses := min(w.limit.block(), int64(w.limit.Most)-w.total())
	var counted platformdb.RateWindow
	switch {
	case stored == nil:
		counted, err = l.p.DB.OpenRateWindow(ctx, platformdb.RateWindow{
			Scope: scope, Slot: w.slot, Hits: uses, Earlier: w.earlier(), Slots: w.used(), TTL: w.ttl(),
		})
	case stored.Slot == w.slot:
		counted, err = l.p.DB.CountHit(ctx, key, platformdb.CountHitParams{
			Uses: uses, Slot: w.slot, Earlier: stored.Earlier, Room: int64(w.limit.Most) - stored.Earlier - uses,
		})
	default:
		counted, err = l.p.DB.MoveWindow(ctx, key, platformdb.MoveWindowParams{
			Slot: w.slot, Hits: uses, Earlier: w.earlier(), Slots: w.used(), TTL: w.ttl(), OldSlot: stored.Slot, OldHits: stored.Hits,
		})
	}
	if err == nil {
		w.hits = counted.Hits - (uses - 1)
		l.recent.put(counted, uses-1)
	}
	return err
}

// answer returns what is left, and the refusal if the use is not allowed.
func (l *Limiter) answer(w window, allowed bool, err error) (Allowance, error) {
	if err != nil {
		return Allowance{}, fmt.Errorf("count a use of the limit %s: %w", w.limit.Name, err)
	}
	a := Allowance{Limit: w.limit, Remaining: int(max(int64(w.limit.Most)-w.total(), 0)), Reset: w.reset()}
	if a.Remaining == 0 {
		a.Wait = max(a.Reset.Sub(w.now), 0)
	}
	if allowed {
		return a, nil
	}
	refused := refusal.New(refusal.TooMany, "", "This can be done %s in %s. Try again in %s.", times(w.limit.Most), windowText(w.limit.Window), waitText(a.Wait))
	refused.Wait = a.Wait
	refused.Limit = &refusal.Limit{Name: w.limit.Name, Most: w.limit.Most, Window: w.limit.Window, Reset: a.Reset}
	return a, refused
}
