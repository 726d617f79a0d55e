// Package client uses an EcoBid from a Go program, over its JSON API: it finds items nearby, gives
// them away, reserves, bids, and leads pickups to their end. It links nothing of the server.
//
//	eco := client.New("https://ecobid.example")
//	if err := eco.Login(ctx, "anna@example.org", password); err != nil {
//		return err
//	}
//	found, err := eco.Nearby(ctx, client.Query{Lat: 52.2297, Lon: 21.0122, Radius: 5})
//
// A client signs in once and gets new tokens by itself. Error responses of the server are of type
// *Error. The package knows no rules: the server decides.
package client

import (
	"context"
	"errors"
	"net/http"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/internal/apiclient"
	"sortkey.dev/apps/internal/operation"
)

// RequestTimeout is the timeout of a single request.
const RequestTimeout = apiclient.RequestTimeout

// maxAnswer bounds the size of a response.
const maxAnswer = 16 << 20

// A Client is a program of one person. It is safe for concurrent use.
type Client struct {
	session apiclient.Session
}

// An Option configures a Client.
type Option func(*Client)

// WithHTTPClient sends requests through another client.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.session.Transport.HTTP = h } }

// WithTokens continues a session.
func WithTokens(tokens Tokens) Option { return func(c *Client) { c.session.Continue(tokens) } }

// New returns a client of the service at a base URL.
func New(base string, options ...Option) *Client {
	c := &Client{session: apiclient.Session{Transport: &apiclient.Transport{System: "ecobid", Base: base, MaxAnswer: maxAnswer}}}
	for _, option := range options {
		option(c)
	}
	return c
}

// Tokens are the tokens of a session.
type Tokens = apiclient.Tokens

// Tokens returns the tokens of the session, to continue it later.
func (c *Client) Tokens() Tokens { return c.session.Tokens() }

// ErrVerifyAddress is the error of Register if the address must be verified with the link that was mailed
// before it can sign in. The service then does not tell whether the address has an account already.
var ErrVerifyAddress = errors.New("ecobid: open the link in the mail to verify the address, then sign in")

// Register signs up and signs in.
func (c *Client) Register(ctx context.Context, in Registration) error {
	registered, err := apiclient.Call(ctx, c.session.Transport, contract.Register, operation.With[Registration]{Body: in})
	if err != nil {
		return err
	}
	if registered.VerifyAddress || registered.ExpiresAt == nil {
		return ErrVerifyAddress
	}
	c.session.Continue(Tokens{
		UserID: registered.UserID, AccessToken: registered.AccessToken, RefreshToken: registered.RefreshToken, ExpiresAt: *registered.ExpiresAt,
	})
	return nil
}

// Login signs in.
func (c *Client) Login(ctx context.Context, email, password string) error {
	return c.session.Login(ctx, email, password)
}

// Logout ends the session.
func (c *Client) Logout(ctx context.Context) error { return c.session.Logout(ctx) }

// WithKey returns a context for one write: sent again with the same key within a day, Post, Join, Reserve, Bid, Send
// and Rate act once. The result of a repeated call shows what the first one made, as it is now; a message and the
// receipt of a bid never change.
func WithKey(ctx context.Context, key string) context.Context { return apiclient.WithKey(ctx, key) }

// Nearby returns a page of the items around a point.
func (c *Client) Nearby(ctx context.Context, q Query) (Nearby, error) {
	return apiclient.Call(ctx, &c.session, contract.SearchItems, q)
}
