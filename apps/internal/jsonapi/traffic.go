package jsonapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// An Answered describes the response to a request.
type Answered struct {
	// Route is the path of the matching pattern, or OtherRoute. It is never the path of the
	// request, since callers can invent any number of those.
	Route  string
	Method string
	Status int           // statusLeft if the client disconnected
	Wait   time.Duration // until the response began
}

// OtherRoute is the route of requests without a matching pattern.
const OtherRoute = "other"

// statusLeft is the status of a response to a client that disconnected, as proxies log it.
const statusLeft = 499

// routeOf returns the route of a pattern of http.ServeMux: its path, without the method.
func routeOf(pattern string) string {
	if _, path, found := strings.Cut(pattern, " "); found {
		return path
	}
	return cmp.Or(pattern, OtherRoute)
}

// methodOf returns a standard HTTP method; callers can invent others.
func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// WaitBounds lists the upper bounds of the buckets of Waits; a last bucket takes longer waits.
var WaitBounds = [...]time.Duration{
	10 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond,
	500 * time.Millisecond, time.Second, 5 * time.Second,
}

// Waits is the histogram of a route's response times, until the response begins.
type Waits struct {
	Route   string
	Buckets [len(WaitBounds) + 1]int64 // not cumulative
	Sum     time.Duration
}

// A Count is the number of responses with the same route, method and status.
type Count struct {
	Route, Method string
	Status        int
	Answers       int64
}

// A Traffic counts the responses of this process. The zero Traffic is ready to use and safe for
// concurrent use. Its size is bounded by the number of routes.
type Traffic struct {
	mu     sync.Mutex
	counts map[Count]int64 // by route, method and status; Answers is 0
	waits  map[string]*Waits
}

// Note counts a response.
func (t *Traffic) Note(a Answered) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts, t.waits = make(map[Count]int64), make(map[string]*Waits)
	}
	t.counts[Count{Route: a.Route, Method: methodOf(a.Method), Status: a.Status}]++
	waits := t.waits[a.Route]
	if waits == nil {
		waits = &Waits{Route: a.Route}
		t.waits[a.Route] = waits
	}
	bucket, _ := slices.BinarySearch(WaitBounds[:], a.Wait)
	waits.Buckets[bucket]++
	waits.Sum += a.Wait
}

// Counts returns the number of responses, ordered by route, method and status.
func (t *Traffic) Counts() []Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	counts := make([]Count, 0, len(t.counts))
	for count, answers := range t.counts {
		count.Answers = answers
		counts = append(counts, count)
	}
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Status, b.Status))
	})
	return counts
}

// Waits returns the histograms, ordered by route.
func (t *Traffic) Waits() []Waits {
	t.mu.Lock()
	defer t.mu.Unlock()
	waits := make([]Waits, 0, len(t.waits))
	for _, route := range slices.Sorted(maps.Keys(t.waits)) {
		waits = append(waits, *t.waits[route])
	}
	return waits
}

// Watch counts the responses of a handler without a front, such as that of pages, as one route.
func (t *Traffic) Watch(route string, handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := newAnswerWriter(w)
		handler.ServeHTTP(answer, r)
		t.Note(answer.answered(route, r))
	})
}
