// Package api is the JSON API of Ask-a-Human, for agents and for programs that people answer
// with. It translates requests into calls of the domain, enforces rate limits, and supports
// long polls and event streams. It holds no rules of its own. It serves its description,
// openapi.json, which its tests verify.
//
// Package server mounts it.
package api

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
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
	// Traffic counts the responses of the API and of other handlers for /metrics; may be nil.
	Traffic *jsonapi.Traffic
}

type api struct {
	domain    *domain.Domain
	hub       *live.Hub
	log       *slog.Logger
	done      <-chan struct{}
	pushKey   string
	publicURL string
	document  []byte
	staff     *staff.Staff
	loops     func() []background.State
	traffic   *jsonapi.Traffic
	front     jsonapi.Options
}

// New returns the handler of the API. It serves /agent/, /human/, /health, /metrics and
// /openapi.json.
func New(options Options) http.Handler {
	log := options.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	a := &api{
		log:       log,
		domain:    options.Domain,
		hub:       options.Hub,
		done:      options.Done,
		pushKey:   options.VAPIDPublicKey,
		publicURL: options.PublicURL,
		document:  description(options.PublicURL),
		staff:     options.Staff,
		loops:     options.Loops,
		traffic:   cmp.Or(options.Traffic, new(jsonapi.Traffic)),
	}
	a.front = jsonapi.Options{
		Log:     log,
		Now:     options.Domain.Now,
		Passing: askahuman.Passing,
		Counted: a.counted,
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
	return jsonapi.NewFront(a.front, a.routes())
}

// Headers that identify agents and people.
const (
	headerAgent       = "X-Agent-Id"
	headerKey         = "X-Idempotency-Key"
	headerFingerprint = "X-Fingerprint"
	headerZone        = "X-Timezone-Offset"
)

func (a *api) routes() []jsonapi.Route {
	return []jsonapi.Route{
		{Pattern: "POST /agent/questions", Handler: a.submit},
		{Pattern: "POST /agent/questions:batch", Handler: a.submitBatch},
		{Pattern: "GET /agent/questions", Handler: a.listQuestions},
		{Pattern: "GET /agent/questions/{id}", Handler: a.question},
		{Pattern: "DELETE /agent/questions/{id}", Handler: a.closeQuestion},
		{Pattern: "GET /agent/questions/{id}/events", Handler: a.events},
		{Pattern: "GET /agent/questions/{id}/deliveries", Handler: a.deliveries},
		{Pattern: "POST /agent/key", Handler: a.protect},

		{Pattern: "POST /human/identity", Handler: a.identity},
		{Pattern: "GET /human/questions", Handler: a.feed},
		{Pattern: "GET /human/questions/{id}", Handler: a.card},
		{Pattern: "POST /human/questions/{id}/report", Handler: a.report},
		{Pattern: "POST /human/responses", Handler: a.answer},
		{Pattern: "GET /human/stats", Handler: a.stats},
		{Pattern: "GET /human/leaderboard", Handler: a.leaderboard},
		{Pattern: "GET /human/inbox", Handler: a.inbox},
		{Pattern: "GET /human/push/key", Handler: a.vapidKey},
		{Pattern: "POST /human/push/subscribe", Handler: a.subscribe},
		{Pattern: "PUT /human/push/subscribe", Handler: a.resubscribe},
		{Pattern: "DELETE /human/push/subscribe/{id}", Handler: a.unsubscribe},
		{Pattern: "DELETE /human/me", Handler: a.forget},

		{Pattern: "GET /health", Handler: a.health},
		{Pattern: "GET /metrics", Handler: a.metrics},
		{Pattern: "GET /openapi.json", Handler: a.describe},
	}
}

func (a *api) counted(answered jsonapi.Answered) {
	a.traffic.Note(answered)
	a.domain.Count(askahuman.MetricRequest, 1)
	if answered.Status >= http.StatusInternalServerError {
		a.domain.Count(askahuman.MetricFailure, 1)
	}
}

// changed notifies waiting callers of this process. Other processes get the change from the
// tables' streams.
func (a *api) changed(questionID string) {
	a.hub.Tell(questionTopic(questionID), "feed")
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
