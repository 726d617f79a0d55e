// Package demo fills an Ask-a-Human with life: a few invented agents that ask and a crowd of
// invented people who answer, at a pace a visitor can follow. It uses the same HTTP doors
// as everybody else and keeps to their limits. The server starts it when it is asked to show
// itself; it is not for production.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman/client"
)

// Options say where to play and how fast.
type Options struct {
	BaseURL string
	HTTP    *http.Client
	Log     *slog.Logger
	// Seed makes two runs alike.
	Seed uint64
	// Pace is the pause between two answers on average; four seconds if not said.
	Pace time.Duration
	// Sleep is the clock, for tests.
	Sleep func(context.Context, time.Duration) error
}

// The crowd is as large as the limits for one address allow with room to spare, and every
// agent asks less often than it may.
const (
	crowd       = 40
	asksPerTurn = 9  // answers between two questions
	atOnce      = 12 // questions at the start, so that there is something to see
	keepOpen    = 8  // questions that the crowd leaves for the visitor
)

// Play asks and answers until ctx is done. What fails is logged and tried again: a demo
// must not take the system down.
func Play(ctx context.Context, o Options) error {
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: client.RequestTimeout}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Pace <= 0 {
		o.Pace = 4 * time.Second
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	p := &play{Options: o, chance: rand.New(rand.NewPCG(o.Seed, 1)), agents: map[string]*client.Client{}}
	for _, theme := range themes {
		p.agents[theme.agent] = client.New(o.BaseURL, theme.agent, client.WithHTTPClient(o.HTTP))
	}
	return p.run(ctx)
}

// A play is one run of the demo.
type play struct {
	Options
	chance *rand.Rand
	agents map[string]*client.Client
	people []*person
	asked  []*asked
	turn   int
}

// asked is a question that the crowd knows of.
type asked struct {
	id       string
	template template
	missing  int
}

func (p *play) run(ctx context.Context) error {
	for range atOnce {
		p.attempt("ask", p.ask(ctx))
	}
	for step := 0; ctx.Err() == nil; step++ {
		if step%asksPerTurn == asksPerTurn-1 || len(p.asked) == 0 {
			p.attempt("ask", p.ask(ctx))
		}
		p.attempt("answer", p.answer(ctx))
		pause := time.Duration((0.4 + 1.2*p.chance.Float64()) * float64(p.Pace))
		if err := p.Sleep(ctx, pause); err != nil {
			break
		}
	}
	return ctx.Err()
}

// attempt logs what failed. Limits are part of the game.
func (p *play) attempt(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		p.Log.Info("the demo could not "+what, slog.Any("error", err))
	}
}

// ask lets the next agent ask its next question.
func (p *play) ask(ctx context.Context) error {
	theme := themes[p.turn%len(themes)]
	template := theme.templates[p.turn/len(themes)%len(theme.templates)]
	p.turn++
	wanted := 3 + p.chance.IntN(6)
	submitted, err := p.agents[theme.agent].Submit(ctx, client.Ask{
		Prompt: template.prompt, Context: template.context, Type: template.kind(), Options: template.options,
		Audience: []string{theme.audience}, MinResponses: wanted, TimeoutSeconds: 3600,
	})
	if err != nil {
		return fmt.Errorf("%s asks: %w", theme.agent, err)
	}
	p.asked = append(p.asked, &asked{id: submitted.QuestionID, template: template, missing: wanted})
	return nil
}

// answer lets somebody answer one of the older questions. The youngest are left alone, so
// that a visitor always finds some.
func (p *play) answer(ctx context.Context) error {
	if len(p.asked) <= keepOpen/2 {
		return nil
	}
	i := p.chance.IntN(max(1, len(p.asked)-keepOpen/2))
	question := p.asked[i]
	who, err := p.somebody(ctx)
	if err != nil {
		return err
	}
	err = who.answer(ctx, question, p.chance)
	refused, isRefusal := errors.AsType[*client.Error](err)
	switch {
	case isRefusal && refused.Status == http.StatusConflict: // somebody who was here before
		return nil
	case isRefusal && (refused.Status == http.StatusGone || refused.Status == http.StatusNotFound):
		question.missing = 0
	case err != nil:
		return err
	default:
		question.missing--
	}
	if question.missing <= 0 {
		p.asked = append(p.asked[:i], p.asked[i+1:]...)
	}
	return nil
}

// somebody is a person of the crowd, who joins it when it is their first time.
func (p *play) somebody(ctx context.Context) (*person, error) {
	n := p.chance.IntN(crowd)
	if n < len(p.people) {
		return p.people[n], nil
	}
	newcomer, err := join(ctx, p.HTTP, p.BaseURL, zones[len(p.people)%len(zones)])
	if err != nil {
		return nil, err
	}
	p.people = append(p.people, newcomer)
	return newcomer, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
