// Package web serves the pages of Ask-a-Human: the feed, the question, the leaderboard, personal
// pages, pages for developers, and the tabs of the operators' pages. It translates requests into
// calls of the domain and results into pages; it holds no rules and stores nothing. Package api
// serves JSON. Package server mounts it.
package web

import (
	"context"
	"embed"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/operator"
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
	site  *webkit.Site
	pages []map[string]page // by subject
	tabs  []operator.Tab
}

// A page serves a request or returns an error.
type page = webkit.Handler

// allow counts a request of a subject against a limit.
type allow = func(ctx context.Context, limit askahuman.Limit, subject string) (askahuman.Allowance, error)

// New returns the pages of a site.
func New(options Options) (*Web, error) {
	if options.Domain == nil || options.Site == nil || options.Hub == nil || options.Box == nil {
		return nil, errors.New("web: a domain, a site, a hub and a box are needed")
	}
	options.PublicURL = strings.TrimSuffix(options.PublicURL, "/")
	d := options.Domain
	common := shared{
		site: options.Site, hub: options.Hub, allow: d.Allow,
		visitors:  &visitors{now: d.Now, people: d.People, site: options.Site},
		addresses: &addresses{programs: options.ProgramURL, public: options.PublicURL},
	}
	return &Web{site: options.Site, pages: append(pagesOfPeople(options, common), pagesOfDevelopers(options, common)...), tabs: tabs(options)}, nil
}

// shared holds what pages of several subjects need.
type shared struct {
	site      *webkit.Site
	hub       *live.Hub
	allow     allow
	visitors  *visitors
	addresses *addresses
}

// pagesOfPeople returns the pages of people who answer.
func pagesOfPeople(options Options, c shared) []map[string]page {
	d := options.Domain
	walk := &walk{answers: d.Answers, site: c.site, visitors: c.visitors}
	rewards := &rewardPages{site: c.site}
	ends := &endPages{hub: c.hub, questions: d.Questions, site: c.site, visitors: c.visitors}
	feed := &feedPages{answers: d.Answers, demo: options.Demo, hub: c.hub, notices: d.Notices, site: c.site, visitors: c.visitors}
	question := &questionPages{
		addresses: c.addresses, allow: c.allow, answers: d.Answers, box: options.Box, ends: ends, hub: c.hub, now: d.Now, people: d.People,
		rewards: rewards, site: c.site, visitors: c.visitors, walk: walk,
	}
	person := &personPages{answers: d.Answers, people: d.People, site: c.site, visitors: c.visitors}
	settings := &settingsPages{allow: c.allow, notices: d.Notices, people: d.People, pushKey: options.VAPIDPublicKey, site: c.site, visitors: c.visitors}
	move := &movePages{addresses: c.addresses, allow: c.allow, box: options.Box, now: d.Now, people: d.People, site: c.site, visitors: c.visitors}
	return []map[string]page{feed.pages(), walk.pages(), question.pages(), rewards.pages(), ends.pages(), person.pages(), settings.pages(), move.pages()}
}

// pagesOfDevelopers returns the pages of developers and their agents.
func pagesOfDevelopers(options Options, c shared) []map[string]page {
	d := options.Domain
	sessions := &agentSessions{box: options.Box, questions: d.Questions, site: c.site}
	developers := &developerPages{
		addresses: c.addresses, allow: c.allow, box: options.Box, demo: options.Demo, fcm: options.FCM, hub: c.hub, questions: d.Questions,
		sessions: sessions, site: c.site, visitors: c.visitors,
	}
	agent := &agentPages{allow: c.allow, questions: d.Questions, sessions: sessions, site: c.site, visitors: c.visitors}
	result := &resultPages{
		addresses: c.addresses, callbacks: d.Callbacks, hub: c.hub, questions: d.Questions, sessions: sessions, site: c.site, visitors: c.visitors,
	}
	return []map[string]page{developers.pages(), agent.pages(), result.pages()}
}

// Register adds the pages to a mux, without those of operators.
func (web *Web) Register(mux *http.ServeMux) {
	for _, pages := range web.pages {
		web.site.Handle(mux, pages)
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
