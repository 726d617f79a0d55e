package httpserver

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"
)

// A httpUnderTest is a server that responds "yes" at / and blocks at /wait.
type httpUnderTest struct {
	address string
	waiting chan struct{} // gets one for every request that waits
	stop    context.CancelFunc
	ended   chan error
}

func beginHTTP(t *testing.T, h Server) *httpUnderTest {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	s := &httpUnderTest{address: listener.Addr().String(), waiting: make(chan struct{}, 10), stop: stop, ended: make(chan error, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "yes") })
	mux.HandleFunc("/wait", func(_ http.ResponseWriter, r *http.Request) {
		s.waiting <- struct{}{}
		<-r.Context().Done()
	})
	h.Log = slog.New(slog.DiscardHandler)
	go func() { s.ended <- h.Serve(ctx, listener, mux, func() error { return nil }) }()
	t.Cleanup(stop)
	return s
}

// A caller is one connection to a server.
type caller struct {
	net.Conn
	in *bufio.Reader
}

func (s *httpUnderTest) call(t *testing.T) caller {
	t.Helper()
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return caller{conn, bufio.NewReader(conn)}
}

// get sends a request and reports whether it got a response or the connection ended.
func (c caller) get(path string) bool {
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
		return false
	}
	response, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return false
	}
	body, err := io.ReadAll(response.Body)
	return err == nil && string(body) == "yes"
}

// awaitEnd waits until the server has closed the connection. If it stays open the
// test hangs, and fails.
func (c caller) awaitEnd() {
	_, _ = io.Copy(io.Discard, c.in) // a reset also counts
}

// TestIdleConnectionsAreClosedForNewOnes checks that a client with many idle connections does not lock out
// others.
func TestIdleConnectionsAreClosedForNewOnes(t *testing.T) {
	s := beginHTTP(t, Server{Most: 3, Grace: time.Minute})
	silent := []caller{s.call(t), s.call(t), s.call(t)}
	if !s.call(t).get("/") {
		t.Error("one connection too many is not served, although others are idle")
	}
	silent[0].awaitEnd()
	for _, younger := range silent[1:] {
		if !younger.get("/") {
			t.Error("a connection that was not idle longest was closed")
		}
	}
}

// TestBusyConnectionsAreKept checks that a busy connection is not closed for a new one.
func TestBusyConnectionsAreKept(t *testing.T) {
	s := beginHTTP(t, Server{Most: 2, Grace: time.Second})
	for range 2 {
		busy := s.call(t)
		if _, err := io.WriteString(busy, "GET /wait HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		<-s.waiting
	}
	if s.call(t).get("/") {
		t.Error("a third connection is served where two are the most")
	}
}

// TestIdleConnectionsDoNotDelayShutdown checks that connections without a request, which browsers open
// speculatively, are closed at the end, and those with a request are not.
func TestIdleConnectionsDoNotDelayShutdown(t *testing.T) {
	open := newConnections(10)
	silent, busy, idle, ended := listen(t), listen(t), listen(t), listen(t)
	for _, end := range []ends{silent, busy, idle, ended} {
		open.note(end.server, http.StateNew)
	}
	open.note(busy.server, http.StateActive)
	open.note(idle.server, http.StateActive)
	open.note(idle.server, http.StateIdle)
	open.note(ended.server, http.StateClosed)
	open.closeWaiting()
	for name, want := range map[string]struct {
		ends
		closed bool
	}{"silent": {silent, true}, "busy": {busy, false}, "idle": {idle, true}, "ended": {ended, false}} {
		go want.client.Read(make([]byte, 1))
		if _, err := want.server.Write([]byte("x")); (err != nil) != want.closed {
			t.Errorf("%s: closed is %v, want %v", name, err != nil, want.closed)
		}
	}
	open.note(silent.server, http.StateClosed) // the server notices that it is closed
	if len(open.open) != 1 {
		t.Errorf("%d connections are counted, want the busy one", len(open.open))
	}
}

// ends holds both ends of a connection.
type ends struct{ server, client net.Conn }

func listen(t *testing.T) ends {
	server, client := net.Pipe()
	t.Cleanup(func() { server.Close(); client.Close() })
	return ends{server, client}
}

func TestConnectionsLeaveFilesForTheData(t *testing.T) {
	for files, want := range map[uint64]int{
		0: 1, 128: 64, 1024: 512, 4096: 4096 - ownFiles, 1 << 20: manyConnections, 1<<64 - 1: manyConnections,
	} {
		if got := connectionsWith(files); got != want {
			t.Errorf("with %d files: %d connections, want %d", files, got, want)
		}
	}
}
