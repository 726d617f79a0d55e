package api_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/internal/webhook"
)

// client returns the Go client of a person.
func (u user) client() *client.Client {
	return client.New(u.url, client.WithTokens(client.Tokens{UserID: u.id, AccessToken: u.token}))
}

// settings calls every operation of the settings once.
func (u user) settings(t *testing.T) {
	t.Helper()
	u.must(t, "PUT", "/v1/notifications/preferences", contract.Preferences{Zone: "UTC", Digest: "none", Muted: []string{}, Quiet: &contract.QuietHours{From: "22:00", Until: "07:00"}}, nil)
	var device contract.Device
	u.must(t, "POST", "/v1/devices", contract.NewDevice{Channel: "fcm", Token: "a token"}, &device)
	var hook contract.Webhook
	u.must(t, "POST", "/v1/webhooks", contract.NewWebhook{URL: "https://example.org/hook"}, &hook)
	for _, list := range []string{"notifications/preferences", "devices", "webhooks", "webhooks/" + hook.ID + "/deliveries", "users/me/blocks", "users/me/entries"} {
		u.must(t, "GET", "/v1/"+list, nil, nil)
	}
	for _, action := range []string{"disable", "enable", "ping", "rotate"} {
		u.must(t, "POST", "/v1/webhooks/"+hook.ID+"/"+action, nil, nil)
	}
	u.must(t, "DELETE", "/v1/webhooks/"+hook.ID, nil, nil)
	u.must(t, "DELETE", "/v1/devices/"+device.ID, nil, nil)
}

func TestNotificationPreferences(t *testing.T) {
	s := open(t)
	anna, ctx := s.join(t, "Anna").client(), t.Context()
	got, err := anna.Preferences(ctx)
	if err != nil || got.Zone != "UTC" || got.Digest != "none" || got.Quiet != nil || len(got.Kinds) == 0 {
		t.Fatalf("the defaults are %+v, %v", got, err)
	}
	want := client.Preferences{Zone: "Europe/Warsaw", Quiet: &client.QuietHours{From: "22:30", Until: "07:00"}, Digest: "none", Muted: []string{"message"}}
	if _, err := anna.SetPreferences(ctx, want); err != nil {
		t.Fatal(err)
	}
	got, err = anna.Preferences(ctx)
	if got.Kinds = nil; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("stored %+v, %v", got, err)
	}
	for field, change := range map[string]func(*client.Preferences){
		"zone": func(p *client.Preferences) { p.Zone = "Nowhere" }, "quiet_from": func(p *client.Preferences) { p.Quiet.From = "25:00" },
		"digest": func(p *client.Preferences) { p.Digest = "hourly" }, "muted": func(p *client.Preferences) { p.Muted = []string{"weather"} },
	} {
		wrong := want
		wrong.Quiet = &client.QuietHours{From: "22:00", Until: "07:00"}
		change(&wrong)
		if _, err := anna.SetPreferences(ctx, wrong); !errors.Is(err, client.ErrInvalid) || !strings.Contains(field, refusedField(err)) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// refusedField returns the field of an error.
func refusedField(err error) string {
	if refused, ok := errors.AsType[*client.Error](err); ok {
		return refused.Details.Field
	}
	return "none"
}

func TestDevices(t *testing.T) {
	s := open(t)
	anna, bert, ctx := s.join(t, "Anna").client(), s.join(t, "Bert").client(), t.Context()
	device, err := anna.AddDevice(ctx, client.NewDevice{Channel: "fcm", Token: "a token"})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := anna.AddDevice(ctx, client.NewDevice{Channel: "fcm", Token: "a token"}); err != nil || again.ID != device.ID {
		t.Errorf("renewed: %+v, %v", again, err)
	}
	if _, err := anna.AddDevice(ctx, client.NewDevice{Channel: "pigeon"}); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("an unknown channel: %v", err)
	}
	if err := bert.RemoveDevice(ctx, device.ID); err != nil { // not of this person: nothing happens
		t.Error(err)
	}
	if all, err := anna.Devices(ctx); err != nil || len(all.Items) != 1 || !slices.Equal(all.Channels, []string{"fcm"}) {
		t.Errorf("%+v, %v", all, err)
	}
	if err := anna.RemoveDevice(ctx, device.ID); err != nil {
		t.Error(err)
	}
	if all, err := anna.Devices(ctx); err != nil || len(all.Items) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestWebhooks adds an endpoint by the API, and receives a signed event.
func TestWebhooks(t *testing.T) {
	s := open(t)
	owner := s.join(t, "Anna")
	anna, bert, ctx := owner.client(), s.join(t, "Bert").client(), t.Context()
	type message struct {
		header http.Header
		body   []byte
	}
	received := make(chan message, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- message{r.Header, body}
	}))
	defer receiver.Close()
	if _, err := anna.AddWebhook(ctx, client.NewWebhook{URL: receiver.URL, Events: []string{"Weather"}}); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("an unknown event: %v", err)
	}
	hook, err := anna.AddWebhook(ctx, client.NewWebhook{URL: receiver.URL, Events: []string{ecobid.ItemCreated}})
	if err != nil || hook.Secret == "" || !hook.Enabled {
		t.Fatalf("%+v, %v", hook, err)
	}
	owner.give(t)
	s.Deliver(t)
	got := <-received
	if _, err := webhook.Verify(got.header, got.body, s.Clock.Now(), hook.Secret); err != nil || !strings.Contains(string(got.body), ecobid.ItemCreated) {
		t.Errorf("%s, %v", got.body, err)
	}
	if log, err := anna.Deliveries(ctx, hook.ID, ""); err != nil || len(log.Items) != 1 || log.Items[0].Status != 200 || log.Items[0].Error != "" {
		t.Errorf("the deliveries are %+v, %v", log, err)
	}
	rotated, err := anna.RotateWebhook(ctx, hook.ID)
	if err != nil || rotated == hook.Secret {
		t.Errorf("%q, %v", rotated, err)
	}
	for what, call := range map[string]error{
		"deliveries": second(bert.Deliveries(ctx, hook.ID, "")), "rotate": second(bert.RotateWebhook(ctx, hook.ID)),
		"remove": bert.RemoveWebhook(ctx, hook.ID), "ping": bert.PingWebhook(ctx, hook.ID), "disable": bert.DisableWebhook(ctx, hook.ID),
	} {
		if refused, ok := errors.AsType[*client.Error](call); !ok || refused.Code != "ENDPOINT_NOT_FOUND" {
			t.Errorf("%s of another person: %v", what, call)
		}
	}
	if err := errors.Join(anna.DisableWebhook(ctx, hook.ID), anna.EnableWebhook(ctx, hook.ID), anna.PingWebhook(ctx, hook.ID), anna.RemoveWebhook(ctx, hook.ID)); err != nil {
		t.Error(err)
	}
	if all, err := anna.Webhooks(ctx); err != nil || len(all.Items) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestBlocksAndEntries(t *testing.T) {
	s := open(t)
	anna, bert, cleo := s.join(t, "Anna"), s.join(t, "Bert"), s.join(t, "Cleo")
	in := anna.table(t)
	in.Allocation = "queue"
	var item contract.Item
	anna.must(t, "POST", "/v1/items", in, &item)
	bert.must(t, "POST", "/v1/items/"+item.ID+"/join", contract.Wish{}, nil)
	s.Clock.Advance(time.Second)
	cleo.must(t, "POST", "/v1/items/"+item.ID+"/join", contract.Wish{}, nil)
	if got, err := cleo.client().Entries(t.Context()); err != nil || len(got.Items) != 1 || got.Items[0].ItemID != item.ID || got.Items[0].Position != 1 {
		t.Errorf("the entries are %+v, %v", got, err)
	}
	anna.must(t, "POST", "/v1/users/"+cleo.id+"/block", nil, nil)
	if got, err := anna.client().Blocks(t.Context()); err != nil || len(got.Items) != 1 || got.Items[0].UserID != cleo.id || got.Items[0].Username != "Cleo" {
		t.Errorf("the blocks are %+v, %v", got, err)
	}
	if got, err := cleo.client().Entries(t.Context()); err != nil || len(got.Items) != 0 {
		t.Errorf("a blocked person has the entries %+v, %v", got, err)
	}
}

// TestClientHasEveryOperation calls every method of the client, and compares the requests with the document.
func TestClientHasEveryOperation(t *testing.T) {
	s := open(t)
	called := map[string]bool{}
	everything := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		called[r.Method+" "+s.document.Template(r.Method, r.URL.EscapedPath())] = true
		_, _ = io.WriteString(w, "{}")
	}))
	defer everything.Close()
	c := reflect.ValueOf(client.New(everything.URL))
	for i := range c.NumMethod() {
		method := c.Method(i)
		if method.Type().NumIn() == 0 {
			continue
		}
		arguments := []reflect.Value{reflect.ValueOf(t.Context())}
		for j := 1; j < method.Type().NumIn(); j++ {
			argument := reflect.New(method.Type().In(j)).Elem()
			if argument.Kind() == reflect.String {
				argument.SetString("x")
			}
			arguments = append(arguments, argument)
		}
		method.Call(arguments)
	}
	for _, name := range s.document.Operations() {
		for _, left := range []string{"/v1/moderation/", "/v1/auth/refresh", "/health", "/v1/photos/", "/v1/auctions/{id}/events", "GET /v1/users/me"} {
			if strings.Contains(name, left) && (left != "GET /v1/users/me" || name == left) { // Profile("me") is the last one
				called[name] = true
			}
		}
		if !called[name] {
			t.Errorf("the client does not have %s", name)
		}
	}
}
