// Package client uses an ExamBuddy from a Go program, over its JSON API: it builds exams, sits them
// and reads results. It links nothing of the server.
//
//	exams := client.New("https://exams.example")
//	if err := exams.Login(ctx, "cleo@example.org", password); err != nil {
//		return err
//	}
//	catalogue, err := exams.Catalogue(ctx, "")
//
// A client signs in once and gets new tokens by itself. Error responses of the server are of type
// *Error. The package knows no rules: the server decides.
package client

import (
	"context"
	"net/http"

	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/internal/apiclient"
	"sortkey.dev/apps/internal/operation"
)

// RequestTimeout is the timeout of a single request.
const RequestTimeout = apiclient.RequestTimeout

// maxAnswer bounds the size of a response.
const maxAnswer = 32 << 20

// A Client is a program of one person. It is safe for concurrent use.
type Client struct {
	session apiclient.Session
}

// A Setting configures a Client.
type Setting func(*Client)

// WithHTTPClient sends requests through another client.
func WithHTTPClient(h *http.Client) Setting { return func(c *Client) { c.session.Transport.HTTP = h } }

// WithTokens continues a session of a person.
func WithTokens(tokens Tokens) Setting { return func(c *Client) { c.session.Continue(tokens) } }

// New returns a client of the service at a base URL.
func New(base string, settings ...Setting) *Client {
	c := &Client{session: apiclient.Session{Transport: &apiclient.Transport{System: "exambuddy", Base: base, MaxAnswer: maxAnswer}}}
	for _, set := range settings {
		set(c)
	}
	return c
}

// Tokens are the tokens of a session.
type Tokens = apiclient.Tokens

// Tokens returns the tokens of the person's session, to continue it later.
func (c *Client) Tokens() Tokens { return c.session.Tokens() }

// Register signs up, and signs in unless the address must be verified first.
func (c *Client) Register(ctx context.Context, in Registration) (Registered, error) {
	registered, err := apiclient.Call(ctx, c.session.Transport, contract.Register, operation.With[Registration]{Body: in})
	if err == nil && registered.Tokens != nil {
		c.session.Continue(*registered.Tokens)
	}
	return registered, err
}

// Login signs in.
func (c *Client) Login(ctx context.Context, email, password string) error {
	return c.session.Login(ctx, email, password)
}

// Logout signs out.
func (c *Client) Logout(ctx context.Context) error { return c.session.Logout(ctx) }

// Me returns who is signed in.
func (c *Client) Me(ctx context.Context) (User, error) {
	return apiclient.Call(ctx, &c.session, contract.Me, contract.None{})
}

// WithKey returns a context for one write: sent again with the same key within a day, CreateProject, AddQuestion, Import,
// CreateGroup, Invite, Start, Extend and Regrade act once, and return what the first call made as it is now.
func WithKey(ctx context.Context, key string) context.Context { return apiclient.WithKey(ctx, key) }
