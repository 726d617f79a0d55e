package accountpages_test

import (
	"net/http"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/secret"
)

// TestWhoReadsTheOutbox: whoever reads a mail with a link to a new password has the account.
func TestWhoReadsTheOutbox(t *testing.T) {
	closed := open(t, func(o *accountpages.Options) { o.OpenOutbox = false })
	demo := open(t)
	other, err := secret.NewBox([]byte("another secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		w      *world
		path   string
		status int
	}{
		"with the key":             {closed, closed.pages.OutboxLink(), http.StatusOK},
		"without a key":            {closed, "/outbox", http.StatusForbidden},
		"with an empty key":        {closed, "/outbox?key=", http.StatusForbidden},
		"with a wrong key":         {closed, closed.pages.OutboxLink() + "0", http.StatusForbidden},
		"with that of another":     {closed, "/outbox?key=" + other.Hash("outbox"), http.StatusForbidden},
		"in a demo":                {demo, "/outbox", http.StatusOK},
		"in a demo, with any key":  {demo, "/outbox?key=x", http.StatusOK},
		"the key in another field": {closed, strings.Replace(closed.pages.OutboxLink(), "key", "token", 1), http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			if err := test.w.outbox.Post(t.Context(), mail.Message{To: "ada@example.org", Subject: "A secret", Text: "The words of it."}); err != nil {
				t.Fatal(err)
			}
			b := test.w.browser(t) // on this machine, as every proxy here is
			status := b.Get(test.path)
			shown := strings.Contains(b.Page, "A secret") || strings.Contains(b.Page, "ada@example.org")
			if status != test.status || shown != (test.status == http.StatusOK) {
				t.Errorf("status %d instead of %d, the mail is shown: %v", status, test.status, shown)
			}
		})
	}
}

func TestAMailServerLeavesTheOutboxOut(t *testing.T) {
	w := open(t, func(o *accountpages.Options) {
		o.Outbox, o.OpenOutbox = mail.NewOutbox(nil, mail.Options{Sender: mail.NewSMTP(mail.Settings{Host: "mail.test"}, mail.SMTPOptions{})}), true
	})
	b := w.browser(t)
	if status := b.Get("/outbox"); status != http.StatusNotFound {
		t.Errorf("the outbox: %d", status)
	}
	b.Get("/forgot")
	b.Submit("/forgot", "address", "ada@example.org")
	b.Says("a mail with a link to reset the password is on its way")
	if w.pages.OutboxLink() != "" || strings.Contains(b.Page, "No mail") {
		t.Error("mail is said not to be sent")
	}
}

func TestUnsentMailIsToldOf(t *testing.T) {
	for name, test := range map[string]struct {
		demo bool
		want string
	}{
		"in a demo": {true, "Open the outbox"},
		"elsewhere": {false, "No mail can be sent"},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, func(o *accountpages.Options) { o.OpenOutbox = test.demo }).browser(t)
			b.Get("/forgot")
			b.Submit("/forgot", "address", "ada@example.org")
			b.Says(test.want)
			b.Get("/sign-up")
			b.Submit("/sign-up", "name", "Ada", "address", "ada@example.org", "password", password)
			b.Get("/check-mail")
			b.Says("There is a mail for", test.want)
			if strings.Contains(b.Page, "We sent a mail") {
				t.Error("mail is said to be sent")
			}
		})
	}
}
