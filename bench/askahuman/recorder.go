package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
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

	mu        sync.Mutex
	endpoints map[string]*endpoint
}

// An endpoint holds the measurements of one endpoint.
type endpoint struct {
	times    []time.Duration
	refusals map[string]int // by status and code
	bytes    int            // of all answers
	sample   request
	status   int // of the sample
}

func newRecorder(url string) *recorder {
	return &recorder{url: url, endpoints: map[string]*endpoint{}, http: httpload.NewClient()}
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
	r.add(q, time.Since(began), response.StatusCode, text)
	if response.StatusCode >= 300 || out == nil {
		return response.StatusCode, nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return 0, fmt.Errorf("%s %s: %w", q.method, q.path, err)
	}
	return response.StatusCode, nil
}

func (r *recorder) add(q request, took time.Duration, status int, text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.endpoints[q.endpoint]
	if e == nil {
		e = &endpoint{refusals: map[string]int{}}
		r.endpoints[q.endpoint] = e
	}
	e.times = append(e.times, took)
	e.bytes += len(text)
	if status >= 300 {
		e.refusals[refusalName(status, text)]++
	} else {
		e.sample, e.status = q, status
	}
}

// refusalName returns a refusal as the report has it.
func refusalName(status int, text []byte) string {
	var envelope struct {
		Error struct{ Code string }
	}
	if json.Unmarshal(text, &envelope) != nil || envelope.Error.Code == "" {
		return fmt.Sprint(status)
	}
	return fmt.Sprintf("%d %s", status, envelope.Error.Code)
}

// requests returns how many were answered.
func (r *recorder) requests() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, e := range r.endpoints {
		n += len(e.times)
	}
	return n
}

// samples returns a request of each endpoint, for the floor.
func (r *recorder) samples() (all []httpload.Sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range r.names() {
		e := r.endpoints[name]
		if e.status == 0 {
			continue // all were refused
		}
		all = append(all, httpload.Sample{
			Endpoint: name, Method: e.sample.method, Path: e.sample.path, Header: e.sample.header(), Body: e.sample.body,
			Requests: len(e.times), Status: e.status, Size: e.bytes / len(e.times),
		})
	}
	return all
}

// names returns the endpoints, sorted by their path.
func (r *recorder) names() []string {
	names := make([]string, 0, len(r.endpoints))
	for name := range r.endpoints {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(pathOf(a), pathOf(b)), cmp.Compare(a, b))
	})
	return names
}

func pathOf(endpoint string) string {
	_, path, _ := bytes.Cut([]byte(endpoint), []byte(" "))
	return string(path)
}
