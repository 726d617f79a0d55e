package operator

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// A Tab is a part of the operators' pages that a system adds.
type Tab struct {
	Name  string // of its path: reports for /operator/reports
	Title string // in the navigation
	// Pages maps a method and the rest of a path to handlers: "GET " for the tab itself, and
	// "POST /{id}" for a path below it.
	Pages map[string]Handler
	// Waiting counts what waits for a decision; nil if nothing does. The count is shown in the
	// navigation and on the overview, and is reused for a few seconds.
	Waiting func(ctx context.Context) (int64, error)
	// Note says what waits, on the overview: "to review".
	Note string
}

// A Handler serves a signed-in operator, or returns an error. A refusal of a form is shown on the
// page that the form's field back names; every other error is shown as a page.
type Handler func(w http.ResponseWriter, r *http.Request, by staff.Operator) error

func (t *Tab) path() string { return Home + "/" + t.Name }

const (
	// deadBadge is the name of the count of dead jobs.
	deadBadge = "jobs"
	// badgeAge is the time for which counts are reused.
	badgeAge = 5 * time.Second
	// MaxWaiting is the count from which a badge says "or more".
	MaxWaiting = jobs.MaxCount
)

// badges holds the counts of what waits.
type badges struct {
	mu     sync.Mutex
	at     time.Time
	counts map[string]int64
}

// waiting returns the counts of what waits, by the names of tabs. What cannot be counted is
// missing: a page without a count is better than none.
func (f *Frame) waiting(ctx context.Context) map[string]int64 {
	b := &f.badges
	b.mu.Lock()
	defer b.mu.Unlock()
	now := f.o.Platform.Now()
	if age := now.Sub(b.at); b.counts != nil && age >= 0 && age < badgeAge {
		return b.counts
	}
	counts := make(map[string]int64)
	count := func(name string, waiting func(context.Context) (int64, error)) {
		n, err := waiting(ctx)
		if err != nil {
			f.o.Platform.Log.Warn("what waits for operators cannot be counted", slog.String("tab", name), slog.Any("error", err))
			return
		}
		counts[name] = n
	}
	for _, tab := range f.o.Tabs {
		if tab.Waiting != nil {
			count(tab.Name, tab.Waiting)
		}
	}
	if f.o.Queue != nil {
		count(deadBadge, f.o.Queue.CountDead)
	}
	b.at, b.counts = now, counts
	return counts
}

// forgetBadges lets the next page count again, after an operator has changed something.
func (f *Frame) forgetBadges() {
	f.badges.mu.Lock()
	defer f.badges.mu.Unlock()
	f.badges.counts = nil
}

// badge returns the text of a count; "" if nothing waits.
func (f *Frame) badge(ctx context.Context, name string) string {
	n := f.waiting(ctx)[name]
	if n == 0 {
		return ""
	}
	return countText(n)
}

// countText formats a number that is counted up to a limit.
func countText(n int64) string {
	if n >= MaxWaiting {
		return webkit.Number(n) + "+"
	}
	return webkit.Number(n)
}

// Nav returns the navigation of the operators' pages, and false for other pages. It is for
// webkit.Options.NavFor.
func (f *Frame) Nav(r *http.Request) ([]webkit.Link, bool) {
	if !isPath(r.URL.Path) {
		return nil, false
	}
	if _, signed := Current(r); !signed {
		return []webkit.Link{{Href: "/", Text: "To the site"}}, true
	}
	links := []webkit.Link{{Href: Home, Text: "Overview"}}
	for _, tab := range f.o.Tabs {
		links = append(links, webkit.Link{Href: tab.path(), Text: tab.Title, Note: f.badge(r.Context(), tab.Name)})
	}
	sections := f.sections(r.Context())
	machine := webkit.Link{Href: sections[0].Href, Text: "System", Note: sections[0].Note}
	for _, section := range sections {
		machine.Within = append(machine.Within, section.Href)
	}
	return append(links, machine), true
}
