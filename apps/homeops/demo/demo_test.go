package demo

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/rules"
)

// A hook is a webhook that keeps the messages.
type hook struct {
	mutex    sync.Mutex
	messages []telegram.Message
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if u, err := telegram.ReadUpdate(r.Body); err == nil && u.Message != nil {
		h.mutex.Lock()
		h.messages = append(h.messages, *u.Message)
		h.mutex.Unlock()
	}
	w.WriteHeader(http.StatusOK)
}

func (h *hook) all() []telegram.Message {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return slices.Clone(h.messages)
}

var now = time.Date(2026, time.November, 17, 14, 30, 0, 0, time.UTC) // a Tuesday

// run plays the demo for a number of pauses, in a room of its own.
func run(t *testing.T, memory string, at time.Time, pauses int) (h *hook, settled map[int64][]access.Week) {
	t.Helper()
	h, settled = new(hook), make(map[int64][]access.Week)
	room, err := chatroom.New(chatroom.Options{Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	if err := room.Connect(t.Context(), h, "secret"); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	err = Play(t.Context(), Options{
		Room: room, Seed: 1, Memory: memory, Now: func() time.Time { return at },
		Settle: func(_ context.Context, chatID int64, weeks []access.Week) error {
			settled[chatID] = weeks
			return nil
		},
		Sleep: func(context.Context, time.Duration) error {
			if pauses--; pauses < 0 {
				return stop
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h, settled
}

func TestThePastIsWrittenOnceAndNoSentenceTwice(t *testing.T) {
	memory := filepath.Join(t.TempDir(), "demo.json")
	first, settled := run(t, memory, now, 120)
	want := []access.Week{"2026-W41", "2026-W42", "2026-W43", "2026-W44", "2026-W45", "2026-W46"}
	if len(settled) != 2 || !slices.Equal(settled[-7001], want) || !slices.Equal(settled[-7002], want) {
		t.Errorf("settled %v", settled)
	}
	type message struct {
		chat, id int64
		live     string
	}
	known := make(map[message]bool)
	old, live := 0, 0
	for _, m := range first.all() {
		key := message{chat: m.Chat.ID, id: m.MessageID}
		if m.Date.Before(now.Add(-homeops.LateAfter)) {
			old++
		} else if live++; m.Chat.Type != telegram.Private && m.Text != "" {
			known[message{live: m.From.FirstName + m.Text}] = true
		}
		if known[key] {
			t.Errorf("message %d of chat %d is written twice", m.MessageID, m.Chat.ID)
		}
		known[key] = true
	}
	if old < 400 || live < 60 {
		t.Errorf("%d messages of the past, %d live ones", old, live)
	}
	again, settledAgain := run(t, memory, now.Add(3*time.Minute), 60)
	if len(settledAgain) != 0 {
		t.Error("the past is settled again")
	}
	shown := 0
	for _, m := range again.all() {
		switch key := (message{chat: m.Chat.ID, id: m.MessageID}); {
		case m.Date.Before(now.Add(-homeops.LateAfter)):
			if shown++; !known[key] {
				t.Errorf("after the restart the past has another message: %s %q", m.Date, m.Text)
			}
		case known[key]:
			t.Errorf("after the restart message %d of chat %d has the id of another", m.MessageID, m.Chat.ID)
		case known[message{live: m.From.FirstName + m.Text}]:
			t.Errorf("after the restart %s writes %q again", m.From.FirstName, m.Text)
		}
	}
	if shown != 2*recent {
		t.Errorf("the chat shows %d messages of the past", shown)
	}
}

// TestSentencesMeanWhatTheDemoNeeds checks that the rules understand what the households write:
// the routine without a question, and of the live lines some that the bot asks about.
func TestSentencesMeanWhatTheDemoNeeds(t *testing.T) {
	for _, f := range families {
		logged, promised, asked, questions, silent := 0, 0, 0, 0, 0
		look := func(text string) (clear bool) {
			m, err := rules.New().Classify(t.Context(), understanding.Message{
				Text: strings.TrimPrefix(text, "@homeops_bot "), SentAt: now, Zone: homeops.Zone(""), Locale: understanding.Locale(f.lang), Author: "1",
			})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case len(m.Questions) > 0:
				questions++
			case len(m.Promises) > 0:
				promised++
			case len(m.Activities) == 0:
				silent++
			case m.Activities[0].Confidence >= understanding.Clear:
				logged++
			default:
				asked++
				return false
			}
			return true
		}
		for _, h := range f.routine {
			for _, text := range h.texts {
				if !look(text) {
					t.Errorf("%s: %q is not clear", f.lang, text)
				}
			}
		}
		if logged < 20 || promised != 3 || silent < 7 {
			t.Errorf("%s, routine: %d logged, %d promised, %d silent", f.lang, logged, promised, silent)
		}
		logged, promised, silent = 0, 0, 0
		for _, text := range append(f.lines, f.promise) {
			look(text)
		}
		if logged < 15 || promised < 4 || asked == 0 || questions < 2 || silent < 20 {
			t.Errorf("%s, live: %d logged, %d promised, %d asked, %d questions, %d silent", f.lang, logged, promised, asked, questions, silent)
		}
	}
}
