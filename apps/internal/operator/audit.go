package operator

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// auditView holds the data of operator-audit.html.
type auditView struct {
	Bar
	Day           access.Date // "" if the list is not that of a day
	Today         bool
	Before, After string // addresses of the days around; After is "" today, Before on the first day that is kept
	KeptDays      int
	By, About     string // the list is that of an operator, or of a thing
	Operators     []webkit.Option
	Events        []eventView
	Pager         webkit.Pager
	Later         bool
}

// An eventView is an audit event.
type eventView struct {
	audit.Event
	What    string
	Targets []Target
	Detail  []detail
	Actor   string
	ByHref  string
}

// A detail is one of the details of an audit event.
type detail struct{ Name, Text string }

func (f *Frame) audit(w http.ResponseWriter, r *http.Request, _ staff.Operator) error {
	query := r.URL.Query()
	cursor := query.Get("cursor")
	view := auditView{Bar: f.machineBar(r, "Audit trail"), By: query.Get("by"), About: query.Get("about"), Later: cursor != "", KeptDays: int(f.o.Trail.Keep() / (24 * time.Hour))}
	var page access.Page[audit.Event]
	var err error
	same := url.Values{}
	switch {
	case view.By != "":
		same.Set("by", view.By)
		page, err = f.o.Trail.By(r.Context(), view.By, rowsOnPage, cursor)
	case view.About != "":
		same.Set("about", view.About)
		page, err = f.o.Trail.About(r.Context(), view.About, rowsOnPage, cursor)
	default:
		today := access.DateOf(f.o.Platform.Now())
		view.Day = access.Date(cmp.Or(query.Get("day"), string(today)))
		same.Set("day", string(view.Day))
		if page, err = f.o.Trail.Day(r.Context(), view.Day, rowsOnPage, cursor); err == nil {
			view.Today = view.Day == today
			if view.Day > access.DateOf(f.o.Platform.Now().Add(-f.o.Trail.Keep())) {
				view.Before = dayAddress(view.Day, -1)
			}
			if view.Day < today {
				view.After = dayAddress(view.Day, 1)
			}
		}
	}
	if err != nil {
		return err
	}
	view.Events = f.eventViews(page.Items)
	view.Pager = pagerTo(auditPath+"?"+same.Encode(), page.Next, "Earlier", view.Later)
	if view.Operators, err = f.operatorOptions(r); err != nil {
		return err
	}
	f.site.Render(w, r, http.StatusOK, "operator-audit.html", view)
	return nil
}

func dayAddress(day access.Date, days int) string {
	return auditPath + "?day=" + string(access.DateOf(day.Time().AddDate(0, 0, days)))
}

func (f *Frame) operatorOptions(r *http.Request) ([]webkit.Option, error) {
	list, err := f.o.Staff.List(r.Context())
	options := []webkit.Option{{Value: "", Text: "All operators"}}
	for _, operator := range list {
		options = append(options, webkit.Option{Value: operator.Name, Text: operator.Name})
	}
	return options, err
}

func (f *Frame) eventViews(events []audit.Event) []eventView {
	var views []eventView
	for _, event := range events {
		view := eventView{
			Event: event, What: capital(strings.ReplaceAll(event.Action, "_", " ")), Actor: event.Actor,
			ByHref: auditPath + "?" + url.Values{"by": {event.Actor}}.Encode(),
		}
		if f.o.Targets != nil {
			view.Targets = f.o.Targets(event)
		}
		if len(view.Targets) == 0 && event.Target != "" {
			view.Targets = []Target{{event.Target, auditPath + "?" + url.Values{"about": {cmp.Or(event.About, event.Target)}}.Encode()}}
		}
		for _, name := range slices.Sorted(maps.Keys(event.Detail)) {
			view.Detail = append(view.Detail, detail{name, event.Detail[name]})
		}
		views = append(views, view)
	}
	return views
}

// capital returns a text with a capital first letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
