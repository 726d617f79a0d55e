// Package demo fills an Ask-a-Human with simulated users: a few agents that ask, and a crowd of
// people who answer, also questions of visitors, at a pace a visitor can follow. It uses the
// public HTTP API and respects its rate limits. The server starts it for demonstrations; it is
// not for production.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/internal/wait"
)

// Options configures the demo.
type Options struct {
	BaseURL string
	HTTP    *http.Client
	Log     *slog.Logger
	// Seed is the random seed.
	Seed uint64
	// Pace is the average pause between two answers; four seconds by default.
	Pace time.Duration
	// Sleep replaces the sleep function, for tests.
	Sleep func(context.Context, time.Duration) error
}

// The crowd is well within the rate limits of one address, and every agent asks less often than
// it may.
const (
	crowd       = 40
	asksPerTurn = 9  // answers between two questions
	atOnce      = 12 // questions at the start, so that there is something to see
	keepOpen    = 8  // questions that the crowd leaves for the visitor
)

// Play submits and answers questions until ctx is done. Failures are logged and retried: a demo
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
		o.Sleep = wait.For
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
	others []*asked // by visitors and their programs
	turn   int
	rest   time.Duration // until the next search for visitors' questions
}

// asked is a question that the crowd answers.
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
		look := p.rest <= 0
		if look {
			p.attempt("look for questions", p.look(ctx))
		}
		if len(p.others) > 0 && (look || step%2 == 0) {
			p.attempt("answer a visitor", p.answerOther(ctx))
		} else {
			p.attempt("answer", p.answer(ctx))
		}
		pause := time.Duration((0.4 + 1.2*p.chance.Float64()) * float64(p.Pace))
		p.rest -= pause
		if err := p.Sleep(ctx, pause); err != nil {
			break
		}
	}
	return ctx.Err()
}

// attempt logs a failure. Rate limits are expected.
func (p *play) attempt(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		p.Log.Info("the demo could not "+what, slog.Any("error", err))
	}
}

// ask submits the next agent's next question.
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

// answer answers one of the older questions as a random person. The newest are left for visitors.
func (p *play) answer(ctx context.Context) error {
	if len(p.asked) <= keepOpen/2 {
		return nil
	}
	question := p.asked[p.chance.IntN(max(1, len(p.asked)-keepOpen/2))]
	err := p.answerOne(ctx, question)
	p.asked = slices.DeleteFunc(p.asked, (*asked).over)
	return err
}

// answerOther answers a visitor's question as a random person.
func (p *play) answerOther(ctx context.Context) error {
	err := p.answerOne(ctx, p.others[p.chance.IntN(len(p.others))])
	p.others = slices.DeleteFunc(p.others, (*asked).over)
	return err
}

// over reports whether a question has all its answers.
func (q *asked) over() bool { return q.missing <= 0 }

// answerOne answers a question as a random person.
func (p *play) answerOne(ctx context.Context, question *asked) error {
	who, err := p.randomPerson(ctx)
	if err != nil {
		return err
	}
	err = who.answer(ctx, question, p.chance)
	refused, isRefusal := errors.AsType[*client.Error](err)
	switch {
	case isRefusal && refused.Status == http.StatusConflict: // this person has answered it before
		return nil
	case isRefusal && (refused.Status == http.StatusGone || refused.Status == http.StatusNotFound):
		question.missing = 0
		return nil
	case err != nil:
		return err
	}
	question.missing--
	return nil
}

// look finds visitors' questions among the newest.
func (p *play) look(ctx context.Context) error {
	open, left, err := newest(ctx, p.HTTP, p.BaseURL)
	p.rest = lookAfter(left)
	if err != nil {
		return err
	}
	p.others = nil
	for _, q := range open {
		if !ours[q.Prompt] {
			p.others = append(p.others, &asked{id: q.QuestionID, missing: q.Needed, template: template{options: q.Options, likely: p.chance.IntN(max(1, len(q.Options))), answers: stock}})
		}
	}
	return nil
}

// randomPerson returns a random person of the crowd, and creates the person on first use.
func (p *play) randomPerson(ctx context.Context) (*person, error) {
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

// lookAfter returns the delay until the next search for visitors' questions: some ten seconds
// while the address has enough of its rate limit left. The rest of the limit is for the visitor's
// own programs.
func lookAfter(left int) time.Duration {
	switch {
	case left > 150:
		return 8 * time.Second
	case left > 60:
		return 15 * time.Second
	}
	return 30 * time.Second
}
