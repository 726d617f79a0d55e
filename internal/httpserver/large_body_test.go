package httpserver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener for connections in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// sendSlowly sends a large body with a pause after each half of largeBody, and returns the status of the response; 0 if the
// connection ended.
func sendSlowly(t *testing.T, pause time.Duration) (status int) {
	t.Helper()
	const parts = 8
	client, server := net.Pipe()
	listener := pipes{conns: make(chan net.Conn, 1), closed: make(chan struct{})}
	listener.conns <- server
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n, err := io.Copy(io.Discard, r.Body); n != parts*largeBody/2 || err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	go func() {
		ended <- Server{Log: slog.New(slog.DiscardHandler), Settle: func() {}}.Serve(ctx, listener, handler, func() error { return nil })
	}()
	var sender sync.WaitGroup
	defer func() {
		stop()
		client.Close()
		<-ended
		sender.Wait()
	}()
	sender.Go(func() {
		fmt.Fprintf(client, "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: %d\r\n\r\n", parts*largeBody/2)
		for range parts {
			if _, err := client.Write(bytes.Repeat([]byte{'x'}, largeBody/2)); err != nil {
				return
			}
			time.Sleep(pause)
		}
	})
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		return 0
	}
	return response.StatusCode
}

// TestLargeRequestsMayTakeLongWhileTheyProceed sends a body that takes several times the time limit of a
// request, and one that stalls.
func TestLargeRequestsMayTakeLongWhileTheyProceed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if status := sendSlowly(t, ReadTimeout/3); status != http.StatusOK {
			t.Errorf("a slow request that proceeds: status %d, want 200", status)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		if status := sendSlowly(t, 2*ReadTimeout); status == http.StatusOK {
			t.Error("a request that stalls is not disconnected")
		}
	})
}
