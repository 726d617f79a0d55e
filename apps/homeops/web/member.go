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
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// memberPages shows the week of a member, and the log, which it adds to and corrects.
type memberPages struct {
	insights *insights.Service
	ledger   *ledger.Service
	site     *webkit.Site
}

func (pages *memberPages) pages() map[string]memberPage {
	return map[string]memberPage{
		"GET /week":           pages.week,
		"GET /log":            pages.log,
		"POST /log":           pages.addEntry,
		"POST /log/{id}":      pages.correctEntry,
		"POST /log/{id}/undo": pages.undoEntry,
	}
}

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
func (pages *memberPages) week(w http.ResponseWriter, r *http.Request, f frame) error {
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
	if view.Insight, err = pages.insights.Mine(r.Context(), f.Home, f.Me, week); err != nil {
		return err
	}
	if view.Past, err = pages.insights.Weeks(r.Context(), f.Home, f.Me); err != nil {
		return err
	}
	view.Past = slices.DeleteFunc(view.Past, func(i insights.Insight) bool { return i.Week >= current }) // closed on Sunday evening, and not over
	pages.site.Render(w, r, http.StatusOK, "week.html", view)
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

func (pages *memberPages) log(w http.ResponseWriter, r *http.Request, f frame) error {
	return pages.showLog(w, r, f, http.StatusOK, nil)
}

func (pages *memberPages) showLog(w http.ResponseWriter, r *http.Request, f frame, status int, form *webkit.Form) error {
	page, err := pages.ledger.Mine(r.Context(), f.Home, f.Me, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view := logView{frame: f, Form: form, Now: f.now.Format(inputTime), Days: byDay(f.Home.Zone(), page.Items, func(e ledger.Own) time.Time { return e.At })}
	if page.Next != "" {
		view.More = "/log?cursor=" + url.QueryEscape(page.Next)
	}
	pages.site.Render(w, r, status, "log.html", view)
	return nil
}

// addEntry logs an activity that was not written in the chat.
func (pages *memberPages) addEntry(w http.ResponseWriter, r *http.Request, f frame) error {
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
			return pages.showLog(w, r, f, http.StatusUnprocessableEntity, form)
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
		return pages.showLog(w, r, f, http.StatusUnprocessableEntity, form)
	}
	_, err := pages.ledger.Add(r.Context(), f.Home, f.Me, entry)
	return done(pages.site, w, r, f, err, "log.added", "/log")
}

// categoryOf returns the category of an activity of the catalogue; work for others.
func categoryOf(activity string) ledger.Category {
	if d, ok := understanding.Lookup(understanding.ActivityID(activity)); ok {
		return ledger.Category(d.Kind)
	}
	return ledger.Category(understanding.Chore)
}

func (pages *memberPages) correctEntry(w http.ResponseWriter, r *http.Request, f frame) error {
	form := webkit.ReadForm(r)
	correction := ledger.Correction{Activity: form.Value("activity"), Effort: ledger.Effort(form.Value("effort")), Key: form.Key()}
	if _, ok := understanding.Lookup(understanding.ActivityID(correction.Activity)); ok {
		correction.Category = categoryOf(correction.Activity)
	}
	return done(pages.site, w, r, f, pages.ledger.Correct(r.Context(), f.Home, f.Me, r.PathValue("id"), correction), "log.changed", "/log")
}

func (pages *memberPages) undoEntry(w http.ResponseWriter, r *http.Request, f frame) error {
	return done(pages.site, w, r, f, pages.ledger.Undo(r.Context(), f.Home, f.Me, r.PathValue("id")), "log.removed", "/log")
}

// done ends a form: with a message and the next page, or with what is wrong.
func done(site *webkit.Site, w http.ResponseWriter, r *http.Request, f frame, err error, key, next string) error {
	var refused *refusal.Error
	switch {
	case errors.As(err, &refused):
		site.Flash(w, r, webkit.Bad, f.refusal(refused))
	case err != nil:
		return err
	default:
		site.Flash(w, r, webkit.Good, f.word(key))
	}
	site.Redirect(w, r, next)
	return nil
}
