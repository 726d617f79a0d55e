package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"sortkey.dev/apps"
	"sortkey.dev/apps/homeops/server"
	"sortkey.dev/apps/internal/apptest"
)

// onStored serves the system on stored data, until stop is called.
func onStored(t *testing.T, data *apptest.Stored) (w *world, stop func()) {
	t.Helper()
	w = &world{t: t}
	site, stop := data.Serve(t, httptest.NewServer, func(ctx context.Context, config apps.Config) (apps.System, error) {
		config.Setting = func(string) string { return "" }
		system, err := server.Open(ctx, config)
		w.system = system
		return system, err
	})
	w.url, w.client = site.URL, site.Client()
	return w, stop
}

// TestDataOfVersion1: a member of version 1 is still signed in, and the log, the promises and the household are as they were.
func TestDataOfVersion1(t *testing.T) {
	s := scenes[1]
	group := "/chat?as=" + s.member
	data := apptest.OpenStored(t, "testdata/version-1.tar.gz", "homeops", func(made *apptest.Stored) {
		w, stop := onStored(t, made)
		defer stop()
		b := w.browser(s.lang)
		b.Open(group).Send(http.StatusOK, "/chat", "as", s.member, "text", s.did)
		b.until(s.group, group, `class="reaction"`)
		member := w.signIn(s.member, s.lang, s.login)
		member.Open("/log").Says(s.logged)
		form := entryForm.FindStringSubmatch(member.Page)
		if form == nil {
			t.Fatal("there is no entry to correct")
		}
		member.Send(http.StatusOK, form[1], "activity", "vacuuming", "effort", "high").Says(s.corrected)
		made.Notes["entry"] = form[1]
		b.Open(group).Send(http.StatusOK, "/chat", "as", s.member, "text", s.promised)
		member.until(s.group, "/promises", s.promise)
		made.NoteCookies(t, "member", w.url, member.Client)
	})
	w, _ := onStored(t, data)
	member := w.browser(s.lang)
	data.SetCookies(t, "member", w.url, member.Client)
	member.Open("/log").Says(s.log, s.corrected)
	member.Open("/promises").Says(s.promise)
	member.Open("/household").Says(s.house, s.corrected)
	member.Open("/log").Send(http.StatusOK, data.Notes["entry"]+"/undo")
	member.Open("/log").Hides(s.corrected + "</strong>")
}
