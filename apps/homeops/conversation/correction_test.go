package conversation_test

import (
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// correction is the meaning of a message that corrects.
func correction(c understanding.Correction) understanding.Meaning {
	c.Confidence = 0.9
	return understanding.Meaning{Corrections: []understanding.Correction{c}}
}

// both is the meaning of a message with a clear activity and one that the bot asks about.
func both() understanding.Meaning {
	meaning := homeopstest.Did("cleaning", understanding.High, 0.9)
	doubtful := homeopstest.Did("bottles", understanding.Low, 0.6)
	doubtful.Activities[0].Surface = "pantade"
	meaning.Activities = append(meaning.Activities, doubtful.Activities...)
	return meaning
}

func wantLog(t *testing.T, w *homeopstest.World, want ...string) {
	t.Helper()
	got := []string{}
	for _, e := range w.Events(t) {
		got = append(got, e.Activity)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the log has %q, want %q", got, want)
	}
}

// The answer to a question is about the activity that the bot asked about, and not about others of
// the same message.
func TestAnAnswerLeavesWhatWasClear(t *testing.T) {
	for reply, want := range map[string][]string{
		"nej": {"cleaning"}, "nej, jag handlade": {"cleaning", "shopping"}, "ja": {"bottles", "cleaning"},
	} {
		t.Run(reply, func(t *testing.T) {
			w := open(t)
			w.Means("Städade och pantade", both())
			w.Means("jag handlade", homeopstest.Did("shopping", understanding.Medium, 0.9))
			w.Say(t, anna, "Städade och pantade")
			wantTexts(t, w, chat, "Menade du pantning?")
			w.Clock.Advance(time.Minute)
			w.Reply(t, anna, reply)
			wantLog(t, w, want...)
		})
	}
}

// Without a reply a correction is about what its author said last, whenever that took place.
func TestUndoTakesWhatWasSaidLast(t *testing.T) {
	w := open(t)
	yesterday := homeopstest.Did("shopping", understanding.Medium, 0.9)
	yesterday.Activities[0].When = understanding.When{At: homeopstest.Start.Add(-14 * time.Hour), Said: true}
	w.Means("Jag handlade igår", yesterday)
	w.Say(t, anna, "Jag har diskat")
	w.Clock.Advance(time.Minute)
	w.Say(t, anna, "Jag handlade igår")
	w.Clock.Advance(time.Minute)
	w.Say(t, erik, "Jag har diskat")
	w.Say(t, anna, "Vad ska vi äta?")
	ask(t, w, anna, "ångra", correction(understanding.Correction{Kind: understanding.Undo}))
	wantLog(t, w, "dishes", "dishes")
	ask(t, w, anna, "ångra", correction(understanding.Correction{Kind: understanding.Undo}))
	if events := w.Events(t); len(events) != 1 || events[0].UserID != erik {
		t.Errorf("after the second undo the log is %+v", events)
	}
}

// A correction takes all that a message said, but it does not make two activities of one word.
func TestCorrectionsOfSeveralActivities(t *testing.T) {
	w := open(t)
	meaning := homeopstest.Did("dishes", understanding.Medium, 0.9)
	meaning.Activities = append(meaning.Activities, homeopstest.Did("cooking", understanding.Medium, 0.9).Activities...)
	w.Means("Lagade mat och diskade", meaning)
	m := w.Say(t, anna, "Lagade mat och diskade")
	w.Clock.Advance(time.Minute)
	w.Means("jag menade tvätten", correction(understanding.Correction{Kind: understanding.ChangeActivity, Activity: "laundry"}))
	reply := w.Message(anna, "jag menade tvätten")
	reply.ReplyToMessage = &telegram.Message{MessageID: m.MessageID, From: m.From, Chat: m.Chat}
	w.Deliver(t, telegram.Update{Message: reply})
	w.Step(t)
	wantLog(t, w, "cooking", "dishes")
	ask(t, w, anna, "ångra", correction(understanding.Correction{Kind: understanding.Undo}))
	wantLog(t, w)
}

// Nothing is recorded of a paused member, also not by a correction of another one. Whoever says so
// did not do it either.
func TestAPausedMemberIsNotCredited(t *testing.T) {
	w := open(t)
	if err := w.Households.Pause(t.Context(), erik); err != nil {
		t.Fatal(err)
	}
	w.Means("det var Erik", correction(understanding.Correction{
		Kind: understanding.CreditPerson, Who: understanding.Person{Role: understanding.RoleMember, Member: households.MemberID(erik)},
	}))
	said := w.Say(t, anna, "Jag har diskat")
	m := w.Message(anna, "det var Erik")
	m.ReplyToMessage = said
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	wantLog(t, w)
}

// An edited correction is about the entries that it was about before.
func TestAnEditedCorrectionTakesNoOtherEntry(t *testing.T) {
	undo := correction(understanding.Correction{Kind: understanding.Undo})
	other := correction(understanding.Correction{Kind: understanding.ChangeActivity, Activity: "laundry"})
	heavy := correction(understanding.Correction{Kind: understanding.ChangeEffort, Effort: understanding.High})
	for _, c := range []struct {
		first, second understanding.Meaning
		want          []string
	}{
		{undo, undo, []string{"dishes"}}, {other, undo, []string{"dishes"}}, {heavy, other, []string{"dishes", "laundry"}},
	} {
		w := open(t)
		w.Means("Jag har handlat", homeopstest.Did("shopping", understanding.Medium, 0.9))
		w.Say(t, anna, "Jag har diskat")
		w.Clock.Advance(time.Minute)
		w.Say(t, anna, "Jag har handlat")
		w.Clock.Advance(time.Minute)
		edited := *ask(t, w, anna, "first", c.first)
		w.Means("second", c.second)
		edited.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Offset: 7, Length: 12}}
		for _, text := range []string{"second @HomeOps_bot", "second @HomeOps_bot ", "second @HomeOps_bot  "} {
			edited.Text = text
			w.Deliver(t, telegram.Update{EditedMessage: &edited})
			w.Step(t)
		}
		wantLog(t, w, c.want...)
	}
}
