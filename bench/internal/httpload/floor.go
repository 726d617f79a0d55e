// Package httpload has what the load benches of systems share: a server that does nothing, beside
// which a system is measured in the same run, a record of what was measured and a transport that
// fills it, the check that the target is on this machine, and figures for reports. It plays no load
// and knows no system; the benches do, with the frame of appbench.
package httpload

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Sample is a request that a system has answered, and how often the system got such requests.
type Sample struct {
	Endpoint string
	Method   string
	Path     string
	Header   http.Header
	Body     []byte
	Requests int // to the endpoint
	Status   int // of the response
	Size     int // mean size of the responses in bytes
}

// A Floor is a server that does nothing: it reads a request and responds with as many bytes as the
// system did on average, with the same status. Its clients send requests of each endpoint that the
// system got, as often in proportion.
type Floor struct {
	url    string
	http   *http.Client
	server *http.Server

	mu    sync.Mutex
	times map[string][]time.Duration
}

// The query of a request says what to respond; nothing else of a request matters to the floor.
const sizeQuery, statusQuery = "answer_size", "answer_status"

// OpenFloor starts a server that does nothing, on a free port.
func OpenFloor() (*Floor, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	body := []byte(strings.Repeat("x", 1<<20))
	f := &Floor{url: "http://" + listener.Addr().String(), times: map[string][]time.Duration{}, http: NewClient()}
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

// NewClient returns a client that keeps the connections of many callers open.
func NewClient() *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConns: 1000, MaxIdleConnsPerHost: 1000}}
}

// Close stops the server.
func (f *Floor) Close() { _ = f.server.Close() }

// Run sends requests like the samples for some time, from a number of callers at once. It returns how
// many were answered and how long it took.
func (f *Floor) Run(ctx context.Context, samples []Sample, callers int, d time.Duration) (requests int, took time.Duration, err error) {
	total, upTo := 0, make([]int, len(samples)) // how many of all requests are up to each sample
	for i, s := range samples {
		total += s.Requests
		upTo[i] = total
	}
	if total == 0 {
		return 0, 0, errors.New("the system has answered nothing")
	}
	before, began := f.requests(), time.Now()
	failures := make([]error, callers)
	var group sync.WaitGroup
	for i := range failures {
		group.Go(func() {
			for failures[i] == nil && ctx.Err() == nil && time.Since(began) < d {
				n, at := rand.IntN(total), 0
				for upTo[at] <= n {
					at++
				}
				failures[i] = f.send(ctx, samples[at])
			}
		})
	}
	group.Wait()
	return f.requests() - before, time.Since(began), errors.Join(append(failures, ctx.Err())...)
}

func (f *Floor) send(ctx context.Context, s Sample) error {
	separator := "?"
	if strings.Contains(s.Path, "?") {
		separator = "&"
	}
	query := separator + sizeQuery + "=" + strconv.Itoa(s.Size) + "&" + statusQuery + "=" + strconv.Itoa(s.Status)
	r, err := http.NewRequestWithContext(ctx, s.Method, f.url+s.Path+query, bytes.NewReader(s.Body))
	if err != nil {
		return err
	}
	for name, values := range s.Header {
		r.Header[name] = values
	}
	began := time.Now()
	response, err := f.http.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	took := time.Since(began)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.times[s.Endpoint] = append(f.times[s.Endpoint], took)
	return nil
}

func (f *Floor) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, times := range f.times {
		n += len(times)
	}
	return n
}

// Times returns the sorted times of an endpoint's requests.
func (f *Floor) Times(endpoint string) []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return Sorted(f.times[endpoint])
}
