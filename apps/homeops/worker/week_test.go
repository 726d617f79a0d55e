package worker_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/telegram"
)

// sunday is the time of insights of the first week: 18:00 in Stockholm.
var sunday = time.Date(2037, time.February, 22, 17, 0, 0, 0, time.UTC)

// chores returns the chores of Anna in the summary of a week; -1 if it was not closed.
func chores(t *testing.T, w *homeopstest.World, week access.Week) int64 {
	t.Helper()
	s, err := w.DB.GetSummary(t.Context(), w.Home(t).HouseholdID, anna, week)
	if errors.Is(err, access.ErrNotFound) {
		return -1
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.ChoresCount
}

// After an outage of several weeks the messages that Telegram kept, or that other processes took,
// are in the log, and every week is closed.
func TestWeeksOfAnOutageAreClosed(t *testing.T) {
	w := open(t)
	for range 4 { // nothing runs in these weeks
		w.Deliver(t, telegram.Update{Message: w.Message(anna, "Jag har diskat")})
		w.Clock.Advance(7 * 24 * time.Hour)
	}
	w.Step(t) // on a Monday
	for week, want := range map[access.Week]int64{"2037-W08": 1, "2037-W09": 1, "2037-W10": 1, "2037-W11": 1, "2037-W12": -1} {
		if got := chores(t, w, week); got != want {
			t.Errorf("%s has %d chores, want %d", week, got, want)
		}
	}
	job, err := w.Env.Jobs.Get(t.Context(), "week-"+w.Home(t).HouseholdID)
	if want := sunday.AddDate(0, 0, 28); err != nil || !job.Due.Equal(want) {
		t.Errorf("the next run is at %s, want %s: %v", job.Due, want, err)
	}
}

// What is written on Sunday evening belongs to the week that was closed before, and a week is sent
// on time or not at all.
func TestAWeekIsClosedAgainAndSentInTime(t *testing.T) {
	for name, c := range map[string]struct {
		late time.Duration
		sent bool
	}{
		"in time": {0, true}, "a day late": {homeops.InsightLate, true}, "later": {homeops.InsightLate + time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.Deliver(t, telegram.Update{Message: w.Private(anna, "/start")})
			w.Say(t, anna, "Jag har diskat")
			w.Clock.Set(sunday.Add(c.late))
			w.Step(t)
			told := 0
			for _, text := range w.Telegram.Texts(anna) {
				if strings.HasPrefix(text, "Din vecka:") {
					told++
				}
			}
			if told > 1 || (told == 1) != c.sent {
				t.Errorf("the week was sent %d times", told)
			}
			if c.late > 0 {
				return
			}
			w.Clock.Advance(time.Hour)
			w.Say(t, anna, "Jag har diskat")
			w.Clock.Set(sunday.AddDate(0, 0, 7))
			w.Step(t)
			if got := chores(t, w, "2037-W08"); got != 2 {
				t.Errorf("the complete week has %d chores", got)
			}
		})
	}
}

// A member who joined after the week has no summary of it. The others get theirs, and the next week
// is closed, too.
func TestAWeekIsSentLateAfterAMemberJoined(t *testing.T) {
	w := open(t)
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "/start")})
	w.Deliver(t, telegram.Update{Message: w.Private(maja, "/start")})
	w.Say(t, anna, "Jag har diskat")
	w.Clock.Set(sunday.Add(15 * time.Hour)) // nothing ran since Sunday
	w.Deliver(t, telegram.Update{Message: w.Message(maja, "Hej")})
	for range 12 { // longer than a failed job is tried again
		w.Step(t)
		w.Clock.Advance(time.Hour)
	}
	told := func(text string) bool { return strings.HasPrefix(text, "Din vecka:") }
	if texts := w.Telegram.Texts(anna); !slices.ContainsFunc(texts, told) {
		t.Errorf("Anna was told %q", texts)
	}
	if texts := w.Telegram.Texts(maja); slices.ContainsFunc(texts, told) {
		t.Errorf("Maja was told %q", texts)
	}
	w.Clock.Set(sunday.AddDate(0, 0, 7))
	w.Step(t)
	if got := chores(t, w, "2037-W09"); got != 0 {
		t.Errorf("the next week has %d chores", got)
	}
}
