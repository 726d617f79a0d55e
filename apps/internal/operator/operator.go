// Package operator is the operators' part of a system's site: sign-in, overview, jobs and dead
// letters, access patterns, versions of the data, audit trail, operators and settings. A system adds tabs of its own.
// It holds no rules; the packages staff, jobs, audit and metrics do, and the domain of the system
// behind its tabs. The systems' servers mount it through package host:
//
//	site, err := webkit.New(webkit.Options{..., More: []webkit.Pages{operator.Templates}, NavFor: nav})
//	frame, err := operator.New(operator.Options{Site: site, Platform: p, Staff: staff, Trail: trail,
//		Tabs: []operator.Tab{{Name: "reports", Title: "Reports", Pages: map[string]operator.Handler{"GET ": reports.list}}}})
//	frame.Register(mux)
//
// A tab's page embeds a Bar in its data and begins with {{template "operator-bar" .}}; nav asks
// Frame.Nav first.
package operator

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/internal/lazyregexp"
)

//go:embed pages parts assets
var files embed.FS

// Templates holds the pages and their styles, for webkit.Options.More.
var Templates = webkit.Pages{Files: files, Views: webkit.Views{
	"operator.html":           overviewView{},
	"operator-audit.html":     auditView{},
	"operator-data.html":      dataView{},
	"operator-job.html":       oneJobView{},
	"operator-jobs.html":      jobsView{},
	"operator-operators.html": teamView{},
	"operator-patterns.html":  patternsView{},
	"operator-secret.html":    secretView{},
	"operator-settings.html":  settingsView{},
	"operator-sign-in.html":   signInView{},
}}

// Home is the path of the overview; all other pages are below it.
const Home = "/operator"

const (
	signInPath   = Home + "/sign-in"
	jobsPath     = Home + "/jobs"
	patternsPath = Home + "/patterns"
	auditPath    = Home + "/audit"
	dataPath     = Home + "/data"
	teamPath     = Home + "/operators"
	settingsPath = Home + "/settings"
	rowsOnPage   = 25
)

// Options configures the frame. Site, Platform, Staff and Trail are required; without one of the
// others, its part is left out.
type Options struct {
	Site     *webkit.Site
	Platform *platform.Platform
	Staff    *staff.Staff
	Trail    *audit.Trail

	Tabs     []Tab
	Overview Overview
	Settings []Setting

	Queue   *jobs.Queue
	Metrics *metrics.Metrics
	Traffic *jsonapi.Traffic
	// Meter has measured the calls of Patterns, which are all patterns of the system's designs.
	Meter    *access.Meter
	Patterns []*access.Pattern
	// Data is the data of the system's designs, with its versions; none if they are not known.
	Data []apps.Data
	// Loops returns the states of the background loops, and Kick runs one of them now.
	Loops func() []background.State
	Kick  func(loop string) bool
	// Hub and Topics say when the overview changes. It is reloaded every few seconds anyway.
	Hub    *live.Hub
	Topics []live.Topic

	// Kinds maps kinds of jobs to words for operators.
	Kinds map[string]string
	// Subjects returns what a job is about, with links. May be nil.
	Subjects func(jobs.Job) []Target
	// Targets returns what an audit event is about, with links. May be nil: the target as text.
	Targets func(audit.Event) []Target
}

// A Target is a thing that operators look at; Href may be "".
type Target struct{ Text, Href string }

// A Frame serves the operators' pages. It is safe for concurrent use.
type Frame struct {
	o      Options
	site   *webkit.Site
	badges badges
}

// New returns the frame of a system.
func New(options Options) (*Frame, error) {
	if options.Site == nil || options.Platform == nil || options.Staff == nil || options.Trail == nil {
		return nil, errors.New("operator: Site, Platform, Staff and Trail are required")
	}
	if options.Hub == nil {
		options.Hub = new(live.Hub)
	}
	f := &Frame{o: options, site: options.Site}
	taken := []string{"sign-in", "sign-out", "live", "loops", "jobs", "patterns", "data", "audit", "operators", "settings"}
	for _, tab := range options.Tabs {
		if !tabName.MatchString(tab.Name) || tab.Title == "" || len(tab.Pages) == 0 {
			return nil, fmt.Errorf("operator: tab %q needs a name for a path, a title and pages", tab.Name)
		}
		if slices.Contains(taken, tab.Name) {
			return nil, fmt.Errorf("operator: there are two tabs with the name %q", tab.Name)
		}
		taken = append(taken, tab.Name)
	}
	return f, nil
}

var tabName = lazyregexp.New(`^[a-z][a-z0-9-]*$`)

// Register adds the pages to a mux.
func (f *Frame) Register(mux *http.ServeMux) {
	pages := map[string]Handler{
		"GET " + Home:                f.overview,
		"GET " + Home + "/{$}":       f.overview,
		"GET " + Home + "/live":      f.watch,
		"POST " + Home + "/loops":    f.kick,
		"GET " + patternsPath:        f.patterns,
		"GET " + dataPath:            f.data,
		"GET " + auditPath:           f.audit,
		"GET " + teamPath:            f.team,
		"POST " + teamPath:           f.addOperator,
		"POST " + teamPath + "/{id}": f.changeOperator,
		"GET " + settingsPath:        f.settings,
	}
	if f.o.Queue != nil {
		pages["GET "+jobsPath] = f.jobs
		pages["GET "+jobsPath+"/show"] = f.job
		pages["POST "+jobsPath] = f.decideJobs
	}
	for _, tab := range f.o.Tabs {
		for pattern, page := range tab.Pages {
			method, rest, _ := strings.Cut(pattern, " ")
			pages[method+" "+tab.path()+rest] = page
		}
	}
	for pattern, page := range pages {
		mux.Handle(pattern, f.site.Page(f.require(page)))
	}
	f.site.Handle(mux, map[string]webkit.Handler{
		"GET " + signInPath: f.askSignIn, "POST " + signInPath: f.signIn, "POST " + Home + "/sign-out": f.signOut,
	})
}

// A Bar is the head of an operators' page. The data of such a page embeds it.
type Bar struct {
	Title    string
	Operator string // who is signed in
	Sections *webkit.Tabs
}

// NewBar returns the head of a page of a tab.
func NewBar(by staff.Operator, title string) Bar { return Bar{Title: title, Operator: by.Name} }

// machineBar returns the head of a page about the system itself.
func (f *Frame) machineBar(r *http.Request, title string) Bar {
	by, _ := Current(r)
	bar := NewBar(by, title)
	bar.Sections = &webkit.Tabs{Label: "System"}
	for _, section := range f.sections(r.Context()) {
		bar.Sections.Tabs = append(bar.Sections.Tabs, webkit.Tab{
			Href: section.Href, Text: section.Text, Count: section.Note, Current: leadsTo(section.Href, r.URL.Path),
		})
	}
	return bar
}

func leadsTo(href, path string) bool { return path == href || strings.HasPrefix(path, href+"/") }

// sections returns the pages about the system itself.
func (f *Frame) sections(ctx context.Context) []webkit.Link {
	var links []webkit.Link
	if f.o.Queue != nil {
		links = append(links, webkit.Link{Href: jobsPath, Text: "Jobs", Note: f.badge(ctx, deadBadge)})
	}
	return append(links,
		webkit.Link{Href: patternsPath, Text: "Patterns"}, webkit.Link{Href: dataPath, Text: "Data"}, webkit.Link{Href: auditPath, Text: "Audit"},
		webkit.Link{Href: teamPath, Text: "Operators"}, webkit.Link{Href: settingsPath, Text: "Settings"})
}
