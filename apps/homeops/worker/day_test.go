package worker_test

import (
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/homeops/telegram"
)

// frequency returns what is known of how often Anna writes.
func frequency(t *testing.T, w *homeopstest.World, userID int64) homeopsdb.Preferences {
	t.Helper()
	p, err := w.Households.Preferences(t.Context(), userID)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// average is the interaction frequency after days with numbers of messages.
func average(days ...float64) (a load.Average) {
	for _, messages := range days {
		a = a.Add(messages, load.AlphaHabit)
	}
	return a
}

func wantFrequency(t *testing.T, w *homeopstest.World, userID int64, last access.Date, days ...float64) {
	t.Helper()
	p, want := frequency(t, w, userID), average(days...)
	if p.FrequencyDay == nil || *p.FrequencyDay != last || p.InteractionFrequency != want.Value || p.FrequencySamples != want.Samples {
		t.Errorf("member %d: %v of %d days until %v, want %v of %d until %s", userID,
			p.InteractionFrequency, p.FrequencySamples, p.FrequencyDay, want.Value, want.Samples, last)
	}
}

// After an outage of several days every day is closed, with the messages that were written on it,
// and the days follow one another again.
func TestDaysOfAnOutageAreClosed(t *testing.T) {
	w := open(t)
	w.Say(t, anna, "Jag har diskat")
	for day := range 4 { // nothing runs on these days, but messages are stored
		for range day {
			w.Deliver(t, telegram.Update{Message: w.Message(anna, "Hej")})
		}
		w.Clock.Advance(24 * time.Hour)
	}
	w.Clock.Advance(6 * time.Hour)
	w.Step(t)
	wantFrequency(t, w, anna, "2037-02-19", 1, 1, 2, 3)
	wantFrequency(t, w, erik, "2037-02-19", 0, 0, 0, 0)
	w.Clock.Advance(24 * time.Hour)
	w.Step(t)
	wantFrequency(t, w, anna, "2037-02-20", 1, 1, 2, 3, 0)
}

// Messages of a day are counted for three weeks; older days say nothing and are no samples.
func TestDaysOfALongOutageAreClosedAsFarAsTheyAreKnown(t *testing.T) {
	w := open(t)
	w.Say(t, anna, "Jag har diskat")
	w.Clock.Advance(24 * time.Hour)
	w.Step(t)
	wantFrequency(t, w, anna, "2037-02-16", 1)
	w.Clock.Advance(40 * 24 * time.Hour)
	w.Step(t)
	p := frequency(t, w, anna)
	if p.FrequencySamples != 21 || p.FrequencyDay == nil || *p.FrequencyDay != "2037-03-28" {
		t.Errorf("%d samples until %v", p.FrequencySamples, p.FrequencyDay)
	}
}

// The days before a member came are none of theirs.
func TestDaysBeforeAMemberCameAreNotClosed(t *testing.T) {
	w := open(t)
	w.Clock.Advance(3 * 24 * time.Hour)
	w.Deliver(t, telegram.Update{Message: w.Message(maja, "Hej")})
	w.Clock.Advance(24 * time.Hour)
	w.Step(t)
	wantFrequency(t, w, maja, "2037-02-19", 1)
	wantFrequency(t, w, erik, "2037-02-19", 0, 0, 0, 0)
}
