package server_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps"
	"sortkey.dev/apps/exambuddy/server"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webtest"
)

// start opens the system and runs its background work until the test ends.
func start(t *testing.T) string {
	t.Helper()
	return startWith(t, map[string]string{"EXAMBUDDY_ADMINS": "open"})
}

// startWith opens the system with settings.
func startWith(t *testing.T, settings map[string]string) string {
	t.Helper()
	base, _ := startOn(t, settings)
	return base
}

// startOn opens the system with settings, and returns the database, too.
func startOn(t *testing.T, settings map[string]string) (string, apptest.Database) {
	t.Helper()
	return startAs(t, settings, false)
}

func startAs(t *testing.T, settings map[string]string, demo bool) (string, apptest.Database) {
	t.Helper()
	database := apptest.Open(t, nil)
	site, _ := apptest.Serve(t, httptest.NewServer, func(ctx context.Context, base string) (apps.System, error) {
		return server.Open(ctx, apps.Config{
			CheapPasswords: true,
			DynamoDB:       database.DynamoDB, Streams: database.Streams, TablePrefix: database.Prefix,
			Secret: []byte("a secret of tests"), PublicURL: base, LocalURL: base, Demo: demo,
			Setting: func(name string) string { return settings[name] }, Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError})),
		})
	})
	return site.URL, database
}

// outboxLink returns the path of the kept mail, whose key is made of the secret of all tests.
func outboxLink(t *testing.T) string {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	return accountpages.OutboxPath + "?key=" + box.Hash("outbox")
}

var mailLink = regexp.MustCompile(`href="[^"]*(/verify\?token=[^"]+)"`)

// signUp returns the browser of a new person with a verified address. Part is sit or build.
func signUp(t *testing.T, base, name, part string) *webtest.Visitor {
	t.Helper()
	return signUpWith(t, base, name, part, outboxLink(t))
}

// signUpWith returns the browser of a new person whose mail is kept at an address.
func signUpWith(t *testing.T, base, name, part, outbox string) *webtest.Visitor {
	t.Helper()
	b := webtest.NewVisitor(t, base)
	b.Open("/sign-up").Send(http.StatusOK, "/sign-up", "name", name, "address", strings.ToLower(name)+"@example.org", "password", "correct horse battery", "part", part)
	return verifyWith(b, outbox)
}

// verify opens the newest link that verifies an address.
func verify(b *webtest.Visitor) *webtest.Visitor {
	b.T.Helper()
	return verifyWith(b, outboxLink(b.T))
}

func verifyWith(b *webtest.Visitor, outbox string) *webtest.Visitor {
	b.T.Helper()
	link := mailLink.FindStringSubmatch(webtest.NewVisitor(b.T, b.Base).Open(outbox).Page)
	if link == nil {
		b.T.Fatal("there is no mail")
	}
	_, token, _ := strings.Cut(link[1], "token=")
	return b.Open(link[1]).Send(http.StatusOK, "/verify", "token", token)
}

func TestPagesOfANewCandidate(t *testing.T) {
	base := start(t)
	webtest.NewVisitor(t, base).Open("/").Says("Exams that lose no answer").Open("/about")
	b := signUp(t, base, "Cleo", "sit")
	b.Open("/").Says("No exams yet")
	b.Open("/history").Says("No results yet")
	for path, want := range map[string]int{"/exams/none": http.StatusNotFound, "/sit/none": http.StatusNotFound, "/results/none": http.StatusNotFound, "/admin": http.StatusForbidden, "/certificates/none": http.StatusNotFound, "/images/none": http.StatusNotFound} {
		b.Do(http.MethodGet, path, "", nil, nil)
		if b.Code != want {
			t.Errorf("GET %s: %d, want %d", path, b.Code, want)
		}
	}
}

// TestAdminsAreInvited is the default: a person who signs up is a candidate, and an operator invites
// admins.
func TestAdminsAreInvited(t *testing.T) {
	base := startWith(t, map[string]string{"EXAMBUDDY_OPERATOR_SECRET": "an operator's secret of tests"})
	webtest.NewVisitor(t, base).Open("/sign-up").Hides("Build exams")
	eve := signUp(t, base, "Eve", "build")
	if eve.Do(http.MethodGet, "/admin", "", nil, nil); eve.Code != http.StatusForbidden {
		t.Errorf("a person who chose to build exams is at the page of admins: %d", eve.Code)
	}
	operator := webtest.NewVisitor(t, base)
	operator.Open("/operator/sign-in").Send(http.StatusOK, "/operator/sign-in", "name", "operator", "secret", "an operator's secret of tests")
	operator.Open("/operator/people").Says("There is no admin yet", "by an invitation")
	operator.Send(http.StatusUnprocessableEntity, "/operator/people", "do", "invite", "email", "eve@example.org").Says("has an account")
	operator.Send(http.StatusOK, "/operator/people", "do", "invite", "email", "ada@example.org").Says("Invited")
	link := regexp.MustCompile(`/invitation\?token=[A-Za-z0-9_.~-]+`).FindString(operator.Page)
	if link == "" {
		t.Fatal("there is no link")
	}
	ada := webtest.NewVisitor(t, base)
	ada.Open(link).Says("operator has invited you").Hides("Build exams")
	_, token, _ := strings.Cut(link, "token=")
	// The operator knows this link, so that it does not prove that the address is Ada's.
	ada.Send(http.StatusOK, "/sign-up", "name", "Ada", "address", "ada@example.org", "password", "correct horse battery", "invitation", token)
	verify(ada.Says("Check your mail"))
	ada.Open("/admin").Says("Build your first exam")
	operator.Open("/operator/people").Says("Ada").Send(http.StatusOK, "/operator/people", "do", "admin", "email", "eve@example.org")
	eve.Open("/admin")
	operator.Open("/operator/people").Send(http.StatusOK, "/operator/people", "do", "candidate", "email", "eve@example.org")
	if eve.Do(http.MethodGet, "/admin", "", nil, nil); eve.Code != http.StatusForbidden {
		t.Errorf("a former admin: %d", eve.Code)
	}
}

func TestAWrongSettingIsRefused(t *testing.T) {
	database := apptest.Open(t, nil)
	_, err := server.Open(t.Context(), apps.Config{
		DynamoDB: database.DynamoDB, Streams: database.Streams, TablePrefix: database.Prefix, Secret: []byte("a secret of tests"), PublicURL: "http://localhost", LocalURL: "http://localhost",
		Setting: func(name string) string { return map[string]string{"EXAMBUDDY_ADMINS": "anyone"}[name] },
	})
	if err == nil || !strings.Contains(err.Error(), "Say invited") {
		t.Errorf("got %v", err)
	}
}
