package ledger_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/refusal"
)

const anna, erik = homeopstest.Anna, homeopstest.Erik

func open(t *testing.T) (*homeopstest.World, households.Home) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	w.Means("diskat", homeopstest.Did("dishes", understanding.Medium, 0.9))
	w.Means("tvättat", homeopstest.Did("laundry", understanding.High, 0.9))
	both := homeopstest.Did("dishes", understanding.Medium, 0.9)
	both.Activities = append(both.Activities, homeopstest.Did("laundry", understanding.High, 0.9).Activities[0])
	w.Means("diskat och tvättat", both)
	return w, home
}

func habit(t *testing.T, w *homeopstest.World, userID int64, activity string) int64 {
	t.Helper()
	h, err := w.DB.GetHabit(t.Context(), userID, w.Home(t).HouseholdID, activity)
	if err != nil {
		return 0
	}
	return h.TotalCount
}

func activities(events []homeopsdb.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Activity)
	}
	slices.Sort(all)
	return all
}

func TestEditRewritesWhatAMessageSaid(t *testing.T) {
	w, home := open(t)
	m := w.Say(t, anna, "diskat")
	first := w.Events(t)[0].EventID
	edit := func(text string) {
		t.Helper()
		edited := *m
		edited.Text = text
		w.Deliver(t, telegram.Update{EditedMessage: &edited})
		w.Step(t)
	}
	edit("diskat och tvättat")
	events := w.Events(t)
	if !slices.Equal(activities(events), []string{"dishes", "laundry"}) || !slices.ContainsFunc(events, func(e homeopsdb.Event) bool { return e.EventID == first }) {
		t.Errorf("after the first edit %+v", events)
	}
	edit("tvättat")
	if got := activities(w.Events(t)); !slices.Equal(got, []string{"laundry"}) || habit(t, w, anna, "dishes") != 0 || habit(t, w, anna, "laundry") != 1 {
		t.Errorf("after the second edit %v", got)
	}
	// What a member undid stays undone.
	if err := w.Ledger.Undo(t.Context(), home, anna, w.Events(t)[0].EventID); err != nil {
		t.Fatal(err)
	}
	edit("diskat och tvättat")
	if got := activities(w.Events(t)); !slices.Equal(got, []string{"dishes"}) {
		t.Errorf("after undo and the third edit %v", got)
	}
	edit("hej")
	if n := len(w.Events(t)); n != 0 {
		t.Errorf("%d events of a message that says nothing", n)
	}
	if d := w.Decision(t, m); d.Revision != 4 || d.Kind != "none" {
		t.Errorf("decision %+v", d)
	}
}

// An edit may change only when something was done, or how often: the habit is changed once for all
// events, and the promise that was fulfilled stays fulfilled.
func TestEditOfTheTimeKeepsHabitAndPromise(t *testing.T) {
	w, home := open(t)
	earlier := w.Clock.Now().Add(-24 * time.Hour)
	yesterday := homeopstest.Did("laundry", understanding.High, 0.9)
	yesterday.Activities[0].When.At = earlier
	w.Means("tvättade igår", yesterday)
	twice := homeopstest.Did("laundry", understanding.High, 0.9)
	twice.Activities = append(twice.Activities, twice.Activities[0])
	w.Means("tvättat två gånger", twice)
	w.Means("ska tvätta", homeopstest.Promised("laundry", w.Clock.Now().Add(time.Hour)))
	w.Say(t, anna, "ska tvätta")
	promise, err := w.DB.ListPromises(anna).First(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := w.Say(t, anna, "tvättat två gånger")
	for _, c := range []struct {
		text   string
		events int
		status homeopsdb.PromiseStatus
	}{
		{"tvättade igår", 1, "fulfilled"}, {"tvättat två gånger", 2, "fulfilled"}, {"hej", 0, "active"},
	} {
		edited := *m
		edited.Text = c.text
		w.Deliver(t, telegram.Update{EditedMessage: &edited})
		for range 3 { // a failed job is tried again
			w.Step(t)
			w.Clock.Advance(time.Minute)
		}
		events := w.Events(t)
		if n := habit(t, w, anna, "laundry"); len(events) != c.events || n != int64(c.events) {
			t.Errorf("%s: %d events, and the habit has %d", c.text, len(events), n)
		}
		if p, err := w.Promises.Get(t.Context(), anna, promise.PromiseID); err != nil || p.Status != c.status {
			t.Errorf("%s: the promise is %s: %v", c.text, p.Status, err)
		}
		h, err := w.DB.GetHabit(t.Context(), anna, home.HouseholdID, "laundry")
		if err != nil || c.text == "tvättade igår" && !h.LastSeen.Equal(earlier) {
			t.Errorf("%s: last seen %s: %v", c.text, h.LastSeen, err)
		}
	}
}

func TestUndoCorrectAndCredit(t *testing.T) {
	w, home := open(t)
	w.Say(t, anna, "diskat")
	id := w.Events(t)[0].EventID
	ctx := t.Context()
	if err := w.Ledger.Undo(ctx, home, erik, id); !errors.Is(err, ledger.ErrNotYours) {
		t.Errorf("Erik undoes Anna's entry: %v", err)
	}
	if err := w.Ledger.Correct(ctx, home, anna, id, ledger.Correction{Activity: "cooking", Effort: "high"}); err != nil {
		t.Fatal(err)
	}
	e := w.Events(t)[0]
	if e.Activity != "cooking" || e.Effort != "high" || e.Origin != "corrected" || habit(t, w, anna, "dishes") != 0 || habit(t, w, anna, "cooking") != 1 {
		t.Errorf("corrected %+v", e)
	}
	if err := w.Ledger.Credit(ctx, home, anna, id, homeopstest.Maja); !errors.Is(err, households.ErrNoMember) {
		t.Errorf("credit to a stranger: %v", err)
	}
	if err := w.Ledger.Credit(ctx, home, anna, id, erik); err != nil {
		t.Fatal(err)
	}
	e = w.Events(t)[0]
	if e.UserID != erik || e.UserName != "Erik" || habit(t, w, anna, "cooking") != 0 || habit(t, w, erik, "cooking") != 1 {
		t.Errorf("credited %+v", e)
	}
	if page, err := w.Ledger.Mine(ctx, home, erik, ""); err != nil || len(page.Items) != 1 {
		t.Errorf("Erik's log %+v (%v)", page, err)
	}
	if err := w.Ledger.Undo(ctx, home, anna, id); err != nil { // who wrote it may undo it
		t.Errorf("the author undoes: %v", err)
	}
	if err := w.Ledger.Undo(ctx, home, anna, id); !errors.Is(err, ledger.ErrNoEvent) {
		t.Errorf("undo twice: %v", err)
	}
	history, err := w.Env.Audit.About(ctx, home.HouseholdID, 10, "")
	if err != nil || len(history.Items) != 3 || history.Items[0].Action != "undo event" {
		t.Errorf("audit %+v (%v)", history.Items, err)
	}
	if err := w.Ledger.Undo(ctx, home, anna, "no id"); !errors.Is(err, ledger.ErrNoEvent) {
		t.Errorf("a wrong id: %v", err)
	}
	if err := w.Ledger.Rate(ctx, home, anna, id, "huge"); !refused(err, refusal.Invalid) {
		t.Errorf("a wrong effort: %v", err)
	}
}

func refused(err error, kind refusal.Kind) bool {
	_, ok := refusal.As(err, kind)
	return ok
}

func TestConcurrentCorrectionsKeepTheHabit(t *testing.T) {
	w, home := open(t)
	for range 6 {
		w.Clock.Advance(time.Minute)
		w.Say(t, anna, "diskat")
	}
	var all sync.WaitGroup
	for i, e := range w.Events(t) {
		all.Go(func() {
			var err error
			if i%2 == 0 {
				err = w.Ledger.Undo(t.Context(), home, anna, e.EventID)
			} else {
				err = w.Ledger.Credit(t.Context(), home, anna, e.EventID, erik)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if a, e, n := habit(t, w, anna, "dishes"), habit(t, w, erik, "dishes"), len(w.Events(t)); a != 0 || e != 3 || n != 3 {
		t.Errorf("Anna %d, Erik %d, %d events", a, e, n)
	}
}

func TestWhoDidItLastAlsoInAFormerChat(t *testing.T) {
	w, home := open(t)
	ctx := t.Context()
	w.Say(t, anna, "diskat")
	w.Clock.Advance(26 * time.Hour)
	w.Say(t, erik, "diskat")
	if err := w.Households.Move(ctx, home.ChatID, "-555"); err != nil {
		t.Fatal(err)
	}
	home, err := w.Households.Get(ctx, home.HouseholdID)
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	m := w.Message(anna, "diskat")
	m.Chat.ID = -555
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	facts, err := w.Ledger.Last(ctx, home, "dishes")
	if err != nil || len(facts) != 3 || facts[0].Name != "Anna" || facts[1].Name != "Erik" || facts[2].Name != "Anna" || !facts[0].At.After(facts[1].At) {
		t.Errorf("last %+v (%v)", facts, err)
	}
	if last, ok, err := w.Ledger.LastOf(ctx, home, erik, "dishes"); err != nil || !ok || last.UserID != erik {
		t.Errorf("last of Erik %+v %v (%v)", last, ok, err)
	}
	if _, ok, err := w.Ledger.LastOf(ctx, home, erik, "laundry"); err != nil || ok {
		t.Errorf("Erik did the laundry (%v)", err)
	}
	if n, err := w.Ledger.CountOf(ctx, home, anna, "dishes", w.Clock.Now()); err != nil || n != 2 {
		t.Errorf("Anna %d times (%v)", n, err)
	}
	from, to := homeops.WeekRange("2037-W08", home.Zone())
	if facts, err := w.Ledger.Log(ctx, home, from, to); err != nil || len(facts) != 3 {
		t.Errorf("log %+v (%v)", facts, err)
	}
	for text, want := range map[string]int{"disk": 3, "DISH": 3, "erik": 1, "tvätt": 0} {
		if facts, err := w.Ledger.Search(ctx, home, text, from); err != nil || len(facts) != want {
			t.Errorf("search %q: %d (%v), want %d", text, len(facts), err, want)
		}
	}
	if _, err := w.Ledger.Search(ctx, home, " ", from); !refused(err, refusal.Invalid) {
		t.Errorf("an empty search: %v", err)
	}
	page, err := w.Ledger.Recent(ctx, home, "")
	if err != nil || len(page.Items) != 3 || page.Items[0].UserID != anna {
		t.Errorf("recent %+v (%v)", page, err)
	}
	if _, err := w.Ledger.Recent(ctx, home, "nonsense"); !refused(err, refusal.Invalid) {
		t.Errorf("a wrong cursor: %v", err)
	}
}

func TestCalendarShowsWhatIsUsual(t *testing.T) {
	w, home := open(t)
	for week := range 3 {
		if usual, err := w.Ledger.Calendar(t.Context(), home); err != nil || len(usual) != 0 {
			t.Errorf("after %d times: %+v (%v)", week, usual, err)
		}
		w.Say(t, anna, "diskat")
		w.Clock.Advance(7 * 24 * time.Hour)
	}
	usual, err := w.Ledger.Calendar(t.Context(), home)
	if err != nil || len(usual) != 1 || usual[0].Weekday != time.Monday || usual[0].Hour != 10 || usual[0].Name != "Anna" || usual[0].Activity != "dishes" {
		t.Errorf("calendar %+v (%v)", usual, err)
	}
	efforts, err := w.Ledger.Efforts(t.Context(), home, anna)
	if err != nil || efforts["dishes"] != understanding.Medium || len(efforts) != 1 {
		t.Errorf("efforts %v (%v)", efforts, err)
	}
}

func TestAddOnTheWebIsChecked(t *testing.T) {
	w, home := open(t)
	good := ledger.Entry{Activity: "dishes", Category: "chore", Effort: "low", At: w.Clock.Now()}
	for name, change := range map[string]func(*ledger.Entry){
		"no activity":  func(e *ledger.Entry) { e.Activity = "" },
		"long":         func(e *ledger.Entry) { e.Activity = string(make([]byte, homeops.MaxActivity+1)) },
		"no category":  func(e *ledger.Entry) { e.Category = "" },
		"wrong effort": func(e *ledger.Entry) { e.Effort = "huge" },
		"future":       func(e *ledger.Entry) { e.At = e.At.Add(time.Second) },
		"too old":      func(e *ledger.Entry) { e.At = e.At.AddDate(-1, 0, -1) },
	} {
		e := good
		change(&e)
		if _, err := w.Ledger.Add(t.Context(), home, anna, e); !refused(err, refusal.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Ledger.Add(t.Context(), home, homeopstest.Maja, good); !errors.Is(err, households.ErrNoMember) {
		t.Errorf("a stranger: %v", err)
	}
	if e, err := w.Ledger.Add(t.Context(), home, anna, good); err != nil || e.Origin != "web" || e.Confidence != 1 || e.SourceMessageID != nil {
		t.Errorf("added %+v (%v)", e, err)
	}
}

// The last entry of a member in a household is found behind many later ones in another household.
func TestTheLatestEntryIsThatOfTheHousehold(t *testing.T) {
	w, home := open(t)
	w.Say(t, anna, "diskat")
	other, _, err := w.Households.Ensure(t.Context(), households.Group{ChatID: "-2002", Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	if other, err = w.Households.Join(t.Context(), other.HouseholdID, households.Person{ID: anna, Name: "Anna"}); err != nil {
		t.Fatal(err)
	}
	for range 45 {
		w.Clock.Advance(time.Minute)
		if _, err := w.Ledger.Add(t.Context(), other, anna, ledger.Entry{Activity: "laundry", Category: "chore", Effort: "low", At: w.Clock.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	if id, err := w.Ledger.LatestOf(t.Context(), home, anna); err != nil || id != w.Events(t)[0].EventID {
		t.Errorf("the latest entry is %q: %v", id, err)
	}
}

// A form with a value that cannot be is refused, with the field that is wrong.
func TestACorrectionIsChecked(t *testing.T) {
	w, home := open(t)
	w.Say(t, anna, "diskat")
	id := w.Events(t)[0].EventID
	for _, c := range []ledger.Correction{{Effort: "enormous"}, {Activity: "laundry", Category: "crime"}} {
		if err := w.Ledger.Correct(t.Context(), home, anna, id, c); !refused(err, refusal.Invalid) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
