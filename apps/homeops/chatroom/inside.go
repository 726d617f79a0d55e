package chatroom

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
)

// An inside is a transport that calls a handler of this process in place of a host.
type inside struct {
	handler atomic.Pointer[http.Handler]
}

func (t *inside) set(h http.Handler) { t.handler.Store(&h) }

// RoundTrip serves a request and returns the response.
func (t *inside) RoundTrip(r *http.Request) (*http.Response, error) {
	h := t.handler.Load()
	if h == nil {
		return nil, errors.New("chatroom: no handler is connected")
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer func() { _ = r.Body.Close() }()
	w := &response{header: make(http.Header)}
	(*h).ServeHTTP(w, r)
	return &http.Response{
		StatusCode: max(w.status, http.StatusOK), Status: http.StatusText(max(w.status, http.StatusOK)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// A response keeps what a handler writes.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header of the response.
func (w *response) Header() http.Header { return w.header }

// Write adds to the body.
func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// WriteHeader sets the status once.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}
