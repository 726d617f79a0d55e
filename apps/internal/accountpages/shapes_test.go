package accountpages_test

import (
	"net/http"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/webkit"
)

// TestRareShapes renders what typical people never see.
func TestRareShapes(t *testing.T) {
	w, school := openSchool(t, func(o *accountpages.Options) {
		o.Export, o.Links = "", []webkit.Link{{Href: "/notifications", Text: "Notifications"}}
	})
	b := w.browser(t)
	if status := b.Get("/outbox"); status != http.StatusOK {
		t.Errorf("an empty outbox: %d", status)
	}
	b.Says("No mail yet")
	school.Person("email", "")
	school.Person("name", "")
	b.Get("/sign-in/with/school")
	if status := b.Get("/account"); status != http.StatusOK {
		t.Fatalf("an account without an address: %d", status)
	}
	b.Says("New here", "None", "Notifications")
	for _, path := range []string{"/account/delete", "/account/sessions"} {
		if status := b.Get(path); status != http.StatusOK {
			t.Errorf("%s without an address: %d", path, status)
		}
	}
	if status := b.Submit("/account/delete"); status != http.StatusUnprocessableEntity {
		t.Errorf("without being sure: %d", status)
	}
	b.Says("Tick the box if you are sure.")
	other := w.browser(t)
	school.Person("sub", "18")
	school.Person("email", "eve@example.org")
	school.Person("email_verified", false)
	other.Get("/sign-in/with/school")
	other.Get("/account")
	other.Says("eve@example.org", "Not confirmed")
	for _, path := range []string{"/check-mail", "/reset?token=x", "/verify", "/invitation?token=%23", "/account/address/confirm?token=x"} {
		if status := w.browser(t).Get(path); status != http.StatusGone && status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
	}
}

func TestASentMailIsListedWithoutItsText(t *testing.T) {
	w := open(t)
	if err := w.outbox.Post(t.Context(), mail.Message{To: "ada@example.org", Subject: "A secret", Text: "The words of it."}); err != nil {
		t.Fatal(err)
	}
	for row, err := range w.DB.ScanMail().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		row.State, row.Text, row.MailID = platformdb.MailStateSent, nil, access.NewULID(row.At)
		row.Subject = "Another"
		if _, err := w.DB.RecordMail(t.Context(), row); err != nil {
			t.Fatal(err)
		}
		break
	}
	b := w.browser(t)
	b.Get("/outbox")
	b.Says("A secret", "The words of it.", "Another", "Sent. Its text is not kept.")
}
