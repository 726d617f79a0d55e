// Package web serves the pages of Ask-a-Human: the feed, the question, the leaderboard, personal
// pages, and pages for developers and operators. It translates requests into calls of the domain
// and results into pages; it holds no rules and stores only which operators signed out. Package
// api serves JSON. Package server mounts it.
package web

import (
	"embed"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

//go:embed pages parts assets
var files embed.FS

// Options configures the site.
type Options struct {
	Domain *domain.Domain
	Hub    *live.Hub
	Box    *secret.Box
	Log    *slog.Logger
	// PublicURL is the public URL of the site, without a trailing slash.
	PublicURL string
	// VAPIDPublicKey enables web push.
	VAPIDPublicKey string
	// FCM enables tokens of Firebase Cloud Messaging.
	FCM bool
	// OperatorSecret enables the pages of operators.
	OperatorSecret string
	// Loops returns the states of the background loops, Kick runs one of them now, and Meter has
	// measured the database calls; for operators. All may be nil.
	Loops func() []background.State
	Kick  func(loop string) bool
	Meter *access.Meter
	// Demo reports that simulated users answer.
	Demo bool
	// Proxies is the number of trusted proxies before the site.
	Proxies int
}

// Web is the site. It is safe for concurrent use.
type Web struct {
	options Options
	domain  *domain.Domain
	hub     *live.Hub
	box     *secret.Box
	site    *webkit.Site
	handler http.Handler
}

// New returns the site. It fails on errors in its templates.
func New(options Options) (*Web, error) {
	if options.Domain == nil || options.Hub == nil || options.Box == nil {
		return nil, errors.New("web: a domain, a hub and a box are needed")
	}
	options.PublicURL = strings.TrimSuffix(options.PublicURL, "/")
	web := &Web{options: options, domain: options.Domain, hub: options.Hub, box: options.Box}
	var err error
	web.site, err = webkit.New(webkit.Options{
		Name: "Ask-a-Human", Tagline: "Software asks, people answer.",
		Accent: webkit.Violet, Theme: webkit.Dark,
		NavFor: web.nav, Footer: []webkit.Link{{Href: "/developers", Text: "For developers"}, {Href: "/me/settings#about", Text: "About"}},
		PublicURL: options.PublicURL, Box: options.Box, Now: options.Domain.Now, Log: options.Log, Proxies: options.Proxies,
		Passing: askahuman.Passing, Refusal: problem,
		Files: files, Funcs: funcs(),
		App: &webkit.App{
			ShortName: "Ask",
			Icon: []webkit.Mark{
				webkit.Rect(17, 22, 66, 46, 16), webkit.Polygon(32, 60, 32, 86, 58, 64),
				webkit.Circle(34, 45, 5.5).Cut(), webkit.Circle(50, 45, 5.5).Cut(), webkit.Circle(66, 45, 5.5).Cut(),
			},
			Keep:      []string{"/", "/leaderboard", "/me"},
			Worker:    "worker.js",
			Shortcuts: []webkit.Link{{Href: "/next", Text: "Answer a question"}, {Href: "/leaderboard", Text: "Leaderboard"}},
		},
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	web.routes(mux)
	web.handler = web.site.Handler(mux)
	return web, nil
}

// ServeHTTP serves a request.
func (web *Web) ServeHTTP(w http.ResponseWriter, r *http.Request) { web.handler.ServeHTTP(w, r) }

// Close ends the streams of open pages.
func (web *Web) Close() { web.site.Close() }

// A page serves a request or returns an error.
type page = webkit.Handler

// routes registers all routes of the site.
func (web *Web) routes(mux *http.ServeMux) {
	for pattern, page := range map[string]page{
		"GET /{$}":            web.feed,
		"GET /next":           web.next,
		"GET /done":           web.done,
		"GET /queued":         web.queued,
		"POST /welcome":       web.dismissWelcome,
		"GET /live/feed":      web.watchFeed,
		"GET /live/q/{id}":    web.watchEnd,
		"GET /q/{id}":         web.question,
		"POST /q/{id}":        web.answer,
		"POST /q/{id}/skip":   web.skip,
		"POST /q/{id}/report": web.report,

		"GET /leaderboard": web.leaderboard,

		"GET /me":                     web.me,
		"GET /me/answers":             web.ownAnswers,
		"GET /me/settings":            web.settings,
		"POST /me/notifications":      web.subscribe,
		"POST /me/notifications/push": web.subscribePush,
		"POST /me/notifications/stop": web.unsubscribe,
		"POST /me/move":               web.offerMove,
		"GET /move":                   web.confirmMove,
		"POST /move":                  web.move,
		"GET /me/forget":              web.confirmForget,
		"POST /me/forget":             web.forget,

		"GET /developers":                       web.developers,
		"GET /developers/guide":                 web.guide,
		"POST /developers/try":                  web.tryIt,
		"GET /developers/questions/{id}":        web.result,
		"POST /developers/questions/{id}/close": web.closeQuestion,
		"GET /live/questions/{id}":              web.watchQuestion,
		"GET /developers/agent":                 web.agent,
		"POST /developers/agent":                web.signInAgent,
		"POST /developers/agent/out":            web.signOutAgent,
		"POST /developers/agent/key":            web.protectAgent,
	} {
		mux.Handle(pattern, web.handle(page))
	}
	web.operatorRoutes(mux)
	oldRoutes(mux)
}

// oldRoutes redirects former paths.
func oldRoutes(mux *http.ServeMux) {
	for from, to := range map[string]string{
		"/questions/{id}": "/q/{id}", "/confirmation": "/done", "/settings": "/me/settings",
	} {
		mux.HandleFunc("GET "+from, func(w http.ResponseWriter, r *http.Request) {
			target := strings.Replace(to, "{id}", url.PathEscape(r.PathValue("id")), 1)
			if r.URL.RawQuery != "" {
				target += "?" + r.URL.RawQuery
			}
			http.Redirect(w, r, target, http.StatusMovedPermanently)
		})
	}
}

// handle turns a page into a handler that counts responses and renders errors.
func (web *Web) handle(page page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		web.domain.Count(askahuman.MetricRequest, 1)
		err := page(w, r)
		if err == nil {
			return
		}
		if _, refused := refusal.As(err); !refused {
			web.domain.Count(askahuman.MetricFailure, 1)
		}
		web.site.Refuse(w, r, err)
	})
}

// nav returns the navigation for a request.
func (web *Web) nav(r *http.Request) []webkit.Link {
	if isOperatorPath(r.URL.Path) {
		return web.operatorNav(r)
	}
	if strings.HasPrefix(r.URL.Path, "/developers") {
		return []webkit.Link{{Href: "/developers", Text: "Developers"}, {Href: "/developers/guide", Text: "Guide"}, {Href: "/developers/agent", Text: "My agent"}, {Href: "/", Text: "Answer"}}
	}
	return []webkit.Link{
		{Href: "/", Text: "Questions"}, {Href: "/leaderboard", Text: "Leaderboard"}, {Href: "/me", Text: "Me"},
	}
}
