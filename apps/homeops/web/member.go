package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/insights"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/promises"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// weekView holds the data of week.html.
type weekView struct {
	frame
	insights.Insight
	Current        bool
	From, To       time.Time
	Previous, Next string // paths; Next is "" for the current week
	Past           []insights.Insight
}

// week shows a member their own week.
func (web *Web) week(w http.ResponseWriter, r *http.Request, f frame) error {
	current := homeops.Week(f.now, f.Home.Zone())
	week, err := access.ParseWeek(r.URL.Query().Get("week"))
	if err != nil || week > current {
		week = current
	}
	from, to := homeops.WeekRange(week, f.Home.Zone())
	view := weekView{frame: f, Current: week == current, From: from, To: to.Add(-time.Hour), Previous: weekPath(homeops.Week(from.AddDate(0, 0, -1), f.Home.Zone()))}
	if !view.Current {
		view.Next = weekPath(homeops.Week(to, f.Home.Zone()))
	}
	if view.Insight, err = web.Domain.Insights.Mine(r.Context(), f.Home, f.Me, week); err != nil {
		return err
	}
	if view.Past, err = web.Domain.Insights.Weeks(r.Context(), f.Home, f.Me); err != nil {
		return err
	}
	view.Past = slices.DeleteFunc(view.Past, func(i insights.Insight) bool { return i.Week >= current }) // closed on Sunday evening, and not over
	web.Site.Render(w, r, http.StatusOK, "week.html", view)
	return nil
}

func weekPath(week access.Week) string { return "/week?week=" + url.QueryEscape(string(week)) }

// A logDay is a day of a log.
type logDay[T any] struct {
	Day     time.Time
	Entries []T
}

// byDay groups entries, which are in order of time, by their local day.
func byDay[T any](zone *time.Location, entries []T, at func(T) time.Time) []logDay[T] {
	var days []logDay[T]
	for _, e := range entries {
		day := at(e).In(zone)
		if n := len(days); n == 0 || days[n-1].Day.Format(time.DateOnly) != day.Format(time.DateOnly) {
			days = append(days, logDay[T]{Day: day})
		}
		days[len(days)-1].Entries = append(days[len(days)-1].Entries, e)
	}
	return days
}

// logView holds the data of log.html.
type logView struct {
	frame
	Days []logDay[ledger.Own]
	More string
	Form *webkit.Form
	Now  string // for the field of the time
}

const inputTime = "2006-01-02T15:04"

func (web *Web) log(w http.ResponseWriter, r *http.Request, f frame) error {
	return web.showLog(w, r, f, http.StatusOK, nil)
}

func (web *Web) showLog(w http.ResponseWriter, r *http.Request, f frame, status int, form *webkit.Form) error {
	page, err := web.Domain.Ledger.Mine(r.Context(), f.Home, f.Me, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view := logView{frame: f, Form: form, Now: f.now.Format(inputTime), Days: byDay(f.Home.Zone(), page.Items, func(e ledger.Own) time.Time { return e.At })}
	if page.Next != "" {
		view.More = "/log?cursor=" + url.QueryEscape(page.Next)
	}
	web.Site.Render(w, r, status, "log.html", view)
	return nil
}

// addEntry logs an activity that was not written in the chat.
func (web *Web) addEntry(w http.ResponseWriter, r *http.Request, f frame) error {
	form := webkit.ReadForm(r)
	activity := form.Value("activity")
	entry := ledger.Entry{
		Activity: activity, Category: categoryOf(activity), Effort: ledger.Effort(form.Value("effort")),
		Description: f.Activity(activity), At: f.now.UTC(), Key: form.Key(),
	}
	if text := form.Value("at"); text != "" {
		at, err := time.ParseInLocation(inputTime, text, f.Home.Zone())
		if err != nil {
			form.Fail("at", f.word("log.badTime"))
			return web.showLog(w, r, f, http.StatusUnprocessableEntity, form)
		}
		entry.At = at.UTC()
	}
	if _, known := understanding.Lookup(understanding.ActivityID(activity)); !known {
		form.Fail("activity", f.word("log.badActivity"))
	}
	if entry.At.After(f.now) {
		form.Fail("at", f.word("log.badTime"))
	}
	if !form.Valid() {
		return web.showLog(w, r, f, http.StatusUnprocessableEntity, form)
	}
	_, err := web.Domain.Ledger.Add(r.Context(), f.Home, f.Me, entry)
	return web.done(w, r, f, err, "log.added", "/log")
}

// categoryOf returns the category of an activity of the catalogue; work for others.
func categoryOf(activity string) ledger.Category {
	if d, ok := understanding.Lookup(understanding.ActivityID(activity)); ok {
		return ledger.Category(d.Kind)
	}
	return ledger.Category(understanding.Chore)
}

func (web *Web) correctEntry(w http.ResponseWriter, r *http.Request, f frame) error {
	form := webkit.ReadForm(r)
	correction := ledger.Correction{Activity: form.Value("activity"), Effort: ledger.Effort(form.Value("effort")), Key: form.Key()}
	if _, ok := understanding.Lookup(understanding.ActivityID(correction.Activity)); ok {
		correction.Category = categoryOf(correction.Activity)
	}
	return web.done(w, r, f, web.Domain.Ledger.Correct(r.Context(), f.Home, f.Me, r.PathValue("id"), correction), "log.changed", "/log")
}

func (web *Web) undoEntry(w http.ResponseWriter, r *http.Request, f frame) error {
	return web.done(w, r, f, web.Domain.Ledger.Undo(r.Context(), f.Home, f.Me, r.PathValue("id")), "log.removed", "/log")
}

// done ends a form: with a message and the next page, or with what is wrong.
func (web *Web) done(w http.ResponseWriter, r *http.Request, f frame, err error, key, next string) error {
	var refused *refusal.Error
	switch {
	case errors.As(err, &refused):
		web.Site.Flash(w, r, webkit.Bad, f.refusal(refused))
	case err != nil:
		return err
	default:
		web.Site.Flash(w, r, webkit.Good, f.word(key))
	}
	web.Site.Redirect(w, r, next)
	return nil
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

func (web *Web) promises(w http.ResponseWriter, r *http.Request, f frame) error {
	page, err := web.Domain.Promises.Mine(r.Context(), f.Me, r.URL.Query().Get("cursor"))
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
	web.Site.Render(w, r, http.StatusOK, "promises.html", view)
	return nil
}

func (web *Web) dropPromise(w http.ResponseWriter, r *http.Request, f frame) error {
	return web.done(w, r, f, web.Domain.Promises.Withdraw(r.Context(), f.Me, r.PathValue("id")), "promises.dropped", "/promises")
}
