package api_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps/homeops/api"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/telegram"
)

const secret = "s3cret_of-the-webhook"

const message = `{"update_id": 5, "message": {"message_id": 9, "date": 2118214800, "text": "Jag har diskat",
	"from": {"id": 42, "first_name": "Anna", "is_bot": false}, "chat": {"id": -1001, "type": "supergroup", "title": "Hemma"}}}`

func serve(t *testing.T, w *homeopstest.World, failing error) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(api.New(api.Options{
		Domain: w.Domain, Log: slog.New(slog.DiscardHandler), Version: "1.2.3",
		Secret: func(context.Context) (string, error) { return secret, failing },
	}))
	t.Cleanup(server.Close)
	return server
}

func post(t *testing.T, server *httptest.Server, token, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/webhook", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set(telegram.SecretHeader, token)
	}
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, strings.TrimSpace(string(answer))
}

func stored(t *testing.T, w *homeopstest.World) int {
	t.Helper()
	lines, err := w.DB.ListMessagesAcrossChats(homeopstest.Anna).Slice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(lines)
}

// Vector 17.
func TestVector17WebhookTakesUpdatesWithTheSecretOnly(t *testing.T) {
	w := homeopstest.Open(t)
	server := serve(t, w, nil)
	for name, token := range map[string]string{"missing": "", "wrong": "other", "a prefix": secret[:5], "longer": secret + "x"} {
		if status, body := post(t, server, token, message); status != http.StatusUnauthorized || body != `{"error":"Unauthorized"}` {
			t.Errorf("%s secret: %d %s", name, status, body)
		}
	}
	if n := stored(t, w); n != 0 {
		t.Errorf("%d messages without the secret", n)
	}
	for i := range 2 {
		if status, body := post(t, server, secret, message); status != http.StatusOK || body != "{}" {
			t.Errorf("delivery %d: %d %s", i+1, status, body)
		}
	}
	if n := stored(t, w); n != 1 {
		t.Errorf("%d messages", n)
	}
	w.Step(t)
}

func TestVector17WebhookAnswersWhatNoRetryRepairs(t *testing.T) {
	w := homeopstest.Open(t)
	server := serve(t, w, nil)
	for name, body := range map[string]string{
		"no JSON": "{", "empty": "", "no id": "{}", "too large": `{"update_id": 1, "x": "` + strings.Repeat("x", telegram.MaxUpdate) + `"}`,
		"another kind": `{"update_id": 2, "poll": {}}`,
	} {
		if status, answer := post(t, server, secret, body); status != http.StatusOK || answer != "{}" {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	if err := w.Env.Metrics.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if report, err := w.Env.Metrics.Report(t.Context(), 1); err != nil || report.Totals["malformed_updates"] != 4 {
		t.Errorf("counted %v (%v)", report.Totals, err)
	}
}

func TestWebhookAsksForARetryIfNothingWasStored(t *testing.T) {
	w := homeopstest.Open(t)
	if status, _ := post(t, serve(t, w, errors.New("no database")), secret, message); status != http.StatusInternalServerError {
		t.Errorf("without settings: %d", status)
	}
	broken := w.Through(t, failing{w.Database.DynamoDB})
	if status, _ := post(t, serve(t, broken, nil), secret, message); status != http.StatusInternalServerError {
		t.Errorf("without a database: %d", status)
	}
	if n := stored(t, w); n != 0 {
		t.Errorf("%d messages", n)
	}
	if status, _ := post(t, serve(t, w, nil), secret, message); status != http.StatusOK {
		t.Errorf("the retry: %d", status)
	}
}

// TestDisconnectedCallerIsNoFailure: the simulated Telegram of a demo disconnects when the demo stops.
func TestDisconnectedCallerIsNoFailure(t *testing.T) {
	var log strings.Builder
	door := api.New(api.Options{
		Domain: homeopstest.Open(t).Domain, Log: slog.New(slog.NewTextHandler(&log, nil)), Version: "1.2.3",
		Secret: func(context.Context) (string, error) { return secret, nil },
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/webhook", strings.NewReader(message))
	r.Header.Set(telegram.SecretHeader, secret)
	answer := httptest.NewRecorder()
	door.ServeHTTP(answer, r)
	if log.Len() != 0 || answer.Code != http.StatusInternalServerError {
		t.Errorf("answered %d, logged %s", answer.Code, log.String())
	}
}

func TestHealth(t *testing.T) {
	server := serve(t, homeopstest.Open(t), nil)
	response, err := server.Client().Get(server.URL + "/health")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || strings.TrimSpace(string(body)) != `{"status":"ok","version":"1.2.3"}` {
		t.Errorf("%s (%v)", body, err)
	}
}
