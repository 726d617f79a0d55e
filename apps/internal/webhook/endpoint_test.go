package webhook_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webhook"
)

func TestEndpointsAreCheckedWhenTheyAreAdded(t *testing.T) {
	f := open(t, webhook.Options{Events: []string{"order.paid", "order.sent"}})
	for name, test := range map[string]struct {
		n     webhook.NewEndpoint
		field string
	}{
		"good":            {webhook.NewEndpoint{URL: "https://shop.example.com/hook"}, ""},
		"with events":     {webhook.NewEndpoint{URL: "https://shop.example.com/hook", Events: []string{"order.sent"}}, ""},
		"private address": {webhook.NewEndpoint{URL: "https://169.254.169.254/"}, "url"},
		"credentials":     {webhook.NewEndpoint{URL: "https://me:you@shop.example.com/"}, "url"},
		"no URL":          {webhook.NewEndpoint{URL: "shop"}, "url"},
		"unknown event":   {webhook.NewEndpoint{URL: "https://shop.example.com/", Events: []string{"order.lost"}}, "events"},
	} {
		_, secret, err := f.hooks.Add(t.Context(), "ann", test.n)
		refused, ok := errors.AsType[*refusal.Error](err)
		switch {
		case test.field == "" && (err != nil || !strings.HasPrefix(secret, "whsec_")):
			t.Errorf("%s: secret %q (%v)", name, secret, err)
		case test.field != "" && (!ok || len(refused.Fields) != 1 || refused.Fields[0].Name != test.field || refused.Message == ""):
			t.Errorf("%s: %v, want a refusal of %s", name, err, test.field)
		}
	}
}

func TestAnOwnerHasAMaximumOfEndpoints(t *testing.T) {
	f := open(t, webhook.Options{MaxEndpoints: 3})
	for i := range 3 {
		f.add("ann", fmt.Sprintf("https://shop%d.example.com/", i))
	}
	_, _, err := f.hooks.Add(t.Context(), "ann", webhook.NewEndpoint{URL: "https://shop.example.com/"})
	if refused, ok := errors.AsType[*refusal.Error](err); !ok || refused.Kind != refusal.Conflict {
		t.Errorf("the fourth endpoint: %v", err)
	}
	f.add("bob", "https://shop.example.com/")
	all, err := f.hooks.Endpoints(t.Context(), "ann")
	if err != nil || len(all) != 3 {
		t.Fatalf("%d endpoints (%v)", len(all), err)
	}
	if err := f.hooks.Remove(t.Context(), "ann", all[0].ID); err != nil {
		t.Fatal(err)
	}
	f.add("ann", "https://shop.example.com/")
}

func TestOthersCannotTouchAnEndpoint(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(200))
	e, _ := f.add("ann", r.URL)
	for _, id := range []string{e.ID, "none"} {
		owner := "ann"
		if id == e.ID {
			owner = "bob"
		}
		_, rotated := f.hooks.Rotate(t.Context(), owner, id)
		for name, err := range map[string]error{
			"disable": f.hooks.Disable(t.Context(), owner, id, "x"), "enable": f.hooks.Enable(t.Context(), owner, id),
			"remove": f.hooks.Remove(t.Context(), owner, id), "ping": f.hooks.Ping(t.Context(), owner, id), "rotate": rotated,
		} {
			if !errors.Is(err, webhook.ErrNoEndpoint) {
				t.Errorf("%s %s: %v", name, id, err)
			}
		}
	}
	if got := f.endpoint("ann"); !got.Enabled || got.Rotating {
		t.Errorf("the endpoint is %+v", got)
	}
}

func TestDisabledEndpointsMissEventsUntilTheyAreEnabled(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(200))
	e, _ := f.add("ann", r.URL)
	for range 2 { // twice is as once
		if err := f.hooks.Disable(t.Context(), "ann", e.ID, "Under repair."); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.endpoint("ann"); got.Enabled || got.Reason != "Under repair." {
		t.Errorf("the endpoint is %+v", got)
	}
	f.publish("ann", paid)
	f.step()
	for range 2 {
		if err := f.hooks.Enable(t.Context(), "ann", e.ID); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.endpoint("ann"); !got.Enabled || got.Reason != "" {
		t.Errorf("the endpoint is %+v", got)
	}
	later := paid
	later.ID = "evt_2"
	f.publish("ann", later)
	f.step()
	if got := r.messages(); len(got) != 1 || got[0].header.Get("webhook-id") != "evt_2" {
		t.Errorf("%d messages", len(got))
	}
}

func TestAnEndpointThatIsDisabledWhileAMessageWaitsGetsNothing(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(500))
	e, _ := f.add("ann", r.URL)
	f.publish("ann", paid)
	f.step()
	if err := f.hooks.Disable(t.Context(), "ann", e.ID, ""); err != nil {
		t.Fatal(err)
	}
	f.Clock.Advance(time.Hour)
	f.step()
	if waiting, dead := f.waiting(); len(r.messages()) != 1 || waiting+dead > 0 {
		t.Errorf("%d attempts, %d jobs wait, %d are dead", len(r.messages()), waiting, dead)
	}
	removed, _ := f.add("bob", r.URL)
	f.publish("bob", webhook.Event{ID: "evt_9", Type: "order.paid", At: f.Now()})
	f.step()
	if err := f.hooks.Remove(t.Context(), "bob", removed.ID); err != nil {
		t.Fatal(err)
	}
	f.Clock.Advance(time.Hour)
	f.step()
	if waiting, dead := f.waiting(); len(r.messages()) != 2 || waiting+dead > 0 {
		t.Errorf("after removal: %d attempts, %d jobs wait, %d are dead", len(r.messages()), waiting, dead)
	}
}

func TestPings(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(200))
	e, secret, err := f.hooks.Add(t.Context(), "ann", webhook.NewEndpoint{URL: r.URL, Events: []string{"order.paid"}, Ping: true})
	if err != nil {
		t.Fatal(err)
	}
	f.step()
	if err := f.hooks.Disable(t.Context(), "ann", e.ID, ""); err != nil {
		t.Fatal(err)
	}
	if err := f.hooks.Ping(t.Context(), "ann", e.ID); err != nil {
		t.Fatal(err)
	}
	f.step()
	got := r.messages()
	if len(got) != 2 {
		t.Fatalf("%d pings arrived", len(got))
	}
	first, err := webhook.Verify(got[0].header, got[0].body, f.Now(), secret)
	if err != nil || !strings.Contains(string(got[0].body), `"type":"webhook.ping"`) || first == got[1].header.Get("webhook-id") {
		t.Errorf("got %q with %s (%v)", first, got[0].body, err)
	}
}

func TestBothSecretsSignWhileOneIsReplaced(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(200))
	e, before := f.add("ann", r.URL)
	after, err := f.hooks.Rotate(t.Context(), "ann", e.ID)
	if err != nil || after == before {
		t.Fatalf("the new secret is %q (%v)", after, err)
	}
	for i, test := range []struct {
		wait     time.Duration
		old, now error
	}{
		{0, nil, nil},
		{webhook.Overlap - time.Millisecond, nil, nil},
		{time.Millisecond, webhook.ErrSignature, nil},
	} {
		f.Clock.Advance(test.wait)
		if got := f.endpoint("ann").Rotating; got != (test.old == nil) {
			t.Errorf("rotating is %v after %s", got, f.Now().Sub(platformtest.Start))
		}
		f.publish("ann", webhook.Event{ID: fmt.Sprintf("evt_%d", i), Type: "order.paid", At: f.Now()})
		f.step()
		m := r.messages()[i]
		if _, err := webhook.Verify(m.header, m.body, f.Now(), before); !errors.Is(err, test.old) {
			t.Errorf("message %d with the former secret: %v, want %v", i, err, test.old)
		}
		if _, err := webhook.Verify(m.header, m.body, f.Now(), after); !errors.Is(err, test.now) {
			t.Errorf("message %d with the new secret: %v, want %v", i, err, test.now)
		}
	}
}

func TestSecretsAreStoredEncrypted(t *testing.T) {
	f := open(t, webhook.Options{})
	_, secret := f.add("ann", "https://shop.example.com/")
	plain := platformdb.New(f.Database.DynamoDB, access.WithTablePrefix(f.Database.Prefix), access.WithoutState())
	e, err := plain.ListEndpoints("ann").First(t.Context())
	if err == nil && e.Secret == secret {
		t.Error("the secret is readable without the key")
	}
}

func TestDeliveriesHavePages(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(200))
	for i := range 25 {
		m := webhook.Message{ID: fmt.Sprint(i), URL: r.URL, Secrets: []string{vectorSecret}, Body: []byte("{}")}
		if err := f.hooks.Deliver(t.Context(), "s", m, 1); err != nil {
			t.Fatal(err)
		}
		f.Clock.Advance(time.Second)
	}
	first, next, err := f.hooks.Deliveries(t.Context(), "s", "")
	if err != nil || len(first) != 20 || first[0].MessageID != "24" || next == "" {
		t.Fatalf("%d deliveries and the cursor %q (%v)", len(first), next, err)
	}
	second, next, err := f.hooks.Deliveries(t.Context(), "s", next)
	if err != nil || len(second) != 5 || second[4].MessageID != "0" || next != "" {
		t.Errorf("%d deliveries and the cursor %q (%v)", len(second), next, err)
	}
	if _, _, err := f.hooks.Deliveries(t.Context(), "s", "nonsense"); !isRefusal(err) {
		t.Errorf("a broken cursor: %v", err)
	}
}

func isRefusal(err error) bool { _, ok := errors.AsType[*refusal.Error](err); return ok }

func TestNewChecksItsOptions(t *testing.T) {
	w := platformtest.Open(t)
	if _, err := webhook.New(w.Platform, webhook.Options{}); err == nil {
		t.Error("it works without a queue")
	}
	queue, err := jobs.New(w.Platform, jobs.Options{Lanes: []jobs.Lane{{Name: "slow"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := webhook.New(w.Platform, webhook.Options{Queue: queue, Events: []string{"No Type"}}); err == nil {
		t.Error("an event type with a space is accepted")
	}
	if _, err := webhook.New(w.Platform, webhook.Options{Queue: queue, Lane: "slow"}); err != nil {
		t.Error(err)
	}
}

func TestDeliveriesToAnEndpointAreItsOwners(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(200))
	e, _ := f.add("ann", r.URL)
	if err := f.hooks.Deliver(t.Context(), e.ID, webhook.Message{ID: "m", URL: r.URL, Secrets: []string{vectorSecret}, Body: []byte("{}")}, 1); err != nil {
		t.Fatal(err)
	}
	if own, _, err := f.hooks.EndpointDeliveries(t.Context(), "ann", e.ID, ""); err != nil || len(own) != 1 {
		t.Errorf("the owner sees %+v (%v)", own, err)
	}
	for _, call := range [][2]string{{"bob", e.ID}, {"ann", "none"}} {
		if all, _, err := f.hooks.EndpointDeliveries(t.Context(), call[0], call[1], ""); !errors.Is(err, webhook.ErrNoEndpoint) || all != nil {
			t.Errorf("%s sees %+v of %s (%v)", call[0], all, call[1], err)
		}
	}
}
