package server_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/server"
)

// TestDemoCallsItsOwnProcess: the public address may lead to another system, whose people
// would see invented questions.
func TestDemoCallsItsOwnProcess(t *testing.T) {
	arrived := func() (*httptest.Server, chan string) {
		requests := make(chan string, 1)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case requests <- r.URL.Path:
			default:
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		}))
		t.Cleanup(s.Close)
		return s, requests
	}
	here, inside := arrived()
	there, outside := arrived()
	config := memory(t)
	config.Secret, config.PublicURL, config.LocalURL, config.Demo = []byte(secret), there.URL, here.URL, true
	config.Setting, config.Now, config.Log = func(string) string { return "" }, time.Now, slog.New(slog.DiscardHandler)
	system, err := server.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	played := make(chan error, 1)
	go func() { played <- system.(apps.Demo).Play(ctx) }()
	select {
	case <-inside:
	case path := <-outside:
		t.Errorf("the public address was asked for %s", path)
	}
	cancel()
	if err := <-played; !errors.Is(err, context.Canceled) {
		t.Errorf("play: %v", err)
	}
}
