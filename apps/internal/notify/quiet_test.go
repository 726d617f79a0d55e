package notify

import (
	"testing"
	"time"
)

// In Stockholm the clocks go from 02:00 to 03:00 on 29 March 2037 and from 03:00 back to 02:00 on
// 25 October 2037, both at 01:00 UTC.
func TestQuietHours(t *testing.T) {
	const stockholm = "Europe/Stockholm"
	clock := func(hour, minute int) int { return hour*60 + minute }
	for _, test := range []struct {
		name        string
		zone        string
		from, until int
		first, end  string // the first instant of quiet, and the first after it, in UTC
	}{
		{"a winter night", stockholm, clock(22, 0), clock(7, 0), "2037-02-02T21:00:00Z", "2037-02-03T06:00:00Z"},
		{"a summer night", stockholm, clock(22, 0), clock(7, 0), "2037-07-02T20:00:00Z", "2037-07-03T05:00:00Z"},
		{"a nap", stockholm, clock(13, 0), clock(14, 30), "2037-02-02T12:00:00Z", "2037-02-02T13:30:00Z"},
		{"until midnight", stockholm, clock(20, 0), 0, "2037-02-02T19:00:00Z", "2037-02-02T23:00:00Z"},
		{"from midnight", stockholm, 0, clock(6, 0), "2037-02-02T23:00:00Z", "2037-02-03T05:00:00Z"},
		{"almost always", stockholm, clock(12, 0), clock(11, 59), "2037-02-02T11:00:00Z", "2037-02-03T10:59:00Z"},
		{"over the year's end", "UTC", clock(22, 0), clock(7, 0), "2037-12-31T22:00:00Z", "2038-01-01T07:00:00Z"},
		{"west of Greenwich", "America/Los_Angeles", clock(22, 0), clock(7, 0), "2037-02-03T06:00:00Z", "2037-02-03T15:00:00Z"},
		{"far east", "Pacific/Kiritimati", clock(22, 0), clock(7, 0), "2037-02-02T08:00:00Z", "2037-02-02T17:00:00Z"},

		{"the short night", stockholm, clock(22, 0), clock(7, 0), "2037-03-28T21:00:00Z", "2037-03-29T05:00:00Z"},
		{"until the skipped hour", stockholm, clock(22, 0), clock(2, 30), "2037-03-28T21:00:00Z", "2037-03-29T01:00:00Z"},
		{"until the change", stockholm, clock(22, 0), clock(2, 0), "2037-03-28T21:00:00Z", "2037-03-29T01:00:00Z"},
		{"until after the skipped hour", stockholm, clock(22, 0), clock(3, 0), "2037-03-28T21:00:00Z", "2037-03-29T01:00:00Z"},
		{"from the skipped hour", stockholm, clock(2, 30), clock(7, 0), "2037-03-29T01:00:00Z", "2037-03-29T05:00:00Z"},
		{"from before the skipped hour", stockholm, clock(1, 30), clock(3, 30), "2037-03-29T00:30:00Z", "2037-03-29T01:30:00Z"},

		{"the long night", stockholm, clock(22, 0), clock(7, 0), "2037-10-24T20:00:00Z", "2037-10-25T06:00:00Z"},
		{"until the repeated hour", stockholm, clock(22, 0), clock(2, 30), "2037-10-24T20:00:00Z", "2037-10-25T01:30:00Z"},
		{"from the repeated hour", stockholm, clock(2, 30), clock(7, 0), "2037-10-25T00:30:00Z", "2037-10-25T06:00:00Z"},
		{"within the repeated hour", stockholm, clock(2, 15), clock(2, 45), "2037-10-25T00:15:00Z", "2037-10-25T01:45:00Z"},
		{"the day after", stockholm, clock(2, 30), clock(7, 0), "2037-10-26T01:30:00Z", "2037-10-26T06:00:00Z"},
	} {
		p := Preferences{Zone: test.zone, Quiet: &Quiet{From: test.from, Until: test.until}}
		first, end := parse(t, test.first), parse(t, test.end)
		for name, at := range map[string]time.Time{"first": first, "middle": first.Add(end.Sub(first) / 2), "last": end.Add(-time.Millisecond)} {
			if got, quiet := p.quietUntil(at); !quiet || !got.Equal(end) {
				t.Errorf("%s, %s instant: quiet %v until %v, want until %v", test.name, name, quiet, got, end)
			}
		}
		for name, at := range map[string]time.Time{"before": first.Add(-time.Millisecond), "after": end} {
			if got, quiet := p.quietUntil(at); quiet {
				t.Errorf("%s, %s it: quiet until %v", test.name, name, got)
			}
		}
	}
	if _, quiet := (Preferences{Zone: stockholm}).quietUntil(parse(t, "2037-02-02T23:00:00Z")); quiet {
		t.Error("quiet without quiet hours")
	}
}

func parse(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestPushMessagesWaitForTheEndOfQuietHours(t *testing.T) {
	for _, test := range []struct {
		name     string
		at       string
		awaitEnd string // "" if it is sent at once
	}{
		{"before the night", "2037-10-24T19:59:59Z", ""},
		{"at its start", "2037-10-24T20:00:00Z", "2037-10-25T06:00:00Z"},
		{"at its last instant", "2037-10-25T05:59:59.999Z", "2037-10-25T06:00:00Z"},
		{"in the short night", "2037-03-28T23:00:00Z", "2037-03-29T05:00:00Z"},
		{"after the night", "2037-10-25T06:00:00Z", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t, nil)
			service := newPushService(t)
			f.subscribe("ann", service.target())
			f.prefer("ann", Preferences{Zone: "Europe/Stockholm", Quiet: &Quiet{From: 22 * 60, Until: 7 * 60}})
			f.Clock.Set(parse(t, test.at))
			f.tell("ann", "e1")
			f.step()
			if n := len(service.messages()); (n == 1) != (test.awaitEnd == "") {
				t.Fatalf("%d messages at %s", n, test.at)
			}
			if test.awaitEnd == "" {
				return
			}
			end := parse(t, test.awaitEnd)
			f.Clock.Set(end.Add(-time.Millisecond))
			f.step()
			if n := len(service.messages()); n != 0 {
				t.Errorf("%d messages before the end", n)
			}
			f.Clock.Set(end)
			f.step()
			if n := len(service.messages()); n != 1 || f.jobsLeft() > 0 {
				t.Errorf("%d messages at the end, %d jobs are left", n, f.jobsLeft())
			}
		})
	}
}

func TestQuietHoursBeginWhileAMessageIsRetried(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	f.subscribe("ann", service.target())
	f.prefer("ann", Preferences{Zone: "UTC", Quiet: &Quiet{From: 12*60 + 1, Until: 13 * 60}})
	service.answer(503)
	f.Clock.Advance(45 * time.Second)
	f.tell("ann", "e1")
	f.step()
	service.answer(201)
	f.Clock.Advance(30 * time.Second)
	f.step()
	if n := len(service.messages()); n != 1 {
		t.Errorf("%d attempts in quiet hours", n)
	}
	f.Clock.Advance(time.Hour)
	f.step()
	if n := len(service.messages()); n != 2 || f.jobsLeft() > 0 {
		t.Errorf("%d attempts, %d jobs are left", n, f.jobsLeft())
	}
}

func TestAMessageThatIsUselessAfterQuietHoursIsNotSent(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	f.subscribe("ann", service.target())
	f.prefer("ann", Preferences{Zone: "UTC", Quiet: &Quiet{From: 11 * 60, Until: 13 * 60}})
	end := f.World.Now().Add(time.Hour)
	f.tellAs(Notification{Recipient: "ann", Event: "e1", Until: end})
	f.step()
	if f.jobsLeft() != 0 {
		t.Error("a message that can never be useful waits")
	}
	f.tellAs(Notification{Recipient: "ann", Event: "e2", Until: end.Add(time.Minute)})
	f.step()
	f.Clock.Set(end)
	f.step()
	if got := service.messages(); len(got) != 1 || got[0].ttl != "60" {
		t.Errorf("%d messages", len(got))
	}
}

func TestAMessageThatIsReadInQuietHoursIsNotSent(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	f.subscribe("ann", service.target())
	f.prefer("ann", Preferences{Zone: "UTC", Quiet: &Quiet{From: 11 * 60, Until: 13 * 60}})
	f.tell("ann", "e1")
	f.step()
	if _, err := f.ReadAll(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	f.Clock.Advance(2 * time.Hour)
	f.step()
	if n := len(service.messages()); n != 0 || f.jobsLeft() > 0 {
		t.Errorf("%d messages, %d jobs are left", n, f.jobsLeft())
	}
}
