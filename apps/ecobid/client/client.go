// Package client uses an EcoBid from a Go program, over its JSON API: it finds items nearby, gives
// them away, reserves, bids, and leads pickups to their end. It uses only the standard library.
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
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// RequestTimeout is the timeout of a single request.
const RequestTimeout = 30 * time.Second

// maxAnswer bounds the size of a response.
const maxAnswer = 16 << 20

// A Client is a program of one person. It is safe for concurrent use.
type Client struct {
	base string
	http *http.Client

	mu     sync.Mutex
	tokens Tokens
}

// An Option configures a Client.
type Option func(*Client)

// WithHTTPClient sends requests through another client.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithTokens continues a session.
func WithTokens(tokens Tokens) Option { return func(c *Client) { c.tokens = tokens } }

// New returns a client of the service at a base URL.
func New(base string, options ...Option) *Client {
	c := &Client{base: strings.TrimRight(base, "/"), http: &http.Client{Timeout: RequestTimeout}}
	for _, option := range options {
		option(c)
	}
	return c
}

// Tokens returns the tokens of the session, to continue it later.
func (c *Client) Tokens() Tokens {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tokens
}

func (c *Client) setTokens(tokens Tokens) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if tokens.UserID == "" {
		tokens.UserID = c.tokens.UserID
	}
	c.tokens = tokens
}

// ErrVerifyAddress is the error of Register if the address must be verified with the link that was mailed
// before it can sign in. The service then does not tell whether the address has an account already.
var ErrVerifyAddress = errors.New("ecobid: open the link in the mail to verify the address, then sign in")

// Register signs up and signs in.
func (c *Client) Register(ctx context.Context, in Registration) error {
	var registered struct {
		Tokens
		VerifyAddress bool `json:"verifyAddress"`
	}
	if err := c.once(ctx, request{method: http.MethodPost, path: "/v1/auth/register", body: in, out: &registered}, ""); err != nil {
		return err
	}
	if registered.VerifyAddress {
		return ErrVerifyAddress
	}
	c.setTokens(registered.Tokens)
	return nil
}

// Login signs in.
func (c *Client) Login(ctx context.Context, email, password string) error {
	var tokens Tokens
	body := map[string]string{"email": email, "password": password}
	if err := c.once(ctx, request{method: http.MethodPost, path: "/v1/auth/login", body: body, out: &tokens}, ""); err != nil {
		return err
	}
	c.setTokens(tokens)
	return nil
}

// Logout ends the session.
func (c *Client) Logout(ctx context.Context) error {
	body := map[string]string{"refreshToken": c.Tokens().RefreshToken}
	err := c.send(ctx, request{method: http.MethodPost, path: "/v1/auth/logout", body: body})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens = Tokens{}
	return err
}

// refresh gets the next pair of tokens, unless another goroutine has got it.
func (c *Client) refresh(ctx context.Context, used string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tokens.AccessToken != used {
		return nil
	}
	var tokens Tokens
	body := map[string]string{"refreshToken": c.tokens.RefreshToken}
	if err := c.once(ctx, request{method: http.MethodPost, path: "/v1/auth/refresh", body: body, out: &tokens}, ""); err != nil {
		return err
	}
	tokens.UserID = c.tokens.UserID
	c.tokens = tokens
	return nil
}

type keyOf struct{}

// WithKey returns a context for one write: sent again with the same key within a day, Post, Join, Reserve, Bid, Send
// and Rate act once. The result of a repeated call shows what the first one made, as it is now; a message and the
// receipt of a bid never change.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyOf{}, key)
}

// A request is a request to the API.
type request struct {
	method, path string
	body         any    // encoded as JSON; []byte is sent as a picture
	key          string // idempotency key
	out          any    // nil without a response
}

// send sends a request; again with new tokens if the access token has expired.
func (c *Client) send(ctx context.Context, r request) error {
	tokens := c.Tokens()
	err := c.once(ctx, r, tokens.AccessToken)
	if errors.Is(err, ErrUnauthorized) && tokens.RefreshToken != "" {
		if err := c.refresh(ctx, tokens.AccessToken); err != nil {
			return err
		}
		return c.once(ctx, r, c.Tokens().AccessToken)
	}
	return err
}

func (c *Client) once(ctx context.Context, r request, token string) error {
	var body io.Reader
	media := "application/json"
	switch content := r.body.(type) {
	case nil:
	case []byte:
		body, media = bytes.NewReader(content), "application/octet-stream"
	default:
		text, err := json.Marshal(content)
		if err != nil {
			return fmt.Errorf("ecobid: write the request: %w", err)
		}
		body = bytes.NewReader(text)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, body)
	if err != nil {
		return fmt.Errorf("ecobid: %w", err)
	}
	sent.Header.Set("Accept", "application/json")
	if body != nil {
		sent.Header.Set("Content-Type", media)
	}
	if key, _ := ctx.Value(keyOf{}).(string); r.key == "" && r.method == http.MethodPost {
		r.key = key
	}
	if r.key != "" {
		sent.Header.Set("Idempotency-Key", r.key)
	}
	if token != "" {
		sent.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.http.Do(sent)
	if err != nil {
		return fmt.Errorf("ecobid: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("ecobid: read the answer: %w", err)
	case response.StatusCode >= 300:
		return refusal(response, text)
	case r.out == nil:
		return nil
	}
	if err := json.Unmarshal(text, r.out); err != nil {
		return fmt.Errorf("ecobid: the answer of %s has another form: %w", r.path, err)
	}
	return nil
}

func get[T any](ctx context.Context, c *Client, path string) (T, error) {
	var out T
	return out, c.send(ctx, request{method: http.MethodGet, path: path, out: &out})
}

func post[T any](ctx context.Context, c *Client, path string, body any, key string) (T, error) {
	var out T
	return out, c.send(ctx, request{method: http.MethodPost, path: path, body: body, key: key, out: &out})
}

func put[T any](ctx context.Context, c *Client, path string, body any) (T, error) {
	var out T
	return out, c.send(ctx, request{method: http.MethodPut, path: path, body: body, out: &out})
}

// A Query describes a search. Zero values stand for the defaults.
type Query struct {
	Lat, Lon float64
	Radius   int // kilometres: 1, 5, 10 or 25
	Category string
	Mode     string // free or auction
	Sort     string // newest or distance
	Limit    int
	Cursor   string
}

// Nearby returns a page of the items around a point.
func (c *Client) Nearby(ctx context.Context, q Query) (Nearby, error) {
	values := url.Values{"lat": {number(q.Lat)}, "lon": {number(q.Lon)}}
	for name, text := range map[string]string{"category": q.Category, "mode": q.Mode, "sort": q.Sort, "cursor": q.Cursor} {
		if text != "" {
			values.Set(name, text)
		}
	}
	for name, n := range map[string]int{"radius": q.Radius, "limit": q.Limit} {
		if n > 0 {
			values.Set(name, strconv.Itoa(n))
		}
	}
	return get[Nearby](ctx, c, "/v1/items?"+values.Encode())
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// path returns the path of a thing, with more behind it.
func path(subject, id, more string) string { return "/v1/" + subject + "/" + url.PathEscape(id) + more }
