package notify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
)

func TestDigestsAreDueAtEightInTheMorning(t *testing.T) {
	for _, test := range []struct {
		digest      Digest
		zone        string
		after, want string
	}{
		{DigestDaily, "UTC", "2037-02-02T07:59:59Z", "2037-02-02T08:00:00Z"},
		{DigestDaily, "UTC", "2037-02-02T08:00:00Z", "2037-02-03T08:00:00Z"},
		{DigestDaily, "Europe/Stockholm", "2037-02-02T08:00:00Z", "2037-02-03T07:00:00Z"},
		{DigestDaily, "Europe/Stockholm", "2037-03-28T07:00:00Z", "2037-03-29T06:00:00Z"}, // a day of 23 hours
		{DigestDaily, "Europe/Stockholm", "2037-10-24T06:00:00Z", "2037-10-25T07:00:00Z"}, // a day of 25 hours
		{DigestDaily, "America/Los_Angeles", "2037-02-02T12:00:00Z", "2037-02-02T16:00:00Z"},
		{DigestWeekly, "UTC", "2037-02-02T07:00:00Z", "2037-02-02T08:00:00Z"}, // a Monday
		{DigestWeekly, "UTC", "2037-02-02T08:00:00Z", "2037-02-09T08:00:00Z"},
		{DigestWeekly, "Pacific/Kiritimati", "2037-02-02T12:00:00Z", "2037-02-08T18:00:00Z"}, // Monday there
	} {
		p := Preferences{Zone: test.zone, Digest: test.digest}
		if got := p.nextDigest(parse(t, test.after)); !got.Equal(parse(t, test.want)) {
			t.Errorf("%s in %s after %s: %s, want %s", test.digest, test.zone, test.after, got.Format(time.RFC3339), test.want)
		}
	}
}

func TestADigestSumsUpWhatWasNotRead(t *testing.T) {
	f := start(t, func(o *Options) { o.Senders = nil })
	f.tell("ann", "before she asked for digests")
	f.Clock.Advance(settleTime)
	f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily, Muted: []string{"like"}})
	f.Clock.Advance(time.Minute)
	f.tell("ann", "read")
	if _, err := f.ReadAll(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	f.tell("ann", "e1")
	f.tellAs(Notification{Recipient: "ann", Event: "muted", Kind: "like"})
	f.Clock.Set(parse(t, "2037-02-03T07:59:59Z"))
	f.step()
	if n := len(f.mails()); n != 0 {
		t.Fatalf("%d mails before eight", n)
	}
	f.Clock.Advance(time.Second)
	f.step()
	mails := f.mails()
	want := "Bob replied\nHe says yes.\nhttps://shop.example/threads/7\n\nChoose how often this mail comes: https://shop.example/me\n"
	if len(mails) != 1 || mails[0].To != "ann@people.example" || mails[0].Subject != "One new notification from Shop" || *mails[0].Text != want {
		t.Fatalf("the mails are %+v", mails)
	}
	f.Clock.Set(parse(t, "2037-02-04T08:00:00Z"))
	f.step()
	if n := len(f.mails()); n != 0 {
		t.Errorf("%d mails on a day without news", n)
	}
	f.tell("ann", "e2")
	f.tell("ann", "e3")
	f.Clock.Set(parse(t, "2037-02-05T08:00:00Z"))
	f.step()
	if mails := f.mails(); len(mails) != 1 || mails[0].Subject != "2 new notifications from Shop" {
		t.Errorf("the mails are %+v", mails)
	}
	if n := f.jobsLeft(); n != 1 {
		t.Errorf("%d jobs, want that of the next digest", n)
	}
}

func TestALongDigestIsCut(t *testing.T) {
	for count, want := range map[int]struct{ subject, end string }{
		digestMost:     {"20 new", "threads/7\n\nChoose"},
		digestMost + 1: {"21 new", "And 1 more.\n\nChoose"},
		99:             {"99 new", "And 79 more."},
		100:            {"100+ new", "And 80 more."},
	} {
		f := start(t, func(o *Options) { o.Senders = nil })
		f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily})
		f.Clock.Advance(time.Minute)
		for i := range count {
			f.tell("ann", fmt.Sprint(i))
		}
		f.Clock.Advance(24 * time.Hour)
		f.step()
		mails := f.mails()
		if len(mails) != 1 || !strings.HasPrefix(mails[0].Subject, want.subject) || !strings.Contains(*mails[0].Text, want.end) ||
			strings.Count(*mails[0].Text, "Bob replied") != digestMost {
			t.Errorf("%d notifications: %+v", count, mails)
		}
	}
}

func TestADigestOfLongTextsFitsIntoAMail(t *testing.T) {
	f := start(t, func(o *Options) { o.Senders = nil })
	f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily})
	f.Clock.Advance(time.Minute)
	long := strings.Repeat("word ", 1000)
	for i := range digestMost {
		m := Notification{Recipient: "ann", Event: fmt.Sprint(i), At: f.World.Now(), Kind: "k", Title: long, Body: long, Link: "/" + strings.Repeat("x", 1000)}
		if _, err := f.TellNow(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	f.Clock.Advance(24 * time.Hour)
	f.step()
	mails := f.mails()
	if len(mails) != 1 || len(*mails[0].Text) < digestSize-2000 || len(*mails[0].Text) > digestSize+200 {
		t.Fatalf("%d mails", len(mails))
	}
	if listed := strings.Count(*mails[0].Text, "https://shop.example/x"); !strings.Contains(*mails[0].Text, fmt.Sprintf("And %d more.", digestMost-listed)) {
		t.Errorf("%d are listed", listed)
	}
}

// TestNothingFallsBetweenTwoDigests tells people around a digest, of old events and of new ones:
// a transaction takes a while to be committed.
func TestNothingFallsBetweenTwoDigests(t *testing.T) {
	f := start(t, func(o *Options) { o.Senders = nil })
	f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily})
	due := parse(t, "2037-02-03T08:00:00Z")
	tell := func(event string, told time.Time, at time.Time) {
		f.Clock.Set(told)
		if _, err := f.TellNow(t.Context(), Notification{Recipient: "ann", Event: event, At: at, Kind: "k", Title: event}); err != nil {
			t.Fatal(err)
		}
	}
	tell("first of an old event", due.Add(-settleTime), due.Add(-48*time.Hour))
	tell("second", due.Add(-settleTime+time.Millisecond), due)
	tell("third", due, due)
	f.step()
	tell("fourth of an old event", due.Add(time.Hour), due.Add(-time.Hour))
	first := f.mails()
	f.Clock.Set(due.Add(24 * time.Hour))
	f.step()
	second := f.mails()
	if len(first) != 1 || *first[0].Text != "first of an old event\n\nChoose how often this mail comes: https://shop.example/me\n" {
		t.Errorf("the first digest is %+v", first)
	}
	if len(second) != 1 || second[0].Subject != "3 new notifications from Shop" {
		t.Errorf("the second digest is %+v", second)
	}
}

func TestThereIsOneDigestForEachDueTime(t *testing.T) {
	f := start(t, func(o *Options) { o.Senders = nil })
	f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily})
	f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily}) // saved twice
	f.Clock.Advance(time.Minute)
	f.tell("ann", "e1")
	f.Clock.Set(parse(t, "2037-02-03T08:00:00Z"))
	// All workers read the preferences before one of them writes, as after leases were lost.
	const workers = 4
	var all, ready sync.WaitGroup
	ready.Add(workers)
	f.o.Address = func(context.Context, string) (string, error) {
		ready.Done()
		ready.Wait()
		return "ann@people.example", nil
	}
	for range workers {
		all.Go(func() {
			if err := f.runDigest(t.Context(), jobs.Job{ID: "again", Kind: jobDigest, Payload: digestErrand{"ann"}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	f.step()
	if n := len(f.mails()); n != 1 || f.jobsLeft() != 1 {
		t.Errorf("%d mails, %d jobs are left", n, f.jobsLeft())
	}
}

func TestChangedPreferencesMoveTheDigest(t *testing.T) {
	f := start(t, func(o *Options) { o.Senders = nil })
	f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily})
	f.prefer("ann", Preferences{Zone: "America/Los_Angeles", Digest: DigestWeekly})
	f.Clock.Advance(time.Minute)
	f.tell("ann", "e1")
	for _, test := range []struct {
		at   string
		want int
	}{
		{"2037-02-02T16:00:00Z", 1}, // Monday at eight in Los Angeles
		{"2037-02-03T08:00:00Z", 0}, // the job of the first preferences finds nothing due
		{"2037-02-04T16:00:00Z", 0},
	} {
		f.Clock.Set(parse(t, test.at))
		f.step()
		if n := len(f.mails()); n != test.want {
			t.Errorf("%d mails on %s, want %d", n, test.at, test.want)
		}
	}
	f.tell("ann", "e2")
	f.Clock.Set(parse(t, "2037-02-09T15:59:59Z"))
	f.step()
	before := len(f.mails())
	f.Clock.Advance(time.Second)
	f.step()
	if after := len(f.mails()); before != 0 || after != 1 {
		t.Errorf("%d and %d mails around the next Monday", before, after)
	}
	f.prefer("ann", Preferences{Zone: "UTC"})
	f.tell("ann", "e3")
	f.Clock.Set(parse(t, "2037-02-16T16:00:00Z"))
	f.step()
	if n := len(f.mails()); n != 0 || f.jobsLeft() != 0 {
		t.Errorf("%d mails, %d jobs are left without digests", n, f.jobsLeft())
	}
}

func TestPeopleWithoutAnAddressGetNoMail(t *testing.T) {
	address, failure := "", error(nil)
	f := start(t, func(o *Options) {
		o.Senders = nil
		o.Address = func(context.Context, string) (string, error) { return address, failure }
	})
	f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily})
	f.Clock.Advance(time.Minute)
	f.tell("ann", "e1")
	f.Clock.Set(parse(t, "2037-02-03T08:00:00Z"))
	f.step()
	if n := len(f.mails()); n != 0 || f.jobsLeft() != 1 {
		t.Errorf("%d mails, %d jobs are left", n, f.jobsLeft())
	}
	address = "no address\r\nBcc: all"
	f.tell("ann", "e1b")
	f.Clock.Set(parse(t, "2037-02-04T08:00:00Z"))
	f.step()
	if n := len(f.mails()); n != 0 || f.jobsLeft() != 1 {
		t.Errorf("to what is no address: %d mails, %d jobs are left", n, f.jobsLeft())
	}
	f.tell("ann", "e2")
	address, failure = "ann@people.example", errors.New("no database")
	f.Clock.Set(parse(t, "2037-02-05T08:00:00Z"))
	f.step()
	failure = nil
	f.Clock.Advance(time.Minute)
	f.step()
	if mails := f.mails(); len(mails) != 1 || f.jobsLeft() != 1 {
		t.Errorf("%d mails after a failure, %d jobs are left", len(mails), f.jobsLeft())
	}
}

func TestDigestsCannotBeForged(t *testing.T) {
	f := start(t, func(o *Options) { o.Senders = nil })
	f.prefer("ann", Preferences{Zone: "UTC", Digest: DigestDaily})
	f.Clock.Advance(time.Minute)
	m := Notification{Recipient: "ann", Event: "e", At: f.World.Now(), Kind: "k", Title: "Hi\n\nYour password", Body: "expires\r\nhttps://evil.example"}
	if _, err := f.TellNow(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	f.Clock.Advance(24 * time.Hour)
	f.step()
	if mails := f.mails(); len(mails) != 1 || !strings.HasPrefix(*mails[0].Text, "Hi Your password\nexpires https://evil.example\n\n") {
		t.Errorf("the mails are %+v", mails)
	}
}

func TestPreferencesAreChecked(t *testing.T) {
	f := start(t, func(o *Options) { o.Kinds = []string{"reply", "like"} })
	withoutMail := start(t, func(o *Options) { o.Mail, o.Address = nil, nil })
	open := start(t, nil)
	kinds := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprint(i))
		}
		return all
	}
	for name, test := range map[string]struct {
		f     *fixture
		p     Preferences
		field string
	}{
		"nothing but a zone":      {f, Preferences{Zone: "Europe/Stockholm"}, ""},
		"no zone":                 {f, Preferences{}, "zone"},
		"unknown zone":            {f, Preferences{Zone: "Europe/Atlantis"}, "zone"},
		"the zone of the server":  {f, Preferences{Zone: "Local"}, "zone"},
		"a path":                  {f, Preferences{Zone: "../etc/passwd"}, "zone"},
		"whole day but a minute":  {f, Preferences{Zone: "UTC", Quiet: &Quiet{From: 0, Until: 1439}}, ""},
		"quiet after the day":     {f, Preferences{Zone: "UTC", Quiet: &Quiet{From: 0, Until: 1440}}, "quiet_until"},
		"quiet before the day":    {f, Preferences{Zone: "UTC", Quiet: &Quiet{From: -1, Until: 60}}, "quiet_from"},
		"quiet without an end":    {f, Preferences{Zone: "UTC", Quiet: &Quiet{From: 60, Until: 60}}, "quiet_until"},
		"digest":                  {f, Preferences{Zone: "UTC", Digest: DigestWeekly}, ""},
		"unknown digest":          {f, Preferences{Zone: "UTC", Digest: "hourly"}, "digest"},
		"digest without mail":     {withoutMail, Preferences{Zone: "UTC", Digest: DigestDaily}, "digest"},
		"no digest without mail":  {withoutMail, Preferences{Zone: "UTC", Digest: DigestNone}, ""},
		"muted":                   {f, Preferences{Zone: "UTC", Muted: []string{"like"}}, ""},
		"unknown kind":            {f, Preferences{Zone: "UTC", Muted: []string{"likes"}}, "muted"},
		"any kind":                {open, Preferences{Zone: "UTC", Muted: []string{"likes"}}, ""},
		"most kinds":              {open, Preferences{Zone: "UTC", Muted: kinds(maxMuted)}, ""},
		"too many kinds":          {open, Preferences{Zone: "UTC", Muted: kinds(maxMuted + 1)}, "muted"},
		"kind without a name":     {open, Preferences{Zone: "UTC", Muted: []string{""}}, "muted"},
		"a kind that is doubled":  {open, Preferences{Zone: "UTC", Muted: []string{"a", "a"}}, ""},
		"quiet hours of midnight": {f, Preferences{Zone: "UTC", Quiet: &Quiet{From: 1439, Until: 0}}, ""},
	} {
		err := test.f.SetPreferences(t.Context(), "ann", test.p)
		refused, ok := errors.AsType[*refusal.Error](err)
		switch {
		case test.field == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.field != "" && (!ok || refused.Fields[0].Name != test.field):
			t.Errorf("%s: %v, want a refusal of %s", name, err, test.field)
		}
	}
}

func TestPreferencesAreKept(t *testing.T) {
	f := start(t, nil)
	p, err := f.Preferences(t.Context(), "ann")
	if err != nil || p.Zone != "UTC" || p.Quiet != nil || p.Digest != DigestNone || len(p.Muted) > 0 {
		t.Errorf("the defaults are %+v (%v)", p, err)
	}
	f.prefer("ann", Preferences{Zone: "Asia/Tokyo", Quiet: &Quiet{From: 60, Until: 120}, Digest: DigestDaily, Muted: []string{"b", "a", "b"}})
	p, err = f.Preferences(t.Context(), "ann")
	if err != nil || p.Zone != "Asia/Tokyo" || *p.Quiet != (Quiet{60, 120}) || p.Digest != DigestDaily || strings.Join(p.Muted, " ") != "a b" {
		t.Errorf("the preferences are %+v (%v)", p, err)
	}
	f.prefer("ann", Preferences{Zone: "Asia/Tokyo"})
	if p, err = f.Preferences(t.Context(), "ann"); err != nil || p.Quiet != nil || len(p.Muted) > 0 {
		t.Errorf("the preferences are %+v (%v)", p, err)
	}
}
