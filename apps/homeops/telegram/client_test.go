package telegram_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/telegram/telegramtest"
)

const token = "4000:SECRET-token_of_the_bot"

var (
	erik = telegram.User{ID: 7, FirstName: "Erik"}
	anna = telegram.User{ID: 8, FirstName: "Anna"}
)

const family = -12

// A world is a Bot API server, a client and a clock that only waiting moves.
type world struct {
	server *telegramtest.Server
	client *telegram.Client
	now    time.Time
	waits  []time.Duration
}

func open(t *testing.T, limits telegram.Limits) *world {
	t.Helper()
	w := &world{now: time.Date(2026, 2, 17, 10, 30, 0, 0, time.UTC)}
	clock := func() time.Time { return w.now }
	w.server = telegramtest.New(telegramtest.Options{Token: token, Now: clock, Limits: limits})
	web := httptest.NewServer(w.server)
	t.Cleanup(web.Close)
	w.server.AddGroup(family, "Hemma", telegram.StatusAdministrator, erik, anna)
	w.server.AddPrivate(erik)
	client, err := telegram.New(telegram.Options{Token: token, BaseURL: web.URL, Now: clock, Sleep: func(_ context.Context, d time.Duration) error {
		w.waits = append(w.waits, d)
		w.now = w.now.Add(d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.client = client
	return w
}

func refusal(t *testing.T, err error) *telegram.Error {
	t.Helper()
	var refused *telegram.Error
	if !errors.As(err, &refused) {
		t.Fatalf("error %v is no *telegram.Error", err)
	}
	return refused
}

func TestSendRepliesAndShowsButtons(t *testing.T) {
	w := open(t, telegram.Limits{})
	said, _, err := w.server.Write(t.Context(), family, erik, "jag har diskat", nil)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := w.client.Send(t.Context(), telegram.SendMessage{
		ChatID: family, Text: "Menade du diskning?",
		ReplyParameters: &telegram.ReplyParameters{MessageID: said.MessageID, AllowSendingWithoutReply: true},
		ReplyMarkup:     &telegram.InlineKeyboard{Rows: [][]telegram.Button{{{Text: "Ja", CallbackData: "yes"}, {Text: "Nej", CallbackData: "no"}}}},
		Ephemeral:       &telegram.Ephemeral{ReceiverUserID: erik.ID},
	}, telegram.Drop)
	if err != nil {
		t.Fatal(err)
	}
	if sent.MessageID != 0 || sent.EphemeralMessageID == 0 || sent.ReplyToMessage.MessageID != said.MessageID {
		t.Errorf("sent %+v", sent)
	}
	query, err := w.server.Press(t.Context(), family, sent.EphemeralMessageID, erik, "yes")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.client.AnswerCallback(t.Context(), query, "Noterat ✓"); err != nil {
		t.Fatal(err)
	}
	if text, ok := w.server.Answer(query); !ok || text != "Noterat ✓" {
		t.Errorf("answer %q, %t", text, ok)
	}
	if err := w.client.EditEphemeral(t.Context(), telegram.EphemeralEdit{ChatID: family, ReceiverUserID: erik.ID, EphemeralMessageID: sent.EphemeralMessageID, Text: "Noterat ✓"}); err != nil {
		t.Error(err)
	}
	waited := len(w.waits)
	if err := w.client.React(t.Context(), family, said.MessageID, telegram.Emoji("✍")); err != nil || len(w.server.Reactions(family, said.MessageID)) != 1 {
		t.Errorf("reaction: %v", err)
	}
	if len(w.waits) != waited+1 {
		t.Errorf("a reaction within a second of a message waited %v", w.waits)
	}
}

func TestAnOldCallbackQueryIsNoError(t *testing.T) {
	w := open(t, telegram.Limits{})
	if err := w.client.AnswerCallback(t.Context(), "expired", "x"); err != nil {
		t.Error(err)
	}
}

func TestSendToAChatThatMoved(t *testing.T) {
	w := open(t, telegram.Limits{})
	if err := w.server.Migrate(t.Context(), family, -1001); err != nil {
		t.Fatal(err)
	}
	_, err := w.client.Send(t.Context(), telegram.SendMessage{ChatID: family, Text: "hej"}, telegram.Drop)
	if e := refusal(t, err); e.Code != 400 || e.MigrateTo != -1001 || e.Unreachable() {
		t.Errorf("error %+v", e)
	}
	if _, err := w.client.Send(t.Context(), telegram.SendMessage{ChatID: -1001, Text: "hej"}, telegram.Drop); err != nil {
		t.Error(err)
	}
}

func TestUnreachableChats(t *testing.T) {
	w := open(t, telegram.Limits{})
	if err := w.server.SetMember(t.Context(), erik.ID, erik, w.server.Bot(), telegram.StatusKicked); err != nil {
		t.Fatal(err)
	}
	for chat, code := range map[int64]int{erik.ID: 403, anna.ID: 400} {
		_, err := w.client.Send(t.Context(), telegram.SendMessage{ChatID: chat, Text: "hej"}, telegram.Wait)
		if e := refusal(t, err); e.Code != code || !e.Unreachable() {
			t.Errorf("chat %d: %+v", chat, e)
		}
	}
	if n := len(w.server.Calls("sendMessage")); n != 2 {
		t.Errorf("%d calls for two messages that cannot be delivered", n)
	}
}

func TestThrottledMessagesAreDroppedOrWaitOnce(t *testing.T) {
	w := open(t, telegram.Limits{})
	m := telegram.SendMessage{ChatID: family, Text: "hej"}
	w.server.Fail(telegramtest.Fault{Method: "sendMessage", Status: 429, RetryAfter: 17})
	if e := refusal(t, second(w.client.Send(t.Context(), m, telegram.Drop))); !e.Throttled() || e.RetryAfter != 17*time.Second {
		t.Errorf("error %+v", e)
	}
	if e := refusal(t, second(w.client.Send(t.Context(), m, telegram.Drop))); e.RetryAfter != 17*time.Second || len(w.server.Calls("sendMessage")) != 1 {
		t.Errorf("a closed chat was called: %+v", e)
	}
	if err := second(w.client.Send(t.Context(), m, telegram.Wait)); err != nil || w.waits[0] != 17*time.Second {
		t.Errorf("error %v after %v", err, w.waits)
	}
	w.server.Fail(telegramtest.Fault{Method: "sendMessage", Status: 429, RetryAfter: 3})
	w.server.Fail(telegramtest.Fault{Method: "sendMessage", Status: 429, RetryAfter: 3})
	before := len(w.server.Calls("sendMessage"))
	if e := refusal(t, second(w.client.Send(t.Context(), m, telegram.Wait))); !e.Throttled() || len(w.server.Calls("sendMessage")) != before+2 {
		t.Errorf("error %+v after %d calls, want 2", e, len(w.server.Calls("sendMessage"))-before)
	}
	w.now = w.now.Add(time.Minute)
	w.server.Fail(telegramtest.Fault{Method: "sendMessage", Status: 429, RetryAfter: 61})
	if e := refusal(t, second(w.client.Send(t.Context(), m, telegram.Wait))); e.RetryAfter != 61*time.Second {
		t.Errorf("a wait above the limit: %+v", e)
	}
}

func second[T any](_ T, err error) error { return err }

// TestClientKeepsTheLimits sends as fast as the client allows to a server with the same limits.
func TestClientKeepsTheLimits(t *testing.T) {
	w := open(t, telegram.DefaultLimits)
	start := w.now
	for i := range 25 {
		if err := second(w.client.Send(t.Context(), telegram.SendMessage{ChatID: family, Text: fmt.Sprint(i)}, telegram.Wait)); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
	if n := len(w.server.Calls("sendMessage")); n != 25 {
		t.Errorf("%d calls for 25 messages: the server refused some", n)
	}
	if took := w.now.Sub(start); took < 60*time.Second || took > 65*time.Second {
		t.Errorf("25 messages to a group took %s; 20 fit in a minute", took)
	}
}

func TestLimitOverAllChats(t *testing.T) {
	w := open(t, telegram.Limits{})
	for i := range int64(31) {
		p := telegram.User{ID: 100 + i}
		w.server.AddPrivate(p)
		err := second(w.client.Send(t.Context(), telegram.SendMessage{ChatID: p.ID, Text: "hej"}, telegram.Drop))
		if err != nil || i < 30 && len(w.waits) != 0 || i == 30 && len(w.waits) != 1 {
			t.Errorf("message %d: %v after %v", i+1, err, w.waits)
		}
	}
}

// An acknowledgement waits for the interval between two messages, and not for the minute of a
// group.
func TestDroppedMessagesWaitForTheIntervalOnly(t *testing.T) {
	w := open(t, telegram.DefaultLimits)
	for i := range 21 {
		err := second(w.client.Send(t.Context(), telegram.SendMessage{ChatID: family, Text: "hej"}, telegram.Drop))
		if i < 20 && (err != nil || len(w.waits) != i) || i == 20 && !refusal(t, err).Throttled() {
			t.Errorf("message %d: %v after %d waits", i+1, err, len(w.waits))
		}
	}
}

func TestFailuresAreNotSentAgain(t *testing.T) {
	w := open(t, telegram.Limits{})
	for _, f := range []telegramtest.Fault{{Status: 500}, {Status: 502}, {Malformed: true}} {
		before := len(w.server.Calls("sendMessage"))
		w.server.Fail(f)
		w.now = w.now.Add(time.Minute)
		e := refusal(t, second(w.client.Send(t.Context(), telegram.SendMessage{ChatID: family, Text: "hej"}, telegram.Wait)))
		if !e.Temporary() || len(w.server.Calls("sendMessage")) != before+1 {
			t.Errorf("%+v: error %+v after %d calls", f, e, len(w.server.Calls("sendMessage"))-before)
		}
	}
}

func TestTextLimits(t *testing.T) {
	w := open(t, telegram.Limits{})
	fits := strings.Repeat("🎉", telegram.MaxText/2)
	if err := second(w.client.Send(t.Context(), telegram.SendMessage{ChatID: family, Text: fits}, telegram.Drop)); err != nil {
		t.Error(err)
	}
	for _, text := range []string{fits + "x", ""} {
		if err := second(w.client.Send(t.Context(), telegram.SendMessage{ChatID: family, Text: text}, telegram.Drop)); !errors.Is(err, telegram.ErrTooLong) {
			t.Errorf("%d units: %v", telegram.Length(text), err)
		}
	}
	if n := len(w.server.Calls("sendMessage")); n != 1 {
		t.Errorf("%d calls", n)
	}
}

func TestEditOfTheSameTextIsNoError(t *testing.T) {
	w := open(t, telegram.Limits{})
	sent, err := w.client.Send(t.Context(), telegram.SendMessage{ChatID: family, Text: "hej"}, telegram.Drop)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"hej", "Ändrat ✓"} {
		if err := w.client.EditText(t.Context(), telegram.Edit{ChatID: family, MessageID: sent.MessageID, Text: text}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if all := w.server.Messages(family); all[len(all)-1].Text != "Ändrat ✓" {
		t.Errorf("messages %+v", all)
	}
}

// TestTokenStaysSecret provokes every kind of error and formats the client.
func TestTokenStaysSecret(t *testing.T) {
	w := open(t, telegram.Limits{})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	refused, err := telegram.New(telegram.Options{Token: token, BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	noURL, err := telegram.New(telegram.Options{Token: token, BaseURL: "http://a b"})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range []*telegram.Client{w.client, refused, noURL} {
		_, err := c.GetMe(canceled)
		texts = append(texts, fmt.Sprint(err), fmt.Sprintf("%v %+v %#v", c, c, c))
		if c != w.client {
			_, err = c.GetMe(t.Context())
			texts = append(texts, fmt.Sprint(err))
		}
	}
	if _, err := w.client.GetMe(canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v hides that the context was canceled", err)
	}
	for _, text := range texts {
		if strings.Contains(text, "SECRET") {
			t.Errorf("the token is in %q", text)
		}
	}
}

func TestNewRejectsTokensThatAreNone(t *testing.T) {
	for _, bad := range []string{"", "a b", "a/b", "a\nb", "å"} {
		if _, err := telegram.New(telegram.Options{Token: bad}); err == nil || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("token %q: %v", bad, err)
		}
	}
}

func TestSecretOfTheWebhook(t *testing.T) {
	for _, c := range []struct {
		headers []string
		secret  string
		want    bool
	}{
		{[]string{"s3cret"}, "s3cret", true},
		{[]string{"s3cre"}, "s3cret", false},
		{[]string{"s3cret "}, "s3cret", false},
		{nil, "s3cret", false},
		{[]string{""}, "", false},
		{[]string{"s3cret", "s3cret"}, "s3cret", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/webhook", nil)
		for _, h := range c.headers {
			r.Header.Add(telegram.SecretHeader, h)
		}
		if got := telegram.CheckSecret(r, c.secret); got != c.want {
			t.Errorf("%q against %q: %t", c.headers, c.secret, got)
		}
	}
	for secret, want := range map[string]bool{"": false, "a": true, strings.Repeat("a", 256): true, strings.Repeat("a", 257): false, "a.b": false, "A-z_9": true} {
		if got := telegram.ValidSecret(secret); got != want {
			t.Errorf("ValidSecret(%.10q) = %t", secret, got)
		}
	}
}
