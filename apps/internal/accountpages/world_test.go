package accountpages_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

const password = "correct horse"

// system is a small system: a page for everyone, one for people who are signed in, and one for teachers.
var system = fstest.MapFS{"pages/page.html": {Data: []byte(`{{define "title"}}Page{{end}}{{define "main"}}<h1>{{.Data}}</h1>{{end}}`)}}

// A world is a small system with accounts.
type world struct {
	*platformtest.World
	all     *accounts.Accounts
	outbox  *mail.Outbox
	pages   *accountpages.Pages
	handler http.Handler
	url     string
	allow   func(limit, subject string) error // nil allows everything
}

func open(t *testing.T, change ...func(*accountpages.Options)) *world {
	t.Helper()
	w := &world{World: platformtest.Open(t)}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.handler.ServeHTTP(rw, r) }))
	t.Cleanup(server.Close)
	w.url = server.URL
	w.outbox = mail.NewOutbox(w.Platform, mail.Options{})
	var err error
	w.all, err = accounts.New(w.Platform, accounts.Options{
		Name: "Small", PublicURL: w.url, Mail: w.outbox, RequireVerified: true, Attempts: 3,
		Argon: accounts.Cheap,
		Allow: func(_ context.Context, limit, subject string) error {
			if w.allow == nil {
				return nil
			}
			return w.allow(limit, subject)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	site, err := webkit.New(webkit.Options{
		Name: "Small", Accent: webkit.Blue, PublicURL: w.url, Box: w.Box, Now: w.Clock.Now, Files: system, More: []webkit.Pages{accountpages.Templates},
		NavFor: func(r *http.Request) []webkit.Link { return w.pages.Nav(r) },
	})
	if err != nil {
		t.Fatal(err)
	}
	o := accountpages.Options{Site: site, Box: w.Box, Accounts: w.all, Now: w.Clock.Now, Outbox: w.outbox, OpenOutbox: true, PublicURL: w.url, Export: "/export", Roles: []string{"student"}, Welcome: "Learn something small."}
	for _, f := range change {
		f(&o)
	}
	if w.pages, err = accountpages.New(o); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	w.pages.Register(mux)
	show := func(rw http.ResponseWriter, r *http.Request) error {
		words := "Everyone"
		if signed, err := accountpages.Current(r); err == nil {
			words = "Hello " + signed.Account.Name
		} else if !errors.Is(err, accounts.ErrSignedOut) {
			return err
		}
		site.Render(rw, r, http.StatusOK, "page.html", words)
		return nil
	}
	site.Handle(mux, map[string]webkit.Handler{
		"GET /{$}": show, "GET /lessons": w.pages.Require(show), "POST /lessons": w.pages.Require(show),
		"GET /marks": w.pages.Require(show, "teacher", "head"),
	})
	w.handler = w.pages.Identify(site.Handler(mux))
	return w
}

// ada is a person with a verified address.
func (w *world) ada(t *testing.T) platformdb.Account {
	t.Helper()
	if _, err := w.all.Invitations.Invite(t.Context(), accounts.Invitation{Address: "ada@example.org"}); err != nil {
		t.Fatal(err)
	}
	account, err := w.all.SignUps.SignUp(t.Context(), accounts.NewAccount{
		Name: "Ada", Address: "ada@example.org", Password: password, Roles: []string{"student"}, Invitation: w.token(t),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return account
}

// link returns the path of the link in the newest mail.
func (w *world) link(t *testing.T) string {
	t.Helper()
	rows, err := w.outbox.Recent(t.Context(), 2, 1)
	if err != nil || len(rows) == 0 {
		t.Fatalf("no mail (%v)", err)
	}
	match := linkForm.FindStringSubmatch(*rows[0].Text)
	if match == nil {
		t.Fatalf("no link in %s", *rows[0].Text)
	}
	return match[1]
}
