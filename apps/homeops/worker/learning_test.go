package worker_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// pantade is the meaning of a word that the household has to teach.
func pantade(m understanding.Message) understanding.Meaning {
	confidence, id := 0.6, understanding.ActivityID("bottles")
	for _, word := range m.Vocabulary {
		if word.Surface == "pantade" {
			confidence, id = 0.9, word.Activity
		}
	}
	meaning := homeopstest.Did(id, understanding.Low, confidence)
	meaning.Activities[0].Surface = "pantade"
	return meaning
}

func aliases(t *testing.T, w *homeopstest.World) []string {
	t.Helper()
	var all []string
	for _, a := range w.Home(t).Aliases {
		all = append(all, fmt.Sprintf("%s=%s %s %d", a.Alias, a.CanonicalActivity, a.Source, a.Confirmations))
	}
	return all
}

func TestVector10ClarificationTeaches(t *testing.T) {
	ask := func(t *testing.T) *homeopstest.World {
		w := open(t)
		w.MeansBy("pantade", pantade)
		w.Means("jag handlade", homeopstest.Did("shopping", understanding.Medium, 0.9))
		w.Say(t, anna, "pantade")
		wantTexts(t, w, chat, "Menade du pantning?")
		w.Clock.Advance(time.Minute)
		return w
	}
	t.Run("ja", func(t *testing.T) {
		w := ask(t)
		w.Reply(t, anna, "ja")
		if got := aliases(t, w); !slices.Equal(got, []string{"pantade=bottles learned 1"}) {
			t.Errorf("learned %q", got)
		}
		w.Clock.Advance(time.Hour)
		w.Say(t, anna, "pantade")
		wantTexts(t, w, chat, "Menade du pantning?", "Noterat ✓")
	})
	t.Run("nej, jag handlade", func(t *testing.T) {
		w := ask(t)
		w.Reply(t, anna, "nej, jag handlade")
		if got := aliases(t, w); !slices.Equal(got, []string{"pantade=shopping corrected 1"}) {
			t.Errorf("learned %q", got)
		}
		if e := w.Events(t); len(e) != 1 || e[0].Activity != "shopping" || e[0].Origin != "corrected" {
			t.Errorf("the log has %+v", e)
		}
	})
	for reply, events := range map[string]int{"nej": 0, "nähä": 1, "kanske": 1, "nämen": 1, "Vad ska vi äta?": 1} {
		t.Run(reply, func(t *testing.T) {
			w := ask(t)
			w.Reply(t, anna, reply)
			if got, n := aliases(t, w), len(w.Events(t)); len(got) != 0 || n != events {
				t.Errorf("learned %q, %d events", got, n)
			}
		})
	}
	t.Run("another member", func(t *testing.T) {
		w := ask(t)
		w.Reply(t, erik, "nej")
		if n := len(w.Events(t)); n != 1 {
			t.Errorf("%d events", n)
		}
	})
	t.Run("a day later", func(t *testing.T) {
		w := ask(t)
		w.Clock.Advance(24 * time.Hour)
		w.Reply(t, anna, "ja")
		if got := aliases(t, w); len(got) != 0 {
			t.Errorf("learned %q", got)
		}
	})
	t.Run("button", func(t *testing.T) {
		w := open(t)
		admin(t, w)
		w.MeansBy("pantade", pantade)
		w.Say(t, anna, "pantade")
		sent := w.Telegram.Sent()[0]
		if sent.Ephemeral == nil || sent.Ephemeral.ReceiverUserID != anna {
			t.Errorf("an administrator asks %+v", sent)
		}
		for _, presser := range []int64{erik, anna} {
			press(t, w, presser, sent)
			if got := len(aliases(t, w)); got != map[int64]int{erik: 0, anna: 1}[presser] {
				t.Errorf("after %d pressed: %d words", presser, got)
			}
		}
	})
}

// press delivers that a person pressed the first button of a message in the group, and runs what follows.
func press(t *testing.T, w *homeopstest.World, presser int64, sent telegram.SendMessage) {
	t.Helper()
	w.Deliver(t, telegram.Update{CallbackQuery: &telegram.CallbackQuery{
		ID: "1", From: *homeopstest.User(presser), Data: sent.ReplyMarkup.Rows[0][0].CallbackData,
		Message: &telegram.Message{Chat: telegram.Chat{ID: chat}},
	}})
	w.Step(t)
}

// A question stays in the chat after the member whom it asks has left or paused.
func TestButtonOfAPersonWhoIsNotRecordedDoesNothing(t *testing.T) {
	for name, stop := range map[string]func(t *testing.T, w *homeopstest.World) error{
		"left": func(t *testing.T, w *homeopstest.World) error {
			return w.Households.Leave(t.Context(), w.Home(t).HouseholdID, erik)
		},
		"paused": func(t *testing.T, w *homeopstest.World) error { return w.Households.Pause(t.Context(), erik) },
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			admin(t, w)
			w.MeansBy("pantade", pantade)
			w.Say(t, erik, "pantade")
			if err := stop(t, w); err != nil {
				t.Fatal(err)
			}
			press(t, w, erik, w.Telegram.Sent()[0])
			home, err := w.Households.ByChat(t.Context(), homeopstest.ChatID(chat))
			if err != nil || len(home.Aliases) != 0 {
				t.Errorf("learned %+v (%v)", home.Aliases, err)
			}
		})
	}
}

// An expression that is too long to be a word of the household is not learned. The answer counts all
// the same.
func TestAnswerAboutALongExpressionIsTaken(t *testing.T) {
	long := "carried all the empty bottles of the summer to the machine in the shop"
	meaning := homeopstest.Did("bottles", understanding.Low, 0.3)
	meaning.Activities[0].Surface = long
	for answer, want := range map[string]string{"ja": "bottles", "nej, jag handlade": "shopping"} {
		t.Run(answer, func(t *testing.T) {
			w := open(t)
			w.Means(long, meaning)
			w.Means("jag handlade", homeopstest.Did("shopping", understanding.Medium, 0.9))
			m := w.Message(anna, "@homeops_bot "+long)
			m.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Offset: 0, Length: 12}}
			w.Deliver(t, telegram.Update{Message: m})
			w.Step(t)
			wantTexts(t, w, chat, "Menade du pantning?")
			w.Reply(t, anna, answer)
			for range 3 { // a failed job is tried again
				w.Clock.Advance(10 * time.Minute)
				w.Step(t)
			}
			if e := w.Events(t); len(e) != 1 || e[0].Activity != want {
				t.Errorf("the log has %+v", e)
			}
		})
	}
}

// Vector 11: an average loses no sample of concurrent writes.
func TestVector11ConcurrentSamples(t *testing.T) {
	w := open(t)
	home := w.Home(t)
	for i, effort := range []homeopsdb.EventEffort{"low", "medium", "medium", "high", "medium"} {
		if _, err := w.Ledger.Add(t.Context(), home, anna, entry("dishes", "chore", effort, w.Clock.Now())); err != nil {
			t.Fatal(err)
		}
		e, err := w.DB.GetEffort(t.Context(), home.HouseholdID, anna, "dishes")
		if want := []float64{1, 1.3, 1.51, 1.957, 1.9699}[i]; err != nil || e.Ema != want || e.SampleCount != int64(i+1) {
			t.Errorf("sample %d: %+v (%v), want %v", i+1, e, err, want)
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := w.Ledger.Add(t.Context(), home, anna, entry("dishes", "chore", "medium", w.Clock.Now())); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if e, err := w.DB.GetEffort(t.Context(), home.HouseholdID, anna, "dishes"); err != nil || e.SampleCount != 9 {
		t.Errorf("%d samples (%v)", e.SampleCount, err)
	}
	if h, err := w.DB.GetHabit(t.Context(), anna, home.HouseholdID, "dishes"); err != nil || h.TotalCount != 9 || h.Weekdays[0] != 9 || h.Hours[10] != 9 {
		t.Errorf("habit %+v (%v)", h, err)
	}
}

func TestVector12IgnoreRate(t *testing.T) {
	w := open(t)
	admin(t, w)
	say := func() string {
		w.Clock.Set(homeops.NextAt(w.Clock.Now(), zone, 10, -1)) // the next day
		w.Step(t)
		return w.Reason(t, w.Say(t, anna, "Jag har diskat"))
	}
	rate := func() (float64, int64) {
		p, err := w.Households.Preferences(t.Context(), anna)
		if err != nil {
			t.Fatal(err)
		}
		return p.IgnoreRate, p.IgnoreSamples
	}
	say()
	w.Clock.Advance(29 * time.Minute)
	w.Reply(t, anna, "tack")
	w.Clock.Advance(time.Hour)
	w.Step(t)
	if r, n := rate(); r != 0 || n != 1 {
		t.Errorf("answered: %v of %d", r, n)
	}
	for range 6 {
		say()
		w.Clock.Advance(30 * time.Minute)
		w.Step(t)
	}
	if r, n := rate(); r != 0.7378 || n != 7 {
		t.Errorf("after six ignored: %v of %d", r, n)
	}
	for n := 7; n < 10; n++ {
		if reason := say(); reason != "spoke" {
			t.Errorf("with %d samples: %s", n, reason)
		}
		w.Clock.Advance(30 * time.Minute)
		w.Step(t)
	}
	if reason := say(); reason != "preference_suppressed" {
		r, n := rate()
		t.Errorf("with %d samples of %v: %s", n, r, reason)
	}
	// Without reactions, silence says nothing.
	other := open(t)
	other.Say(t, erik, "Jag har diskat")
	other.Clock.Advance(31 * time.Minute)
	other.Step(t)
	if p, err := other.Households.Preferences(t.Context(), erik); err != nil || p.IgnoreSamples != 0 {
		t.Errorf("%d samples without reactions (%v)", p.IgnoreSamples, err)
	}
}

// Vector 13.
func TestVector13RedeliveryLogsAndAnswersOnce(t *testing.T) {
	w := open(t)
	m := w.Message(anna, "Jag har diskat")
	for range 3 {
		w.Deliver(t, telegram.Update{Message: m})
		w.Step(t)
	}
	if n := len(w.Events(t)); n != 1 {
		t.Errorf("%d events", n)
	}
	wantTexts(t, w, chat, "Noterat ✓")
}

// Vector 18.
func TestVector18Erasure(t *testing.T) {
	w := open(t)
	admin(t, w)
	home := w.Home(t)
	w.MeansBy("pantade", pantade)
	w.Means("Jag tar disken sen", homeopstest.Promised("dishes", homeopstest.Start.Add(time.Hour)))
	w.Means("radera mina data", understanding.Meaning{Requests: []understanding.Request{{Kind: understanding.Erase, Confidence: 0.95}}})
	for _, userID := range []int64{anna, erik} {
		w.Deliver(t, telegram.Update{Message: w.Private(userID, "/start")})
		w.Say(t, userID, "Jag har städat hela lägenheten")
		w.Say(t, userID, "Jag tar disken sen")
		w.Clock.Advance(time.Hour)
		w.Say(t, userID, "pantade")
	}
	if err := w.Insights.CloseWeek(t.Context(), home.HouseholdID, homeops.Week(w.Clock.Now(), zone)); err != nil {
		t.Fatal(err)
	}
	if x, err := w.Households.Export(t.Context(), anna); err != nil || len(x.Messages) != 4 || len(x.Events) != 2 || len(x.Promises) != 1 || len(x.Efforts) != 2 ||
		len(x.Habits) != 2 || len(x.Weeks) != 1 || len(x.Memberships) != 1 || len(x.BotMessages) == 0 || x.Profile.DisplayName != "Anna" {
		t.Errorf("export %+v (%v)", x, err)
	}
	before, err := w.Households.Export(t.Context(), erik)
	if err != nil {
		t.Fatal(err)
	}
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "radera mina data")})
	w.Step(t)
	if said := w.Telegram.Texts(anna); said[len(said)-1] != "Allt om dig raderas nu." {
		t.Errorf("the bot said %q", said)
	}
	if _, err := w.Households.Profile(t.Context(), anna); err != nil {
		t.Errorf("erased before the answer can be sent: %v", err)
	}
	w.Clock.Advance(homeops.EraseAfter)
	w.Step(t)
	x, err := w.Households.Export(t.Context(), anna)
	if err != nil || len(x.Messages)+len(x.Events)+len(x.Promises)+len(x.Efforts)+len(x.Habits)+len(x.Words)+len(x.Weeks)+len(x.Memberships)+len(x.BotMessages) != 0 || x.Profile.UserID != 0 {
		t.Errorf("after erasure %+v (%v)", x, err)
	}
	if !households.Paused(x.Preferences, w.Clock.Now()) || x.Preferences.IgnoreSamples != 0 {
		t.Errorf("preferences %+v", x.Preferences)
	}
	week := homeops.Week(w.Clock.Now(), zone)
	if balances, err := w.DB.ListBalances(home.HouseholdID, anna, erik).Slice(t.Context()); err != nil || len(balances) != 0 {
		t.Errorf("balances of %s: %+v (%v)", week, balances, err)
	}
	after, err := w.Households.Export(t.Context(), erik)
	if err != nil || len(after.Messages) != len(before.Messages) || len(after.Events) != len(before.Events) || len(after.Promises) != len(before.Promises) || len(after.Weeks) != 1 {
		t.Errorf("Erik has %+v (%v), had %+v", after, err, before)
	}
	if got := w.Deliver(t, telegram.Update{Message: w.Message(anna, "Jag har diskat")}); got != "ignored" {
		t.Errorf("after erasure a message is %s", got)
	}
}
