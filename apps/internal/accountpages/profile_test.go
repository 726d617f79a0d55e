package accountpages_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

func TestTheSystemAsksForItsProfile(t *testing.T) {
	written := ""
	w := open(t, func(o *accountpages.Options) {
		o.Profile = func(form *webkit.Form) (accounts.With, error) {
			city := form.Value("city")
			if city == "" {
				return nil, refusal.OfField(refusal.Field{Name: "city"}, "Say in which city you live.")
			}
			return func(access.Tx, platformdb.Account, json.RawMessage) error { written = city; return nil }, nil
		}
	})
	b := w.browser(t)
	b.get("/sign-up")
	form := []string{"name", "Ada", "address", "ada@example.org", "password", password}
	if status := b.post("/sign-up", form...); status != http.StatusUnprocessableEntity {
		t.Errorf("without a city: %d", status)
	}
	b.shows("Say in which city you live.")
	if b.field("name") != "Ada" || written != "" {
		t.Errorf("the form shows the name %q; the profile of %q is written", b.field("name"), written)
	}
	b.post("/sign-up", append(form, "city", "Oslo")...)
	if b.path != accountpages.MailPath || written != "Oslo" {
		t.Errorf("at %s, and the profile of %q is written", b.path, written)
	}
}
