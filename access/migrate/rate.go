package migrate

import (
	"context"
	"sync"
	"time"
)

// A limiter spends units at a rate, which it finds: it begins at a tenth of the limit, rises by a tenth
// of the limit each second, and is halved when a request is throttled. From then on it knows about how much the
// endpoint takes: close to that it rises slowly.
type limiter struct {
	mu      sync.Mutex
	limit   float64 // units a second; 0: none
	rate    float64
	ceiling float64 // what was too much; 0: nothing was
	tokens  float64 // may be negative: what was spent is known only afterwards
	at      time.Time
	halved  time.Time
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	look    func(context.Context) error // is called while units are waited for, and may set the limit; or nil
}

// How a rate rises that is close to what was too much: to the first share of it as always, then by the second in a second.
const (
	nearCeiling = 0.95
	probing     = 0.005
)

func newLimiter(limit float64, now func() time.Time, sleep func(context.Context, time.Duration) error) *limiter {
	return &limiter{limit: limit, rate: limit / 10, at: now(), now: now, sleep: sleep}
}

// wait waits until there are units to spend. The request that follows says how many it spent.
func (l *limiter) wait(ctx context.Context) error {
	for {
		if l.look != nil {
			if err := l.look(ctx); err != nil {
				return err
			}
		}
		l.mu.Lock()
		l.refill()
		missing := time.Duration(0)
		if l.limit > 0 && l.tokens < 0 {
			missing = max(time.Millisecond, time.Duration(-l.tokens/l.rate*float64(time.Second)))
		}
		l.mu.Unlock()
		if missing == 0 {
			return ctx.Err()
		}
		if err := l.sleep(ctx, min(missing, time.Second)); err != nil {
			return err
		}
	}
}

// refill adds the tokens of the time since the last call. Tokens of at most a second are kept.
func (l *limiter) refill() {
	now := l.now()
	passed := now.Sub(l.at).Seconds()
	l.at = now
	if passed <= 0 || l.limit == 0 {
		return
	}
	l.tokens = min(l.tokens+l.rate*passed, l.rate)
	l.rise(passed)
}

// rise raises the rate after some seconds.
func (l *limiter) rise(seconds float64) {
	near := l.limit
	if l.ceiling > 0 {
		near = min(near, l.ceiling*nearCeiling)
	}
	if l.rate < near {
		fast := min(seconds, (near-l.rate)/(l.limit/10))
		l.rate += fast * l.limit / 10
		seconds -= fast
	}
	if l.ceiling > 0 {
		l.rate += seconds * l.ceiling * probing
	}
	l.rate = min(l.rate, l.limit)
	if l.rate > 1.1*l.ceiling { // it takes more than was thought
		l.ceiling = 0
	}
}

// spend takes units that a request consumed.
func (l *limiter) spend(units float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tokens -= units
}

// throttled halves the rate, at most once in half a second: the requests under way are throttled
// together.
func (l *limiter) throttled() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); now.Sub(l.halved) >= time.Second/2 {
		l.ceiling = l.rate
		l.rate, l.halved = max(l.rate/2, l.limit/100), now
	}
}

// set changes the limit.
func (l *limiter) set(limit float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if limit == l.limit {
		return
	}
	if l.limit == 0 {
		l.rate = limit / 10
	}
	l.limit, l.rate, l.ceiling = limit, min(max(l.rate, limit/10), limit), 0
}
