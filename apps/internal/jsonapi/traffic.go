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

// An Answered is what became of a request.
type Answered struct {
	// Route is the path of the pattern that answered; OtherRoute if none did. It is never the
	// path of the request: callers can invent any number of those.
	Route  string
	Method string
	Status int           // statusLeft if the caller was gone before
	Wait   time.Duration // until the answer began
}

// OtherRoute is the route of what no route answers.
const OtherRoute = "other"

// statusLeft is the status of an answer that nobody waited for, as proxies write it down.
const statusLeft = 499

// routeOf returns the route of a pattern of http.ServeMux: its path, without the method.
func routeOf(pattern string) string {
	if _, path, found := strings.Cut(pattern, " "); found {
		return path
	}
	return cmp.Or(pattern, OtherRoute)
}

// methodOf returns a method that HTTP knows; callers can invent others.
func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// WaitBounds are the longest waits that go into a bucket of Waits; what takes longer than the
// last goes into one more.
var WaitBounds = [...]time.Duration{
	10 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond,
	500 * time.Millisecond, time.Second, 5 * time.Second,
}

// Waits are how long callers of a route waited until their answer began.
type Waits struct {
	Route   string
	Buckets [len(WaitBounds) + 1]int64 // each without those of shorter waits
	Sum     time.Duration
}

// A Count is how many answers were alike.
type Count struct {
	Route, Method string
	Status        int
	Answers       int64
}

// A Traffic counts the answers of this process since it began. The zero Traffic is ready, and
// safe for use by many goroutines. It holds as much as there are routes, whatever is asked for.
type Traffic struct {
	mu     sync.Mutex
	counts map[Count]int64 // by what they have in common; Answers is 0
	waits  map[string]*Waits
}

// Note counts an answer.
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

// Counts returns how many answers there were, ordered by route, method and status.
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

// Waits returns how long callers waited, ordered by route.
func (t *Traffic) Waits() []Waits {
	t.mu.Lock()
	defer t.mu.Unlock()
	waits := make([]Waits, 0, len(t.waits))
	for _, route := range slices.Sorted(maps.Keys(t.waits)) {
		waits = append(waits, *t.waits[route])
	}
	return waits
}

// Watch counts the answers of a handler that has no front, such as that of pages, as those of
// one route.
func (t *Traffic) Watch(route string, handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := newAnswerWriter(w)
		handler.ServeHTTP(answer, r)
		t.Note(answer.answered(route, r))
	})
}
