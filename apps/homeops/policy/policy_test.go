package policy_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// Of many workers that respond at the same moment, as many speak as the cooldown and the day allow.
func TestConcurrentResponsesKeepTheBudget(t *testing.T) {
	w := homeopstest.Open(t)
	w.Set(t, func(s *households.Settings) { s.AcknowledgeText = true })
	home := w.Home(t)
	var messages []homeopsdb.Message
	for range 6 {
		m := w.Message(homeopstest.Anna, "hej")
		w.Deliver(t, telegram.Update{Message: m})
		messages = append(messages, w.Stored(t, m))
	}
	for _, m := range messages {
		if _, err := w.DB.SaveDecision(t.Context(), homeopsdb.Decision{ChatID: m.ChatID, MessageID: m.MessageID, UserID: m.UserID, Kind: "chore",
			Events: []string{}, DecidedAt: w.Clock.Now(), ExpiresAt: m.ExpiresAt}); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	reasons := map[policy.Reason]int{}
	var all sync.WaitGroup
	for _, m := range messages {
		for range 2 { // each twice
			all.Go(func() {
				v, err := w.Policy.Respond(t.Context(), policy.Response{Home: home, Message: m, Meant: true, Confidence: 0.9, Activity: "dishes"})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				reasons[v.Reason]++
			})
		}
	}
	all.Wait()
	if reasons[policy.Spoke] != 2 || reasons[policy.Cooldown] != 10 { // one message, and its repetition
		t.Errorf("reasons %v", reasons)
	}
	day, err := w.DB.GetChatDay(t.Context(), home.ChatID, "2037-02-16")
	if err != nil || day.Responses != 1 {
		t.Errorf("counted %+v (%v)", day, err)
	}
}

func TestProposalsAreOncePerDayAndKey(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	propose := func(key string) policy.Reason {
		t.Helper()
		r, err := w.Policy.Propose(t.Context(), policy.Proposal{Home: home, OutKey: key, Kind: "reminder", Text: "Diskning finns kvar sedan igår.", UserID: homeopstest.Anna})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if a, b := propose("a"), propose("b"); a != policy.Spoke || b == policy.Spoke {
		t.Errorf("%s, %s", a, b)
	}
	w.Clock.Advance(24 * time.Hour)
	if a, b := propose("a"), propose("b"); a != policy.None || b != policy.Spoke {
		t.Errorf("the next day %s, %s", a, b)
	}
	w.Clock.Set(time.Date(2037, 2, 20, 22, 0, 0, 0, home.Zone()))
	if r := propose("c"); r != policy.QuietHours {
		t.Errorf("at night %s", r)
	}
	r, err := w.Policy.Propose(t.Context(), policy.Proposal{Home: home, OutKey: "d", Kind: "reminder", Text: "Du borde diska", UserID: homeopstest.Anna})
	if err != nil || r == policy.Spoke {
		t.Errorf("blame: %s (%v)", r, err)
	}
}

func TestPrivateMessagesHaveABudget(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	n := 0
	whisper := func(asked bool) policy.Reason {
		t.Helper()
		n++
		r, err := w.Policy.Whisper(t.Context(), policy.Whisper{Home: home, UserID: homeopstest.Anna, OutKey: fmt.Sprint(n), Kind: "hint", Text: "Hej.", Asked: asked})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := whisper(false); r != policy.NoChannel {
		t.Errorf("without a channel: %s", r)
	}
	if _, err := w.Households.OpenChannel(t.Context(), homeopstest.Anna, "42"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []policy.Reason{policy.Spoke, policy.Spoke, policy.DailyCap} {
		if r := whisper(false); r != want {
			t.Errorf("message %d: %s", i+1, r)
		}
	}
	if r := whisper(true); r != policy.Spoke {
		t.Errorf("asked for: %s", r)
	}
	w.Clock.Advance(7 * 24 * time.Hour)
	p, err := w.Households.Preferences(t.Context(), homeopstest.Anna)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.DB.LearnIgnoreRate(t.Context(), p.Key(), homeopsdb.LearnIgnoreRateParams{IgnoreRate: 0.51, IgnoreSamples: 10, UpdatedAt: w.Clock.Now(), Version: p.Version}); err != nil {
		t.Fatal(err)
	}
	if a, b := whisper(false), whisper(false); a != policy.Spoke || b != policy.DailyCap {
		t.Errorf("a member who ignores: %s, %s", a, b)
	}
	w.Clock.Set(time.Date(2037, 3, 4, 13, 0, 0, 0, home.Zone()))
	if _, err := w.Households.Choose(t.Context(), homeopstest.Anna, households.Choices{QuietFrom: new(12), QuietTo: new(14)}); err != nil {
		t.Fatal(err)
	}
	if r := whisper(false); r != policy.QuietHours {
		t.Errorf("in the member's own quiet hours: %s", r)
	}
}

func TestFrequencyCountsDaysWithoutMessages(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	w.Means("hej", understanding.Meaning{})
	for range 3 {
		w.Say(t, homeopstest.Anna, "hej")
	}
	for i, want := range []float64{3, 2.4, 1.92} {
		w.Clock.Set(time.Date(2037, 2, 17+i, 9, 0, 0, 0, home.Zone()))
		w.Step(t)
		w.Step(t) // a day counts once
		p, err := w.Households.Preferences(t.Context(), homeopstest.Anna)
		if err != nil || p.InteractionFrequency != want || p.FrequencySamples != int64(i+1) {
			t.Errorf("day %d: %v of %d (%v), want %v", i+1, p.InteractionFrequency, p.FrequencySamples, err, want)
		}
	}
}
