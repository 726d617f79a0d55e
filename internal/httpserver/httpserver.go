// Package httpserver serves HTTP until a context ends. It disconnects slow and idle clients, limits
// the number of connections, and finishes the requests in flight. It knows no database; the commands
// that serve something call it.
package httpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"sortkey.dev/internal/plainhttp"
)

// The limits of servers. They are wide enough for a request on a slow line, as a large
// one gets more time while it proceeds, and tight enough that a stalled client is disconnected.
const (
	ReadTimeout       = time.Minute
	Grace             = 10 * time.Second
	readHeaderTimeout = 10 * time.Second
	writeTimeout      = 2 * time.Minute
	idleTimeout       = 5 * time.Minute // longer than SDKs keep idle connections, so they close first
	maxHeaderBytes    = 64 << 10
	lastMoment        = 200 * time.Millisecond // for a request that is being sent when the server stops
)

// A Server serves requests on a listener until its context ends.
type Server struct {
	ReadTimeout time.Duration // for a client to send a request; 0: ReadTimeout
	Grace       time.Duration // for requests in flight after the context has ended; 0: Grace
	Most        int           // concurrent connections; 0: as many as the process can have
	Plain       bool          // the handler supports plainhttp
	Log         *slog.Logger

	// Settle, if it is set, limits how many large requests are served at once, and is called before the response to the
	// last of them is sent.
	Settle func()
}

// Serve runs the server until ctx is done and the requests in flight have ended or used up their
// grace. When it listens it calls ready, whose error ends it.
func (s Server) Serve(ctx context.Context, listener net.Listener, handler http.Handler, ready func() error) error {
	if s.Settle != nil {
		handler = newLargeRequests(handler, cmp.Or(s.ReadTimeout, ReadTimeout), s.Settle)
	}
	open := newConnections(cmp.Or(s.Most, mostConnections()))
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       cmp.Or(s.ReadTimeout, ReadTimeout),
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnState:         open.note,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	// Shutdown itself would wait five seconds for a first request on each of them.
	server.RegisterOnShutdown(func() { time.AfterFunc(lastMoment, open.closeWaiting) })
	end := ending(server)
	if s.Plain {
		front := plainhttp.New(listener, server)
		listener, end = front, frontEnding{front, server}
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	if err := ready(); err != nil {
		end.Close()
		return fmt.Errorf("print the address: %w", err)
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	wait := cmp.Or(s.Grace, Grace)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
	defer cancel()
	if err := end.Shutdown(grace); err != nil {
		s.Log.Warn("requests cut off at shutdown", slog.Duration("waited", wait))
		end.Close()
	}
	return nil
}

// ending ends a server: gracefully, or immediately.
type ending interface {
	Shutdown(context.Context) error
	Close() error
}

// frontEnding ends a server and the front before it.
type frontEnding struct {
	front  *plainhttp.Front
	server *http.Server
}

func (e frontEnding) Shutdown(ctx context.Context) error {
	e.front.Stop()
	return errors.Join(e.server.Shutdown(ctx), e.front.Wait(ctx))
}

func (e frontEnding) Close() error {
	e.front.Cut()
	return e.server.Close()
}
