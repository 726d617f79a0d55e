package worker_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// refuse refuses all messages.
func refuse(err error) func(telegram.SendMessage, telegram.Delivery) error {
	return func(telegram.SendMessage, telegram.Delivery) error { return err }
}

func outcome(t *testing.T, w *homeopstest.World, key string) homeopsdb.BotMessageOutcome {
	t.Helper()
	m, err := w.DB.GetBotMessage(t.Context(), homeopstest.ChatID(chat), key)
	if err != nil {
		t.Fatal(err)
	}
	return m.Outcome
}

// Acknowledgements do not wait for a rate limit, reminders do. A message that failed is not sent
// again.
func TestRefusedMessagesAreNotRepeated(t *testing.T) {
	w := open(t)
	var deliveries []telegram.Delivery
	w.Telegram.Refuse = func(_ telegram.SendMessage, d telegram.Delivery) error {
		deliveries = append(deliveries, d)
		return &telegram.Error{Code: 429, RetryAfter: 3 * time.Second}
	}
	w.Say(t, anna, "Jag har diskat")
	remind := func(key string) {
		t.Helper()
		w.Clock.Advance(24 * time.Hour)
		r, err := w.Policy.Propose(t.Context(), policy.Proposal{Home: w.Home(t), OutKey: key, Kind: "reminder", Text: "Diskning finns kvar.", UserID: anna})
		if err != nil || r != policy.Spoke {
			t.Fatalf("propose: %s (%v)", r, err)
		}
		w.Step(t)
	}
	remind("limited")
	if got := outcome(t, w, "limited"); got != "failed" {
		t.Errorf("after a rate limit: %s", got)
	}
	w.Telegram.Refuse = refuse(errors.New("connection reset"))
	remind("lost")
	if got := outcome(t, w, "lost"); got != "failed" {
		t.Errorf("after a failure: %s", got)
	}
	w.Telegram.Refuse = nil
	remind("sent")
	if got := outcome(t, w, "sent"); got != "waiting" {
		t.Errorf("sent: %s", got)
	}
	wantTexts(t, w, chat, "Diskning finns kvar.")
	if !slices.Equal(deliveries, []telegram.Delivery{telegram.Drop, telegram.Wait}) {
		t.Errorf("deliveries %v", deliveries)
	}
}

func TestSendingToAMovedChatMovesTheHousehold(t *testing.T) {
	w := open(t)
	w.Telegram.Refuse = refuse(&telegram.Error{Code: 400, MigrateTo: -555})
	w.Say(t, anna, "Jag har diskat")
	home, err := w.Households.ByChat(t.Context(), homeopstest.ChatID(chat))
	if err != nil || home.ChatID != "-555" || !slices.Equal(home.Chats(), []string{"-555", homeopstest.ChatID(chat)}) {
		t.Errorf("the household is in %v (%v)", home.Chats(), err)
	}
}

// A message that is in the hands of a worker that crashed is not sent again.
func TestPossiblySentMessagesAreNotRepeated(t *testing.T) {
	w := open(t)
	home := w.Home(t)
	if _, err := w.Policy.Propose(t.Context(), policy.Proposal{Home: home, OutKey: "x", Kind: "reminder", Text: "Diskning finns kvar.", UserID: anna}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := w.Policy.BeginSending(t.Context(), home.ChatID, "x"); err != nil || !ok {
		t.Fatalf("begin: %v (%v)", ok, err)
	}
	w.Step(t)
	wantTexts(t, w, chat)
	if got := outcome(t, w, "x"); got != "sending" {
		t.Errorf("it is %s", got)
	}
}

// The sweep finds overdue promises whose job was lost.
func TestSweepFindsLostPromises(t *testing.T) {
	w := open(t)
	home := w.Home(t)
	if err := w.Worker.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Step(t)
	now := w.Clock.Now()
	p, err := w.DB.MakePromise(t.Context(), homeopsdb.Promise{
		PromiseID: homeops.PromiseID(home.ChatID, 1, "dishes", 0, now), HouseholdID: home.HouseholdID, UserID: anna, ChatID: home.ChatID, Activity: "dishes",
		Deadline: now.Add(time.Minute), CreatedAt: now, UpdatedAt: now, ExpiresAt: now.AddDate(1, 0, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	w.Step(t)
	if got := w.Telegram.Texts(chat); len(got) != 1 {
		t.Errorf("the bot said %q", got)
	}
	w.Clock.Advance(49 * time.Hour)
	w.Step(t)
	if got, err := w.Promises.Get(t.Context(), anna, p.PromiseID); err != nil || got.Status != "expired" {
		t.Errorf("the promise is %s (%v)", got.Status, err)
	}
}

// A member who asks for their week in the group and did not open the private chat is told how.
func TestWishForAWeekLeadsToThePrivateChat(t *testing.T) {
	w := open(t)
	w.Means("summering", understanding.Meaning{Requests: []understanding.Request{{Kind: understanding.Summary, Confidence: 0.95}}})
	ask := func() {
		m := w.Message(anna, "@homeops_bot summering")
		m.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Length: 12}}
		w.Deliver(t, telegram.Update{Message: m})
		w.Step(t)
	}
	ask()
	wantTexts(t, w, chat, "Skriv /start till mig privat för en egen veckovy: https://t.me/homeops_bot?start=onboard")
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "/start")})
	w.Step(t)
	ask()
	if said := w.Telegram.Texts(anna); len(said) != 2 {
		t.Errorf("in private Anna got %q", said)
	}
	if said := w.Telegram.Texts(chat); len(said) != 1 {
		t.Errorf("the group got %q", said)
	}
}
