package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"sync"
	"time"

	"sortkey.dev/bench/internal/httpload"
)

// A recorder measures the requests of all callers by endpoint.
type recorder struct {
	transport http.RoundTripper

	mu        sync.Mutex
	endpoints map[string]*endpoint
}

// An endpoint holds the measurements of one endpoint.
type endpoint struct {
	times    []time.Duration
	refusals int
	bytes    int             // of all responses
	sample   httpload.Sample // a request that was not refused
}

func newRecorder() *recorder {
	return &recorder{transport: httpload.NewClient().Transport, endpoints: map[string]*endpoint{}}
}

// reset forgets all measurements.
func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endpoints = map[string]*endpoint{}
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
	for _, e := range r.endpoints {
		if e.sample.Endpoint == "" {
			continue // all were refused
		}
		s := e.sample
		s.Requests, s.Size = len(e.times), e.bytes/len(e.times)
		all = append(all, s)
	}
	return all
}

// caller returns the HTTP client of one caller, who has an address of its own.
func (r *recorder) caller(number int) *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: caller{r, fmt.Sprintf("10.%d.%d.1", number/250, number%250)}}
}

type caller struct {
	record  *recorder
	address string
}

var id = regexp.MustCompile(`/[0-9A-Z]{26}`)

// RoundTrip sends a request and measures the time to the end of the response.
func (c caller) RoundTrip(request *http.Request) (*http.Response, error) {
	var sent []byte
	request = request.Clone(request.Context())
	if request.Body != nil {
		var err error
		if sent, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
		request.Body = io.NopCloser(bytes.NewReader(sent))
	}
	request.Header.Set("X-Forwarded-For", c.address)
	began := time.Now()
	response, err := c.record.transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	took := time.Since(began)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(text))
	c.record.add(request, sent, took, response.StatusCode, len(text))
	return response, nil
}

func (r *recorder) add(request *http.Request, body []byte, took time.Duration, status, size int) {
	name := request.Method + " " + id.ReplaceAllString(request.URL.Path, "/{id}")
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.endpoints[name]
	if e == nil {
		e = &endpoint{}
		r.endpoints[name] = e
	}
	e.times = append(e.times, took)
	e.bytes += size
	switch {
	case status >= 300:
		e.refusals++
	case e.sample.Endpoint == "":
		e.sample = httpload.Sample{Endpoint: name, Method: request.Method, Path: request.URL.RequestURI(), Header: request.Header, Body: body, Status: status}
	}
}
