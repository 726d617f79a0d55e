package host

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// Site returns the site of a system. What every site has is filled in: the secret, clock, log,
// public URL, proxies, and the pages of operators and accounts. NavFor of the options is asked
// for pages that are not operators'.
func (h *Host) Site(o webkit.Options) (*webkit.Site, error) {
	o.Name = cmp.Or(o.Name, h.o.Title)
	o.Box, o.Now, o.Log, o.PublicURL, o.Proxies = h.Box, h.Platform.Now, h.Config.Log, h.Config.PublicURL, h.Chosen.Proxies
	if o.Passing == nil {
		o.Passing = Passing
	}
	if o.Outdated == nil {
		o.Outdated = Outdated
	}
	o.More = append([]webkit.Pages{operator.Templates, accountpages.Templates}, o.More...)
	own, links := o.NavFor, o.Nav
	o.NavFor = func(r *http.Request) []webkit.Link {
		if h.frame != nil {
			if nav, ok := h.frame.Nav(r); ok {
				return nav
			}
		}
		if own != nil {
			return own(r)
		}
		return links
	}
	return webkit.New(o)
}

// edge is the default limit of requests by address.
var edge = jsonapi.Bucket{PerSecond: 50, Burst: 200}

// A Front holds what a system shows to people, programs and operators, and what it does in the
// background. Site and Pages are required.
type Front struct {
	Site *webkit.Site
	// Pages registers the pages of the system.
	Pages func(mux *http.ServeMux)
	// Wrap, if set, wraps all pages, such as accountpages.Pages.Identify.
	Wrap func(http.Handler) http.Handler
	// Handlers serves paths beside the pages, such as an API, by the patterns of http.ServeMux.
	// They count and limit requests themselves, as the front of package jsonapi does.
	Handlers map[string]http.Handler
	Edge     jsonapi.Bucket // limit of pages by address; 50 a second by default

	// Operator holds the system's tabs and numbers; the rest is filled in.
	Operator operator.Options
	// Settings says what is on and off besides the common settings.
	Settings []operator.Setting

	Loops []background.Loop
	// Tails follow streams for hints to open pages.
	Tails []Tail
	// Play fills the system with simulated users; nil if it has no demo.
	Play func(ctx context.Context) error
	// Hint says what operators find, for the list of pages at the start.
	Hint string
	// Guide lists pages to visit first that depend on the settings; those of the Kind are always
	// listed.
	Guide []apps.Page
	// Outbox is the path of the page with mail that is not sent, with its key; "" without such a page. The guide lists
	// it, unless everyone can open it, as in a demo.
	Outbox string
}

// A System is an open system: it implements apps.System, apps.Guide and apps.Demo.
type System struct {
	h       *Host
	front   Front
	handler http.Handler
	loops   *background.Group
}

// System mounts pages, handlers, operators' pages, health and metrics on one handler and prepares
// the loops. Long-lived connections, such as those of live pages, end with ctx.
func (h *Host) System(ctx context.Context, front Front) (*System, error) {
	if front.Site == nil || front.Pages == nil {
		return nil, errors.New("host: a front needs a Site and Pages")
	}
	s := &System{h: h, front: front}
	loops, err := background.New(h.Config.Log, s.allLoops()...)
	if err != nil {
		return nil, err
	}
	s.loops = loops
	if h.frame, err = operator.New(s.operatorOptions()); err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, front.Site.Close)
	s.handler = s.routes()
	return s, nil
}

func (s *System) operatorOptions() operator.Options {
	h, o := s.h, s.front.Operator
	o.Site, o.Platform, o.Staff, o.Trail, o.Queue, o.Metrics = s.front.Site, h.Platform, h.Staff, h.Trail, h.Queue, h.Metrics
	o.Traffic, o.Meter, o.Hub = h.Traffic, h.Meter, h.Hub
	o.Patterns = append(slices.Clone(h.own), platformdb.Patterns...)
	o.Loops, o.Kick, o.Data = s.loops.States, s.loops.Kick, h.data
	o.Settings = append(h.shownSettings(), s.front.Settings...)
	kinds := map[string]string{
		mailJob: "Send a mail", "webhook.publish": "Publish an event", "webhook.deliver": "Call a webhook",
		"notify.push": "Notify a person", "notify.send": "Notify a device", "notify.digest": "Mail a digest",
	}
	for kind, words := range o.Kinds {
		kinds[kind] = words
	}
	o.Kinds = kinds
	return o
}

// routes dispatches requests to the pages and to the other handlers.
func (s *System) routes() http.Handler {
	h := s.h
	pages := http.NewServeMux()
	s.front.Pages(pages)
	h.frame.Register(pages)
	site := s.front.Site.Handler(pages)
	if s.front.Wrap != nil {
		site = s.front.Wrap(site)
	}
	limit := s.front.Edge
	if limit.PerSecond == 0 {
		limit = edge
	}
	mux := http.NewServeMux()
	mux.Handle("/", h.Traffic.Watch("/", h.count(jsonapi.Guard(site, limit, h.Config.Now, h.Chosen.Proxies))))
	status := jsonapi.NewFront(jsonapi.Options{
		Log: h.Config.Log, Now: h.Config.Now, Passing: Passing, Counted: h.Traffic.Note, MaxBody: 1 << 10, Edge: limit, Proxies: h.Chosen.Proxies,
	}, []jsonapi.Route{{Pattern: "GET /health", Handler: s.health}, {Pattern: "GET /metrics", Handler: s.metrics}})
	for _, pattern := range []string{"/health", "/metrics"} {
		if s.front.Handlers[pattern] == nil {
			mux.Handle(pattern, status)
		}
	}
	for pattern, handler := range s.front.Handlers {
		mux.Handle(pattern, handler)
	}
	return mux
}

// count counts the answers to pages by hour. Handlers count theirs with Host.Answered.
func (h *Host) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &statusWriter{ResponseWriter: w}
		next.ServeHTTP(answer, r)
		h.Answered(jsonapi.Answered{Status: answer.status})
	})
}

// Answered counts an answer by hour. It is for jsonapi.Options.Counted, together with
// Traffic.Note.
func (h *Host) Answered(a jsonapi.Answered) {
	h.Metrics.Count(CountRequests, 1)
	if a.Status >= http.StatusInternalServerError {
		h.Metrics.Count(CountFailures, 1)
	}
}

// A statusWriter records the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// ServeHTTP serves pages, programs and operators.
func (s *System) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Meter returns the measured use of the access patterns next to the designs' estimates.
func (s *System) Meter() *access.Meter { return s.h.Meter }

// Loops returns the states of the background loops.
func (s *System) Loops() []background.State { return s.loops.States() }

// Kick runs a background loop now, and reports whether it exists.
func (s *System) Kick(loop string) bool { return s.loops.Kick(loop) }

// Play fills the system with simulated users.
func (s *System) Play(ctx context.Context) error {
	if s.front.Play == nil {
		return apps.ErrNoDemo
	}
	return s.front.Play(ctx)
}

// Pages returns the pages of the front's guide and the page of operators, with the secret unless it
// was chosen.
func (s *System) Pages() []apps.Page {
	operators := apps.Page{Path: operator.Home, Doc: cmp.Or(s.front.Hint, "health, jobs and numbers")}
	if s.h.Chosen.OperatorSecret == "" {
		operators.Name, operators.Password = staff.First, s.h.first
	}
	pages := append(slices.Clone(s.front.Guide), operators)
	if s.front.Outbox != "" && !s.h.Config.Demo {
		pages = append(pages, apps.Page{Path: s.front.Outbox, Doc: "mail to people, which is not sent without a mail server; keep this address to yourself"})
	}
	return pages
}
