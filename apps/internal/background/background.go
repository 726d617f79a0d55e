// Package background runs the background work of a system: named loops, each a function that is
// called periodically. A loop that fails backs off exponentially, a panic counts as a failure,
// and the state of all loops can be read while they run.
//
// It uses the system clock and knows nothing of the loops' work. The systems' worker packages
// call it.
package background

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

const (
	// jitter is the random share of a pause, so that processes that were started together do not
	// stay in step.
	jitter = 0.1
	// longestRest is the maximum backoff of a failing loop, unless its interval is longer.
	longestRest = 5 * time.Minute
)

// A Loop is a function that is called periodically.
type Loop struct {
	Name  string
	Every time.Duration // pause between two calls
	Do    func(context.Context) error
	// Listens says that Do runs until it fails or ctx is cancelled, such as a stream consumer.
	// Every is then the pause after a failure.
	Listens bool
}

// A State is the state of a loop.
type State struct {
	Name     string
	Every    time.Duration
	Listens  bool // as the Loop says
	Running  bool
	Runs     int       // calls that have ended
	Failures int       // consecutive failures until now
	LastRun  time.Time // when the last call began; zero if there was none
	Took     time.Duration
	// LastError is the last error, at LastFailure; it stays when the loop works again.
	LastError   string
	LastFailure time.Time
}

// A Group is a set of loops.
type Group struct {
	log    *slog.Logger
	random func() float64
	loops  []*running
}

type running struct {
	Loop
	kick  chan struct{}
	mu    sync.Mutex
	state State
}

// New returns a group of loops that start with Run. Names must be unique.
func New(log *slog.Logger, loops ...Loop) (*Group, error) {
	g := &Group{log: log, random: rand.Float64}
	for _, loop := range loops {
		switch {
		case loop.Name == "" || loop.Do == nil || loop.Every <= 0:
			return nil, fmt.Errorf("background: loop %q needs a name, an interval and a function", loop.Name)
		case g.find(loop.Name) != nil:
			return nil, fmt.Errorf("background: there are two loops with the name %q", loop.Name)
		}
		g.loops = append(g.loops, &running{
			Loop: loop, kick: make(chan struct{}, 1), state: State{Name: loop.Name, Every: loop.Every, Listens: loop.Listens},
		})
	}
	return g, nil
}

// Run runs all loops, the first time at once, until ctx is done. It returns when the last call
// has returned.
func (g *Group) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, loop := range g.loops {
		all.Go(func() { g.repeat(ctx, loop) })
	}
	all.Wait()
}

// Kick runs a loop now instead of after its pause. If the loop is running, it runs once more
// afterwards. Kick reports whether the loop exists.
func (g *Group) Kick(name string) bool {
	loop := g.find(name)
	if loop == nil {
		return false
	}
	select {
	case loop.kick <- struct{}{}:
	default: // a kick is already pending
	}
	return true
}

// States returns the states of the loops, in the order of New.
func (g *Group) States() []State {
	states := make([]State, len(g.loops))
	for i, loop := range g.loops {
		loop.mu.Lock()
		states[i] = loop.state
		loop.mu.Unlock()
	}
	return states
}

func (g *Group) find(name string) *running {
	i := slices.IndexFunc(g.loops, func(l *running) bool { return l.Name == name })
	if i < 0 {
		return nil
	}
	return g.loops[i]
}

func (g *Group) repeat(ctx context.Context, loop *running) {
	for ctx.Err() == nil {
		failures := g.call(ctx, loop)
		timer := time.NewTimer(g.rest(loop.Every, failures))
		select {
		case <-timer.C:
		case <-loop.kick:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// rest returns the pause before the next call, which doubles with every consecutive failure.
func (g *Group) rest(every time.Duration, failures int) time.Duration {
	longest := max(every, longestRest)
	for range failures {
		every = min(2*every, longest)
	}
	return time.Duration(float64(every) * (1 - jitter + 2*jitter*g.random()))
}

// call calls the function once and records the result.
func (g *Group) call(ctx context.Context, loop *running) (failures int) {
	began := time.Now()
	loop.mu.Lock()
	loop.state.Running, loop.state.LastRun = true, began
	loop.mu.Unlock()
	err := recovered(ctx, loop.Do)
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		err = nil // stopped by cancellation; the cause may be a signal
	}
	loop.mu.Lock()
	defer loop.mu.Unlock()
	s := &loop.state
	s.Running, s.Took = false, time.Since(began)
	s.Runs++
	if err == nil {
		if s.Failures > 0 {
			g.log.Info("a loop works again", slog.String("loop", loop.Name), slog.Int("failures", s.Failures))
		}
		s.Failures = 0
		return 0
	}
	s.Failures++
	s.LastError, s.LastFailure = err.Error(), time.Now()
	g.log.Error("a loop failed", slog.String("loop", loop.Name), slog.Int("failures", s.Failures), slog.Any("error", err))
	return s.Failures
}

// recovered calls a function and turns a panic into an error.
func recovered(ctx context.Context, do func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			cause, _ := p.(error)
			err = fmt.Errorf("panic: %w\n%s", cmp.Or(cause, fmt.Errorf("%v", p)), debug.Stack())
		}
	}()
	return do(ctx)
}
