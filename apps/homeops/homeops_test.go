package homeops_test

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
)

func TestDerivedIDsAreULIDsOfTheirTime(t *testing.T) {
	at := time.Date(2026, 2, 17, 10, 30, 0, 0, time.UTC)
	id := homeops.EventID("-1", 7, "dishes", 0, at)
	if got, err := access.TimeOfID(id); err != nil || !got.Equal(at) {
		t.Errorf("%s is of %v (%v), want %v", id, got, err, at)
	}
	if homeops.EventID("-1", 7, "dishes", 0, at) != id {
		t.Error("the same parts give another id")
	}
	seen := map[string]bool{id: true}
	for _, other := range []string{
		homeops.EventID("-1", 7, "dishes", 1, at),
		homeops.EventID("-1", 8, "dishes", 0, at),
		homeops.EventID("-17", 0, "dishes", 0, at),
		homeops.EventID("-1", 7, "laundry", 0, at),
		homeops.PromiseID("-1", 7, "dishes", 0, at),
		homeops.EventID("-1", 7, "dishes", 0, at.Add(time.Millisecond)),
	} {
		if seen[other] {
			t.Errorf("%s is used twice", other)
		}
		seen[other] = true
	}
	if later := homeops.EventID("-1", 7, "dishes", 0, at.Add(time.Second)); later <= id {
		t.Errorf("%s is not behind %s", later, id)
	}
}

func TestQuietHoursFollowTheLocalClock(t *testing.T) {
	zone := homeops.Zone("Europe/Stockholm")
	q := homeops.QuietHours{From: 22, To: 7}
	for _, c := range []struct {
		at    string
		quiet bool
	}{
		{"2026-02-17T21:59:59+01:00", false}, {"2026-02-17T22:00:00+01:00", true},
		{"2026-02-18T06:59:59+01:00", true}, {"2026-02-18T07:00:00+01:00", false},
		// On 29 March the clock goes from 02:00 to 03:00: 07:00 is five hours after 00:00 UTC+1.
		{"2026-03-29T04:59:59Z", true}, {"2026-03-29T05:00:00Z", false},
		// On 25 October it goes from 03:00 to 02:00.
		{"2026-10-25T05:59:59Z", true}, {"2026-10-25T06:00:00Z", false},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Contains(at.In(zone)); got != c.quiet {
			t.Errorf("%s: quiet %v, want %v", c.at, got, c.quiet)
		}
		if got := q.Speakable(at, zone); c.quiet && (got.In(zone).Hour() != 7 || !got.After(at)) || !c.quiet && !got.Equal(at) {
			t.Errorf("%s: may speak at %s", c.at, got.In(zone))
		}
	}
	if (homeops.QuietHours{From: 7, To: 7}).Contains(time.Date(2026, 2, 17, 7, 0, 0, 0, zone)) {
		t.Error("equal hours are quiet")
	}
	if day := (homeops.QuietHours{From: 12, To: 14}); !day.Contains(time.Date(2026, 2, 17, 13, 0, 0, 0, zone)) || day.Contains(time.Date(2026, 2, 17, 14, 0, 0, 0, zone)) {
		t.Error("quiet hours within a day")
	}
}

func TestDaysAndWeeksOfAZone(t *testing.T) {
	zone := homeops.Zone("Europe/Stockholm")
	for _, c := range []struct {
		day   access.Date
		hours int
	}{{"2026-03-29", 23}, {"2026-10-25", 25}, {"2026-02-17", 24}} {
		from, to := homeops.DayRange(c.day, zone)
		if got := to.Sub(from); got != time.Duration(c.hours)*time.Hour {
			t.Errorf("%s has %v, want %d h", c.day, got, c.hours)
		}
		if homeops.Day(from, zone) != c.day || homeops.Day(to.Add(-time.Second), zone) != c.day || homeops.Day(to, zone) == c.day {
			t.Errorf("%s is from %v to %v", c.day, from, to)
		}
	}
	at := time.Date(2026, 2, 15, 23, 30, 0, 0, time.UTC) // Monday in Stockholm
	week := homeops.Week(at, zone)
	if from, to := homeops.WeekRange(week, zone); week != "2026-W08" || at.Before(from) || !at.Before(to) {
		t.Errorf("%v is in %s, from %v to %v", at, week, from, to)
	}
	if got := homeops.Week(at, time.UTC); got != "2026-W07" {
		t.Errorf("in UTC it is in %s", got)
	}
	sunday := homeops.NextAt(at, zone, 18, time.Sunday)
	if sunday.Weekday() != time.Sunday || sunday.Hour() != 18 || sunday.Sub(at) > 7*24*time.Hour {
		t.Errorf("next Sunday 18:00 is %v", sunday)
	}
	if again := homeops.NextAt(sunday, zone, 18, time.Sunday); !again.Equal(sunday.AddDate(0, 0, 7)) {
		t.Errorf("the Sunday after is %v", again)
	}
	if homeops.Zone("Mars/Olympus").String() != "Europe/Stockholm" {
		t.Error("an unknown zone is not the default")
	}
}

func TestShortenKeepsCharactersWhole(t *testing.T) {
	if got := homeops.Shorten(strings.Repeat("å", 5), 5); got != "åå" {
		t.Errorf("%q", got)
	}
	if got := homeops.ActivityKey("", "  Måla  STAKETET "); got != "måla staketet" {
		t.Errorf("%q", got)
	}
}
