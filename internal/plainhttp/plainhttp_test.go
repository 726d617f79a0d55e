package plainhttp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A running is a running server and the states that its ConnState was called with.
type running struct {
	*Front
	server *http.Server
	logged lockedBuffer

	mu     sync.Mutex
	states map[http.ConnState]int
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// begin serves handler on a free port until the test ends.
func begin(t *testing.T, handler http.HandlerFunc) *running {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &running{states: map[http.ConnState]int{}}
	r.server = &http.Server{Handler: handler, ErrorLog: log.New(&r.logged, "", 0), ConnState: func(_ net.Conn, s http.ConnState) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.states[s]++
	}}
	r.Front = New(l, r.server)
	ended := make(chan error, 1)
	go func() { ended <- r.server.Serve(r.Front) }()
	t.Cleanup(func() {
		r.Cut()
		r.server.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) && err != http.ErrServerClosed {
			t.Errorf("Serve: %v", err)
		}
	})
	return r
}

func (r *running) count(s http.ConnState) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.states[s]
}

// A client sends raw requests and reads responses.
type client struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func (r *running) dial(t *testing.T) *client {
	t.Helper()
	conn, err := net.Dial("tcp", r.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &client{t, conn, bufio.NewReader(conn)}
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn, text); err != nil {
		c.t.Fatal(err)
	}
}

// answer reads a response and returns its body.
func (c *client) answer() (*http.Response, string) {
	c.t.Helper()
	answer, err := http.ReadResponse(c.in, &http.Request{Method: http.MethodPost})
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer, string(body)
}

// ended waits until the server has closed the connection.
func (c *client) ended() {
	c.t.Helper()
	if rest, err := io.ReadAll(c.in); err != nil || len(rest) > 0 {
		c.t.Errorf("after the last answer: %q, %v", rest, err)
	}
}

func plain(body string) string {
	return fmt.Sprintf("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// isPlain reports whether this package or net/http serves the request.
func isPlain(w http.ResponseWriter) bool {
	_, ok := w.(*response)
	return ok
}

// echo responds with the body, and says which package serves the request.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	w.Header()["X-Plain"] = []string{strconv.FormatBool(isPlain(w))}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusAccepted)
	w.Write(body)
}

func TestPlainRequestsFollowEachOther(t *testing.T) {
	r := begin(t, echo)
	c := r.dial(t)
	for _, size := range []int{0, 2, 5_000, 100_000, maxBody, 3} {
		want := strings.Repeat("x", size)
		c.send(plain(want))
		answer, got := c.answer()
		if answer.StatusCode != http.StatusAccepted || got != want || answer.Header.Get("X-Plain") != "true" || answer.Header.Get("Date") == "" || answer.Close {
			t.Fatalf("%d bytes: %v, %d bytes, %v", size, answer.Status, len(got), answer.Header)
		}
	}
	if got := r.count(http.StateActive); got != 6 {
		t.Errorf("%d times active, want 6", got)
	}
}

func TestRequestsInOnePiece(t *testing.T) {
	c := begin(t, echo).dial(t)
	c.send(plain("a") + plain("b") + "GET / HTTP/1.1\r\nHost: x\r\n\r\n" + plain("c"))
	for i, want := range []string{"a", "b", "", "c"} {
		answer, got := c.answer()
		if who := strconv.FormatBool(i < 2); got != want || answer.Header.Get("X-Plain") != who {
			t.Errorf("answer %d: %q, plain %s, want %q and %s", i, got, answer.Header.Get("X-Plain"), want, who)
		}
	}
}

func TestOthersAreHandedOver(t *testing.T) {
	r := begin(t, echo)
	c := r.dial(t)
	c.send(plain("first"))
	c.answer()
	c.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
	if answer, got := c.answer(); got != "hello" || answer.Header.Get("X-Plain") != "false" {
		t.Errorf("%q, %v", got, answer.Header)
	}
	slow := r.dial(t)
	slow.send("POST / HT")
	slow.send(plain("half")[len("POST / HT"):])
	if _, got := slow.answer(); got != "half" {
		t.Errorf("a head in two pieces: %q", got)
	}
	if got := r.count(http.StateHijacked); got < 1 {
		t.Errorf("%d connections handed over", got)
	}
}

func TestUnreadBody(t *testing.T) {
	c := begin(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<no/>") }).dial(t)
	for range 2 {
		c.send(plain(strings.Repeat("x", 300_000)))
		answer, got := c.answer()
		if got != "<no/>" || answer.Header.Get("Content-Type") != "text/plain; charset=utf-8" || answer.StatusCode != http.StatusOK {
			t.Errorf("%q, %v", got, answer)
		}
	}
}

func TestResponseInParts(t *testing.T) {
	want := strings.Repeat("0123456789", 3_000)
	c := begin(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Line", "a\r\nb")
		for i := 0; i < len(want); i += 10_000 {
			io.WriteString(w, want[i:i+10_000])
		}
	}).dial(t)
	c.send(plain(""))
	if answer, got := c.answer(); got != want || answer.Header.Get("X-Line") != "a  b" {
		t.Errorf("%d bytes, %v", len(got), answer.Header)
	}
}

func TestClientDisconnectsWithoutBody(t *testing.T) {
	failed := make(chan error, 1)
	c := begin(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		failed <- err
	}).dial(t)
	c.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345")
	c.conn.(*net.TCPConn).CloseWrite()
	if err := <-failed; !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the handler reads %v", err)
	}
	if answer, _ := c.answer(); !answer.Close {
		t.Error("the connection is still open")
	}
	c.ended()
}

func TestPanicEndsTheConnection(t *testing.T) {
	r := begin(t, func(http.ResponseWriter, *http.Request) { panic("planned") })
	c := r.dial(t)
	c.send(plain(""))
	c.ended()
	if !strings.Contains(r.logged.String(), "planned") {
		t.Errorf("the log says %q", r.logged.String())
	}
}

func TestStopLetsRequestsFinish(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	r := begin(t, func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("X-Wait") != "" {
			close(entered)
			<-release
		}
		io.WriteString(w, "done")
	})
	waiting, working := r.dial(t), r.dial(t)
	waiting.send(plain(""))
	waiting.answer()
	working.send(strings.Replace(plain(""), "\r\n\r\n", "\r\nX-Wait: 1\r\n\r\n", 1))
	<-entered
	r.Stop()
	waiting.ended()
	if _, err := net.Dial("tcp", r.Addr().String()); err == nil {
		t.Error("still accepts")
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Wait(over); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait during a request: %v", err)
	}
	close(release)
	if answer, got := working.answer(); got != "done" || !answer.Close {
		t.Errorf("%q, %v", got, answer)
	}
	working.ended()
	if err := r.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestCutEndsRequests(t *testing.T) {
	entered := make(chan struct{})
	r := begin(t, func(w http.ResponseWriter, req *http.Request) {
		close(entered)
		<-req.Context().Done()
	})
	c := r.dial(t)
	c.send(plain(""))
	<-entered
	r.Cut()
	if err := r.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}
