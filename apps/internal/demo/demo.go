// Package demo fills a system with simulated users: people and programs that act at a pace a
// visitor can follow, through the system's public HTTP API and within its rate limits. The choices
// are random but come from a seed. On a kept directory it continues: what was done once is not
// done again, and the people of the last run come back.
//
// It knows no system. A system's demo package writes a Script; the server starts it for
// demonstrations. It is not for production, and not for tests of load.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/internal/wait"
)

// Options configures a run.
type Options struct {
	BaseURL string // of the system
	HTTP    *http.Client
	Log     *slog.Logger
	// Seed is the random seed.
	Seed uint64
	// Pace is the average pause between two actions; four seconds by default.
	Pace time.Duration
	// Memory is the file in which the run is remembered; "" to forget it at the end, as fits a
	// database in memory.
	Memory string
	// Sleep replaces the sleep function, for tests.
	Sleep func(context.Context, time.Duration) error
}

// requestTimeout is the maximum duration of a request.
const requestTimeout = 30 * time.Second

// A Script says what simulated users do.
type Script struct {
	// Opening lists what is done at the start, in order and without pauses, so that there is
	// something to see. Each action succeeds once, also if the demo is started again.
	Opening []Action
	// Actions lists what is done afterwards, again and again.
	Actions []Action
}

// An Action is something that simulated users do.
type Action struct {
	Name   string // for logs; unique among the actions of an opening
	Weight int    // how often it is chosen, relative to others; 1 by default
	Do     func(ctx context.Context, p *Play) error
}

// A Play is a run of a demo. It is for one goroutine: that of the actions.
type Play struct {
	// Chance is the source of all random choices.
	Chance *rand.Rand

	o      Options
	memory *memory
	played time.Duration            // pauses so far
	rest   map[string]time.Duration // when an action that met a rate limit is tried again, by name
}

// Run performs a script until ctx is done. Failures are logged and the script continues: a demo
// must not take the system down. The error is that of ctx, or says that the memory is unusable.
func Run(ctx context.Context, o Options, script Script) error {
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: requestTimeout}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Pace <= 0 {
		o.Pace = 4 * time.Second
	}
	if o.Sleep == nil {
		o.Sleep = wait.For
	}
	o.BaseURL = strings.TrimSuffix(o.BaseURL, "/")
	memory, err := openMemory(o.Memory)
	if err != nil {
		return err
	}
	p := &Play{o: o, memory: memory, rest: map[string]time.Duration{}}
	// Another sequence after each start, or the same choices would come again.
	p.Chance = rand.New(rand.NewPCG(o.Seed, uint64(memory.Starts)))
	memory.Starts++
	if err := memory.save(); err != nil {
		return err
	}
	return p.run(ctx, script)
}

func (p *Play) run(ctx context.Context, script Script) error {
	for ctx.Err() == nil {
		done := p.open(ctx, script.Opening)
		if action := p.choose(script.Actions); done && action != nil {
			p.attempt(ctx, *action)
		}
		pause := time.Duration((0.4 + 1.2*p.Chance.Float64()) * float64(p.o.Pace))
		p.played += pause
		if err := p.o.Sleep(ctx, pause); err != nil {
			break
		}
	}
	return ctx.Err()
}

// open performs the rest of the opening, and reports whether it is complete. It stops at a
// failure, because later actions may need the earlier ones.
func (p *Play) open(ctx context.Context, opening []Action) bool {
	for _, action := range opening {
		if p.memory.Opened[action.Name] {
			continue
		}
		if ctx.Err() != nil || p.rests(action) || !p.attempt(ctx, action) {
			return false
		}
		p.memory.Opened[action.Name] = true
		p.keep()
	}
	return true
}

// choose returns a random action by weight; nil if there is none now.
func (p *Play) choose(actions []Action) *Action {
	sum := 0
	for _, action := range actions {
		if !p.rests(action) {
			sum += action.weight()
		}
	}
	if sum == 0 {
		return nil
	}
	left := p.Chance.IntN(sum)
	for i, action := range actions {
		if p.rests(action) {
			continue
		}
		if left -= action.weight(); left < 0 {
			return &actions[i]
		}
	}
	return nil
}

func (a Action) weight() int { return max(a.Weight, 1) }

// rests reports whether an action waits because of a rate limit.
func (p *Play) rests(a Action) bool { return p.played < p.rest[a.Name] }

// attempt performs an action, and reports whether it succeeded. An action that meets a rate limit
// rests for as long as the system asks.
func (p *Play) attempt(ctx context.Context, action Action) bool {
	err := perform(ctx, p, action)
	p.keep()
	if err == nil {
		return true
	}
	if refused, ok := errors.AsType[*StatusError](err); ok && refused.Status == http.StatusTooManyRequests {
		p.rest[action.Name] = p.played + max(refused.RetryAfter, p.o.Pace)
	}
	if ctx.Err() == nil {
		p.o.Log.Info("the demo could not "+action.Name, slog.Any("error", err))
	}
	return false
}

// perform turns a panic into an error.
func perform(ctx context.Context, p *Play, action Action) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	return action.Do(ctx, p)
}

// keep saves the memory. A failure is logged: the worst that follows is a repetition.
func (p *Play) keep() {
	if err := p.memory.save(); err != nil {
		p.o.Log.Warn("the demo cannot be remembered", slog.Any("error", err))
	}
}

// Next returns the next of n prepared things, such as questions to ask, in an order that the seed
// decides. It never returns the same thing of a list twice, also after a restart. It reports false
// when all have been used.
func (p *Play) Next(list string, n int) (i int, ok bool) {
	used := p.memory.Used[list]
	if used >= n {
		return 0, false
	}
	order := rand.New(rand.NewPCG(p.o.Seed, hash(list))).Perm(n)
	p.memory.Used[list]++
	// Saved before it is used: if the process ends now, a thing is left out, not repeated.
	p.keep()
	return order[used], true
}

// Key returns a text that is the same in every run for the same parts, and different for others:
// an idempotency key for actions that may be repeated after a crash.
func (p *Play) Key(parts ...string) string {
	return "demo-" + strconv.FormatUint(p.o.Seed, 36) + "-" + strconv.FormatUint(hash(parts...), 36)
}

// Recall decodes a value that Remember stored, in this run or in an earlier one, and reports
// whether there is one.
func (p *Play) Recall(name string, value any) bool { return p.memory.recall(name, value) }

// Remember stores a value as JSON.
func (p *Play) Remember(name string, value any) error { return p.memory.remember(name, value) }
