// Package demo fills an Ask-a-Human with simulated users: a few agents that ask, and a crowd of
// people who answer, also questions of visitors, at a pace a visitor can follow. It uses the
// public HTTP API and respects its rate limits. On a kept directory it continues: no question is
// asked twice, and the same people come back. The server starts it for demonstrations; it is not
// for production.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/apps/internal/demo"
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
	// Memory is the file in which the run is remembered; "" to forget it at the end.
	Memory string
	// Sleep replaces the sleep function, for tests.
	Sleep func(context.Context, time.Duration) error
}

// The crowd is well within the rate limits of one address, and every agent asks less often than
// it may.
const (
	crowd       = 40
	notified    = 8  // people of the crowd who are notified of new questions
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
	p := &play{Options: o, agents: map[string]*client.Client{}}
	for _, theme := range themes {
		p.agents[theme.agent] = client.New(o.BaseURL, theme.agent, client.WithHTTPClient(o.HTTP))
	}
	var script demo.Script
	for i := range atOnce {
		script.Opening = append(script.Opening, demo.Action{Name: fmt.Sprint("ask ", i), Do: p.ask})
	}
	for i := range notified {
		script.Opening = append(script.Opening, demo.Action{Name: fmt.Sprint("subscribe ", i), Do: func(ctx context.Context, run *demo.Play) error {
			who, err := run.Person(ctx, people, i, join)
			if err != nil {
				return err
			}
			_, err = who.Call(ctx, http.MethodPost, "/human/push/subscribe", map[string]any{"channel": "inbox"}, nil)
			return err
		}})
	}
	script.Actions = []demo.Action{{Name: "go on", Do: p.step}}
	return demo.Run(ctx, demo.Options{BaseURL: o.BaseURL, HTTP: o.HTTP, Log: o.Log, Seed: o.Seed, Pace: o.Pace, Memory: o.Memory, Sleep: o.Sleep}, script)
}

// A play is one run of the demo.
type play struct {
	Options
	agents map[string]*client.Client
	asked  []*asked
	others []*asked // by visitors and their programs
	steps  int
	rest   time.Duration // until the next search for questions
}

// asked is a question that the crowd answers.
type asked struct {
	id       string
	template template
	missing  int
}

// step asks or answers.
func (p *play) step(ctx context.Context, run *demo.Play) error {
	step := p.steps
	p.steps++
	if step%asksPerTurn == asksPerTurn-1 {
		p.attempt("ask", p.ask(ctx, run))
	}
	look := p.rest <= 0
	if look {
		p.attempt("look for questions", p.look(ctx, run))
	}
	p.rest -= p.Pace
	if len(p.others) > 0 && (look || step%2 == 0) {
		return p.answerOther(ctx, run)
	}
	return p.answer(ctx, run)
}

// attempt logs a failure. Rate limits are expected.
func (p *play) attempt(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		p.Log.Info("the demo could not "+what, slog.Any("error", err))
	}
}

// ask submits a question that was not asked before. After some days of play there is none left.
func (p *play) ask(ctx context.Context, run *demo.Play) error {
	n, ok := run.Next("questions", len(all())*len(businesses()))
	if !ok {
		return nil
	}
	template := all()[n%len(all())]
	wanted := 3 + run.Chance.IntN(6)
	submitted, err := p.agents[template.theme.agent].Submit(ctx, client.Ask{
		Prompt: promptFor(businesses()[n/len(all())], template), Context: template.context, Type: template.kind(), Options: template.options,
		Audience: []string{template.theme.audience}, MinResponses: &wanted, TimeoutSeconds: new(3600),
	})
	if err != nil {
		return fmt.Errorf("%s asks: %w", template.theme.agent, err)
	}
	p.asked = append(p.asked, &asked{id: submitted.QuestionID, template: template, missing: wanted})
	return nil
}

// answer answers one of the older questions as a random person. The newest are left for visitors.
func (p *play) answer(ctx context.Context, run *demo.Play) error {
	if len(p.asked) <= keepOpen/2 {
		return nil
	}
	question := p.asked[run.Chance.IntN(max(1, len(p.asked)-keepOpen/2))]
	err := p.answerOne(ctx, run, question)
	p.asked = slices.DeleteFunc(p.asked, (*asked).over)
	return err
}

// answerOther answers a visitor's question as a random person.
func (p *play) answerOther(ctx context.Context, run *demo.Play) error {
	err := p.answerOne(ctx, run, p.others[run.Chance.IntN(len(p.others))])
	p.others = slices.DeleteFunc(p.others, (*asked).over)
	return err
}

// over reports whether a question has all its answers.
func (q *asked) over() bool { return q.missing <= 0 }

// answerOne answers a question as a random person.
func (p *play) answerOne(ctx context.Context, run *demo.Play, question *asked) error {
	who, err := run.Person(ctx, people, run.Chance.IntN(crowd), join)
	if err != nil {
		return err
	}
	err = answerAs(ctx, who, question, run.Chance)
	refused, isRefusal := errors.AsType[*demo.StatusError](err)
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

// look finds visitors' questions among the newest, and questions of an earlier run.
func (p *play) look(ctx context.Context, run *demo.Play) error {
	open, left, err := newest(ctx, run.Anonymous())
	p.rest = lookAfter(left)
	if err != nil {
		return err
	}
	p.others = nil
	for _, q := range open {
		template, own := templateOf(q.Prompt)
		switch {
		case !own:
			p.others = append(p.others, &asked{id: q.QuestionID, missing: q.Needed, template: other(q.Options, run.Chance)})
		case !slices.ContainsFunc(p.asked, func(a *asked) bool { return a.id == q.QuestionID }): // of an earlier run
			p.asked = append(p.asked, &asked{id: q.QuestionID, missing: q.Needed, template: template})
		}
	}
	return nil
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
