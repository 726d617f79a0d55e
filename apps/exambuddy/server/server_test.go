package server_test

import (
	"context"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps"
	"sortkey.dev/apps/exambuddy/server"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/secret"
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
	var system apps.System
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { system.ServeHTTP(w, r) }))
	ctx, stop := context.WithCancel(t.Context())
	system, err := server.Open(ctx, apps.Config{
		CheapPasswords: true,
		DynamoDB:       database.DynamoDB, Streams: database.Streams, TablePrefix: database.Prefix,
		Secret: []byte("a secret of tests"), PublicURL: site.URL, LocalURL: site.URL, Demo: demo,
		Setting: func(name string) string { return settings[name] }, Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- system.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		site.Close()
	})
	return site.URL, database
}

// A browser is a client with cookies that follows redirects.
type browser struct {
	t    *testing.T
	base string
	http *http.Client
	page string // the body of the last page
	path string // and its path and query
	code int
}

var csrfForm = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func newBrowser(t *testing.T, base string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, base: base, http: &http.Client{Jar: jar}}
}

func (b *browser) do(method, path, kind string, body io.Reader, header http.Header) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Referer", b.base+b.path)
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.page, b.path, b.code = html.UnescapeString(string(text)), response.Request.URL.RequestURI(), response.StatusCode
}

func (b *browser) get(path string) *browser {
	b.t.Helper()
	b.do(http.MethodGet, path, "", nil, nil)
	if b.code != http.StatusOK {
		b.t.Fatalf("GET %s: %d", path, b.code)
	}
	return b
}

// post sends a form with the token of the last page, and expects a status.
func (b *browser) post(want int, path string, pairs ...string) *browser {
	b.t.Helper()
	values := url.Values{"csrf": {b.token()}}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	b.do(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(values.Encode()), nil)
	if b.code != want {
		b.t.Fatalf("POST %s: %d, want %d", path, b.code, want)
	}
	return b
}

func (b *browser) token() string {
	if match := csrfForm.FindStringSubmatch(b.page); match != nil {
		return match[1]
	}
	return ""
}

func (b *browser) shows(words ...string) *browser {
	b.t.Helper()
	for _, text := range words {
		if !strings.Contains(b.page, text) {
			b.t.Errorf("the page at %s does not say %q", b.path, text)
		}
	}
	return b
}

func (b *browser) hides(words ...string) {
	b.t.Helper()
	for _, text := range words {
		if strings.Contains(b.page, text) {
			b.t.Errorf("the page at %s says %q", b.path, text)
		}
	}
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
func signUp(t *testing.T, base, name, part string) *browser {
	t.Helper()
	b := newBrowser(t, base)
	b.get("/sign-up").post(http.StatusOK, "/sign-up", "name", name, "address", strings.ToLower(name)+"@example.org", "password", "correct horse battery", "part", part)
	return b.verify()
}

// verify opens the newest link that verifies an address.
func (b *browser) verify() *browser {
	b.t.Helper()
	link := mailLink.FindStringSubmatch(newBrowser(b.t, b.base).get(outboxLink(b.t)).page)
	if link == nil {
		b.t.Fatal("there is no mail")
	}
	_, token, _ := strings.Cut(link[1], "token=")
	return b.get(link[1]).post(http.StatusOK, "/verify", "token", token)
}

func TestPagesOfANewCandidate(t *testing.T) {
	base := start(t)
	newBrowser(t, base).get("/").shows("Exams that lose no answer").get("/about")
	b := signUp(t, base, "Cleo", "sit")
	b.get("/").shows("No exams yet")
	b.get("/history").shows("No results yet")
	for path, want := range map[string]int{"/exams/none": http.StatusNotFound, "/sit/none": http.StatusNotFound, "/results/none": http.StatusNotFound, "/admin": http.StatusForbidden, "/certificates/none": http.StatusNotFound, "/images/none": http.StatusNotFound} {
		b.do(http.MethodGet, path, "", nil, nil)
		if b.code != want {
			t.Errorf("GET %s: %d, want %d", path, b.code, want)
		}
	}
}

// TestAdminsAreInvited is the default: a person who signs up is a candidate, and an operator invites
// admins.
func TestAdminsAreInvited(t *testing.T) {
	base := startWith(t, map[string]string{"EXAMBUDDY_OPERATOR_SECRET": "an operator's secret of tests"})
	newBrowser(t, base).get("/sign-up").hides("Build exams")
	eve := signUp(t, base, "Eve", "build")
	if eve.do(http.MethodGet, "/admin", "", nil, nil); eve.code != http.StatusForbidden {
		t.Errorf("a person who chose to build exams is at the page of admins: %d", eve.code)
	}
	operator := newBrowser(t, base)
	operator.get("/operator/sign-in").post(http.StatusOK, "/operator/sign-in", "name", "operator", "secret", "an operator's secret of tests")
	operator.get("/operator/people").shows("There is no admin yet", "by an invitation")
	operator.post(http.StatusUnprocessableEntity, "/operator/people", "do", "invite", "email", "eve@example.org").shows("has an account")
	operator.post(http.StatusOK, "/operator/people", "do", "invite", "email", "ada@example.org").shows("Invited")
	link := regexp.MustCompile(`/invitation\?token=[A-Za-z0-9_.~-]+`).FindString(operator.page)
	if link == "" {
		t.Fatal("there is no link")
	}
	ada := newBrowser(t, base)
	ada.get(link).shows("operator has invited you").hides("Build exams")
	_, token, _ := strings.Cut(link, "token=")
	// The operator knows this link, so that it does not prove that the address is Ada's.
	ada.post(http.StatusOK, "/sign-up", "name", "Ada", "address", "ada@example.org", "password", "correct horse battery", "invitation", token)
	ada.shows("Check your mail").verify()
	ada.get("/admin").shows("Build your first exam")
	operator.get("/operator/people").shows("Ada").post(http.StatusOK, "/operator/people", "do", "admin", "email", "eve@example.org")
	eve.get("/admin")
	operator.get("/operator/people").post(http.StatusOK, "/operator/people", "do", "candidate", "email", "eve@example.org")
	if eve.do(http.MethodGet, "/admin", "", nil, nil); eve.code != http.StatusForbidden {
		t.Errorf("a former admin: %d", eve.code)
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
