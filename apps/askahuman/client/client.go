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
	"net/url"
	"strconv"
	"time"

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
	agent     string
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
		agent:     agent,
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
	var out Submitted
	err := c.call(ctx, http.MethodPost, "/agent/questions", ask, &out)
	return out, err
}

// Get returns a question with the answers so far.
func (c *Client) Get(ctx context.Context, id string) (Question, error) {
	var out Question
	err := c.call(ctx, http.MethodGet, "/agent/questions/"+url.PathEscape(id), nil, &out)
	return out, err
}

// getChanged returns a question when it differs from a known state, or after a time.
func (c *Client) getChanged(ctx context.Context, known Question, wait time.Duration) (Question, error) {
	query := url.Values{
		"wait": {strconv.Itoa(int(wait / time.Second))}, "since": {strconv.Itoa(known.CurrentResponses)}, "status": {string(known.Status)},
	}
	var out Question
	err := c.call(ctx, http.MethodGet, "/agent/questions/"+url.PathEscape(known.QuestionID)+"?"+query.Encode(), nil, &out)
	return out, err
}

// List returns a page of the agent's own questions, newest first.
func (c *Client) List(ctx context.Context, options ListOptions) (Page, error) {
	query := url.Values{}
	if options.Status != "" {
		query.Set("status", string(options.Status))
	}
	if options.Limit > 0 {
		query.Set("limit", strconv.Itoa(options.Limit))
	}
	if options.Cursor != "" {
		query.Set("cursor", options.Cursor)
	}
	path := "/agent/questions"
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	var out Page
	err := c.call(ctx, http.MethodGet, path, nil, &out)
	return out, err
}

// End closes a question early. The answers so far stay.
func (c *Client) End(ctx context.Context, id string) (Question, error) {
	var out Question
	err := c.call(ctx, http.MethodDelete, "/agent/questions/"+url.PathEscape(id), nil, &out)
	return out, err
}

// call sends a request and decodes the response into out.
func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	header := http.Header{"X-Agent-Id": {c.agent}}
	if c.key != "" {
		header.Set("Authorization", "Bearer "+c.key)
	}
	return c.transport.Send(ctx, apiclient.Request{Method: method, Path: path, Header: header, Body: in, Out: out})
}
