package accountpages_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/openid/openidtest"
	"sortkey.dev/apps/internal/webtest"
)

// openSchool opens a system whose people can sign in through a provider.
func openSchool(t *testing.T, change ...func(*accountpages.Options)) (*world, *openidtest.Provider) {
	t.Helper()
	var w *world
	school := openidtest.Start(t, func() time.Time { return w.Clock.Now() })
	provider, err := openid.New(openid.Options{
		Name: "school", Title: "School", Issuer: school.URL, ClientID: openidtest.ClientID, ClientSecret: openidtest.ClientSecret,
		Client: school.Client, Now: func() time.Time { return w.Clock.Now() },
	})
	if err != nil {
		t.Fatal(err)
	}
	w = open(t, append(change, func(o *accountpages.Options) { o.Providers = []*openid.Provider{provider} })...)
	return w, school
}

func TestSignInThroughAProvider(t *testing.T) {
	w, school := openSchool(t)
	b := w.browser(t)
	b.Get("/lessons?page=2&of=3")
	link := regexp.MustCompile(`href="(/sign-in/with/[^"]+)"`).FindStringSubmatch(b.Page)
	if link == nil || !strings.Contains(b.Page, "Continue with School") {
		t.Fatal("there is no button")
	}
	if b.Get(link[1]); b.Path != "/lessons?page=2&of=3" {
		t.Fatalf("at %s", b.Path)
	}
	b.Says("Hello Ada")
	other := w.browser(t)
	if status := other.Get("/sign-in/with/school/end?code=x&state=y"); status != http.StatusUnprocessableEntity {
		t.Errorf("a link from elsewhere: %d", status)
	}
	other.Says("The other site did not sign you in.")
	if status := other.Get("/sign-in/with/elsewhere"); status != http.StatusNotFound {
		t.Errorf("an unknown provider: %d", status)
	}
	school.Change(func(_, claims map[string]any) { claims["aud"] = "another" })
	if status := other.Get("/sign-in/with/school"); status != http.StatusInternalServerError || strings.Contains(other.Page, "Hello") {
		t.Errorf("a token that proves nothing: %d", status)
	}
	b.Get("/account/password")
	if b.Path != "/account" || strings.Contains(b.Page, "Current password") {
		t.Errorf("an account without a password is asked for it at %s", b.Path)
	}
	b.Get("/account/delete")
	b.Submit("/account/delete", "sure", "on")
	b.Says("Your account is deleted.")
}

func TestAProviderOfAClosedSystem(t *testing.T) {
	w, _ := openSchool(t, func(o *accountpages.Options) { o.Closed = true })
	b := w.browser(t)
	if status := b.Get("/sign-in/with/school"); status != http.StatusForbidden {
		t.Errorf("a stranger gets %d", status)
	}
	ada := w.ada(t)
	if b.Get("/sign-in/with/school"); b.Path != "/" {
		t.Errorf("at %s", b.Path)
	}
	b.Says("Hello " + ada.Name)
}

func TestTheButtonOfAProvider(t *testing.T) {
	w, _ := openSchool(t)
	tab := webtest.Open(t, w.url+"/lessons", webtest.Phone, webtest.Dark)
	tab.LookAround("sign-in-provider")
	tab.Click("link", "Continue with School")
	tab.WaitURL("/lessons")
	tab.WaitFor("Hello Ada")
}
