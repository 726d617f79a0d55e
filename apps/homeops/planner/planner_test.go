package planner_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/planner"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

var zone = homeops.Zone("Europe/Stockholm")

func TestChoosePrefersSilence(t *testing.T) {
	now := time.Date(2037, 2, 17, 9, 0, 0, 0, zone) // a Tuesday
	overdue := homeopsdb.Promise{PromiseID: "a", UserID: 1, Deadline: now.Add(-time.Hour)}
	older := homeopsdb.Promise{PromiseID: "b", UserID: 2, Deadline: now.Add(-2 * time.Hour)}
	reminded := homeopsdb.Promise{PromiseID: "c", UserID: 1, Deadline: now.Add(-3 * time.Hour), ReminderCount: 1}
	later := homeopsdb.Promise{PromiseID: "d", UserID: 1, Deadline: now}
	mondays := homeopsdb.Habit{UserID: 1, Activity: "trash", Weekdays: []int64{3, 0, 0, 0, 0, 0, 0}, LastSeen: now.AddDate(0, 0, -8)}
	rare := mondays
	rare.Weekdays = []int64{2, 5, 0, 0, 0, 0, 0}
	done := mondays
	done.LastSeen = time.Date(2037, 2, 16, 0, 0, 0, 0, zone)
	byOther := homeopsdb.Habit{UserID: 2, Activity: "trash", Weekdays: make([]int64, 7), LastSeen: now.Add(-time.Hour)}
	lapsed := mondays
	lapsed.LastSeen = now.Add(-homeops.HabitLapse - time.Second)
	for name, c := range map[string]struct {
		in   planner.Input
		want string
	}{
		"nothing":          {planner.Input{}, ""},
		"the oldest":       {planner.Input{Promises: []homeopsdb.Promise{overdue, older, reminded, later}, Habits: []homeopsdb.Habit{mondays}}, "b"},
		"reminded":         {planner.Input{Promises: []homeopsdb.Promise{reminded, later}}, ""},
		"strained":         {planner.Input{Promises: []homeopsdb.Promise{older}, Strained: map[int64]bool{2: true}}, ""},
		"missed":           {planner.Input{Habits: []homeopsdb.Habit{mondays}}, "trash"},
		"not usual":        {planner.Input{Habits: []homeopsdb.Habit{rare}}, ""},
		"done":             {planner.Input{Habits: []homeopsdb.Habit{done}}, ""},
		"done by another":  {planner.Input{Habits: []homeopsdb.Habit{mondays, byOther}}, ""},
		"lapsed":           {planner.Input{Habits: []homeopsdb.Habit{lapsed}}, ""},
		"missed, strained": {planner.Input{Habits: []homeopsdb.Habit{mondays}, Strained: map[int64]bool{1: true}}, ""},
	} {
		c.in.Now, c.in.Zone = now, zone
		action, got := planner.Choose(c.in), ""
		switch {
		case action.Promise != nil:
			got = action.Promise.PromiseID
		case action.Missed != nil:
			got = action.Missed.Activity
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestMissedHabitIsMentionedOnce(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	w.Means("soporna", homeopstest.Did("trash", understanding.Low, 0.9))
	for range 3 { // three Mondays
		w.Say(t, homeopstest.Anna, "soporna")
		for range 7 {
			w.Clock.Advance(24 * time.Hour)
			w.Step(t)
		}
	}
	if said := w.Telegram.Texts(homeopstest.Chat); len(said) != 0 {
		t.Fatalf("the bot said %q", said)
	}
	w.Clock.Advance(24 * time.Hour) // the Tuesday after a Monday without it
	w.Step(t)
	w.Clock.Advance(24 * time.Hour)
	w.Step(t)
	if said := w.Telegram.Texts(homeopstest.Chat); len(said) != 1 || said[0] != "Sophantering brukar vara på måndag." {
		t.Errorf("the bot said %q", said)
	}
	w.Clock.Advance(60 * 24 * time.Hour)
	w.Step(t)
	if usual, err := w.Ledger.Calendar(t.Context(), w.Home(t)); err != nil || len(usual) != 0 {
		t.Errorf("after two months %+v is usual (%v)", usual, err)
	}
}

func TestRemindersInPrivateForThoseWhoAsk(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	w.Deliver(t, telegram.Update{Message: w.Private(homeopstest.Anna, "/start")})
	if _, err := w.Households.Choose(t.Context(), homeopstest.Anna, households.Choices{Insist: true}); err != nil {
		t.Fatal(err)
	}
	w.Means("jag tar disken", homeopstest.Promised("dishes", homeopstest.Start.Add(2*time.Hour)))
	w.Say(t, homeopstest.Anna, "jag tar disken")
	w.Clock.Advance(3 * time.Hour)
	w.Step(t)
	if said := w.Telegram.Texts(homeopstest.Anna); len(said) != 2 || said[1] != "Diskning finns kvar sedan idag." {
		t.Errorf("in private %q", said)
	}
	if said := w.Telegram.Texts(homeopstest.Chat); len(said) != 0 {
		t.Errorf("in the group %q", said)
	}
}

// What a member who left had promised or used to do is not mentioned any more, neither in the group
// nor to them.
func TestNothingIsSaidOfMembersWhoLeft(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	w.Deliver(t, telegram.Update{Message: w.Private(homeopstest.Anna, "/start")})
	if _, err := w.Households.Choose(t.Context(), homeopstest.Anna, households.Choices{Insist: true}); err != nil {
		t.Fatal(err)
	}
	w.Means("soporna", homeopstest.Did("trash", understanding.Low, 0.9))
	for range 3 { // three Mondays
		w.Say(t, homeopstest.Erik, "soporna")
		w.Clock.Advance(7 * 24 * time.Hour)
	}
	w.Means("jag tar disken", homeopstest.Promised("dishes", w.Clock.Now().Add(2*time.Hour)))
	for _, userID := range []int64{homeopstest.Anna, homeopstest.Erik} {
		w.Say(t, userID, "jag tar disken")
		if err := w.Households.Leave(t.Context(), home.HouseholdID, userID); err != nil {
			t.Fatal(err)
		}
	}
	group, private := len(w.Telegram.Texts(homeopstest.Chat)), len(w.Telegram.Texts(homeopstest.Anna))
	for range 4 * 24 {
		w.Clock.Advance(time.Hour)
		w.Step(t)
	}
	if said := w.Telegram.Texts(homeopstest.Chat)[group:]; len(said) > 0 {
		t.Errorf("in the group %q", said)
	}
	if said := w.Telegram.Texts(homeopstest.Anna)[private:]; len(said) > 0 {
		t.Errorf("to a member who left %q", said)
	}
	for _, userID := range []int64{homeopstest.Anna, homeopstest.Erik} {
		if p, err := w.DB.ListPromises(userID).First(t.Context()); err != nil || p.Status != homeopsdb.PromiseStatusExpired {
			t.Errorf("the promise is %s: %v", p.Status, err)
		}
	}
}
