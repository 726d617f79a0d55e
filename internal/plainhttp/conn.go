package plainhttp

import (
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// The states of a connection.
const (
	fresh int32 = iota // has had no request yet
	idle               // waits for another request
	busy               // has one, or is being closed
)

// inBytes is the size of the read buffer: the head and most bodies fit.
const inBytes = 8 << 10

// deadlineStep is the maximum time by which a connection may be closed before its timeout. Idle
// deadlines are renewed only when they are off by more.
const deadlineStep = time.Second

// A conn serves the plain requests of one connection.
type conn struct {
	net.Conn
	front *Front
	state atomic.Int32

	in       []byte // read and not yet used
	room     []byte
	unread   int // bytes of the body that the handler has not read and in does not have
	inBody   int // bytes of the body in in
	readErr  error
	waitTill time.Time // the read deadline; zero if it is not the idle deadline
	sendTill time.Time // the write deadline

	head     head
	request  *http.Request
	response response
}

// serve serves requests until the connection ends or is handed over.
func (c *conn) serve() {
	defer c.front.end(c)
	defer c.recovered()
	c.prepare()
	for c.next() {
		if !c.head.read(c.in) {
			c.leave()
			return
		}
		c.front.note(c.Conn, http.StateActive)
		if !c.exchange() {
			break
		}
		c.front.note(c.Conn, http.StateIdle)
		c.state.Store(idle)
		if c.front.stopping.Load() && len(c.in) == 0 {
			break
		}
	}
	c.finish()
}

// prepare creates what all requests of the connection share.
func (c *conn) prepare() {
	c.room = make([]byte, inBytes)
	c.head.header = make(http.Header, 16)
	c.response = response{conn: c, header: make(http.Header, 8)}
	c.request = (&http.Request{
		Method: http.MethodPost, URL: new(url.URL), RequestURI: "/",
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: c.head.header, RemoteAddr: c.RemoteAddr().String(),
	}).WithContext(c.front.context)
}

// recovered closes a connection whose handler panicked, like net/http.
func (c *conn) recovered() {
	cause := recover()
	if cause == nil {
		return
	}
	if log := c.front.server.ErrorLog; log != nil && cause != http.ErrAbortHandler {
		log.Printf("http: panic serving %s: %v\n%s", c.RemoteAddr(), cause, debug.Stack())
	}
	c.finish()
}

// finish closes the connection.
func (c *conn) finish() {
	c.front.note(c.Conn, http.StateClosed)
	c.Conn.Close()
}

// leave hands the connection to net/http, which sets its own deadlines.
func (c *conn) leave() {
	if err := c.Conn.SetDeadline(time.Time{}); err != nil {
		c.finish()
		return
	}
	c.front.handOver(c.Conn, c.in)
}

// next waits for a request. It reports whether there is one.
func (c *conn) next() bool {
	if len(c.in) == 0 {
		if err := c.await(); err != nil {
			return false
		}
	}
	// Stop closes an idle connection, and leaves one that is fresh or busy alone.
	return c.state.CompareAndSwap(fresh, busy) || c.state.CompareAndSwap(idle, busy)
}

// await reads the beginning of a request.
func (c *conn) await() error {
	server := c.front.server
	limit := server.IdleTimeout
	if c.state.Load() == fresh {
		limit = server.ReadHeaderTimeout
	}
	if err := c.readWithin(cmp.Or(limit, server.ReadTimeout)); err != nil {
		return err
	}
	n, err := c.Conn.Read(c.room)
	c.in = c.room[:n]
	if n > 0 {
		return nil
	}
	return err
}

// readWithin sets the read deadline, unless it is nearly right.
func (c *conn) readWithin(limit time.Duration) error {
	if limit <= 0 {
		return nil
	}
	till := time.Now().Add(limit)
	if off := till.Sub(c.waitTill); 0 <= off && off < deadlineStep {
		return nil
	}
	c.waitTill = till
	return c.Conn.SetReadDeadline(till)
}

// sendWithin does the same for the write deadline.
func (c *conn) sendWithin(now time.Time) error {
	limit := c.front.server.WriteTimeout
	if limit <= 0 {
		return nil
	}
	till := now.Add(limit)
	if off := till.Sub(c.sendTill); 0 <= off && off < deadlineStep {
		return nil
	}
	c.sendTill = till
	return c.Conn.SetWriteDeadline(till)
}

// exchange serves the request whose head was read. It reports whether another may follow.
func (c *conn) exchange() bool {
	c.in = c.in[c.head.size:]
	c.inBody = min(c.head.length, len(c.in))
	c.unread, c.readErr = c.head.length-c.inBody, nil
	if c.unread > 0 {
		c.waitTill = time.Time{}
		if err := c.readWithin(c.front.server.ReadTimeout); err != nil {
			return false
		}
	}
	*c.request.URL = url.URL{Path: "/"}
	c.request.Host, c.request.Body, c.request.ContentLength = c.head.host, (*body)(c), int64(c.head.length)
	c.response.begin()
	c.front.server.Handler.ServeHTTP(&c.response, c.request)
	return c.response.finish()
}

// drain reads the rest of the body that the handler left unread. It reports whether it was complete.
func (c *conn) drain() bool {
	for c.inBody+c.unread > 0 {
		var lost [4 << 10]byte
		if _, err := (*body)(c).Read(lost[:]); err != nil && err != io.EOF {
			return false
		}
	}
	return c.readErr == nil
}

// body is the body of the request of a conn.
type body conn

// Read first returns the bytes that came with the head. Errors are sticky.
func (b *body) Read(p []byte) (n int, err error) {
	switch {
	case b.readErr != nil:
		return 0, b.readErr
	case b.inBody > 0:
		n = copy(p, b.in[:b.inBody])
		b.in, b.inBody = b.in[n:], b.inBody-n
	case b.unread > 0:
		n, err = b.Conn.Read(p[:min(len(p), b.unread)])
		b.unread -= n
	}
	switch {
	case b.inBody+b.unread == 0:
		return n, io.EOF
	case err != nil:
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		b.readErr = err
	}
	return n, b.readErr
}

func (b *body) Close() error { return nil }
