// Package apiclient sends the requests of the systems' Go clients: JSON in and out over HTTP, with
// the credentials of a session, idempotency keys, bounded responses, and errors of one type.
//
// It knows no system, no rules and nothing of a server, so that a program with a client links none.
// The client packages of the systems are built on it. Package jsonapi is its counterpart.
package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// RequestTimeout is the default timeout of a single request.
const RequestTimeout = 30 * time.Second

// A Transport sends requests to the API of one system. It is safe for concurrent use.
type Transport struct {
	System    string // begins the errors, such as ecobid
	Base      string // the base URL; a slash at its end does not matter
	MaxAnswer int64  // the maximum size of a response
	// HTTP sends the requests; a client with RequestTimeout if it is nil.
	HTTP *http.Client
}

// A Request is a request to the API.
type Request struct {
	Method, Path string // the path begins with a slash, and may have a query
	Header       http.Header
	Body         any    // encoded as JSON; []byte is sent as it is
	Media        string // the media type of a body of bytes
	Out          any    // the response is decoded into it; nil without a response, *[]byte for a file
}

// standard sends the requests of transports without a client of their own.
var standard = &http.Client{Timeout: RequestTimeout}

// Send sends a request and decodes its response. An error response is an *Error.
func (t *Transport) Send(ctx context.Context, r Request) error {
	if err := t.send(ctx, r); err != nil {
		return fmt.Errorf("%s: %w", t.System, err)
	}
	return nil
}

func (t *Transport) send(ctx context.Context, r Request) error {
	request, err := t.request(ctx, r)
	if err != nil {
		return err
	}
	sender := t.HTTP
	if sender == nil {
		sender = standard
	}
	response, err := sender.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, t.MaxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("read the response: %w", err)
	case int64(len(text)) > t.MaxAnswer:
		return fmt.Errorf("the response of %s is larger than %d bytes", r.Path, t.MaxAnswer)
	case response.StatusCode >= http.StatusMultipleChoices:
		return refusal(response, text)
	}
	switch out := r.Out.(type) {
	case nil:
	case *[]byte:
		*out = text
	default:
		if err := json.Unmarshal(text, out); err != nil {
			return fmt.Errorf("decode the response of %s: %w", r.Path, err)
		}
	}
	return nil
}

// request returns the HTTP request of a request.
func (t *Transport) request(ctx context.Context, r Request) (*http.Request, error) {
	var body io.Reader
	media := "application/json"
	switch content := r.Body.(type) {
	case nil:
	case []byte:
		body, media = bytes.NewReader(content), r.Media
	default:
		text, err := json.Marshal(content)
		if err != nil {
			return nil, fmt.Errorf("encode the request: %w", err)
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, strings.TrimRight(t.Base, "/")+r.Path, body)
	if err != nil {
		return nil, err
	}
	if r.Header != nil {
		request.Header = r.Header.Clone()
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", media)
	}
	return request, nil
}

type keyOf struct{}

// WithKey returns a context for one write: sent again with the same key, an operation that takes an idempotency
// key acts once.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyOf{}, key)
}

// Key returns the idempotency key of a context; "" without one.
func Key(ctx context.Context) string {
	key, _ := ctx.Value(keyOf{}).(string)
	return key
}
