// Package plainhttp serves the plain requests that SDKs send over and over on a few
// connections, with a fraction of the work that net/http does for any request. A plain
// request is a POST to / in HTTP/1.1 with a Content-Length, nothing unusual in its head, and
// the whole head in one read. A connection that sends anything else is handed to net/http
// together with the bytes read from it, and stays there. So this package implements little
// of HTTP, and rejects nothing: what it does not know is not plain.
//
// A handler gets less than with net/http: the request is valid only until the handler
// returns, its context does not end when the client disconnects, and the response is sent as a
// whole, when the handler returns. The command serve uses it for the database, whose requests are
// short and whose responses fit into memory.
package plainhttp

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// A Front is a listener between a net.Listener and an http.Server. It
// serves plain requests with the server's handler and within the server's limits, calls its
// ConnState for its connections, and lets the server accept those that are not plain.
type Front struct {
	listener net.Listener
	server   *http.Server
	handed   chan accepted
	closed   chan struct{}
	stopping atomic.Bool
	context  context.Context
	cancel   context.CancelFunc

	mu    sync.Mutex
	conns map[*conn]struct{}
	empty chan struct{} // closed when the last connection ends after Stop
}

// accepted is the result of Accept.
type accepted struct {
	conn net.Conn
	err  error
}

var _ net.Listener = (*Front)(nil)

// New returns a Front that accepts connections on l. The caller passes it to server.Serve,
// and ends it with Stop, Wait and Cut beside the Shutdown and Close of the server.
func New(l net.Listener, server *http.Server) *Front {
	f := &Front{
		listener: l,
		server:   server,
		handed:   make(chan accepted),
		closed:   make(chan struct{}),
		conns:    make(map[*conn]struct{}),
		empty:    make(chan struct{}),
	}
	f.context, f.cancel = context.WithCancel(context.Background())
	go f.accept()
	return f
}

// accept accepts connections until the listener is closed. It passes errors to the server,
// which waits after a temporary one; accept blocks until the server calls Accept again.
func (f *Front) accept() {
	for {
		c, err := f.listener.Accept()
		if err == nil {
			f.begin(c)
			continue
		}
		select {
		case f.handed <- accepted{err: err}:
		case <-f.closed:
			return
		}
	}
}

// Accept returns the next connection that is not plain, or the next error.
func (f *Front) Accept() (net.Conn, error) {
	select {
	case a := <-f.handed:
		return a.conn, a.err
	case <-f.closed:
		return nil, net.ErrClosed
	}
}

// Addr returns the address of the listener.
func (f *Front) Addr() net.Addr { return f.listener.Addr() }

// Close stops accepting. Open connections continue. Closing twice is harmless.
func (f *Front) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.closed:
		return nil
	default:
		close(f.closed)
		return f.listener.Close()
	}
}

// begin serves a new connection, unless the server has stopped meanwhile.
func (f *Front) begin(nc net.Conn) {
	c := &conn{Conn: nc, front: f}
	f.mu.Lock()
	stopped := f.stopping.Load()
	if !stopped {
		f.conns[c] = struct{}{}
	}
	f.mu.Unlock()
	if stopped {
		nc.Close()
		return
	}
	f.note(nc, http.StateNew)
	go c.serve()
}

// end removes a connection.
func (f *Front) end(c *conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.conns, c)
	if len(f.conns) == 0 && f.stopping.Load() {
		f.closeEmpty()
	}
}

func (f *Front) closeEmpty() {
	select {
	case <-f.empty:
	default:
		close(f.empty)
	}
}

// handOver passes a connection to the server, with the bytes read from it. The server
// treats it as a new connection.
func (f *Front) handOver(nc net.Conn, read []byte) {
	f.note(nc, http.StateHijacked)
	select {
	case f.handed <- accepted{conn: &replayed{Conn: nc, read: read}}:
	case <-f.closed:
		nc.Close()
	}
}

func (f *Front) note(nc net.Conn, state http.ConnState) {
	if f.server.ConnState != nil {
		f.server.ConnState(nc, state)
	}
}

// Stop closes the listener and the idle connections. A connection
// that has had no request yet may still send one; a busy connection ends after its response.
func (f *Front) Stop() {
	f.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopping.Store(true)
	for c := range f.conns {
		if c.state.CompareAndSwap(idle, busy) {
			c.Conn.Close()
		}
	}
	if len(f.conns) == 0 {
		f.closeEmpty()
	}
}

// Wait waits after Stop until no connection is left. It returns the error of ctx if ctx ends first.
func (f *Front) Wait(ctx context.Context) error {
	select {
	case <-f.empty:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Cut stops, cancels the contexts of requests and closes all connections.
func (f *Front) Cut() {
	f.Stop()
	f.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		c.Conn.Close()
	}
}

// replayed is a connection that first returns bytes that were already read.
type replayed struct {
	net.Conn
	read []byte
}

func (r *replayed) Read(p []byte) (int, error) {
	if len(r.read) == 0 {
		return r.Conn.Read(p)
	}
	n := copy(p, r.read)
	r.read = r.read[n:]
	return n, nil
}

// CloseWrite lets net/http close a connection gracefully, so that the client gets the last response.
func (r *replayed) CloseWrite() error {
	if c, ok := r.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}
