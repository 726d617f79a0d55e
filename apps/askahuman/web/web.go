// Package web serves the pages of Ask-a-Human: the feed, the question, the leaderboard, personal
// pages, pages for developers, and the tabs of the operators' pages. It translates requests into
// calls of the domain and results into pages; it holds no rules and stores nothing. Package api
// serves JSON. Package server mounts it.
package web

import (
	"embed"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

//go:embed pages parts assets
var files embed.FS

// SiteOptions returns the options of the site, without those of the server.
func SiteOptions() webkit.Options {
	return webkit.Options{
		Name: "Ask-a-Human", Tagline: "Software asks, people answer.", Face: &webkit.AskAHuman, Theme: webkit.Dark,
		NavFor: Nav, Footer: []webkit.Link{{Href: "/developers", Text: "For developers"}, {Href: "/me/settings#about", Text: "About"}},
		Passing: askahuman.Passing, Refusal: problem,
		Files: files, Views: views, Funcs: funcs(),
		App: &webkit.App{
			ShortName: "Ask", Keep: []string{"/", "/leaderboard", "/me"}, Forget: []string{"/me/forget"}, Worker: "worker.js",
			Shortcuts: []webkit.Link{{Href: "/next", Text: "Answer a question"}, {Href: "/leaderboard", Text: "Leaderboard"}},
		},
	}
}

// Options configures the pages. Domain, Site, Hub and Box are required.
type Options struct {
	Domain *domain.Domain
	Site   *webkit.Site
	Hub    *live.Hub
	Box    *secret.Box
	// PublicURL is the public URL of the site, without a trailing slash.
	PublicURL string
	// ProgramURL is the URL of the API in examples; PublicURL if it is empty.
	ProgramURL string
	// VAPIDPublicKey enables web push.
	VAPIDPublicKey string
	// FCM enables tokens of Firebase Cloud Messaging.
	FCM bool
	// Demo reports that simulated users answer.
	Demo bool
}

// Web serves the pages. It is safe for concurrent use.
type Web struct {
	options Options
	domain  *domain.Domain
	hub     *live.Hub
	box     *secret.Box
	site    *webkit.Site
}

// New returns the pages of a site.
func New(options Options) (*Web, error) {
	if options.Domain == nil || options.Site == nil || options.Hub == nil || options.Box == nil {
		return nil, errors.New("web: a domain, a site, a hub and a box are needed")
	}
	options.PublicURL = strings.TrimSuffix(options.PublicURL, "/")
	return &Web{options: options, domain: options.Domain, hub: options.Hub, box: options.Box, site: options.Site}, nil
}

// A page serves a request or returns an error.
type page = webkit.Handler

// Register adds the pages to a mux, without those of operators.
func (web *Web) Register(mux *http.ServeMux) {
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
		"POST /me/name":               web.changeHandle,
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
		mux.Handle(pattern, web.site.Page(page))
	}
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

// Nav returns the navigation of a page.
func Nav(r *http.Request) []webkit.Link {
	if strings.HasPrefix(r.URL.Path, "/developers") {
		return []webkit.Link{{Href: "/developers", Text: "Developers"}, {Href: "/developers/guide", Text: "Guide"}, {Href: "/developers/agent", Text: "My agent"}, {Href: "/", Text: "Answer"}}
	}
	return []webkit.Link{
		{Href: "/", Text: "Questions"}, {Href: "/leaderboard", Text: "Leaderboard"}, {Href: "/me", Text: "Me"},
	}
}
