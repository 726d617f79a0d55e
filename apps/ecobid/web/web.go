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

	"sortkey.dev/apps/ecobid"
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
	Options
}

// New returns the pages.
func New(options Options) (*Web, error) {
	if options.Domain == nil || options.Site == nil || options.People == nil || options.Hub == nil || options.Files == nil {
		return nil, errors.New("web: a domain, a site, account pages, a hub and a store of files are required")
	}
	return &Web{Options: options}, nil
}

// Register adds the pages to a mux.
func (web *Web) Register(mux *http.ServeMux) {
	web.People.Register(mux)
	web.Site.Handle(mux, map[string]webkit.Handler{
		"GET /{$}":             web.home,
		"GET /place":           web.showPlace,
		"POST /place":          web.choosePlace,
		"GET /items/{id}":      web.item,
		"GET /live/items/{id}": web.watchItem,
		"GET /photos/{file}":   web.photo,
		"GET /people/{id}":     web.person,
		"GET /impact":          web.impact,
		"GET /about":           web.about,
	})
	for pattern, page := range map[string]webkit.Handler{
		"GET /post":                             web.showPost,
		"POST /post":                            web.post,
		"POST /photos":                          web.upload,
		"GET /items/{id}/edit":                  web.showEdit,
		"POST /items/{id}/edit":                 web.edit,
		"POST /items/{id}/publish":              web.publish,
		"POST /items/{id}/withdraw":             web.withdraw,
		"POST /items/{id}/bump":                 web.bump,
		"POST /items/{id}/reserve":              web.reserve,
		"POST /items/{id}/join":                 web.join,
		"POST /items/{id}/leave":                web.leave,
		"POST /items/{id}/bid":                  web.bid,
		"POST /items/{id}/favourite":            web.favourite,
		"POST /items/{id}/report":               web.report,
		"GET /mine":                             web.mine,
		"GET /live/mine":                        web.watchMine,
		"GET /pickups/{id}":                     web.pickup,
		"GET /pickups/{id}/code.svg":            web.pickupCode,
		"GET /live/pickups/{id}":                web.watchPickup,
		"POST /pickups/{id}/{action}":           web.act,
		"POST /people/{id}/block":               web.block,
		"POST /people/{id}/report":              web.reportPerson,
		"GET /settings/blocks":                  web.blocks,
		"GET /notifications":                    web.notifications,
		"POST /notifications":                   web.readNotifications,
		"GET /settings/profile":                 web.showProfile,
		"POST /settings/profile":                web.saveProfile,
		"GET /settings/searches":                web.searches,
		"POST /settings/searches":               web.saveSearch,
		"POST /settings/searches/{id}/drop":     web.dropSearch,
		"GET /settings/export":                  web.export,
		"GET /settings/notifications":           web.notices,
		"POST /settings/notifications":          web.saveNotices,
		"POST /settings/devices":                web.addDevice,
		"POST /settings/devices/{id}/drop":      web.dropDevice,
		"GET /settings/webhooks":                web.hooks,
		"POST /settings/webhooks":               web.addHook,
		"POST /settings/webhooks/{id}/{action}": web.changeHook,
	} {
		mux.Handle(pattern, web.Site.Page(web.People.Require(page)))
	}
}

// Nav returns the links of the header for a request.
func (web *Web) Nav(r *http.Request) []webkit.Link {
	links := []webkit.Link{{Href: "/", Text: "Near you", Within: []string{"/items/", "/place"}}, {Href: "/post", Text: "Give"}}
	if viewer := viewer(r); viewer != "" {
		mine := webkit.Link{Href: "/mine", Text: "Mine", Within: []string{"/pickups/"}}
		inbox := webkit.Link{Href: "/notifications", Text: "News"}
		if unread, err := web.Domain.Notifier.Unread(r.Context(), viewer); err == nil && unread > 0 {
			inbox.Note = webkit.Number(unread)
		}
		links = append(links, mine, inbox)
	}
	return append(links, web.People.Nav(r)...)
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

// about explains the system.
func (web *Web) about(w http.ResponseWriter, r *http.Request) error {
	web.Site.Render(w, r, http.StatusOK, "about.html", aboutView{
		Answer: ecobid.AnswerWithin, Radii: ecobid.Radii, Photos: ecobid.MaxPhotos, Listed: ecobid.ListedFor,
	})
	return nil
}
