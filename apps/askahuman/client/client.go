// Package client asks people from a Go program: it talks to the agent API of an Ask-a-Human
// over HTTP. It links nothing of the server.
//
//	asking := client.New("https://ask.example.org", "release-bot")
//	question, err := asking.SubmitAndWait(ctx, client.Ask{
//		Prompt:  "Which headline would you click?",
//		Type:    client.MultipleChoice,
//		Options: []string{"Ten tips", "What we learned"},
//	}, client.AwaitOptions{Timeout: 10 * time.Minute})
//
// People take their time, so programs poll: Await does so with growing pauses, and returns
// the answers so far at its timeout. Error responses of the server are of type *Error.
package client

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/internal/apiclient"
	"sortkey.dev/internal/wait"
)

// RequestTimeout is the timeout of a single request.
const RequestTimeout = apiclient.RequestTimeout

// maxAnswer bounds the size of a response: 50 answers of 5,000 characters fit many times.
const maxAnswer = 8 << 20

// A Client submits and reads questions of one agent. It is safe for concurrent use.
type Client struct {
	transport apiclient.Transport
	agent     contract.Agent
	key       string
	now       func() time.Time
	sleep     func(context.Context, time.Duration) error
}

// An Option configures a Client.
type Option func(*Client)

// WithKey sets the key of an agent whose id is protected.
func WithKey(key string) Option { return func(c *Client) { c.key = key } }

// WithHTTPClient sends requests through another client.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.transport.HTTP = h } }

// WithClock replaces the clock and the sleep function of Await, for tests.
func WithClock(now func() time.Time, sleep func(context.Context, time.Duration) error) Option {
	return func(c *Client) { c.now, c.sleep = now, sleep }
}

// New returns a client of the service at a base URL. The agent chooses its id itself.
func New(base, agent string, options ...Option) *Client {
	c := &Client{
		transport: apiclient.Transport{System: "ask-a-human", Base: base, MaxAnswer: maxAnswer},
		agent:     contract.Agent{AgentID: agent},
		now:       time.Now,
		sleep:     wait.For,
	}
	for _, option := range options {
		option(c)
	}
	return c
}

// Submit submits a question. It returns at once; people answer later.
func (c *Client) Submit(ctx context.Context, ask Ask) (Submitted, error) {
	return apiclient.Call(ctx, c, contract.SubmitQuestion, contract.Submission{Agent: c.agent, Body: ask})
}

// Get returns a question with the answers so far.
func (c *Client) Get(ctx context.Context, id string) (Question, error) {
	return apiclient.Call(ctx, c, contract.GetQuestion, contract.Waiting{OfAgent: c.own(id)})
}

// getChanged returns a question when it differs from a known state, or after a time.
func (c *Client) getChanged(ctx context.Context, known Question, wait time.Duration) (Question, error) {
	return apiclient.Call(ctx, c, contract.GetQuestion, contract.Waiting{
		OfAgent: c.own(known.QuestionID), Wait: new(int(wait / time.Second)), Since: &known.CurrentResponses, Status: known.Status,
	})
}

// List returns a page of the agent's own questions, newest first.
func (c *Client) List(ctx context.Context, options ListOptions) (Page, error) {
	in := contract.Listing{Agent: c.agent, Status: options.Status, Cursor: options.Cursor}
	if options.Limit > 0 {
		in.Limit = &options.Limit
	}
	return apiclient.Call(ctx, c, contract.ListQuestions, in)
}

// End closes a question early. The answers so far stay.
func (c *Client) End(ctx context.Context, id string) (Question, error) {
	return apiclient.Call(ctx, c, contract.CloseQuestion, c.own(id))
}

// own returns the arguments of operations on a question of the agent.
func (c *Client) own(id string) contract.OfAgent { return contract.OfAgent{Agent: c.agent, ID: id} }

// Send sends a request with the key of the agent; the other methods call it.
func (c *Client) Send(ctx context.Context, r apiclient.Request) error {
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	return c.transport.Send(ctx, r)
}
