package accounts_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformtest"
)

// FuzzCheckAddress checks that mail to an accepted address goes to that address only.
func FuzzCheckAddress(f *testing.F) {
	for _, seed := range []string{"ada@example.org", " ada@example.org\n", "å@ö.se", `"a b"@example.org`, "a@[192.0.2.1]", "<a@b.example>", "a@b.example\r\nRCPT TO:<c@d.example>", "a@b@c.example"} {
		f.Add(seed)
	}
	w := platformtest.Open(f)
	outbox := mail.NewOutbox(w.Platform, mail.Options{})
	f.Fuzz(func(t *testing.T, typed string) {
		address, err := accounts.CheckAddress(typed)
		if err != nil {
			return
		}
		if strings.ContainsAny(address, " \r\n\t<>,;\"") || strings.Count(address, "@") != 1 || len(address) > 254 {
			t.Errorf("accepted %q", address)
		}
		if err := outbox.Post(t.Context(), mail.Message{To: address, Subject: "Hello", Text: "Hello"}); err != nil {
			t.Errorf("mail to %q: %v", address, err)
		}
	})
}
