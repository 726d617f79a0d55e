package showcase

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
)

// numbers is the topic of the front page.
const numbers live.Topic = "numbers"

func (s *Showcase) routes() *http.ServeMux {
	mux := http.NewServeMux()
	s.site.Handle(mux, map[string]webkit.Handler{
		"GET /{$}":               s.home,
		"GET /patterns/{system}": s.patterns,
		"GET /design/{system}":   s.design,
		"GET /guide/{name}":      s.guide,
		"GET /mark/{file}":       s.mark,
	})
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, r *http.Request) { s.site.Watch(w, r, &s.hub, numbers) })
	return mux
}

// homeView holds the data of home.html.
type homeView struct {
	Systems []systemView
	Guides  []guideView
}

// A systemView is one system on the front page.
type systemView struct {
	Subject
	URL, Mark string
	Open      bool
	Counted   webkit.Stat
	Calls     webkit.Stat
	Operators []apps.Page
}

// A guideView is a guide for a reader.
type guideView struct{ Reader, Name, Text string }

// views declares the data of the pages.
var views = webkit.Views{"home.html": homeView{}, "patterns.html": patternsView{}}

// readers lists the guides by reader.
var readers = []guideView{
	{"I design", "design.md", "write a design and let it be judged"},
	{"I write Go", "generated.md", "the generated package and how to call it"},
	{"I run it", "infrastructure.md", "tables, alarms and permissions on AWS"},
	{"I test with it", "embedding.md", "the engine in a test"},
	{"I build a system", "building-a-system.md", "a small fifth system, from design to page"},
}

func (s *Showcase) home(w http.ResponseWriter, r *http.Request) error {
	view := homeView{Guides: readers}
	for _, room := range s.rooms {
		view.Systems = append(view.Systems, room.view())
	}
	s.site.Render(w, r, http.StatusOK, "home.html", view)
	return nil
}

func (r *room) view() systemView {
	r.mu.Lock()
	pages := r.pages
	r.mu.Unlock()
	growth := r.trend.values()
	last := 0.0
	for _, n := range growth {
		last += n
	}
	return systemView{
		Subject: r.Subject, URL: r.url, Mark: "/mark/" + r.Name + ".svg", Open: r.opened() != nil, Operators: pages,
		Counted: webkit.Stat{Label: r.Subject.Counted.Label, Value: webkit.Number(r.counted())},
		Calls: webkit.Stat{
			Label: "calls of access patterns", Value: webkit.Number(r.calls()),
			Trend: &webkit.Sparkline{Label: fmt.Sprintf("%.0f in the last minute", last), Values: growth},
		},
	}
}

// patternsView holds the data of patterns.html.
type patternsView struct {
	Title, Name, URL string
	Open             bool
	Rows             []operator.PatternRow
}

func (s *Showcase) patterns(w http.ResponseWriter, r *http.Request) error {
	room := s.room(r.PathValue("system"))
	if room == nil {
		s.site.NotFound(w, r)
		return nil
	}
	view := patternsView{Title: room.Title, Name: room.Name, URL: room.url, Open: room.opened() != nil}
	if meter := room.meter(); meter != nil {
		reports := meter.Report()
		slices.SortStableFunc(reports, func(a, b access.PatternReport) int { return cmp.Compare(b.Units, a.Units) })
		for _, report := range reports {
			view.Rows = append(view.Rows, operator.NewPatternRow(report))
		}
	}
	s.site.Render(w, r, http.StatusOK, "patterns.html", view)
	return nil
}

// design shows the report of a design, which is a page of its own with its own style and script.
func (s *Showcase) design(w http.ResponseWriter, r *http.Request) error {
	room := s.room(r.PathValue("system"))
	if room == nil {
		s.site.NotFound(w, r)
		return nil
	}
	room.reports.Do(func() {
		var page bytes.Buffer
		room.broken = s.o.Report(&page, room.Design)
		room.report = page.Bytes()
	})
	if room.broken != nil {
		return fmt.Errorf("the report of %s: %w", room.Name, room.broken)
	}
	// The report is made by this process from its own design, and loads nothing.
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(room.report)
	return nil
}

// guide shows the text of a guide as it is in the repository.
func (s *Showcase) guide(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	text, err := s.o.Guide(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		s.site.NotFound(w, r)
		return nil
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(text)
	return nil
}

// mark shows the mark of a system.
func (s *Showcase) mark(w http.ResponseWriter, r *http.Request) error {
	name, ok := strings.CutSuffix(r.PathValue("file"), ".svg")
	room := s.room(name)
	if room == nil || !ok {
		s.site.NotFound(w, r)
		return nil
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write(room.Face.SVG())
	return nil
}
