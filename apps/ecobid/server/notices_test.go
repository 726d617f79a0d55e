package server_test

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/webhook"
	"sortkey.dev/apps/internal/webtest"
)

var shownSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)

// TestWebhooksOfAGiver adds an endpoint on the page, and verifies what reaches it.
func TestWebhooksOfAGiver(t *testing.T) {
	got := make(chan string, 100) // the type of every message that was verified
	secrets := make(chan string, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		secret := <-secrets
		secrets <- secret
		if _, err := webhook.Verify(r.Header, body, time.Now(), secret); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		got <- string(body)
	}))
	t.Cleanup(receiver.Close)
	base, _ := startWith(t, map[string]string{"ECOBID_PRIVATE_CALLBACKS": "1"}, time.Now)
	giver, taker := signUp(t, base, "greta"), signUp(t, base, "timo")
	giver.Open("/settings/webhooks").Send(http.StatusUnprocessableEntity, "/settings/webhooks", "url", "nowhere").Says("nowhere")
	giver.Send(http.StatusOK, "/settings/webhooks", "url", receiver.URL+"/hook").Says("It is not shown again")
	secrets <- shownSecret.FindString(giver.Page)
	item := give(giver, "Oak table", "first")
	taker.Open(item).Send(http.StatusOK, item+"/reserve", "message", "")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for missing := []string{"webhook.ping", "reservation.created"}; len(missing) > 0; { // in any order
		select {
		case body := <-got:
			missing = slices.DeleteFunc(missing, func(kind string) bool { return strings.Contains(body, kind) })
			if strings.Contains(body, "Marsza") {
				t.Errorf("the address is in %s", body)
			}
		case <-ctx.Done():
			t.Fatalf("%v did not arrive", missing)
		}
	}
	giver.Open("/settings/webhooks").Says("Delivered").Hides("whsec_")
	action := regexp.MustCompile(`/settings/webhooks/[^/"]+`).FindString(giver.Page)
	for _, step := range [][2]string{{"disable", "Off"}, {"enable", "On"}, {"ping", "test message"}, {"rotate", "It is not shown again"}, {"drop", "No endpoints"}} {
		giver.Send(http.StatusOK, action+"/"+step[0]).Says(step[1])
		giver.Open("/settings/webhooks")
	}
	taker.Open("/settings/webhooks").Send(http.StatusNotFound, action+"/ping")
}

// A person who deletes the account leaves no item and no webhook. While an auction has bids, the account
// stays with all its data, and the page says why.
func TestDeletingAnAccountDeletesItsData(t *testing.T) {
	base, _ := startWith(t, map[string]string{"ECOBID_PRIVATE_CALLBACKS": "1"}, time.Now)
	seller, bidder := signUp(t, base, "selma"), signUp(t, base, "boris")
	auction := give(seller, "Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	table, chair := give(seller, "Oak table", "first"), give(bidder, "Old chair", "first")
	bidder.Open(auction).Send(http.StatusOK, auction+"/bid", "maximum", "12.00")
	bidder.Open("/settings/webhooks").Send(http.StatusOK, "/settings/webhooks", "url", base+"/hook")

	sure := []string{"sure", "on", "current", "correct horse battery"}
	seller.Open("/account/delete").Send(http.StatusUnprocessableEntity, "/account/delete", sure...).Says("bids")
	webtest.NewVisitor(t, base).Open(table).Says("Oak table")
	bidder.Open("/account/delete").Send(http.StatusOK, "/account/delete", sure...).Says("Your account is deleted.")
	seller.Do(http.MethodGet, chair, "", nil, nil)
	if seller.Code == http.StatusOK && !strings.Contains(seller.Page, "not available any more") {
		t.Errorf("the chair of a person who left is at %s", chair)
	}
	seller.Open(auction).Hides("boris")
}

// TestNotificationSettings chooses kinds, quiet hours and devices.
func TestNotificationSettings(t *testing.T) {
	base, _ := startWith(t, map[string]string{"ECOBID_VAPID_CONTACT": "mailto:operator@example.org"}, time.Now)
	b := signUp(t, base, "vera")
	const page = "/settings/notifications"
	b.Open(page).Send(http.StatusUnprocessableEntity, page, "digest", "none", "quiet", "1", "from", "24", "until", "7")
	b.Send(http.StatusOK, page, "digest", "weekly", "quiet", "1", "from", "23", "until", "0", "kinds", "auction")
	for _, want := range []string{`value="weekly" checked`, `value="23"`, `value="0"`, `value="auction" checked`} {
		b.Says(want)
	}
	b.Hides(`value="nearby" checked`)

	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	device := url.Values{
		"csrf": {b.CSRF}, "endpoint": {"https://push.example.org/1"}, "p256dh": {base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes())},
		"auth": {base64.RawURLEncoding.EncodeToString(make([]byte, 16))},
	}
	b.Do(http.MethodPost, "/settings/devices", "application/x-www-form-urlencoded", strings.NewReader(device.Encode()), nil)
	if b.Code != http.StatusNoContent {
		t.Fatalf("subscribe: %d", b.Code)
	}
	b.Open(page).Says("Added")
	drop := regexp.MustCompile(`/settings/devices/[^/"]+/drop`).FindString(b.Page)
	b.Send(http.StatusOK, drop).Says("No device gets messages")
}

// TestABrowserSubscribes also if it is subscribed, for another person perhaps: that subscription ends.
func TestABrowserSubscribes(t *testing.T) {
	t.Parallel()
	base, _ := startWith(t, map[string]string{"ECOBID_VAPID_CONTACT": "mailto:operator@example.org"}, time.Now)
	signUp(t, base, "wanda")
	tab := signIn(t, base, "wanda", webtest.Phone)
	tab.AllowPush()
	tab.Goto("/settings/notifications")
	tab.Submit("Notify me on this device")
	tab.WaitFor("Added")
	first := tab.PushEndpoint()
	tab.Submit("Notify me on this device")
	tab.WaitTrue(`document.querySelectorAll("form[action$='/drop']").length === 1`)
	if second := tab.PushEndpoint(); second == "" || second == first {
		t.Errorf("the subscription from before is still there: %q", second)
	}
}

// TestTheDigestIsMailed lets a day pass over an unread notification.
func TestTheDigestIsMailed(t *testing.T) {
	clock := apptest.NewClock(time.Now())
	base, _ := startWith(t, nil, clock.Now)
	giver, taker := signUp(t, base, "greta"), signUp(t, base, "timo")
	giver.Open("/settings/notifications").Send(http.StatusOK, "/settings/notifications", "digest", "daily", "kinds", "request")
	item := give(giver, "Oak table", "first")
	taker.Open(item).Send(http.StatusOK, item+"/reserve", "message", "")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for !strings.Contains(giver.Open("/notifications").Page, "Request for Oak table") && ctx.Err() == nil {
		<-poll.C
	}
	clock.Advance(24 * time.Hour)
	reader := webtest.NewVisitor(t, base)
	for !strings.Contains(reader.Open(outboxLink(t)).Page, "Request for Oak table") {
		if ctx.Err() != nil {
			t.Fatal("there is no digest")
		}
		<-poll.C
	}
}
