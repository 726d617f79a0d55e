// Package client uses an ExamBuddy from a Go program, over its JSON API: it builds exams, sits them
// and reads results. It uses only the standard library.
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
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// RequestTimeout is the timeout of a single request.
const RequestTimeout = 30 * time.Second

// maxAnswer bounds the size of a response.
const maxAnswer = 32 << 20

// A Client is a program of one person. It is safe for concurrent use.
type Client struct {
	base string
	http *http.Client

	mu     sync.Mutex
	tokens Tokens
}

// A Setting configures a Client.
type Setting func(*Client)

// WithHTTPClient sends requests through another client.
func WithHTTPClient(h *http.Client) Setting { return func(c *Client) { c.http = h } }

// WithTokens continues a session of a person.
func WithTokens(tokens Tokens) Setting { return func(c *Client) { c.tokens = tokens } }

// New returns a client of the service at a base URL.
func New(base string, settings ...Setting) *Client {
	c := &Client{base: strings.TrimRight(base, "/"), http: &http.Client{Timeout: RequestTimeout}}
	for _, set := range settings {
		set(c)
	}
	return c
}

// Tokens returns the tokens of the person's session, to continue it later.
func (c *Client) Tokens() Tokens {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tokens
}

func (c *Client) setTokens(tokens Tokens) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens = tokens
}

// Register signs up, and signs in unless the address must be verified first.
func (c *Client) Register(ctx context.Context, in Registration) (Registered, error) {
	var registered Registered
	if err := c.send(ctx, request{method: http.MethodPost, path: "/v1/auth/register", body: in, out: &registered}); err != nil {
		return Registered{}, err
	}
	if registered.Tokens != nil {
		c.setTokens(*registered.Tokens)
	}
	return registered, nil
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

// Logout signs out.
func (c *Client) Logout(ctx context.Context) error {
	body := map[string]string{"refreshToken": c.Tokens().RefreshToken}
	err := c.once(ctx, request{method: http.MethodPost, path: "/v1/auth/logout", body: body}, "")
	c.setTokens(Tokens{})
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

// A request is a request to the API.
type request struct {
	method, path string
	body         any    // encoded as JSON; []byte is sent as it is
	media        string // of a body of bytes
	out          any    // nil without a response; *[]byte for a file
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
	sent, err := c.prepare(ctx, r, token)
	if err != nil {
		return err
	}
	response, err := c.http.Do(sent)
	if err != nil {
		return fmt.Errorf("exambuddy: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("exambuddy: read the answer: %w", err)
	case response.StatusCode >= 300:
		return refusal(response, text)
	case r.out == nil:
		return nil
	}
	if file, ok := r.out.(*[]byte); ok {
		*file = text
		return nil
	}
	if err := json.Unmarshal(text, r.out); err != nil {
		return fmt.Errorf("exambuddy: the answer of %s has another form: %w", r.path, err)
	}
	return nil
}

// prepare returns the HTTP request of a request.
func (c *Client) prepare(ctx context.Context, r request, token string) (*http.Request, error) {
	var body io.Reader
	media := "application/json"
	switch content := r.body.(type) {
	case nil:
	case []byte:
		body, media = bytes.NewReader(content), r.media
	default:
		text, err := json.Marshal(content)
		if err != nil {
			return nil, fmt.Errorf("exambuddy: write the request: %w", err)
		}
		body = bytes.NewReader(text)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, body)
	if err != nil {
		return nil, fmt.Errorf("exambuddy: %w", err)
	}
	if body != nil {
		sent.Header.Set("Content-Type", media)
	}
	if token != "" {
		sent.Header.Set("Authorization", "Bearer "+token)
	}
	return sent, nil
}

func get[T any](ctx context.Context, c *Client, path string) (T, error) {
	var out T
	return out, c.send(ctx, request{method: http.MethodGet, path: path, out: &out})
}

func post[T any](ctx context.Context, c *Client, path string, body any) (T, error) {
	var out T
	return out, c.send(ctx, request{method: http.MethodPost, path: path, body: body, out: &out})
}

func put[T any](ctx context.Context, c *Client, path string, body any) (T, error) {
	var out T
	return out, c.send(ctx, request{method: http.MethodPut, path: path, body: body, out: &out})
}

// path returns the path of a thing, with more behind it.
func path(subject, id, more string) string { return "/v1/" + subject + "/" + url.PathEscape(id) + more }

// page returns the query of a page.
func page(cursor string) string {
	if cursor == "" {
		return ""
	}
	return "?cursor=" + url.QueryEscape(cursor)
}
