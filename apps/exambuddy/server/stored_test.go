package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps"
	"sortkey.dev/apps/exambuddy/server"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webtest"
)

// onStored serves the system on stored data, until stop is called.
func onStored(t *testing.T, data *apptest.Stored) (base string, stop func()) {
	t.Helper()
	site, stop := data.Serve(t, httptest.NewServer, func(ctx context.Context, config apps.Config) (apps.System, error) {
		config.CheapPasswords = true
		config.Setting = func(name string) string { return map[string]string{"EXAMBUDDY_ADMINS": "open"}[name] }
		return server.Open(ctx, config)
	})
	return site.URL, stop
}

// TestDataOfVersion1: people of version 1 sign in, or are signed in, and find their exams, a session under way and results.
func TestDataOfVersion1(t *testing.T) {
	data := apptest.OpenStored(t, "testdata/version-1.tar.gz", "exambuddy", func(made *apptest.Stored) {
		base, stop := onStored(t, made)
		defer stop()
		box, err := secret.NewBox([]byte(made.Secret))
		if err != nil {
			t.Fatal(err)
		}
		outbox := accountpages.OutboxPath + "?key=" + box.Hash("outbox")
		admin, candidate := signUpWith(t, base, "Ada", "build", outbox), signUpWith(t, base, "Cleo", "sit", outbox)
		exam := makeExam(admin, "General knowledge")
		addQuestions(admin, exam)
		admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
		start := "/exams/" + strings.TrimPrefix(exam, "/admin/projects/")
		begin := func() string {
			candidate.Open(start).Send(http.StatusOK, start+"/start", "mode", "exam", "difficulty", "easy", "question_count", "8")
			return strings.TrimSuffix(candidate.Path, "/1")
		}
		first := begin()
		candidate.Send(http.StatusOK, candidate.Path, append(solve(candidate), "do", "next", "sequence", "1")...)
		candidate.Open(first).Send(http.StatusOK, first+"/submit").Says("12.5 %")
		made.Notes["exam"], made.Notes["result"] = exam, candidate.Path
		made.Notes["sitting"] = begin()
		made.NoteCookies(t, "candidate", base, candidate.Client)
	})
	base, _ := onStored(t, data)
	candidate := webtest.NewVisitor(t, base)
	data.SetCookies(t, "candidate", base, candidate.Client)
	candidate.Open("/history").Says("General knowledge", "12.5 %").Open(data.Notes["result"]).Says("12.5 %")
	at := data.Notes["sitting"] + "/1"
	candidate.Open(at).Send(http.StatusOK, at, append(solve(candidate), "do", "next", "sequence", "1")...)
	candidate.Open(data.Notes["sitting"])
	candidate.Open(data.Notes["sitting"]).Send(http.StatusOK, data.Notes["sitting"]+"/submit").Says("12.5 %")

	admin := webtest.NewVisitor(t, base)
	admin.Open("/sign-in").Send(http.StatusOK, "/sign-in", "address", "ada@example.org", "password", "correct horse battery")
	admin.Open(data.Notes["exam"]).Says("Capital of Norway?", "8 questions", "Published")
}
