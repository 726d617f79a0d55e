package promises_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/promises"
	"sortkey.dev/apps/homeops/telegram"
)

// made lets a member promise the dishes until a deadline, and returns the promise.
func made(t *testing.T, w *homeopstest.World, userID int64, text string, deadline time.Time) homeopsdb.Promise {
	t.Helper()
	w.Means(text, homeopstest.Promised("dishes", deadline))
	w.Say(t, userID, text)
	mine, err := w.Promises.Mine(t.Context(), userID, "")
	if err != nil || len(mine.Items) == 0 {
		t.Fatalf("promises %+v (%v)", mine.Items, err)
	}
	return mine.Items[0]
}

func status(t *testing.T, w *homeopstest.World, p homeopsdb.Promise) homeopsdb.PromiseStatus {
	t.Helper()
	now, err := w.Promises.Get(t.Context(), p.UserID, p.PromiseID)
	if err != nil {
		t.Fatal(err)
	}
	return now.Status
}

// Telegram keeps updates for a day. A promise that arrives after its deadline is not held against
// the member before the message that fulfils it could arrive.
func TestPromiseThatArrivesLateWaitsForItsFulfilment(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	said := w.Clock.Now()
	promise, done := w.Message(homeopstest.Anna, "Jag tar disken om en timme"), w.Message(homeopstest.Anna, "Diskat")
	done.Date = telegram.Time{Time: said.Add(time.Hour)}
	w.Means(promise.Text, homeopstest.Promised("dishes", said.Add(time.Hour)))
	w.Means(done.Text, homeopstest.Did("dishes", "medium", 0.95))
	w.Clock.Advance(8 * time.Hour) // the system was down
	w.Deliver(t, telegram.Update{Message: promise})
	w.Step(t)
	w.Deliver(t, telegram.Update{Message: done})
	w.Step(t)
	w.Clock.Advance(time.Hour)
	w.Step(t)
	mine, err := w.Promises.Mine(t.Context(), homeopstest.Anna, "")
	if err != nil || len(mine.Items) != 1 || mine.Items[0].Status != homeopsdb.PromiseStatusFulfilled {
		t.Errorf("promises %+v (%v)", mine.Items, err)
	}
	if said := w.Telegram.Texts(homeopstest.Chat); len(said) != 0 {
		t.Errorf("the group got %q", said)
	}
}

func TestPromiseThatArrivesLateIsRemindedOf(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	m := w.Message(homeopstest.Anna, "Jag tar disken om en timme")
	w.Means(m.Text, homeopstest.Promised("dishes", w.Clock.Now().Add(time.Hour)))
	w.Clock.Advance(4 * time.Hour)
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	if said := w.Telegram.Texts(homeopstest.Chat); len(said) != 0 {
		t.Errorf("at once the group got %q", said)
	}
	w.Clock.Advance(10 * time.Minute)
	w.Step(t)
	if said := w.Telegram.Texts(homeopstest.Chat); len(said) != 1 || !strings.Contains(said[0], "iskning finns kvar") {
		t.Errorf("the group got %q", said)
	}
}

// The member's own promise is fulfilled before those of others, and one log fulfils one promise.
func TestOneLogFulfilsOnePromise(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	due := w.Clock.Now().Add(6 * time.Hour)
	eriks := made(t, w, homeopstest.Erik, "Jag tar disken", due)
	w.Clock.Advance(time.Minute)
	annas := made(t, w, homeopstest.Anna, "Jag diskar sen", due)
	w.Means("Diskat", homeopstest.Did("dishes", "medium", 0.95))
	w.Clock.Advance(time.Minute)
	w.Say(t, homeopstest.Anna, "Diskat")
	if a, e := status(t, w, annas), status(t, w, eriks); a != homeopsdb.PromiseStatusFulfilled || e != homeopsdb.PromiseStatusActive {
		t.Errorf("Anna's is %s, Erik's %s", a, e)
	}
	w.Clock.Advance(time.Minute)
	w.Say(t, homeopstest.Anna, "Diskat")
	p, err := w.Promises.Get(t.Context(), homeopstest.Erik, eriks.PromiseID)
	if err != nil || p.Status != homeopsdb.PromiseStatusFulfilled || p.FulfilledBy == nil || *p.FulfilledBy != homeopstest.Anna {
		t.Errorf("Erik's promise is %+v (%v)", p, err)
	}
}

func TestOverduePromisesAreInOrderAndOpen(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	now := w.Clock.Now()
	late := made(t, w, homeopstest.Anna, "sen", now.Add(2*time.Hour))
	early := made(t, w, homeopstest.Erik, "strax", now.Add(time.Hour))
	w.Clock.Advance(time.Second)
	withdrawn := made(t, w, homeopstest.Anna, "snart", now.Add(30*time.Minute))
	if err := w.Promises.Withdraw(t.Context(), homeopstest.Anna, withdrawn.PromiseID); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Duration][]string{
		59 * time.Minute: nil, time.Hour + time.Second: {early.PromiseID}, 3 * time.Hour: {early.PromiseID, late.PromiseID},
	} {
		w.Clock.Set(now.Add(at))
		overdue, err := w.Promises.Overdue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, p := range overdue {
			ids = append(ids, p.PromiseID)
		}
		if strings.Join(ids, " ") != strings.Join(want, " ") {
			t.Errorf("after %s overdue are %v, want %v", at, ids, want)
		}
	}
	w.Clock.Set(now.Add(4 * time.Hour))
	w.Means("Diskat", homeopstest.Did("dishes", "medium", 0.95))
	w.Say(t, homeopstest.Erik, "Diskat")
	if overdue, err := w.Promises.Overdue(t.Context()); err != nil || len(overdue) != 1 || overdue[0].PromiseID != late.PromiseID {
		t.Errorf("after the log overdue are %+v (%v)", overdue, err)
	}
	if open, err := w.Promises.MineOpen(t.Context(), home.HouseholdID, homeopstest.Erik); err != nil || len(open) != 0 {
		t.Errorf("Erik has %+v (%v)", open, err)
	}
}

// A promise expires after its grace, and only then: 48 hours after the deadline, or after the
// reminder.
func TestPromiseExpiresAfterItsGrace(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	p := made(t, w, homeopstest.Anna, "sen", w.Clock.Now().Add(time.Hour))
	end := promises.GraceEnds(p)
	if want := p.Deadline.Add(48 * time.Hour); !end.Equal(want) {
		t.Errorf("the grace ends at %s, want %s", end, want)
	}
	reminded := p
	reminded.RemindedAt = new(p.Deadline.Add(10 * time.Hour))
	if got, want := promises.GraceEnds(reminded), p.Deadline.Add(58*time.Hour); !got.Equal(want) {
		t.Errorf("after a reminder the grace ends at %s, want %s", got, want)
	}
	for _, step := range []struct {
		at   time.Time
		want bool
	}{{end.Add(-time.Second), false}, {end, true}, {end, false}} { // the second time it is closed
		w.Clock.Set(step.at)
		if got, err := w.Promises.Expire(t.Context(), p); err != nil || got != step.want {
			t.Errorf("at %s: expired %v (%v)", step.at, got, err)
		}
	}
	if s := status(t, w, p); s != homeopsdb.PromiseStatusExpired {
		t.Errorf("the promise is %s", s)
	}
}

func TestOnlyTheMemberWithdrawsAPromise(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	p := made(t, w, homeopstest.Anna, "sen", w.Clock.Now().Add(time.Hour))
	if err := w.Promises.Withdraw(t.Context(), homeopstest.Erik, p.PromiseID); !errors.Is(err, promises.ErrNoPromise) {
		t.Errorf("Erik withdraws Anna's promise: %v", err)
	}
	if err := w.Promises.Withdraw(t.Context(), homeopstest.Anna, p.PromiseID); err != nil {
		t.Error(err)
	}
	if err := w.Promises.Withdraw(t.Context(), homeopstest.Anna, p.PromiseID); !errors.Is(err, promises.ErrNoPromise) {
		t.Errorf("a second time: %v", err)
	}
	if _, err := w.Promises.Mine(t.Context(), homeopstest.Anna, "not a cursor"); err == nil {
		t.Error("an invented cursor is accepted")
	}
}

// A promise whose grace has ended is expired for its readers, also before its job has run.
func TestStatusAt(t *testing.T) {
	deadline := homeopstest.Start
	reminded := deadline.Add(24 * time.Hour)
	for name, c := range map[string]struct {
		promise homeopsdb.Promise
		at      time.Time
		want    homeopsdb.PromiseStatus
	}{
		"in the grace":           {homeopsdb.Promise{Deadline: deadline, Status: "active"}, deadline.Add(homeops.PromiseGrace - time.Second), "active"},
		"after the grace":        {homeopsdb.Promise{Deadline: deadline, Status: "active"}, deadline.Add(homeops.PromiseGrace), "expired"},
		"reminded, in the grace": {homeopsdb.Promise{Deadline: deadline, RemindedAt: &reminded, Status: "active"}, deadline.Add(homeops.PromiseGrace), "active"},
		"fulfilled":              {homeopsdb.Promise{Deadline: deadline, Status: "fulfilled"}, deadline.Add(homeops.PromiseGrace), "fulfilled"},
	} {
		if got := promises.StatusAt(c.promise, c.at); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
