// Package api is the JSON API of EcoBid. It translates requests into calls of the domain's rooms,
// identifies callers by bearer tokens, and enforces rate limits. It holds no rules of its own. Its
// OpenAPI document is made from the same declarations as its routes, and tests compare every
// response with it.
//
// Package server mounts it.
package api

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/domain"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/sessionapi"
)

// MaxBody is the maximum size of a request body in bytes: a photo that is too large still gets a
// precise refusal.
const MaxBody = 8 << 20

// Edge is the rate limit of requests from one address.
var Edge = jsonapi.Bucket{PerSecond: 100, Burst: 500}

// The rate limits of a signed-in person.
var (
	perMinute = limits.Limit{Name: "api-minute", Most: 100, Window: time.Minute}
	perHour   = limits.Limit{Name: "api-hour", Most: 1000, Window: time.Hour}
)

// The roles of accounts that may do more than members.
const (
	RoleModerator = "moderator"
	RoleOperator  = "operator"
)

// Options configures the API.
type Options struct {
	Domain   *domain.Domain
	Accounts *accounts.Accounts
	Hub      *live.Hub
	Log      *slog.Logger // may be nil
	// PublicURL is the public URL of the API, without a trailing slash; "" if it is not known.
	PublicURL string
	// PushKey is the key for subscribing to web push; "" without web push.
	PushKey string
	// Done is closed at shutdown; waiting callers are answered then. It may be nil.
	Done <-chan struct{}
	// Proxies is the number of trusted proxies before the API.
	Proxies int
	// Traffic counts the responses; may be nil.
	Traffic *jsonapi.Traffic
}

// New returns the handler of the API. It serves /v1/, /health and /openapi.json.
func New(options Options) (http.Handler, error) {
	if options.Domain == nil || options.Accounts == nil || options.Hub == nil {
		return nil, errors.New("api: a domain, accounts and a hub are required")
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	options.Traffic = cmp.Or(options.Traffic, new(jsonapi.Traffic))
	operations := operations(options)
	document, err := openapi.Document(openapi.Info{
		Title: "EcoBid", URL: options.PublicURL,
		Description: "Give things to neighbours, or sell them in small auctions. Amounts are in minor units. Locations are public points: the exact address is shown to the counterpart of a confirmed pickup only.",
	}, operations)
	if err != nil {
		return nil, err
	}
	front := jsonapi.Options{
		Log: options.Log, Now: options.Domain.Now, Passing: access.Unavailable, Counted: options.Traffic.Note,
		MaxBody: MaxBody, Edge: Edge, Proxies: options.Proxies,
		AllowHeaders:  []string{"Content-Type", "Authorization", operation.HeaderKey, "Last-Event-ID"},
		ExposeHeaders: []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "X-Request-Id"},
	}
	return jsonapi.NewFront(front, append(openapi.Routes(operations), openapi.DocumentRoute(document))), nil
}

// operations returns all operations of the API, by subject.
func operations(o Options) []openapi.Operation {
	d := o.Domain
	c := &callers{sessions: sessionapi.Sessions{Accounts: o.Accounts}, allow: d.Allow}
	return slices.Concat(
		(&sessions{people: d.People, shared: c.sessions}).operations(c),
		(&items{auctions: d.Auctions, listings: d.Listings, nearby: d.Nearby}).operations(c),
		(&photos{listings: d.Listings}).operations(c),
		(&requests{giving: d.Giving}).operations(c),
		(&reservations{giving: d.Giving, trust: d.Trust}).operations(c),
		(&sales{auctions: d.Auctions, done: o.Done, hub: o.Hub}).operations(c),
		(&profiles{accounts: o.Accounts.People, eraseData: d.Erase, people: d.People, trust: d.Trust}).operations(c),
		(&favourites{trust: d.Trust}).operations(c),
		(&moderation{people: d.People, trust: d.Trust}).operations(c),
		(&notices{notifier: d.Notifier, pushKey: o.PushKey}).operations(c),
		(&webhooks{hooks: d.Hooks}).operations(c),
		(&figures{trust: d.Trust, writable: d.Writable}).operations(c),
	)
}
