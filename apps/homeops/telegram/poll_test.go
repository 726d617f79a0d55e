package telegram_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/telegram/telegramtest"
)

func TestPollRetriesWhatWasNotHandled(t *testing.T) {
	w := open(t, telegram.Limits{})
	for _, text := range []string{"ett", "två", "tre"} {
		if _, _, err := w.server.Write(t.Context(), family, erik, text, nil); err != nil {
			t.Fatal(err)
		}
	}
	w.server.Fail(telegramtest.Fault{Method: "getUpdates", Status: 502})
	w.server.Fail(telegramtest.Fault{Method: "getUpdates", Status: 429, RetryAfter: 30})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var seen []string
	failed := false
	err := w.client.Poll(ctx, func(_ context.Context, u telegram.Update) error {
		seen = append(seen, u.Message.Text)
		if u.Message.Text == "två" && !failed {
			failed = true
			return errors.New("the database is unavailable")
		}
		if u.Message.Text == "tre" {
			cancel()
		}
		return nil
	}, nil)
	if !errors.Is(err, context.Canceled) || !slices.Equal(seen, []string{"ett", "två", "två", "tre"}) {
		t.Errorf("saw %v, %v", seen, err)
	}
	if want := []time.Duration{time.Second, 30 * time.Second, time.Second}; !slices.Equal(w.waits[:2], want[:2]) {
		t.Errorf("waits %v, want %v", w.waits, want)
	}
}

func TestPollStopsOnConflict(t *testing.T) {
	w := open(t, telegram.Limits{})
	if err := w.client.SetWebhook(t.Context(), telegram.Webhook{URL: "http://127.0.0.1:1/", SecretToken: "s"}); err != nil {
		t.Fatal(err)
	}
	err := w.client.Poll(t.Context(), func(context.Context, telegram.Update) error { return nil }, nil)
	if e := refusal(t, err); !e.Conflict() {
		t.Errorf("error %+v", e)
	}
	if err := w.client.DeleteWebhook(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.client.GetUpdates(t.Context(), 0, 0); err != nil {
		t.Errorf("polling after deleteWebhook: %v", err)
	}
}

func TestWebhookDeliversAndRedelivers(t *testing.T) {
	w := open(t, telegram.Limits{})
	const secret = "s3cret"
	status := http.StatusInternalServerError
	var texts []string
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !telegram.CheckSecret(r, secret) {
			rw.WriteHeader(http.StatusUnauthorized)
			return
		}
		u, err := telegram.ReadUpdate(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		if status == http.StatusOK {
			texts = append(texts, u.Message.Text)
		}
		rw.WriteHeader(status)
	}))
	t.Cleanup(hook.Close)
	if err := w.client.SetWebhook(t.Context(), telegram.Webhook{URL: hook.URL, SecretToken: secret}); err != nil {
		t.Fatal(err)
	}
	if _, got, err := w.server.Write(t.Context(), family, erik, "diskat", nil); err != nil || got != 500 {
		t.Fatalf("status %d, %v", got, err)
	}
	info, err := w.client.GetWebhookInfo(t.Context())
	if err != nil || info.PendingUpdates != 1 || !slices.Equal(info.AllowedUpdates, telegram.AllowedUpdates()) {
		t.Errorf("info %+v, %v", info, err)
	}
	status = http.StatusOK
	if left, err := w.server.Redeliver(t.Context()); left != 0 || err != nil || !slices.Equal(texts, []string{"diskat"}) {
		t.Errorf("%d left, %v, got %v", left, err, texts)
	}
	if err := w.client.SetWebhook(t.Context(), telegram.Webhook{URL: hook.URL, SecretToken: "not valid"}); err == nil {
		t.Error("a secret with a space was accepted")
	}
}

func TestReactionsReachAdministratorsOnly(t *testing.T) {
	w := open(t, telegram.Limits{})
	m, _, err := w.server.Write(t.Context(), family, erik, "diskat", nil)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := w.server.React(t.Context(), family, m.MessageID, anna, "👎"); !ok || err != nil {
		t.Errorf("as administrator: %t, %v", ok, err)
	}
	if err := w.server.SetMember(t.Context(), family, anna, w.server.Bot(), telegram.StatusMember); err != nil {
		t.Fatal(err)
	}
	if ok, err := w.server.React(t.Context(), family, m.MessageID, anna, "👍"); ok || err != nil {
		t.Errorf("as member: %t, %v", ok, err)
	}
	got, err := w.client.GetChatMember(t.Context(), family, w.server.Bot().ID)
	if err != nil || got.Status != telegram.StatusMember {
		t.Errorf("member %+v, %v", got, err)
	}
	if e := refusal(t, second(w.client.Send(t.Context(), telegram.SendMessage{ChatID: family, Text: "hej", Ephemeral: &telegram.Ephemeral{ReceiverUserID: erik.ID}}, telegram.Drop))); e.Description != "Bad Request: BOT_NOT_ADMIN" {
		t.Errorf("error %+v", e)
	}
}
