package notify

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/refusal"
)

func TestAPersonIsToldOnceOfAnEvent(t *testing.T) {
	f := start(t, nil)
	m := Notification{Recipient: "ann", Event: "reply 7", At: f.World.Now(), Kind: "reply", Title: "Bob replied"}
	var told atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			ok, err := f.TellNow(t.Context(), m)
			if err != nil {
				t.Error(err)
			}
			if ok {
				told.Add(1)
			}
		})
	}
	all.Wait()
	f.Clock.Advance(time.Hour) // the same event, seen again later
	if ok, err := f.TellNow(t.Context(), m); err != nil || ok || told.Load() != 1 {
		t.Errorf("told %d times, and then %v (%v)", told.Load(), ok, err)
	}
	for name, change := range map[string]func(*Notification){
		"another person": func(m *Notification) { m.Recipient = "bob" }, "another event": func(m *Notification) { m.Event = "reply 8" },
	} {
		other := m
		change(&other)
		if ok, err := f.TellNow(t.Context(), other); err != nil || !ok {
			t.Errorf("%s: told %v (%v)", name, ok, err)
		}
	}
	entries, _, err := f.Inbox(t.Context(), "ann", "")
	if err != nil || len(entries) != 2 {
		t.Errorf("the inbox is %+v (%v)", entries, err)
	}
}

func TestANotificationIsPartOfItsTransaction(t *testing.T) {
	f := start(t, nil)
	m := Notification{Recipient: "ann", Event: "e", At: f.World.Now(), Kind: "reply", Title: "Bob replied"}
	for _, test := range []struct {
		token string
		want  int
	}{{"none", 0}, {"link", 1}} {
		if _, err := f.DB.IssueToken(t.Context(), platformdb.OneTimeToken{TokenHash: "link", Purpose: "p", Subject: "s", ValidUntil: f.World.Now().Add(time.Hour), TTL: f.World.Now().Add(time.Hour)}); err != nil && !errors.Is(err, access.ErrExists) {
			t.Fatal(err)
		}
		tx := f.DB.Tx()
		tx.UseToken(platformdb.OneTimeTokenKey{TokenHash: test.token}, platformdb.UseTokenParams{Purpose: "p", Now: f.World.Now()})
		if err := f.Tell(tx, m); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(t.Context()); (err == nil) != (test.want == 1) {
			t.Errorf("commit: %v", err)
		}
		entries, _, err := f.Inbox(t.Context(), "ann", "")
		if err != nil || len(entries) != test.want || f.jobsLeft() != test.want {
			t.Errorf("with token %q: %+v and %d jobs (%v)", test.token, entries, f.jobsLeft(), err)
		}
	}
}

func TestNotificationsAreChecked(t *testing.T) {
	f := start(t, nil)
	good := Notification{Recipient: "ann", Event: "e", At: f.World.Now(), Kind: "reply", Title: "Bob replied"}
	for name, test := range map[string]struct {
		change func(*Notification)
		ok     bool
	}{
		"as it is":              {func(*Notification) {}, true},
		"time in the event":     {func(m *Notification) { m.At, m.Event = time.Time{}, access.NewULID(f.World.Now()) }, true},
		"no time":               {func(m *Notification) { m.At = time.Time{} }, false},
		"no recipient":          {func(m *Notification) { m.Recipient = "" }, false},
		"no event":              {func(m *Notification) { m.Event = "" }, false},
		"no kind":               {func(m *Notification) { m.Kind = "" }, false},
		"no title":              {func(m *Notification) { m.Title = "" }, false},
		"a title that is long":  {func(m *Notification) { m.Title = strings.Repeat("ö", 500) }, true},
		"nothing but the title": {func(m *Notification) { m.Body, m.Link = "", "" }, true},
	} {
		m := good
		test.change(&m)
		if err := f.Tell(f.DB.Tx(), m); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	for size, want := range map[int]int{10: 10, 11: 10} {
		short := cut(strings.Repeat("x", size), 10)
		if len(short) != want || (size > 10) != strings.HasSuffix(short, "…") {
			t.Errorf("%d bytes are cut to %q", size, short)
		}
	}
	if got := cut("a\xffb", 8); got != "ab" {
		t.Errorf("a byte that is no character is kept: %q", got)
	}
	if got := cut("ööööö", 8); !utf8.ValidString(got) || got != "öö…" {
		t.Errorf("cut to %q", got)
	}
}

func TestTheInbox(t *testing.T) {
	f := start(t, nil)
	for i := range 25 {
		f.tell("ann", fmt.Sprintf("event %d", i))
		f.Clock.Advance(time.Minute)
	}
	f.tell("bob", "event 0")
	first, next, err := f.Inbox(t.Context(), "ann", "")
	if err != nil || len(first) != 20 || next == "" {
		t.Fatalf("%d entries and cursor %q (%v)", len(first), next, err)
	}
	want := Entry{ID: first[0].ID, Kind: "reply", Title: "Bob replied", Body: "He says yes.", Link: "/threads/7", At: platformtest.Start.Add(24 * time.Minute)}
	if first[0] != want {
		t.Errorf("the newest entry is %+v, want %+v", first[0], want)
	}
	second, next, err := f.Inbox(t.Context(), "ann", next)
	if err != nil || len(second) != 5 || next != "" || !second[4].At.Equal(platformtest.Start) {
		t.Errorf("%d entries and cursor %q (%v)", len(second), next, err)
	}
	for range 2 { // twice is as once
		if err := f.Read(t.Context(), "ann", first[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	checkUnread(t, f, "ann", 24)
	if err := f.Read(t.Context(), "bob", first[1].ID); !errors.Is(err, ErrNoNotification) {
		t.Errorf("a notification of another person: %v", err)
	}
	if n, err := f.ReadAll(t.Context(), "ann"); err != nil || n != 24 {
		t.Errorf("%d were read (%v)", n, err)
	}
	checkUnread(t, f, "ann", 0)
	checkUnread(t, f, "bob", 1)
	if _, _, err := f.Inbox(t.Context(), "ann", "nonsense"); !isRefusal(err) {
		t.Errorf("a broken cursor: %v", err)
	}
}

func TestUnreadStopsCounting(t *testing.T) {
	f := start(t, func(o *Options) { o.Senders = nil })
	for i := range MaxUnread - 1 {
		f.tell("ann", fmt.Sprintf("event %d", i))
	}
	checkUnread(t, f, "ann", MaxUnread-1)
	f.tell("ann", "one more")
	checkUnread(t, f, "ann", MaxUnread)
	f.tell("ann", "another")
	checkUnread(t, f, "ann", MaxUnread)
	if n, err := f.ReadAll(t.Context(), "ann"); err != nil || n != MaxUnread+1 {
		t.Errorf("%d were read (%v)", n, err)
	}
	if f.jobsLeft() != 0 {
		t.Error("jobs are queued though there is no channel")
	}
}

func checkUnread(t *testing.T, f *fixture, recipient string, want int) {
	t.Helper()
	if n, err := f.Unread(t.Context(), recipient); err != nil || n != want {
		t.Errorf("%s has %d unread notifications (%v), want %d", recipient, n, err, want)
	}
}

func TestOpenPagesGetAHint(t *testing.T) {
	f := start(t, nil)
	page := f.hub.Listen(Topic("ann"))
	defer page.Close()
	hinted := func() bool { return len(page.Changed()) > 0 }
	f.tell("bob", "e1")
	if hinted() {
		t.Error("a hint for another person")
	}
	f.tell("ann", "e1")
	if !hinted() {
		t.Error("no hint for a new notification")
	}
	entries, _, err := f.Inbox(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if err := f.Read(t.Context(), "ann", entries[0].ID); err != nil || hinted() != want {
			t.Errorf("reading it time %d: %v", i+1, err)
		}
	}
	f.tell("ann", "e2")
	hinted()
	for i, want := range []bool{true, false} {
		if _, err := f.ReadAll(t.Context(), "ann"); err != nil || hinted() != want {
			t.Errorf("reading all time %d: %v", i+1, err)
		}
	}
}

func TestExportAndErasure(t *testing.T) {
	f := start(t, nil)
	service := newPushService(t)
	for _, person := range []string{"ann", "bob"} {
		f.subscribe(person, service.target())
		f.prefer(person, Preferences{Zone: "Europe/Stockholm", Muted: []string{"like"}, Digest: DigestDaily})
		for i := range 30 {
			f.tell(person, fmt.Sprintf("event %d", i))
		}
	}
	e, err := f.Export(t.Context(), "ann")
	if err != nil || len(e.Notifications) != 30 || len(e.Devices) != 1 || e.Preferences.Zone != "Europe/Stockholm" {
		t.Errorf("the export has %d notifications and %d devices (%v)", len(e.Notifications), len(e.Devices), err)
	}
	for range 2 { // it can be repeated
		if err := f.Erase(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
	}
	e, err = f.Export(t.Context(), "ann")
	if err != nil || len(e.Notifications) != 0 || len(e.Devices) != 0 || e.Preferences.Zone != "UTC" {
		t.Errorf("after erasure: %+v (%v)", e, err)
	}
	f.step()
	if n := len(service.messages()); n != 30 {
		t.Errorf("%d messages, want those of the other person", n)
	}
	checkUnread(t, f, "bob", 30)
	f.Clock.Advance(48 * time.Hour)
	f.step()
	for _, m := range f.mails() {
		if m.To != "bob@people.example" {
			t.Errorf("a mail to %s", m.To)
		}
	}
}

func isRefusal(err error) bool { _, ok := errors.AsType[*refusal.Error](err); return ok }

func TestNewChecksItsOptions(t *testing.T) {
	w := platformtest.Open(t)
	queue, err := jobs.New(w.Platform, jobs.Options{Lanes: []jobs.Lane{{Name: "notifications"}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"no queue":   {},
		"no address": {Queue: queue, Mail: mail.NewOutbox(w.Platform, mail.Options{})},
	} {
		if _, err := New(w.Platform, o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(w.Platform, Options{Queue: queue}); err != nil {
		t.Error(err)
	}
}
