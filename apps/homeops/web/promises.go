package web

import (
	"net/http"
	"net/url"
	"time"

	"sortkey.dev/apps/homeops/promises"
	"sortkey.dev/apps/internal/webkit"
)

// promisePages shows promises.
type promisePages struct {
	promised *promises.Service
	site     *webkit.Site
}

func (pages *promisePages) pages() map[string]memberPage {
	return map[string]memberPage{
		"GET /promises":            pages.promises,
		"POST /promises/{id}/drop": pages.dropPromise,
	}
}

// promisesView holds the data of promises.html.
type promisesView struct {
	frame
	Open, Past []promiseRow
	More       string
}

// A promiseRow is a promise of the member.
type promiseRow struct {
	ID, Activity, Status string
	Deadline, Made       time.Time
	Overdue              bool
}

func (pages *promisePages) promises(w http.ResponseWriter, r *http.Request, f frame) error {
	page, err := pages.promised.Mine(r.Context(), f.Me, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view := promisesView{frame: f}
	for _, p := range page.Items {
		if p.HouseholdID != f.Home.HouseholdID {
			continue
		}
		row := promiseRow{ID: p.PromiseID, Activity: p.Activity, Status: string(promises.StatusAt(p, f.now)), Deadline: p.Deadline, Made: p.CreatedAt, Overdue: p.Deadline.Before(f.now)}
		if row.Status == "active" {
			view.Open = append(view.Open, row)
		} else {
			view.Past = append(view.Past, row)
		}
	}
	if page.Next != "" {
		view.More = "/promises?cursor=" + url.QueryEscape(page.Next)
	}
	pages.site.Render(w, r, http.StatusOK, "promises.html", view)
	return nil
}

func (pages *promisePages) dropPromise(w http.ResponseWriter, r *http.Request, f frame) error {
	return done(pages.site, w, r, f, pages.promised.Withdraw(r.Context(), f.Me, r.PathValue("id")), "promises.dropped", "/promises")
}
