package accountpages_test

import (
	"encoding/json"
	"net/http"
	"slices"
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
	b.Get("/sign-up")
	form := []string{"name", "Ada", "address", "ada@example.org", "password", password}
	if status := b.Submit("/sign-up", form...); status != http.StatusUnprocessableEntity {
		t.Errorf("without a city: %d", status)
	}
	b.Says("Say in which city you live.")
	if b.field("name") != "Ada" || written != "" {
		t.Errorf("the form shows the name %q; the profile of %q is written", b.field("name"), written)
	}
	b.Submit("/sign-up", append(form, "city", "Oslo")...)
	if b.Path != accountpages.MailPath || written != "Oslo" {
		t.Errorf("at %s, and the profile of %q is written", b.Path, written)
	}
}

func TestAPersonChoosesARole(t *testing.T) {
	var roles []string
	w := open(t, func(o *accountpages.Options) {
		o.RolesFor = func(form *webkit.Form) []string { return []string{form.Value("part")} }
		o.With = func(_ access.Tx, account platformdb.Account, _ json.RawMessage) error {
			roles = account.Roles
			return nil
		}
	})
	b := w.browser(t)
	b.Get("/sign-up")
	b.Submit("/sign-up", "name", "Ada", "address", "ada@example.org", "password", password, "part", "teacher")
	if !slices.Equal(roles, []string{"teacher"}) {
		t.Errorf("roles of a person who chose: %q", roles)
	}
	if _, err := w.all.Invitations.Invite(t.Context(), accounts.Invitation{Address: "bo@example.org", Role: "student", By: "Ada"}); err != nil {
		t.Fatal(err)
	}
	guest := w.browser(t)
	guest.Get("/sign-up")
	guest.Submit("/sign-up", "name", "Bo", "address", "bo@example.org", "password", password, "part", "teacher", "invitation", w.token(t))
	if !slices.Equal(roles, []string{"student"}) {
		t.Errorf("roles of an invited person: %q", roles)
	}
}
