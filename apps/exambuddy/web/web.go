// Package web serves the pages of ExamBuddy: for candidates the catalogue, the sitting of an exam
// and its results; for admins exams, questions, imports, groups and statistics. It translates
// requests into calls of the domain and results into pages; it holds no rules and stores nothing
// but images and uploads. Package api serves JSON. Package server mounts it.
//
// A page of a running session is made from types that cannot hold an answer key.
package web

import (
	"embed"
	"errors"
	"io/fs"
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
)

//go:embed pages parts assets
var embedded embed.FS

// Files holds the templates and assets, for webkit.Options.Files.
var Files fs.FS = embedded

// maxBody is the maximum size of a request: a file to import with its form.
const maxBody = 11 << 20

// SiteOptions returns the options of the site that are ExamBuddy's own. With openAdmins people choose
// at sign-up whether they build exams.
func SiteOptions(openAdmins bool) webkit.Options {
	names := funcs()
	names["openAdmins"] = func() bool { return openAdmins }
	names["demo"] = func() string { return "" } // what a demo says to visitors who are not signed in
	return webkit.Options{
		Name: "ExamBuddy", Tagline: "Build an exam, sit it, learn from it.", Face: &webkit.ExamBuddy,
		Footer: []webkit.Link{{Href: "/about", Text: "How it works"}},
		Files:  Files, Views: views, Funcs: names, MaxBody: maxBody,
		App: &webkit.App{ShortName: "ExamBuddy", Shortcuts: []webkit.Link{{Href: "/", Text: "Exams"}, {Href: "/history", Text: "My results"}}},
	}
}

// Options configures the pages. All fields but OpenAdmins are required.
type Options struct {
	Domain    *domain.Domain
	Site      *webkit.Site
	People    *accountpages.Pages
	Files     files.Store
	PublicURL string
	// OpenAdmins lets everyone sign up as an admin. Otherwise operators invite admins.
	OpenAdmins bool
}

// Web serves the pages. It is safe for concurrent use.
type Web struct {
	o Options
}

// New returns the pages.
func New(options Options) (*Web, error) {
	if options.Domain == nil || options.Site == nil || options.People == nil || options.Files == nil || options.PublicURL == "" {
		return nil, errors.New("web: a domain, a site, account pages, a store of files and a public URL are required")
	}
	return &Web{o: options}, nil
}

// Register adds the pages to a mux.
func (web *Web) Register(mux *http.ServeMux) {
	d, site, people := web.o.Domain, web.o.Site, web.o.People
	exams := &examPages{bank: d.Bank, people: d.People, sitting: d.Sitting, site: site, now: d.Now}
	certificates := &certificatePages{results: d.Results, site: site, publicURL: web.o.PublicURL}
	people.Register(mux)
	site.Handle(mux, map[string]webkit.Handler{"GET /{$}": exams.home, "GET /about": web.about})
	site.Handle(mux, certificates.public())
	require := func(pattern string, page webkit.Handler) { mux.Handle(pattern, site.Page(people.Require(page))) }
	for _, pages := range []map[string]candidatePage{
		exams.pages(),
		(&sittingPages{sitting: d.Sitting, bank: d.Bank, results: d.Results, site: site}).pages(),
		(&practicePages{learning: d.Learning, site: site}).pages(),
		(&resultPages{results: d.Results, bank: d.Bank, site: site}).pages(),
		certificates.pages(),
	} {
		for pattern, page := range pages {
			require(pattern, candidateOnly(page))
		}
	}
	for _, pages := range []map[string]adminPage{
		(&projectPages{bank: d.Bank, site: site}).pages(),
		(&questionPages{bank: d.Bank, images: d.Images, site: site}).pages(),
		(&settingsPages{bank: d.Bank, people: d.People, site: site}).pages(),
		(&importPages{bank: d.Bank, images: d.Images, files: web.o.Files, site: site}).pages(),
		(&statisticsPages{results: d.Results, sitting: d.Sitting, bank: d.Bank, site: site, now: d.Now}).pages(),
		(&roomPages{sitting: d.Sitting, people: d.People, bank: d.Bank, site: site, now: d.Now}).pages(),
		(&groupPages{people: d.People, site: site}).pages(),
	} {
		for pattern, page := range pages {
			require(pattern, adminOnly(page))
		}
	}
	require("GET /account/data.json", myData(d.Privacy))
	require("GET /images/{file}", image(web.o.Files))
}

// PeopleTab returns the operators' tab for admins and candidates.
func (web *Web) PeopleTab() operator.Tab {
	pages := &operatorPages{people: web.o.Domain.People, site: web.o.Site, openAdmins: web.o.OpenAdmins}
	return operator.Tab{Name: "people", Title: "People", Pages: map[string]operator.Handler{"GET ": pages.users, "POST ": pages.changeUser}}
}

// A candidatePage serves a candidate.
type candidatePage func(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error

// candidateOnly lets a page serve only candidates.
func candidateOnly(page candidatePage) webkit.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		me, err := caller(r)
		if err != nil {
			return err
		}
		candidate, err := me.Candidate()
		if err != nil {
			return err
		}
		return page(w, r, candidate)
	}
}

// caller returns who made a request.
func caller(r *http.Request) (exambuddy.Caller, error) {
	signed, err := accountpages.Current(r)
	if err != nil {
		return exambuddy.Caller{}, err
	}
	return people.Caller(signed.Account), nil
}

// RolesFor returns the function that gives people who sign up without an invitation their role:
// the one they chose if everyone may become an admin, and candidate otherwise.
func RolesFor(openAdmins bool) func(form *webkit.Form) []string {
	return func(form *webkit.Form) []string {
		if openAdmins && form.Value("part") == "build" {
			return []string{string(exambuddy.RoleAdmin)}
		}
		return []string{string(exambuddy.RoleCandidate)}
	}
}

// Nav returns the links of the header for a request.
func (web *Web) Nav(r *http.Request) []webkit.Link {
	var links []webkit.Link
	if me, err := caller(r); err == nil {
		switch me.Role {
		case exambuddy.RoleAdmin:
			links = []webkit.Link{{Href: "/admin", Text: "Exams", Within: []string{"/admin/projects/", "/admin/attempts/"}}, {Href: "/admin/groups", Text: "Groups", Within: []string{"/admin/groups/"}}}
		case exambuddy.RoleCandidate:
			links = []webkit.Link{{Href: "/", Text: "Exams", Within: []string{"/exams/", "/sit/"}}, {Href: "/practice", Text: "Practice"}, {Href: "/history", Text: "My results", Within: []string{"/results/"}}}
		case exambuddy.RoleOperator:
			links = []webkit.Link{{Href: operator.Home, Text: "Operations"}}
		}
	}
	return append(links, web.o.People.Nav(r)...)
}

// about explains the system.
func (web *Web) about(w http.ResponseWriter, r *http.Request) error {
	web.o.Site.Render(w, r, http.StatusOK, "about.html", nil)
	return nil
}
