package httpserver

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// largeUnderTest runs requests against a largeRequests whose handler blocks until it is told to end.
type largeUnderTest struct {
	*largeRequests
	served  atomic.Int64
	settled atomic.Int64
	end     chan struct{}

	read, write time.Time // the last deadlines of connections
}

// deadlines is a response on a connection with deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	read, write *time.Time
}

func (d deadlines) SetReadDeadline(t time.Time) error  { *d.read = t; return nil }
func (d deadlines) SetWriteDeadline(t time.Time) error { *d.write = t; return nil }

func newLargeUnderTest() *largeUnderTest {
	u := &largeUnderTest{end: make(chan struct{})}
	u.largeRequests = newLargeRequests(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		u.served.Add(1)
		<-u.end
	}), time.Minute, func() { u.settled.Add(1) })
	return u
}

// send begins a request with a body of so many bytes; -1 is a body of unknown length.
func (u *largeUnderTest) send(length int64, encoding string) {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(""))
	if r.ContentLength = length; encoding != "" {
		r.Header.Set("Content-Encoding", encoding)
	}
	go u.ServeHTTP(deadlines{httptest.NewRecorder(), &u.read, &u.write}, r)
	synctest.Wait()
}

// finish ends n requests.
func (u *largeUnderTest) finish(n int) {
	for range n {
		u.end <- struct{}{}
		synctest.Wait()
	}
}

func TestLargeRequestsWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newLargeUnderTest()
		u.send(largeBody+1, "")
		u.send(-1, "")
		u.send(100, "gzip")
		if u.served.Load() != largeAtOnce {
			t.Fatalf("%d large requests are served at once, want %d", u.served.Load(), largeAtOnce)
		}
		for range 5 {
			u.send(largeBody, "")
		}
		if u.served.Load() != largeAtOnce+5 {
			t.Errorf("%d requests are served: small ones wait for large ones", u.served.Load())
		}
		u.finish(5 + largeAtOnce)
		if u.served.Load() != 8 || u.settled.Load() != 0 {
			t.Errorf("%d requests were served, want 8; settled %d times before the last large one has ended", u.served.Load(), u.settled.Load())
		}
		u.finish(1)
		if u.settled.Load() != 1 {
			t.Errorf("settled %d times after the last large request, want once", u.settled.Load())
		}
	})
}

// TestSlowLargeRequestsDoNotBlockOthers checks that a large request is served after its patience, even if the
// clients before it still send theirs.
func TestSlowLargeRequestsDoNotBlockOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newLargeUnderTest()
		for range largeAtOnce + 1 {
			u.send(16<<20, "")
		}
		time.Sleep(largePatience - time.Second)
		synctest.Wait()
		if u.served.Load() != largeAtOnce {
			t.Fatalf("%d requests are served before the patience is over", u.served.Load())
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if u.served.Load() != largeAtOnce+1 {
			t.Fatal("a large request waits for slow ones without an end")
		}
		if left := time.Until(u.read); left < 58*time.Second || time.Until(u.write) < left {
			t.Errorf("a request that has waited must be sent within %v, want a minute; and answered within %v", left, time.Until(u.write))
		}
		u.finish(largeAtOnce + 1)
		if u.settled.Load() != 1 {
			t.Errorf("settled %d times, want once", u.settled.Load())
		}
	})
}
