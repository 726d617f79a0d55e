package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// A request is one that the load sends.
type request struct {
	method, path           string
	agent, person, address string
	body                   []byte
}

// header returns the header of a request.
func (q request) header() http.Header {
	h := http.Header{}
	if q.body != nil {
		h.Set("Content-Type", "application/json")
	}
	if q.agent != "" {
		h.Set("X-Agent-Id", q.agent)
	}
	if q.person != "" {
		h.Set("X-Fingerprint", q.person)
	}
	return h
}

// errSpent says that all requests that are allowed were sent.
var errSpent = fmt.Errorf("all requests are sent: %w", context.DeadlineExceeded)

// send sends a request and reads the answer into out, unless out is nil or the request was refused.
func (l *load) send(ctx context.Context, q request, out any) error {
	if l.left.Add(-1) < 0 {
		return errSpent
	}
	message, err := http.NewRequestWithContext(ctx, q.method, l.url+q.path, bytes.NewReader(q.body))
	if err != nil {
		return err
	}
	message.Header = q.header()
	response, err := l.recorder.From(q.address).Do(message)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= 300 || out == nil {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(out); err != nil {
		return fmt.Errorf("%s %s: %w", q.method, q.path, err)
	}
	return nil
}
