// Package background runs what a system does by itself: named loops, each a function that is
// called again and again. A loop that fails is called less often until it works again, one
// that panics has failed, and all of them can be looked at while they run.
//
// It knows no clock but that of the computer, and nothing of what the loops do. The systems'
// own packages of work call it.
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
	// jitter is which part of a rest is left to chance, so that processes that were started
	// together do not stay together.
	jitter = 0.1
	// longestRest is how long a loop that keeps failing rests, unless its own interval is
	// longer.
	longestRest = 5 * time.Minute
)

// A Loop is a function that is called again and again.
type Loop struct {
	Name  string
	Every time.Duration // how long it rests between two calls
	Do    func(context.Context) error
	// Listens says that a call lasts for as long as all is well, because it waits for something;
	// it is not hung then, and Every is how long it rests after a failure.
	Listens bool
}

// A State is how a loop is doing.
type State struct {
	Name     string
	Every    time.Duration
	Listens  bool // as the Loop says
	Running  bool
	Runs     int       // calls that have ended
	Failures int       // of them, the last ones in a row that failed
	LastRun  time.Time // when the last call began; zero if there was none
	Took     time.Duration
	// LastError is what went wrong last, at LastFailure; it stays when the loop works again.
	LastError   string
	LastFailure time.Time
}

// A Group is a set of loops. It is made by New.
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

// New returns a group of loops that rest until Run. Names tell them apart, so each has its own.
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

// Run runs all loops, at once the first time, until ctx is done. It returns when the last
// call has ended.
func (g *Group) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, loop := range g.loops {
		all.Go(func() { g.repeat(ctx, loop) })
	}
	all.Wait()
}

// Kick makes a loop run now instead of resting. If it runs already it runs once more
// afterwards. It reports whether there is such a loop.
func (g *Group) Kick(name string) bool {
	loop := g.find(name)
	if loop == nil {
		return false
	}
	select {
	case loop.kick <- struct{}{}:
	default: // somebody has kicked it, and it has not begun
	}
	return true
}

// States returns how the loops are doing, in the order they were given.
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

// rest doubles with every failure in a row.
func (g *Group) rest(every time.Duration, failures int) time.Duration {
	longest := max(every, longestRest)
	for range failures {
		every = min(2*every, longest)
	}
	return time.Duration(float64(every) * (1 - jitter + 2*jitter*g.random()))
}

// call calls the function once, and notes what came of it.
func (g *Group) call(ctx context.Context, loop *running) (failures int) {
	began := time.Now()
	loop.mu.Lock()
	loop.state.Running, loop.state.LastRun = true, began
	loop.mu.Unlock()
	err := recovered(ctx, loop.Do)
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		err = nil // it was told to stop
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

// recovered calls a function and makes an error of a panic.
func recovered(ctx context.Context, do func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			cause, _ := p.(error)
			err = fmt.Errorf("panic: %w\n%s", cmp.Or(cause, fmt.Errorf("%v", p)), debug.Stack())
		}
	}()
	return do(ctx)
}
