package jsonapi

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/internal/serve"
)

// A Handler serves a request or returns an error: an *Error, a *refusal.Error, or any other,
// which is an internal failure.
type Handler func(w http.ResponseWriter, r *http.Request) error

// A Route is a pattern of http.ServeMux with its method, and its handler.
type Route struct {
	Pattern string
	Handler Handler
}

// Options configures a front.
type Options struct {
	Log *slog.Logger
	Now func() time.Time
	// Field returns the API's name of a value that a refusal names. Nil: the domain's name.
	Field func(name string) string
	// Passing reports whether a failure is temporary, such as an unavailable database; then the
	// caller is asked to retry. May be nil.
	Passing func(error) bool
	// Counted is called after every response. May be nil.
	Counted func(Answered)
	MaxBody int64
	Edge    Bucket
	// Proxies is the number of trusted proxies before the API; see serve.ClientIP.
	Proxies int
	// AllowHeaders and ExposeHeaders list the headers that pages of other origins may send and
	// read. They may not send credentials.
	AllowHeaders, ExposeHeaders []string
}

// A front wraps the routes of an API.
type front struct {
	Options
	mux  *http.ServeMux
	edge *buckets
}

// NewFront returns the handler of an API with its routes.
func NewFront(options Options, routes []Route) http.Handler {
	f := &front{Options: options, mux: http.NewServeMux(), edge: newBuckets(options.Edge, options.Now)}
	for _, route := range routes {
		f.mux.HandleFunc(route.Pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := route.Handler(w, r); err != nil {
				f.refuse(w, r, err)
			}
		})
	}
	return f
}

// state holds the data of a request.
type state struct {
	id      string
	address netip.Addr
}

type stateKey struct{}

func stateOf(r *http.Request) state {
	s, _ := r.Context().Value(stateKey{}).(state)
	return s
}

// RequestID returns the id of a request, as in the log and in the header X-Request-Id.
func RequestID(r *http.Request) string { return stateOf(r).id }

// ClientIP returns the address of a request.
func ClientIP(r *http.Request) netip.Addr { return stateOf(r).address }

// ClientNetwork returns the address of a request for rate limits: IPv6 addresses are cut to 64
// bits, which a household shares.
func ClientNetwork(r *http.Request) netip.Addr { return serve.Network(stateOf(r).address) }

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, route := newAnswerWriter(w), OtherRoute
	known := state{id: strings.ToLower(rand.Text()[:12]), address: serve.ClientIP(r, f.Proxies)}
	r = r.WithContext(context.WithValue(r.Context(), stateKey{}, known))
	r.Body = http.MaxBytesReader(answer, r.Body, f.MaxBody)
	f.setHeaders(answer.Header(), known.id)
	defer func() {
		caught := recover()
		if caught == http.ErrAbortHandler {
			panic(caught)
		}
		if caught != nil {
			f.refuse(answer, r, fmt.Errorf("a handler panicked: %v\n%s", caught, debug.Stack()))
		}
		answered := answer.answered(route, r)
		if f.Counted != nil {
			f.Counted(answered)
		}
		// No address and no query: both can identify a person.
		f.Log.Debug("request", "request", known.id, "method", r.Method, "path", r.URL.Path, "status", answered.Status, "took", time.Since(answer.asked))
	}()
	handler, pattern := f.mux.Handler(r)
	// The mux would redirect a path that is not clean, and the client would drop the body.
	clean := path.Clean(r.URL.Path) == r.URL.Path
	if clean {
		route = routeOf(pattern)
	}
	switch wait := f.edge.take(known.address); {
	case wait > 0:
		f.refuse(answer, r, f.tooMany(wait))
	case pattern == "":
		f.unmatched(answer, r, handler)
	case !clean || !serve.ValidPath(r.URL.Path):
		f.refuse(answer, r, errNothingHere)
	default:
		f.mux.ServeHTTP(answer, r)
	}
}

var errNothingHere = &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "There is nothing at this address."}

// unmatched responds where the mux has no route: with the status of its own handler, in the
// form of all errors.
func (f *front) unmatched(w http.ResponseWriter, r *http.Request, handler http.Handler) {
	allowed := serve.Unmatched(handler, r)
	if allowed == "" {
		f.refuse(w, r, errNothingHere)
		return
	}
	methods := allowed + ", OPTIONS"
	w.Header().Set("Allow", methods)
	if r.Method == http.MethodOptions {
		header := w.Header()
		header.Set("Access-Control-Allow-Methods", methods)
		header.Set("Access-Control-Allow-Headers", strings.Join(f.AllowHeaders, ", "))
		header.Set("Access-Control-Max-Age", "3600")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	f.refuse(w, r, &Error{Status: http.StatusMethodNotAllowed, Code: CodeMethod, Message: "This address can be used with " + methods + " only."})
}

func (f *front) setHeaders(header http.Header, id string) {
	header.Set("X-Request-Id", id)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", strings.Join(f.ExposeHeaders, ", "))
}

func (f *front) tooMany(wait time.Duration) *Error {
	e := &Error{Status: http.StatusTooManyRequests, Code: CodeRateLimited, Message: "You send requests faster than we take them. Slow down.", Header: http.Header{}}
	SetRate(e.Header, f.Edge.PerSecond, 0, f.Now().Add(wait))
	SetRetryAfter(e.Header, wait)
	return e
}

// SetRate sets the headers of a rate limit.
func SetRate(header http.Header, limit, remaining int, reset time.Time) {
	header["X-RateLimit-Limit"] = []string{strconv.Itoa(limit)}
	header["X-RateLimit-Remaining"] = []string{strconv.Itoa(remaining)}
	header["X-RateLimit-Reset"] = []string{strconv.FormatInt(ceil(time.Duration(reset.UnixNano())), 10)}
}

// SetRetryAfter sets the header Retry-After, in seconds rounded up.
func SetRetryAfter(header http.Header, wait time.Duration) {
	header.Set("Retry-After", strconv.FormatInt(max(ceil(wait), 1), 10))
}

func ceil(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// refuse responds with an error. Internal failures are logged here and nowhere else; the caller
// gets only the id.
func (f *front) refuse(w http.ResponseWriter, r *http.Request, err error) {
	refused := f.Refused(err)
	if refused == nil {
		if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
			return // the client disconnected
		}
		f.Log.Error("a request failed", "request", RequestID(r), "method", r.Method, "path", r.URL.Path, "error", err)
		refused = Failure(r)
		if f.Passing != nil && f.Passing(err) {
			refused = Unavailable(r)
		}
	}
	if answer, ok := w.(*answerWriter); ok && answer.status != 0 {
		answer.failed(refused.Status)
		return // the response has begun, such as a stream
	}
	if err := writeError(w, refused); err != nil {
		f.Log.Error("an error could not be written", "request", stateOf(r).id, "error", err)
	}
}

// Failure returns the error a caller gets for an internal failure: the id in the log.
func Failure(r *http.Request) *Error {
	return &Error{
		Status:  http.StatusInternalServerError,
		Code:    CodeServer,
		Message: "Something went wrong here. If it stays so, tell us the request id.",
		Details: map[string]string{"request_id": RequestID(r)},
	}
}

// comeBack is the retry delay after a temporary failure.
const comeBack = 5 * time.Second

// Unavailable returns the error a caller gets for a temporary failure.
func Unavailable(r *http.Request) *Error {
	e := Failure(r)
	e.Status, e.Code, e.Header = http.StatusServiceUnavailable, CodeUnavailable, http.Header{}
	e.Message = "This cannot be done right now. Try again in a moment."
	SetRetryAfter(e.Header, comeBack)
	return e
}
