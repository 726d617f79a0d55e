package httpserver

import (
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	// largeBody is the size of the body from which a request counts as large.
	largeBody = 1 << 20

	// largeAtOnce is the number of large requests that are served at once: one is read while another is written to disk.
	// More are not faster, but each takes several times the memory of its body.
	largeAtOnce = 2

	// largePatience is the time after which a large request is served even if others still are, so that
	// slow clients cannot keep others from being served.
	largePatience = 20 * time.Second
)

// largeRequests is a handler that limits the memory of large requests.
type largeRequests struct {
	handler http.Handler
	limit   time.Duration // for a client to send a request
	settle  func()        // called after the last one, before its response is sent
	slots   chan struct{}
	under   atomic.Int64 // requests that are served or wait
}

func newLargeRequests(handler http.Handler, limit time.Duration, settle func()) *largeRequests {
	return &largeRequests{handler: handler, limit: limit, settle: settle, slots: make(chan struct{}, largeAtOnce)}
}

func (l *largeRequests) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A compressed body may be large when it is inflated, and one of unknown length in any case.
	if 0 <= r.ContentLength && r.ContentLength <= largeBody && r.Header["Content-Encoding"] == nil {
		l.handler.ServeHTTP(w, r)
		return
	}
	l.under.Add(1)
	release := l.acquire(r)
	body := &largeBodyReader{ReadCloser: r.Body, conn: http.NewResponseController(w), limit: l.limit}
	body.renew()
	r.Body = body
	defer func() {
		release()
		if l.under.Add(-1) == 0 && l.settle != nil {
			l.settle()
		}
	}()
	l.handler.ServeHTTP(w, r)
}

// acquire waits for a slot, but not longer than its patience. The caller must call release.
func (l *largeRequests) acquire(r *http.Request) (release func()) {
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots }
	default:
	}
	timer := time.NewTimer(largePatience)
	defer timer.Stop()
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots }
	case <-timer.C:
	case <-r.Context().Done():
	}
	return func() {}
}

// largeBodyReader is the body of a large request. Its client has the time limit of a whole request for each largeBody of
// it: a slow line, or a machine that is short of time, must not end a request that proceeds. The time that
// the request has waited does not count.
type largeBodyReader struct {
	io.ReadCloser
	conn  *http.ResponseController
	limit time.Duration
	part  int // bytes since the limit was renewed
}

func (b *largeBodyReader) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.part += n; b.part >= largeBody {
		b.part = 0
		b.renew()
	}
	return n, err
}

// renew starts the time limits anew. That fails for plain requests only, which have new ones for their body.
func (b *largeBodyReader) renew() {
	sent := time.Now().Add(b.limit)
	_ = b.conn.SetReadDeadline(sent)
	_ = b.conn.SetWriteDeadline(sent.Add(writeTimeout))
}
