package server_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/demo"
	"sortkey.dev/apps/ecobid/server"
	"sortkey.dev/apps/internal/apptest"
)

// TestDemoHasSomethingOfEverything plays the opening of the demo twice, as on a kept database, and looks at what a
// visitor finds as the neighbour of the front page.
func TestDemoHasSomethingOfEverything(t *testing.T) {
	database := apptest.Open(t, nil)
	var system apps.System
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { system.ServeHTTP(w, r) }))
	defer site.Close()
	system, err := server.Open(t.Context(), apps.Config{
		CheapPasswords: true,
		DynamoDB:       database.DynamoDB, Streams: database.Streams, TablePrefix: database.Prefix, Secret: []byte("a secret of tests"),
		PublicURL: site.URL, LocalURL: site.URL, Demo: true, Setting: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("the opening is over")
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		err := demo.Play(ctx, demo.Options{BaseURL: site.URL, Sleep: func(context.Context, time.Duration) error { cancel(); return stop }})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	visitor := client.New(site.URL)
	if err := visitor.Login(t.Context(), "ania@demo.invalid", demo.Password); err != nil {
		t.Fatal(err)
	}
	count := func(what string, want int, list client.List[client.Reservation], err error) {
		t.Helper()
		if err != nil || len(list.Items) != want {
			t.Errorf("%s: %+v, %v", what, list.Items, err)
		}
	}
	requests, err := visitor.Requests(t.Context(), false, "")
	count("requests", 2, requests, err)
	taking, err := visitor.Reservations(t.Context(), false, "")
	count("reservations", 1, taking, err)
	if messages, err := visitor.Messages(t.Context(), taking.Items[0].ID, ""); err != nil || len(messages.Items) != 2 {
		t.Errorf("messages: %+v, %v", messages, err)
	}
	if profile, err := visitor.Profile(t.Context(), "me"); err != nil || profile.Rating == nil || profile.ItemsGiven != 2 || profile.ItemsReceived != 1 {
		t.Errorf("the profile is %+v, %v", profile, err)
	}
}
