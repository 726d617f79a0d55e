// Package web serves the pages of HomeOps: a member's own week, log, promises and preferences, the
// household's shared log, words, habits and settings, the simulated chat, and the sandbox of
// operators. It translates requests into calls of the domain and results into pages in Swedish or
// English; it holds no rules and stores nothing. Package api takes Telegram's updates. Package
// server mounts both.
package web

import (
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"net/http"

	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/conversation"
	"sortkey.dev/apps/homeops/domain"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webkit"
)

//go:embed pages parts assets
var embedded embed.FS

// Files holds the templates and assets, for webkit.Options.Files.
var Files fs.FS = embedded

// SiteOptions returns the options of the site that are HomeOps' own.
func SiteOptions() webkit.Options {
	return webkit.Options{
		Name: "HomeOps", Tagline: tagline, Face: &webkit.HomeOps,
		Footer: []webkit.Link{{Href: "/setup", Text: "Get started"}, {Href: "/language", Text: "Svenska / English"}},
		Files:  Files, Views: views, Funcs: template.FuncMap{"parts": partsOf, "hour": hourOf, "int": func(n int64) int { return int(n) }}, Translate: translate,
		App: &webkit.App{
			ShortName: "HomeOps", Keep: []string{"/week", "/household"},
			Forget: []string{"/sign-out", "/preferences/erase"}, Enter: []string{"/sign-in", "/chat/open"},
			Shortcuts: []webkit.Link{{Href: "/week", Text: "Min vecka / My week"}},
		},
	}
}

// Options configures the pages. Domain, Site and Hub are required.
type Options struct {
	Domain *domain.Domain
	Site   *webkit.Site
	Hub    *live.Hub
	Bot    telegram.User
	// Room is the simulated chat; nil if the system is connected to Telegram.
	Room *chatroom.Room
	// Talk understands messages, for the sandbox; HasModel reports that it can ask a model.
	Talk     *conversation.Service
	HasModel bool
	// StartLink returns the link that opens the private chat with the bot and sends it "/start" with an
	// argument. Telegram has one; the simulated chat has a page in its place.
	StartLink func(argument string) string
	// PublicURL is the URL of the system, for links that members send to others.
	PublicURL string
	// Demo reports that the people of the simulated chat write by themselves.
	Demo bool
}

// Web serves the pages. It is safe for concurrent use.
type Web struct {
	Options
}

// New returns the pages.
func New(options Options) (*Web, error) {
	if options.Domain == nil || options.Site == nil || options.Hub == nil {
		return nil, errors.New("web: a domain, a site and a hub are required")
	}
	return &Web{Options: options}, nil
}

// Register adds the pages to a mux.
func (web *Web) Register(mux *http.ServeMux) {
	web.Site.Handle(mux, map[string]webkit.Handler{
		"GET /{$}":       web.start,
		"GET /setup":     web.setup,
		"GET /language":  web.showLanguage,
		"POST /language": web.chooseLanguage,
		"GET /sign-in":   web.showSignIn,
		"POST /sign-in":  web.signIn,
		"POST /sign-out": web.signOut,
		"GET /join":      web.showJoin,
	})
	if web.Room != nil {
		web.Site.Handle(mux, map[string]webkit.Handler{
			"GET /chat": web.chat, "POST /chat": web.say, "POST /chat/press": web.press, "POST /chat/open": web.openPages, "GET /live/chat/{id}": web.watchChat,
		})
	}
	for pattern, page := range map[string]memberPage{
		"GET /week":                  web.week,
		"GET /log":                   web.log,
		"POST /log":                  web.addEntry,
		"POST /log/{id}":             web.correctEntry,
		"POST /log/{id}/undo":        web.undoEntry,
		"GET /promises":              web.promises,
		"POST /promises/{id}/drop":   web.dropPromise,
		"GET /household":             web.household,
		"POST /household/choose":     web.chooseHousehold,
		"GET /household/words":       web.words,
		"POST /household/words":      web.addWord,
		"POST /household/invite":     web.invite,
		"POST /household/words/drop": web.dropWord,
		"GET /household/habits":      web.habits,
		"GET /household/settings":    web.settings,
		"POST /household/settings":   web.saveSettings,
	} {
		mux.Handle(pattern, web.Site.Page(web.guard(page)))
	}
	for pattern, page := range map[string]memberPage{
		"GET /preferences":        web.preferences,
		"POST /preferences":       web.savePreferences,
		"GET /preferences/export": web.export,
		"POST /preferences/erase": web.erase,
	} {
		mux.Handle(pattern, web.Site.Page(web.guardOwn(page)))
	}
}

// Nav returns the links of the header for a request.
func (web *Web) Nav(r *http.Request) []webkit.Link {
	f := web.frame(r)
	var links []webkit.Link
	if f.Home.HouseholdID != "" {
		links = []webkit.Link{
			{Href: "/week", Text: f.word("nav.week")}, {Href: "/log", Text: f.word("nav.log")}, {Href: "/promises", Text: f.word("nav.promises")},
			{Href: "/household", Text: f.word("nav.household"), Within: []string{"/household/"}},
		}
	}
	if f.Me != 0 {
		links = append(links, webkit.Link{Href: "/preferences", Text: f.word("nav.preferences")})
	}
	if web.Room != nil {
		links = append(links, webkit.Link{Href: "/chat", Text: f.word("nav.chat")})
	}
	return links
}
