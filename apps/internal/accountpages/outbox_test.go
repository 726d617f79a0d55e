package accountpages_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/mail"
)

// TestWhoReadsTheOutbox: whoever reads a mail with a link to a new password has the account.
func TestWhoReadsTheOutbox(t *testing.T) {
	const here, there = "127.0.0.1:5000", "192.0.2.7:5000"
	public := func(o *accountpages.Options) { o.PublicURL = "https://small.example" }
	same := func(*accountpages.Options) {}
	everyone := func(o *accountpages.Options) { o.OpenOutbox = true }
	for name, test := range map[string]struct {
		change func(*accountpages.Options)
		from   string
		header string // of the request, as "Name: value"
		status int
	}{
		"on this machine":               {same, here, "", http.StatusOK},
		"on this machine, IPv6":         {same, "[::1]:5000", "", http.StatusOK},
		"by a name of this machine":     {func(o *accountpages.Options) { o.PublicURL = "http://small.localhost:8080" }, here, "", http.StatusOK},
		"another machine":               {same, there, "", http.StatusForbidden},
		"a public system":               {public, here, "", http.StatusForbidden},
		"a system without an address":   {func(o *accountpages.Options) { o.PublicURL = "" }, here, "", http.StatusForbidden},
		"a name like that of a machine": {func(o *accountpages.Options) { o.PublicURL = "https://notlocalhost" }, here, "", http.StatusForbidden},
		"through a proxy":               {same, here, "X-Forwarded-For: 127.0.0.1", http.StatusForbidden},
		"through a standard proxy":      {same, here, "Forwarded: for=127.0.0.1", http.StatusForbidden},
		"through a proxy that says so":  {same, here, "Via: 1.1 proxy", http.StatusForbidden},
		"by a name of an attacker":      {same, here, "Host: evil.example", http.StatusForbidden},
		"by an address":                 {same, here, "Host: [::1]:8080", http.StatusOK},
		"a demo":                        {everyone, there, "X-Forwarded-For: 127.0.0.1", http.StatusOK},
		"a public demo":                 {func(o *accountpages.Options) { public(o); everyone(o) }, there, "", http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, test.change)
			if err := w.outbox.Post(t.Context(), mail.Message{To: "ada@example.org", Subject: "A secret", Text: "The words of it."}); err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/outbox", nil)
			r.RemoteAddr, r.Host = test.from, "localhost:8080"
			if name, value, ok := strings.Cut(test.header, ": "); name == "Host" {
				r.Host = value
			} else if ok {
				r.Header.Set(name, value)
			}
			got := httptest.NewRecorder()
			w.handler.ServeHTTP(got, r)
			shown := strings.Contains(got.Body.String(), "A secret") || strings.Contains(got.Body.String(), "ada@example.org")
			if got.Code != test.status || shown != (test.status == http.StatusOK) {
				t.Errorf("status %d instead of %d, the mail is shown: %v", got.Code, test.status, shown)
			}
		})
	}
}

func TestAMailServerLeavesTheOutboxOut(t *testing.T) {
	w := open(t, func(o *accountpages.Options) {
		o.Outbox, o.OpenOutbox = mail.NewOutbox(nil, mail.Options{Sender: mail.NewSMTP(mail.Settings{Host: "mail.test"}, mail.SMTPOptions{})}), true
	})
	b := w.browser(t)
	if status := b.get("/outbox"); status != http.StatusNotFound {
		t.Errorf("the outbox: %d", status)
	}
	b.get("/forgot")
	b.post("/forgot", "address", "ada@example.org")
	b.shows("a mail with a link to reset the password is on its way")
	if strings.Contains(b.page, "No mail") {
		t.Error("mail is said not to be sent")
	}
}

func TestUnsentMailIsToldOf(t *testing.T) {
	for name, test := range map[string]struct {
		url  string
		want string
	}{
		"on this machine": {"http://localhost:8080", "Open the outbox"},
		"in public":       {"https://small.example", "No mail can be sent"},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, func(o *accountpages.Options) { o.PublicURL = test.url }).browser(t)
			b.get("/forgot")
			b.post("/forgot", "address", "ada@example.org")
			b.shows(test.want)
			b.get("/sign-up")
			b.post("/sign-up", "name", "Ada", "address", "ada@example.org", "password", password)
			b.get("/check-mail")
			b.shows("There is a mail for", test.want)
			if strings.Contains(b.page, "We sent a mail") {
				t.Error("mail is said to be sent")
			}
		})
	}
}
