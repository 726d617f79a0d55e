// Package api is the JSON API of Ask-a-Human, for agents and for programs that people answer
// with. It translates requests into calls of the domain, enforces rate limits, and supports
// long polls and event streams. It holds no rules of its own. Its OpenAPI document is made from the
// same declarations as its routes, and tests compare every request and response with it.
//
// Package server mounts it.
package api

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/staff"
)

// MaxBody is the maximum size of a request body in bytes.
const MaxBody = 64 << 10

// Edge is the rate limit of requests from one address.
var Edge = jsonapi.Bucket{PerSecond: 100, Burst: 500}

// Options configures the API.
type Options struct {
	Domain *domain.Domain
	Hub    *live.Hub
	Log    *slog.Logger // may be nil
	// PublicURL is the public URL of the API and the pages, without a trailing slash. Without
	// it, the API's description refers to the address it was read from, and URLs of pages are
	// relative.
	PublicURL string
	// Done is closed at shutdown; waiting callers are answered then.
	Done <-chan struct{}
	// Proxies is the number of trusted proxies before the API.
	Proxies int
	// VAPIDPublicKey is the key that browsers need for web push; "" without web push.
	VAPIDPublicKey string
	// Staff protects /metrics; without it /metrics is disabled.
	Staff *staff.Staff
	// Loops returns the states of the background loops; may be nil.
	Loops func() []background.State
	// Expose adds metrics of the system to /metrics; may be nil.
	Expose func(context.Context, *metrics.Exposition) error
	// Traffic counts the responses of the API and of other handlers for /metrics; may be nil.
	Traffic *jsonapi.Traffic
}

// New returns the handler of the API. It serves /agent/, /human/, /health, /metrics and
// /openapi.json.
func New(options Options) (http.Handler, error) {
	log := options.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	options.Log, options.Traffic = log, cmp.Or(options.Traffic, new(jsonapi.Traffic))
	front := jsonapi.Options{
		Log:     log,
		Now:     options.Domain.Now,
		Passing: askahuman.Passing,
		Counted: counted(options),
		MaxBody: MaxBody,
		Edge:    Edge,
		Proxies: options.Proxies,
		AllowHeaders: []string{
			"Content-Type", headerFingerprint, headerAgent, headerKey, headerZone, "Authorization", "Last-Event-ID",
		},
		ExposeHeaders: []string{
			"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "Location", "X-Request-Id",
		},
	}
	operations, state := operations(options, front)
	document, err := openapi.Document(describe(options.PublicURL), operations)
	if err != nil {
		return nil, err
	}
	state.document = document
	return jsonapi.NewFront(front, openapi.Routes(operations)), nil
}

// Headers that identify agents and people.
const (
	headerAgent       = "X-Agent-Id"
	headerKey         = "X-Idempotency-Key"
	headerFingerprint = "X-Fingerprint"
	headerZone        = "X-Timezone-Offset"
)

// operations returns the operations of the API, by subject, and the one that serves their document.
func operations(o Options, front jsonapi.Options) ([]openapi.Operation, *status) {
	d := o.Domain
	c := &callers{hub: o.Hub, limit: d.Allow, people: d.People, questions: d.Questions}
	state := &status{
		log: o.Log, loops: o.Loops, expose: o.Expose, operators: d.Operators, questions: d.Questions, staff: o.Staff,
		stored: d.Metrics, traffic: o.Traffic, writable: d.Writable,
	}
	return slices.Concat(
		(&submissions{callers: c, counts: d.Count, front: front, limit: d.Allow, log: o.Log, publicURL: o.PublicURL, questions: d.Questions}).operations(),
		(&collection{callbacks: d.Callbacks, callers: c, done: o.Done, hub: o.Hub, now: d.Now, questions: d.Questions}).operations(),
		(&feed{answers: d.Answers, callers: c, notices: d.Notices, people: d.People}).operations(),
		(&responses{answers: d.Answers, callers: c, people: d.People}).operations(),
		(&subscriptions{callers: c, notices: d.Notices, pushKey: o.VAPIDPublicKey}).operations(),
		state.operations(),
	), state
}

// counted returns the function that counts responses.
func counted(o Options) func(jsonapi.Answered) {
	return func(answered jsonapi.Answered) {
		o.Traffic.Note(answered)
		o.Domain.Count(askahuman.MetricRequest, 1)
		if answered.Status >= http.StatusInternalServerError {
			o.Domain.Count(askahuman.MetricFailure, 1)
		}
	}
}

func questionTopic(id string) live.Topic { return live.Topic("question " + id) }

// times returns n units, without overflow: a huge n becomes a duration that exceeds every
// limit.
func times(n int, unit time.Duration) time.Duration {
	const enough = 100_000_000 // minutes: 190 years
	if unit == time.Millisecond {
		return time.Duration(min(max(n, -1000*enough), 1000*enough)) * unit
	}
	return time.Duration(min(max(n, -enough), enough)) * unit
}
