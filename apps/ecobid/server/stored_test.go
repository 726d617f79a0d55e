package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps"
	"sortkey.dev/apps/ecobid/server"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webtest"
)

// onStored serves the system on stored data, until stop is called.
func onStored(t *testing.T, data *apptest.Stored) (base string, stop func()) {
	t.Helper()
	site, stop := data.Serve(t, httptest.NewServer, func(ctx context.Context, config apps.Config) (apps.System, error) {
		config.CheapPasswords = true
		config.Setting = func(name string) string {
			return map[string]string{"ECOBID_OPERATOR_SECRET": "chosen by the owner"}[name]
		}
		return server.Open(ctx, config)
	})
	return site.URL, stop
}

// TestDataOfVersion1: people of version 1 sign in, or are signed in, and find their things, messages and photos.
func TestDataOfVersion1(t *testing.T) {
	data := apptest.OpenStored(t, "testdata/version-1.tar.gz", "ecobid", func(made *apptest.Stored) {
		base, stop := onStored(t, made)
		defer stop()
		box, err := secret.NewBox([]byte(made.Secret))
		if err != nil {
			t.Fatal(err)
		}
		outbox := accountpages.OutboxPath + "?key=" + box.Hash("outbox")
		giver, taker := signUpWith(t, base, "greta", outbox), signUpWith(t, base, "timo", outbox)
		made.Notes["item"] = give(giver, "Oak table", "first")
		made.Notes["auction"] = give(giver, "Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "48")
		taker.Open(made.Notes["auction"]).Send(http.StatusOK, made.Notes["auction"]+"/bid", "maximum", "12.00")
		taker.Open(made.Notes["item"]).Send(http.StatusOK, made.Notes["item"]+"/reserve", "message", "Tonight at 7?")
		made.Notes["pickup"] = taker.Path
		made.NoteCookies(t, "taker", base, taker.Client)
	})
	base, _ := onStored(t, data)
	webtest.NewVisitor(t, base).Open("/").Says("Blue bicycle").Hides("Marszałkowska")
	taker := webtest.NewVisitor(t, base)
	data.SetCookies(t, "taker", base, taker.Client)
	taker.Open("/mine").Says("Oak table").Open(data.Notes["pickup"]).Says("Tonight at 7?", "greta answers next")
	taker.Open(data.Notes["auction"]).Says("You lead", "12.00")
	giver := webtest.NewVisitor(t, base)
	giver.Open("/sign-in").Send(http.StatusOK, "/sign-in", "address", "greta@example.org", "password", "correct horse battery")
	giver.Open("/mine").Says("Oak table", "Your turn")
	photo := regexp.MustCompile(`/photos/[^" ]+`).FindString(giver.Open(data.Notes["item"]).Page)
	if giver.Open(photo); !strings.HasPrefix(giver.Head.Get("Content-Type"), "image/") {
		t.Errorf("the photo %q is %s", photo, giver.Head.Get("Content-Type"))
	}
	giver.Open(data.Notes["pickup"]).Send(http.StatusOK, data.Notes["pickup"]+"/confirm", "time", data.Now().AddDate(0, 0, 1).UTC().Format("2006-01-02T15:04"), "message", "Ring twice")
	taker.Open(data.Notes["pickup"]).Says("Marszałkowska 1", "Ring twice")

	operator := webtest.NewVisitor(t, base)
	operator.Open("/operator/sign-in").Send(http.StatusOK, "/operator/sign-in", "name", "operator", "secret", "chosen by the owner")
	operator.Open("/operator/data").Says("EcoBid", "Platform", "Up to date").Hides("Older than this program", "Newer than this program")
	token := regexp.MustCompile(`(?s)Token for /metrics.*?<code[^>]*>([^<]+)<`).FindStringSubmatch(operator.Open("/operator/settings").Page)
	if token == nil {
		t.Fatal("there is no token")
	}
	operator.Do(http.MethodGet, "/metrics", "", nil, http.Header{"Authorization": {"Bearer " + token[1]}})
	operator.Says(`ecobid_data_version{design="EcoBid"} `, `ecobid_data_version{design="Platform"} `, `ecobid_data_migration{design="EcoBid",phase="before"} 0`)
}
