package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"sortkey.dev/bench/internal/httpload"
)

// A request is one that the load sends. Endpoint is its method and pattern, as in the
// description of the API.
type request struct {
	endpoint, method, path string
	agent, person, address string
	body                   []byte
}

// header returns the header of a request.
func (q request) header() http.Header {
	h := http.Header{"X-Forwarded-For": {q.address}}
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

// A recorder sends requests and remembers how they went.
type recorder struct {
	url  string
	http *http.Client
	left atomic.Int64 // requests that may still be sent
	httpload.Record
}

func newRecorder(url string) *recorder {
	return &recorder{url: url, http: httpload.NewClient()}
}

// allow lets so many more requests be sent.
func (r *recorder) allow(most int) { r.left.Store(int64(most)) }

// errSpent says that all requests that are allowed were sent.
var errSpent = fmt.Errorf("all requests are sent: %w", context.DeadlineExceeded)

// send sends a request and reads the answer into out, unless out is nil or the request was
// refused. It reports the status.
func (r *recorder) send(ctx context.Context, q request, out any) (int, error) {
	if r.left.Add(-1) < 0 {
		return 0, errSpent
	}
	message, err := http.NewRequestWithContext(ctx, q.method, r.url+q.path, bytes.NewReader(q.body))
	if err != nil {
		return 0, err
	}
	message.Header = q.header()
	began := time.Now()
	response, err := r.http.Do(message)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	sent := httpload.Sample{Endpoint: q.endpoint, Method: q.method, Path: q.path, Header: message.Header, Body: q.body, Status: response.StatusCode}
	r.Add(sent, time.Since(began), len(text), refusalName(response.StatusCode, text))
	if response.StatusCode >= 300 || out == nil {
		return response.StatusCode, nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return 0, fmt.Errorf("%s %s: %w", q.method, q.path, err)
	}
	return response.StatusCode, nil
}

// refusalName returns a refusal as the report has it; "" if the request was not refused.
func refusalName(status int, text []byte) string {
	if status < 300 {
		return ""
	}
	var envelope struct {
		Error struct{ Code string }
	}
	if json.Unmarshal(text, &envelope) != nil || envelope.Error.Code == "" {
		return fmt.Sprint(status)
	}
	return fmt.Sprintf("%d %s", status, envelope.Error.Code)
}
