// Package web serves the pages of EcoBid: what is near, an item, posting, requests and pickups,
// auctions, people, notifications and settings. It translates requests into calls of the domain
// and results into pages; it holds no rules and stores nothing. Package api serves JSON. Package
// server mounts it.
package web

import (
	"embed"
	"errors"
	"io/fs"
	"net/http"

	"sortkey.dev/apps/ecobid/domain"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webkit"
)

//go:embed pages parts assets
var embedded embed.FS

// Files holds the templates and assets, for webkit.Options.Files.
var Files fs.FS = embedded

// SiteOptions returns the options of the site that are EcoBid's own.
func SiteOptions() webkit.Options {
	return webkit.Options{
		Name: "EcoBid", Tagline: "Give it to a neighbour.", Face: &webkit.EcoBid,
		Footer: []webkit.Link{{Href: "/impact", Text: "What was reused"}, {Href: "/about", Text: "How it works"}},
		Files:  Files, Views: views, Funcs: funcs(), MaxBody: maxBody,
		App: &webkit.App{
			ShortName: "EcoBid", Worker: "worker.js", Keep: []string{"/", "/mine"},
			Forget: []string{accountpages.SignOutPath, accountpages.DeletePath}, Enter: accountpages.EntryPaths(),
			Shortcuts: []webkit.Link{{Href: "/post", Text: "Give something away"}, {Href: "/mine", Text: "My things"}},
		},
	}
}

// maxBody is the maximum size of a request: a few photos at once.
const maxBody = 40 << 20

// Options configures the pages. Domain, Site, People, Hub and Files are required.
type Options struct {
	Domain *domain.Domain
	Site   *webkit.Site
	People *accountpages.Pages
	Hub    *live.Hub
	Files  files.Store
	// PublicURL is the URL of the system, without a trailing slash. QR codes lead there.
	PublicURL string
	// PushKey is the key for subscribing to web push; "" without web push. Digests reports that mail can be
	// sent.
	PushKey string
	Digests bool
	// Demo reports that the other people are invented.
	Demo bool
}

// Web serves the pages. It is safe for concurrent use.
type Web struct {
	options Options
	public  []map[string]webkit.Handler // pages for everyone, by subject
	members []map[string]webkit.Handler // pages for people who are signed in, by subject
}

// New returns the pages.
func New(options Options) (*Web, error) {
	if options.Domain == nil || options.Site == nil || options.People == nil || options.Hub == nil || options.Files == nil {
		return nil, errors.New("web: a domain, a site, account pages, a hub and a store of files are required")
	}
	d, site, hub := options.Domain, options.Site, options.Hub
	places := &placePages{site: site}
	home := &homePages{auctions: d.Auctions, demo: options.Demo, nearby: d.Nearby, places: places, site: site}
	about := &aboutPages{site: site, trust: d.Trust}
	items := &itemPages{
		auctions: d.Auctions, files: options.Files, giving: d.Giving, hub: hub, listings: d.Listings, people: d.People, places: places, site: site, trust: d.Trust,
	}
	taking := &takingPages{auctions: d.Auctions, giving: d.Giving, items: items, listings: d.Listings, site: site, trust: d.Trust}
	posts := &postPages{auctions: d.Auctions, items: items, listings: d.Listings, places: places, site: site}
	edits := &editPages{auctions: d.Auctions, items: items, listings: d.Listings, posts: posts, site: site}
	mine := &minePages{auctions: d.Auctions, giving: d.Giving, hub: hub, listings: d.Listings, people: d.People, site: site, trust: d.Trust}
	pickups := &pickupPages{giving: d.Giving, hub: hub, now: d.Now, people: d.People, public: options.PublicURL, site: site, trust: d.Trust}
	persons := &personPages{items: items, listings: d.Listings, people: d.People, site: site, trust: d.Trust}
	profile := &profilePages{people: d.People, site: site, trust: d.Trust}
	searches := &searchPages{places: places, site: site, trust: d.Trust}
	news := &newsPages{notifier: d.Notifier, site: site}
	notices := &noticePages{digests: options.Digests, notifier: d.Notifier, pushKey: options.PushKey, site: site}
	hooks := &hookPages{site: site, webhooks: d.Hooks}
	return &Web{
		options: options,
		public:  []map[string]webkit.Handler{home.public(), places.public(), items.public(), persons.public(), about.public()},
		members: []map[string]webkit.Handler{
			posts.pages(), edits.pages(), taking.pages(), mine.pages(), pickups.pages(), persons.pages(), profile.pages(), searches.pages(), news.pages(),
			notices.pages(), hooks.pages(),
		},
	}, nil
}

// Register adds the pages to a mux.
func (web *Web) Register(mux *http.ServeMux) {
	web.options.People.Register(mux)
	for _, pages := range web.public {
		web.options.Site.Handle(mux, pages)
	}
	for _, pages := range web.members {
		for pattern, page := range pages {
			mux.Handle(pattern, web.options.Site.Page(web.options.People.Require(page)))
		}
	}
}

// Nav returns the links of the header for a request.
func (web *Web) Nav(r *http.Request) []webkit.Link {
	links := []webkit.Link{{Href: "/", Text: "Near you", Within: []string{"/items/", "/place"}}, {Href: "/post", Text: "Give"}}
	if viewer := viewer(r); viewer != "" {
		mine := webkit.Link{Href: "/mine", Text: "Mine", Within: []string{"/pickups/"}}
		inbox := webkit.Link{Href: "/notifications", Text: "News"}
		if unread, err := web.options.Domain.Notifier.Unread(r.Context(), viewer); err == nil && unread > 0 {
			inbox.Note = webkit.Number(unread)
		}
		links = append(links, mine, inbox)
	}
	return append(links, web.options.People.Nav(r)...)
}

// Profile reads the profile on the page where people sign up, for accountpages.Options.
func Profile(profiles *people.Service) func(form *webkit.Form) (accounts.With, error) {
	return func(form *webkit.Form) (accounts.With, error) {
		return profiles.Register(profileOf(form))
	}
}

// viewer returns the id of the person who is signed in; "" if there is none.
func viewer(r *http.Request) string {
	signed, err := accountpages.Current(r)
	if err != nil {
		return ""
	}
	return signed.Account.AccountID
}

// signedIn returns the id of the person of a page that Require guards.
func signedIn(r *http.Request) (string, error) {
	signed, err := accountpages.Current(r)
	if err != nil {
		return "", err
	}
	return signed.Account.AccountID, nil
}
