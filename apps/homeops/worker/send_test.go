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
	"sortkey.dev/apps/homeops/worker"
)

// refuseFirst refuses the first n messages.
func refuseFirst(n int, err error) func(telegram.SendMessage) error {
	return func(telegram.SendMessage) error {
		if n--; n >= 0 {
			return err
		}
		return nil
	}
}

func outcome(t *testing.T, w *homeopstest.World, key string) homeopsdb.BotMessageOutcome {
	t.Helper()
	m, err := w.DB.GetBotMessage(t.Context(), homeopstest.ChatID(chat), key)
	if err != nil {
		t.Fatal(err)
	}
	return m.Outcome
}

func TestRateLimitDropsAcknowledgementsAndRetriesReminders(t *testing.T) {
	limit := &worker.SendError{RetryAfter: 3 * time.Second, Cause: errors.New("429")}
	w := open(t)
	w.Telegram.Refuse = refuseFirst(1, limit)
	w.Say(t, anna, "Jag har diskat")
	wantTexts(t, w, chat)
	remind := func(key string) {
		t.Helper()
		w.Clock.Advance(24 * time.Hour)
		r, err := w.Policy.Propose(t.Context(), policy.Proposal{Home: w.Home(t), OutKey: key, Kind: "reminder", Text: "Diskning finns kvar.", UserID: anna})
		if err != nil || r != policy.Spoke {
			t.Fatalf("propose: %s (%v)", r, err)
		}
		w.Step(t)
	}
	w.Telegram.Refuse = refuseFirst(1, limit)
	remind("once")
	if got := outcome(t, w, "once"); got != "waiting" {
		t.Errorf("after one refusal: %s", got)
	}
	w.Telegram.Refuse = refuseFirst(2, limit)
	remind("twice")
	if got := outcome(t, w, "twice"); got != "failed" {
		t.Errorf("after two refusals: %s", got)
	}
	w.Telegram.Refuse = refuseFirst(1, errors.New("connection reset"))
	remind("lost")
	if got := outcome(t, w, "lost"); got != "failed" {
		t.Errorf("after a failure: %s", got)
	}
	wantTexts(t, w, chat, "Diskning finns kvar.")
}

func TestSendingToAMovedChatMovesTheHousehold(t *testing.T) {
	w := open(t)
	w.Telegram.Refuse = refuseFirst(1, &worker.SendError{MovedTo: -555, Cause: errors.New("400")})
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
