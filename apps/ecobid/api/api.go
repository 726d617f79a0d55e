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
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/domain"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
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

type api struct {
	Options
	document []byte
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
	a := &api{Options: options}
	endpoints := a.endpoints()
	var err error
	if a.document, err = openapi.Document(openapi.Info{
		Title: "EcoBid", URL: options.PublicURL,
		Description: "Give things to neighbours, or sell them in small auctions. Amounts are in minor units. Locations are public points: the exact address is shown to the counterpart of a confirmed pickup only.",
	}, endpoints); err != nil {
		return nil, err
	}
	front := jsonapi.Options{
		Log: options.Log, Now: options.Domain.Now, Passing: access.Unavailable, Counted: options.Traffic.Note,
		MaxBody: MaxBody, Edge: Edge, Proxies: options.Proxies,
		AllowHeaders:  []string{"Content-Type", "Authorization", headerKey, "Last-Event-ID"},
		ExposeHeaders: []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "X-Request-Id"},
	}
	return jsonapi.NewFront(front, append(openapi.Routes(endpoints), jsonapi.Route{Pattern: "GET /openapi.json", Handler: a.openapi})), nil
}

// headerKey is the header of idempotency keys.
const headerKey = "Idempotency-Key"

// A level says who may call an endpoint.
type level uint8

const (
	public    level = iota // every caller; a token is used if there is one
	member                 // signed-in people
	moderator              // people with the role moderator
)

// A call is a request with its caller.
type call struct {
	r *http.Request
	// account is the caller; its id is "" for callers who are not signed in.
	account platformdb.Account
}

func (c *call) user() string { return c.account.AccountID }

// ErrToken refuses a request without a valid token.
var ErrToken = refusal.New(refusal.Unauthenticated, "", "Send a valid access token in the header Authorization: Bearer TOKEN.")

// identify finds the caller of a request, checks the level, and counts rate limits.
func (a *api) identify(w http.ResponseWriter, r *http.Request, needed level) (*call, error) {
	c := &call{r: r}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && token != "" {
		signed, err := a.Accounts.Tokens.Verify(r.Context(), token)
		if _, refused := refusal.As(err, refusal.Unauthenticated); refused {
			return nil, ErrToken
		}
		if err != nil {
			return nil, err
		}
		c.account = signed.Account
	}
	switch {
	case needed != public && c.user() == "":
		return nil, ErrToken
	case needed == moderator && !slices.Contains(c.account.Roles, RoleModerator):
		return nil, refusal.New(refusal.Forbidden, "", "Only moderators may do this.")
	}
	subject := c.user()
	if subject == "" {
		subject = "network " + jsonapi.ClientNetwork(r).String()
	}
	for _, limit := range []limits.Limit{perHour, perMinute} {
		allowance, err := a.Domain.Allow(r.Context(), limit, subject)
		if err != nil {
			return nil, err
		}
		jsonapi.SetRate(w.Header(), allowance.Limit.Most, allowance.Remaining, allowance.Reset)
	}
	return c, nil
}

func (a *api) openapi(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(a.document) // a disconnected client does not matter
	return nil
}
