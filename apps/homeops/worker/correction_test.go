package worker_test

import (
	"fmt"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// TestCorrectionKilledAtEveryWrite kills the process at each of its writes while it takes a
// correction; another process goes on. The correction is applied once, and the bot says so unless it
// was killed while it sent.
func TestCorrectionKilledAtEveryWrite(t *testing.T) {
	for name, c := range map[string]struct {
		correction      understanding.Correction
		events, samples int64
		said            string
	}{
		"undo":   {understanding.Correction{Kind: understanding.Undo}, 0, 1, "Borttaget ✓"},
		"effort": {understanding.Correction{Kind: understanding.ChangeEffort, Effort: understanding.High}, 1, 2, "Ändrat ✓"},
		"credit": {understanding.Correction{Kind: understanding.CreditPerson, Who: understanding.Person{Role: understanding.RoleMember, Member: households.MemberID(erik)}}, 1, 1, "Ändrat ✓"},
	} {
		c.correction.Confidence = 0.95
		survived, silent := false, 0
		for kill := int64(1); !survived; kill++ {
			t.Run(fmt.Sprint(name, ", write ", kill), func(t *testing.T) {
				if kill > 60 {
					t.Fatal("the process never finishes")
				}
				w := open(t)
				home := w.Home(t)
				w.Means("fel", understanding.Meaning{Corrections: []understanding.Correction{c.correction}})
				said := w.Say(t, anna, "Jag har diskat")
				w.Clock.Advance(time.Hour)
				connection := &mortal{API: w.Database.DynamoDB}
				connection.left.Store(kill)
				process := w.Through(t, connection, access.WithRetries(1, time.Millisecond, time.Millisecond))
				m := w.Message(anna, "fel")
				m.ReplyToMessage = &telegram.Message{MessageID: said.MessageID, From: said.From, Chat: said.Chat}
				u := telegram.Update{UpdateID: 77, Message: m}
				if _, err := process.Ingest.Deliver(t.Context(), &u); err == nil {
					_, _ = process.Env.Jobs.Step(t.Context())
				}
				survived = !connection.dead.Load()
				if _, err := w.Ingest.Deliver(t.Context(), &u); err != nil {
					t.Fatal(err)
				}
				for range 5 {
					w.Step(t)
					w.Clock.Advance(90 * time.Second)
				}
				w.Step(t)
				if events := w.Events(t); int64(len(events)) != c.events {
					t.Errorf("events %+v", events)
				}
				effort, err := w.DB.GetEffort(t.Context(), home.HouseholdID, anna, "dishes")
				if err != nil || effort.SampleCount != c.samples {
					t.Errorf("%d samples (%v), want %d", effort.SampleCount, err, c.samples)
				}
				switch texts := w.Telegram.Texts(chat)[1:]; {
				case len(texts) == 0:
					silent++
				case len(texts) > 1 || texts[0] != c.said:
					t.Errorf("the bot said %q", texts)
				}
			})
		}
		if silent > 1 { // killed between the decision to send and the end of sending
			t.Errorf("%s: the bot was silent %d times", name, silent)
		}
	}
}
