package audit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/refusal"
)

var today = access.DateOf(platformtest.Start)

// withoutID compares events without their random ids.
var withoutID = cmpopts.IgnoreFields(audit.Event{}, "ID")

func events(t testing.TB, page access.Page[audit.Event], err error) []audit.Event {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

func TestEventIsCommittedWithItsChange(t *testing.T) {
	w := platformtest.Open(t)
	trail := audit.New(w.Platform, audit.Options{})
	event := audit.Event{Actor: "ann", Action: "close house", Target: "task-1", About: "house-1", Detail: map[string]string{"reason": "sold", "to": "Bea"}}

	tx := w.DB.Tx()
	tx.DropJob(platformdb.JobKey{JobID: "none"}) // fails: there is no such job
	trail.Record(tx, event)
	if err := tx.Commit(t.Context()); !errors.Is(err, access.ErrNotFound) {
		t.Fatalf("commit: %v, want %v", err, access.ErrNotFound)
	}
	page, err := trail.Day(t.Context(), today, 0, "")
	if got := events(t, page, err); len(got) != 0 {
		t.Fatalf("events of a change that failed: %+v", got)
	}

	tx = w.DB.Tx()
	tx.PutHeartbeat(platformdb.Heartbeat{Name: "house", At: w.Now()})
	trail.Record(tx, event)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	event.At = w.Now()
	for name, list := range map[string]func() (access.Page[audit.Event], error){
		"day":   func() (access.Page[audit.Event], error) { return trail.Day(t.Context(), today, 0, "") },
		"about": func() (access.Page[audit.Event], error) { return trail.About(t.Context(), "house-1", 0, "") },
		"by":    func() (access.Page[audit.Event], error) { return trail.By(t.Context(), "ann", 0, "") },
	} {
		page, err := list()
		if diff := cmp.Diff([]audit.Event{event}, events(t, page, err), withoutID); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestEventsAreListedNewestFirstInPages(t *testing.T) {
	w := platformtest.Open(t)
	trail := audit.New(w.Platform, audit.Options{})
	for i := range 7 {
		about := ""
		if i%2 == 0 {
			about = "house-1"
		}
		if err := trail.RecordAlone(t.Context(), audit.Event{Actor: "ann", Action: "sign in", Target: fmt.Sprint(i), About: about}); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(time.Second)
	}
	targets := func(list func(cursor string) (access.Page[audit.Event], error)) (all []string) {
		cursor := ""
		for {
			page, err := list(cursor)
			for _, event := range events(t, page, err) {
				all = append(all, event.Target)
			}
			if len(page.Items) > 3 {
				t.Errorf("a page has %d events, want at most 3", len(page.Items))
			}
			if cursor = page.Next; cursor == "" {
				return all
			}
		}
	}
	day := func(cursor string) (access.Page[audit.Event], error) { return trail.Day(t.Context(), today, 3, cursor) }
	if diff := cmp.Diff([]string{"6", "5", "4", "3", "2", "1", "0"}, targets(day)); diff != "" {
		t.Errorf("the day (-want +got):\n%s", diff)
	}
	about := func(cursor string) (access.Page[audit.Event], error) {
		return trail.About(t.Context(), "house-1", 3, cursor)
	}
	if diff := cmp.Diff([]string{"6", "4", "2", "0"}, targets(about)); diff != "" {
		t.Errorf("the history (-want +got):\n%s", diff)
	}
	alone := func(cursor string) (access.Page[audit.Event], error) { return trail.About(t.Context(), "3", 3, cursor) }
	if diff := cmp.Diff([]string{"3"}, targets(alone)); diff != "" {
		t.Errorf("the history of a target (-want +got):\n%s", diff)
	}
	if err := trail.RecordAlone(t.Context(), audit.Event{Actor: "bea", Action: "sign in"}); err != nil {
		t.Fatal(err)
	}
	by := func(cursor string) (access.Page[audit.Event], error) { return trail.By(t.Context(), "ann", 3, cursor) }
	if diff := cmp.Diff([]string{"6", "5", "4", "3", "2", "1", "0"}, targets(by)); diff != "" {
		t.Errorf("what ann did (-want +got):\n%s", diff)
	}
	for name, list := range map[string]func(context.Context, string, int, string) (access.Page[audit.Event], error){"about": trail.About, "by": trail.By} {
		if page, err := list(t.Context(), "", 3, ""); err != nil || len(page.Items) != 0 {
			t.Errorf("%s nothing: %+v (%v)", name, page, err)
		}
	}
}

func TestEventsExpire(t *testing.T) {
	w := platformtest.Open(t)
	trail := audit.New(w.Platform, audit.Options{Keep: time.Hour})
	if err := trail.RecordAlone(t.Context(), audit.Event{Actor: "ann", Action: "sign in"}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		advance time.Duration
		want    int
	}{{time.Hour - time.Second, 1}, {time.Second, 0}} {
		w.Clock.Advance(test.advance)
		page, err := trail.Day(t.Context(), today, 0, "")
		if got := events(t, page, err); len(got) != test.want {
			t.Errorf("at %s there are %d events, want %d", w.Now(), len(got), test.want)
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	w := platformtest.Open(t)
	trail := audit.New(w.Platform, audit.Options{})
	long := strings.Repeat("ö", 100_000)
	about := strings.Repeat("ä", 201)
	err := trail.RecordAlone(t.Context(), audit.Event{
		Actor: long, Action: "note\xff", Target: long, About: about, Detail: map[string]string{long: "a", "b": long, "c": "c"},
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := trail.About(t.Context(), about, 0, "")
	got := events(t, page, err)
	if len(got) != 1 {
		t.Fatalf("events: %+v", got)
	}
	event := got[0]
	if event.Actor != long[:400] || event.Action != "note\ufffd" || event.Target != long[:400] || event.About != about[:400] {
		t.Errorf("the texts are not cut after 200 characters: %+v", event)
	}
	if len(event.Detail["b"]) < 1000 || event.Detail["c"] != "" {
		t.Errorf("the details are not cut: %d characters of b, c is %q", len(event.Detail["b"]), event.Detail["c"])
	}
}

func TestBadPagesAreRefused(t *testing.T) {
	w := platformtest.Open(t)
	trail := audit.New(w.Platform, audit.Options{})
	_, badDay := trail.Day(t.Context(), "2026-02-30", 0, "")
	_, badCursor := trail.Day(t.Context(), today, 0, "nonsense")
	for field, err := range map[string]error{"day": badDay, "cursor": badCursor} {
		var refused *refusal.Error
		if !errors.As(err, &refused) || refused.Kind != refusal.Invalid || refused.Fields[0].Name != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
