package main

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A floor is a server that does nothing: it reads a request and answers as many bytes as the
// system did on average, with the same status. Its clients send a request of each
// endpoint that the system has got, as often in proportion.
type floor struct {
	of       *recorder // what the system has got
	recorder *recorder
	server   *http.Server
}

// What to answer is said by the query; nothing else of a request matters to the floor.
const sizeQuery, statusQuery = "answer_size", "answer_status"

func openFloor(of *recorder) (*floor, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	body := []byte(strings.Repeat("x", 1<<20))
	f := &floor{of: of, recorder: newRecorder("http://" + listener.Addr().String())}
	f.recorder.allow(math.MaxInt)
	f.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // an error means that the caller has gone
		query := r.URL.Query()
		size, _ := strconv.Atoi(query.Get(sizeQuery)) // 0 if it is not said
		status, err := strconv.Atoi(query.Get(statusQuery))
		if err != nil {
			status = http.StatusOK
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		w.WriteHeader(status)
		_, _ = w.Write(body[:min(size, len(body))])
	})}
	go func() { _ = f.server.Serve(listener) }() // ends with the server
	return f, nil
}

func (f *floor) close() { _ = f.server.Close() }

// mix returns the requests of the system, and how many of all are up to each of them.
func (f *floor) mix() (samples []request, upTo []int) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	total := 0
	for _, name := range f.of.names() {
		e := f.of.endpoints[name]
		if e.status == 0 {
			continue // all were refused
		}
		sample := e.sample
		sample.path += "?" + sizeQuery + "=" + strconv.Itoa(e.bytes/len(e.times)) + "&" + statusQuery + "=" + strconv.Itoa(e.status)
		total += len(e.times)
		samples, upTo = append(samples, sample), append(upTo, total)
	}
	return samples, upTo
}

// run sends requests for some time.
func (f *floor) run(ctx context.Context, callers int, d time.Duration) (time.Duration, error) {
	samples, upTo := f.mix()
	if len(samples) == 0 {
		return 0, errors.New("the system has answered nothing")
	}
	began := time.Now()
	failures := make([]error, callers)
	var group sync.WaitGroup
	for i := range failures {
		group.Go(func() {
			for failures[i] == nil && ctx.Err() == nil && time.Since(began) < d {
				n, at := rand.IntN(upTo[len(upTo)-1]), 0
				for upTo[at] <= n {
					at++
				}
				_, failures[i] = f.recorder.send(ctx, samples[at], nil)
			}
		})
	}
	group.Wait()
	return time.Since(began), errors.Join(append(failures, ctx.Err())...)
}
