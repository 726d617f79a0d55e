package httpload

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Record holds the measurements of a system by endpoint. It is safe for concurrent use.
type Record struct {
	mu        sync.Mutex
	endpoints map[string]*Endpoint
}

// An Endpoint holds the measurements of one endpoint.
type Endpoint struct {
	Name     string
	Times    []time.Duration
	Refusals map[string]int // by the name that the bench gives them
	bytes    int            // of all responses
	sample   Sample         // the first request that was not refused
}

// MeanSize returns the mean size of a response in bytes.
func (e *Endpoint) MeanSize() int { return e.bytes / len(e.Times) }

// Add adds a request that was answered: what was sent and the status, the time to the end of the
// response, and its size. A request that was refused has a name of the refusal.
func (r *Record) Add(sent Sample, took time.Duration, size int, refusal string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.endpoints[sent.Endpoint]
	if e == nil {
		if r.endpoints == nil {
			r.endpoints = map[string]*Endpoint{}
		}
		e = &Endpoint{Name: sent.Endpoint, Refusals: map[string]int{}}
		r.endpoints[sent.Endpoint] = e
	}
	e.Times = append(e.Times, took)
	e.bytes += size
	switch {
	case refusal != "":
		e.Refusals[refusal]++
	case e.sample.Endpoint == "":
		e.sample = sent
	}
}

// Reset forgets all measurements.
func (r *Record) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endpoints = nil
}

// Requests returns the number of requests that were answered.
func (r *Record) Requests() int {
	n := 0
	for _, e := range r.Endpoints() {
		n += len(e.Times)
	}
	return n
}

// Endpoints returns the endpoints as they are now, sorted by their path.
func (r *Record) Endpoints() []Endpoint {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]Endpoint, 0, len(r.endpoints))
	for _, e := range r.endpoints {
		all = append(all, *e)
	}
	slices.SortFunc(all, func(a, b Endpoint) int { return cmp.Or(cmp.Compare(a.path(), b.path()), cmp.Compare(a.Name, b.Name)) })
	return all
}

func (e *Endpoint) path() string {
	_, path, _ := strings.Cut(e.Name, " ")
	return path
}

// Samples returns a request of each endpoint that answered one, for the floor.
func (r *Record) Samples() (all []Sample) {
	for _, e := range r.Endpoints() {
		if e.sample.Endpoint == "" {
			continue // all were refused
		}
		s := e.sample
		s.Requests, s.Size = len(e.Times), e.MeanSize()
		all = append(all, s)
	}
	return all
}
