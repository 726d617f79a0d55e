package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"sortkey.dev/internal/plainhttp"
)

// noopCommand, as the first argument, makes this program a child of itself.
const noopCommand = "noop-server"

// serveNoop answers every request with a fixed body, in a process of its own:
// what net/http costs without a database behind it. It reads the body and sends
// the headers that an answer needs, but computes nothing.
func serveNoop() error {
	var buffers sync.Pool
	answers := map[string]*fixedAnswer{}
	for _, w := range workloads {
		answers[targetOf(string(w.op))] = newFixedAnswer(w.answerSize())
	}
	empty := newFixedAnswer(2)
	return listenAndServe(false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		buf, ok := buffers.Get().(*bytes.Buffer)
		if !ok {
			buf = new(bytes.Buffer)
		}
		buf.Reset()
		_, err := io.Copy(buf, r.Body)
		buffers.Put(buf)
		if err != nil {
			return // the caller has gone
		}
		answer := empty
		if target := r.Header["X-Amz-Target"]; len(target) > 0 && answers[target[0]] != nil {
			answer = answers[target[0]]
		}
		answer.write(w)
	}))
}

// A fixedAnswer is an answer that is always the same.
type fixedAnswer struct {
	body             []byte
	id, kind, length []string
	checksum         []string
}

func newFixedAnswer(size int) *fixedAnswer {
	body := bytes.Repeat([]byte{'x'}, size)
	return &fixedAnswer{
		body:     body,
		kind:     []string{"application/x-amz-json-1.0"},
		id:       []string{"0123456789ABCDEFGHIJKLMNOPQRSTUV0123456789ABCDEFGHIJ"},
		checksum: []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10)},
		length:   []string{strconv.Itoa(size)},
	}
}

func (a *fixedAnswer) write(w http.ResponseWriter) {
	head := w.Header()
	head["Content-Type"] = a.kind
	head["X-Amzn-Requestid"] = a.id
	head["X-Amz-Crc32"] = a.checksum
	head["Content-Length"] = a.length
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(a.body) // an error means that the caller has gone
}

// listenAndServe serves on a free port of this machine, prints its address, and ends with the
// signal to stop. It has the limits of sortkey serve, as they cost something too. If plain is
// set, plainhttp answers the requests of SDKs, as in sortkey serve.
func listenAndServe(plain bool, handler http.Handler) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       5 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	if plain {
		listener = plainhttp.New(listener, server)
	}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"url": "http://" + listener.Addr().String()}); err != nil {
		return err
	}
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
