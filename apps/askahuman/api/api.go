// Package api is the JSON side of Ask-a-Human: agents ask and collect over it, and programs
// that people answer with use it instead of the pages. It turns requests into calls of the
// domain and what comes back into JSON, counts uses of the limits, and lets callers wait for
// answers. It holds no rules of its own. What it can do is written down in openapi.json,
// which it serves and which its tests keep true.
//
// Package server mounts it.
package api

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
)

// MaxBody is how many bytes a request has at most.
const MaxBody = 64 << 10

// Edge is how fast one address may send requests.
var Edge = jsonapi.Bucket{PerSecond: 100, Burst: 500}

// Options are what the API stands on.
type Options struct {
	Service *askahuman.Service
	Hub     *live.Hub
	Log     *slog.Logger // may be nil
	// PublicURL is where the API and the pages are reached from outside, without a slash at
	// the end. Its description says so; without it, the description says that it is where it
	// was read, and addresses of pages are relative.
	PublicURL string
	// Done is closed when the process is ending: who waits is answered then.
	Done <-chan struct{}
	// TrustProxy: requests come through one proxy, whose X-Forwarded-For is believed.
	TrustProxy bool
	// VAPIDPublicKey is what browsers need for web push; "" without web push.
	VAPIDPublicKey string
	// OperatorSecret opens /metrics; without it nobody does.
	OperatorSecret string
	// Loops are how the loops of the background are doing; may be nil.
	Loops func() []background.State
	// Traffic counts the answers, and those of others that /metrics is to tell of as well; may
	// be nil.
	Traffic *jsonapi.Traffic
}

type api struct {
	service   *askahuman.Service
	hub       *live.Hub
	log       *slog.Logger
	done      <-chan struct{}
	pushKey   string
	publicURL string
	document  []byte
	operator  string
	loops     func() []background.State
	traffic   *jsonapi.Traffic
}

// New returns the handler of the API. It answers everything below /agent/ and /human/, and
// /health, /metrics and /openapi.json.
func New(options Options) http.Handler {
	log := options.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	a := &api{
		log:       log,
		service:   options.Service,
		hub:       options.Hub,
		done:      options.Done,
		pushKey:   options.VAPIDPublicKey,
		publicURL: options.PublicURL,
		document:  description(options.PublicURL),
		operator:  options.OperatorSecret,
		loops:     options.Loops,
		traffic:   cmp.Or(options.Traffic, new(jsonapi.Traffic)),
	}
	return jsonapi.NewFront(jsonapi.Options{
		Log:        log,
		Now:        options.Service.Now,
		Refusal:    refusal,
		Passing:    askahuman.Passing,
		Counted:    a.counted,
		MaxBody:    MaxBody,
		Edge:       Edge,
		TrustProxy: options.TrustProxy,
		AllowHeaders: []string{
			"Content-Type", headerFingerprint, headerAgent, headerKey, headerZone, "Authorization", "Last-Event-ID",
		},
		ExposeHeaders: []string{
			"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "Location", "X-Request-Id",
		},
	}, a.routes())
}

// The headers that say who asks, who answers and how.
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
	a.service.Count(askahuman.MetricRequest, 1)
	if answered.Status >= http.StatusInternalServerError {
		a.service.Count(askahuman.MetricFailure, 1)
	}
}

// changed tells those who wait in this process. Other processes hear of it from the
// tables' streams.
func (a *api) changed(questionID string) {
	a.hub.Tell(questionTopic(questionID), "feed")
}

func questionTopic(id string) live.Topic { return live.Topic("question " + id) }

// times returns a duration of so many units, which are at most minutes. What is too large to
// be one is still larger than every rule allows.
func times(n int, unit time.Duration) time.Duration {
	const enough = 100_000_000 // minutes: 190 years
	if unit == time.Millisecond {
		return time.Duration(min(max(n, -1000*enough), 1000*enough)) * unit
	}
	return time.Duration(min(max(n, -enough), enough)) * unit
}
