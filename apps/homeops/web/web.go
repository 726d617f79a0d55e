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
	visitors *visitors
	site     *webkit.Site
	chatting bool // there is a simulated chat
	sandbox  *sandboxTab
	// The pages by subject: those for everyone, those of members, and those of people about themselves.
	public       []map[string]webkit.Handler
	members, own []map[string]memberPage
}

// New returns the pages.
func New(options Options) (*Web, error) {
	if options.Domain == nil || options.Site == nil || options.Hub == nil {
		return nil, errors.New("web: a domain, a site and a hub are required")
	}
	d, site := options.Domain, options.Site
	visitors := &visitors{bot: options.Bot, demo: options.Demo, households: d.Households, now: d.Now, room: options.Room, site: site}
	signIn := &signInPages{bot: options.Bot, households: d.Households, room: options.Room, site: site, visitors: visitors}
	language := &languagePages{households: d.Households, site: site, visitors: visitors}
	join := &joinPages{households: d.Households, room: options.Room, site: site, startLink: options.StartLink, visitors: visitors}
	member := &memberPages{insights: d.Insights, ledger: d.Ledger, site: site}
	promises := &promisePages{promised: d.Promises, site: site}
	household := &householdPages{households: d.Households, ledger: d.Ledger, site: site}
	words := &wordPages{site: site, vocabulary: d.Vocabulary}
	settings := &settingsPages{hasModel: options.HasModel, households: d.Households, public: options.PublicURL, site: site}
	preferences := &preferencePages{households: d.Households, now: d.Now, site: site}
	web := &Web{
		visitors: visitors, site: site, chatting: options.Room != nil,
		sandbox: &sandboxTab{hasModel: options.HasModel, now: d.Now, site: site, talk: options.Talk},
		public:  []map[string]webkit.Handler{signIn.pages(), language.pages(), join.pages()},
		members: []map[string]memberPage{member.pages(), promises.pages(), household.pages(), words.pages(), settings.pages()},
		own:     []map[string]memberPage{preferences.pages()},
	}
	if web.chatting {
		chat := &chatPages{households: d.Households, hub: options.Hub, room: options.Room, site: site, visitors: visitors}
		web.public = append(web.public, chat.pages())
	}
	return web, nil
}

// Register adds the pages to a mux.
func (web *Web) Register(mux *http.ServeMux) {
	for _, pages := range web.public {
		web.site.Handle(mux, pages)
	}
	register := func(subjects []map[string]memberPage, guard func(memberPage) webkit.Handler) {
		for _, pages := range subjects {
			for pattern, page := range pages {
				mux.Handle(pattern, web.site.Page(guard(page)))
			}
		}
	}
	register(web.members, web.visitors.guard)
	register(web.own, web.visitors.guardOwn)
}

// Nav returns the links of the header for a request.
func (web *Web) Nav(r *http.Request) []webkit.Link {
	f := web.visitors.frame(r)
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
	if web.chatting {
		links = append(links, webkit.Link{Href: "/chat", Text: f.word("nav.chat")})
	}
	return links
}
