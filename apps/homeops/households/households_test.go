package households_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/refusal"
)

const anna, erik = homeopstest.Anna, homeopstest.Erik

func TestAChatHasOneHousehold(t *testing.T) {
	w := homeopstest.Open(t)
	ids := make([]string, 6)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			home, _, err := w.Households.Ensure(t.Context(), households.Group{ChatID: "-9", Name: "Hemma"})
			if err != nil {
				t.Error(err)
			}
			ids[i] = home.HouseholdID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Errorf("households %v", ids)
		}
	}
	for _, job := range []string{"day-", "week-"} {
		if _, err := w.Env.Jobs.Get(t.Context(), job+ids[0]); err != nil {
			t.Errorf("%s: %v", job, err)
		}
	}
	if _, err := w.Households.ByChat(t.Context(), "-10"); !errors.Is(err, households.ErrNoHousehold) {
		t.Errorf("an unknown chat: %v", err)
	}
}

func TestSettingsAreCheckedAndTheOwners(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	good := households.SettingsOf(home)
	for name, change := range map[string]func(*households.Settings){
		"zone":      func(s *households.Settings) { s.TimeZone = "Mars/Olympus" },
		"no zone":   func(s *households.Settings) { s.TimeZone = "" },
		"locale":    func(s *households.Settings) { s.Locale = "de" },
		"no name":   func(s *households.Settings) { s.Name = "" },
		"hour 24":   func(s *households.Settings) { s.QuietFrom = 24 },
		"hour -1":   func(s *households.Settings) { s.QuietTo = -1 },
		"cap 11":    func(s *households.Settings) { s.DailyCap = 11 },
		"no pause":  func(s *households.Settings) { s.CooldownMinutes = 0 },
		"retention": func(s *households.Settings) { s.RawRetentionDays = 366 },
		"weight":    func(s *households.Settings) { s.RecoveryWeight = 3.1 },
	} {
		bad := good
		change(&bad)
		if _, err := w.Households.Change(t.Context(), anna, home.HouseholdID, bad); !refused(err, refusal.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	changed := good
	changed.DailyCap, changed.Locale, changed.QuietFrom, changed.RecoveryWeight = 10, "en", 23, 0.5
	if _, err := w.Households.Change(t.Context(), erik, home.HouseholdID, changed); !errors.Is(err, households.ErrNotOwner) {
		t.Errorf("Erik is not the owner: %v", err)
	}
	if _, err := w.Households.Change(t.Context(), homeopstest.Maja, home.HouseholdID, changed); !errors.Is(err, households.ErrNoMember) {
		t.Errorf("a stranger: %v", err)
	}
	after, err := w.Households.Change(t.Context(), anna, home.HouseholdID, changed)
	if err != nil || households.SettingsOf(after) != changed {
		t.Errorf("settings %+v (%v)", households.SettingsOf(after), err)
	}
}

// A household whose owner left belongs to the member who joined first, until the owner comes back.
func TestAHouseholdWhoseOwnerLeftHasAnother(t *testing.T) {
	w := homeopstest.Open(t)
	home, ctx := w.Home(t), t.Context()
	w.Clock.Advance(time.Hour)
	const maja = homeopstest.Maja
	home, err := w.Households.Join(ctx, home.HouseholdID, households.Person{ID: maja, Name: "Maja"})
	if err != nil {
		t.Fatal(err)
	}
	want := func(when string, owner int64) {
		t.Helper()
		for _, userID := range []int64{anna, erik, maja} {
			_, changed := w.Households.Change(ctx, userID, home.HouseholdID, households.SettingsOf(home))
			_, invited := w.Households.Invite(ctx, userID, home.HouseholdID, "")
			if (changed == nil) != (userID == owner) || (invited == nil) != (userID == owner) {
				t.Errorf("%s: %d changes settings: %v, invites: %v", when, userID, changed, invited)
			}
		}
	}
	want("at first", anna)
	if err := w.Households.Leave(ctx, home.HouseholdID, anna); err != nil {
		t.Fatal(err)
	}
	want("after she left", erik)
	if _, err := w.Households.Join(ctx, home.HouseholdID, households.Person{ID: anna, Name: "Anna"}); err != nil {
		t.Fatal(err)
	}
	want("after she came back", anna)
	if err := w.Households.Erase(ctx, anna); err != nil {
		t.Fatal(err)
	}
	want("after she was erased", erik)
}

func refused(err error, kind refusal.Kind) bool {
	_, ok := refusal.As(err, kind)
	return ok
}

func TestConcurrentJoinsCountEachMemberOnce(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			person := households.Person{ID: int64(1000 + i%4), Name: "P"}
			if _, err := w.Households.Join(t.Context(), home.HouseholdID, person); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	home, err := w.Households.Get(t.Context(), home.HouseholdID)
	if err != nil || home.MemberCount != 6 || len(home.Members) != 6 {
		t.Errorf("%d members, counted %d (%v)", len(home.Members), home.MemberCount, err)
	}
}

func TestMembersAreLimited(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	for i := len(home.Members); i <= homeops.MaxMembers; i++ {
		found, ok, err := w.Households.Recognise(t.Context(), home, households.Person{ID: int64(500 + i), Name: "P"})
		if err != nil || ok != (i < homeops.MaxMembers) {
			t.Errorf("member %d: %v (%v)", i+1, ok, err)
		}
		home = found
	}
	found, ok, err := w.Households.Recognise(t.Context(), home, households.Person{ID: anna, Name: "Anna Maria"})
	if err != nil || !ok || found.NameOf(anna) != "Anna Maria" {
		t.Errorf("renamed %q %v (%v)", found.NameOf(anna), ok, err)
	}
}

func TestPauseAndChoices(t *testing.T) {
	w := homeopstest.Open(t)
	ctx := t.Context()
	until := w.Clock.Now().Add(time.Hour)
	hour := 22
	if _, err := w.Households.Choose(ctx, anna, households.Choices{QuietFrom: &hour}); !refused(err, refusal.Invalid) {
		t.Errorf("half of the quiet hours: %v", err)
	}
	if _, err := w.Households.Choose(ctx, anna, households.Choices{QuietFrom: new(24), QuietTo: &hour}); !refused(err, refusal.Invalid) {
		t.Errorf("hour 24: %v", err)
	}
	p, err := w.Households.Choose(ctx, anna, households.Choices{PausedUntil: &until, QuietFrom: &hour, QuietTo: new(6), Insist: true})
	if err != nil || *households.ChoicesOf(p).QuietTo != 6 || !p.Insist || p.WeeklyInsight {
		t.Errorf("preferences %+v (%v)", p, err)
	}
	for after, want := range map[time.Duration]bool{-time.Millisecond: true, 0: false} {
		if got := households.Paused(p, until.Add(after)); got != want {
			t.Errorf("%v: paused %v", after, got)
		}
	}
	if err := w.Households.Resume(ctx, anna); err != nil {
		t.Fatal(err)
	}
	if paused, err := w.Households.IsPaused(ctx, anna); err != nil || paused {
		t.Errorf("paused after resume (%v)", err)
	}
}

func TestChannelAndSignIn(t *testing.T) {
	w := homeopstest.Open(t)
	ctx := t.Context()
	for i, want := range []bool{true, false} {
		if got, err := w.Households.OpenChannel(ctx, anna, "42"); err != nil || got != want {
			t.Errorf("open %d: %v (%v)", i+1, got, err)
		}
	}
	token, err := w.Households.SignInToken(ctx, anna)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := w.Households.LookSignIn(ctx, token); err != nil || id != anna {
		t.Errorf("look: %d (%v)", id, err)
	}
	w.Clock.Advance(15*time.Minute + time.Second)
	if _, err := w.Households.SignIn(ctx, token); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("an old link: %v", err)
	}
}

// TestAllHouseholdsOfAPersonAreFound, although the design reads them in pages.
func TestAllHouseholdsOfAPersonAreFound(t *testing.T) {
	w := homeopstest.Open(t)
	const many = 25
	for i := range many {
		home, _, err := w.Households.Ensure(t.Context(), households.Group{ChatID: homeopstest.ChatID(int64(-1000 - i)), Name: "Hemma"})
		if err == nil {
			_, err = w.Households.Join(t.Context(), home.HouseholdID, households.Person{ID: homeopstest.Anna, Name: "Anna"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if homes, err := w.Households.OfUser(t.Context(), homeopstest.Anna); err != nil || len(homes) != many {
		t.Errorf("%d households (%v)", len(homes), err)
	}
}

// Those who come to a chat and leave it are kept for the log. However many they are, the household
// stays readable, and those whom it knows can come back.
func TestPeopleWhoComeAndGoHaveALimit(t *testing.T) {
	w := homeopstest.Open(t)
	home, ctx := w.Home(t), t.Context()
	for id := int64(1000); id < 1600; id++ {
		found, ok, err := w.Households.Recognise(ctx, home, households.Person{ID: id, Name: "Guest"})
		if err != nil {
			t.Fatalf("guest %d: %v", id-1000, err)
		}
		if !ok {
			break
		}
		if err := w.Households.Leave(ctx, found.HouseholdID, id); err != nil {
			t.Fatal(err)
		}
		home = w.Home(t)
	}
	if n := len(home.Members); n != homeops.MaxKnown {
		t.Errorf("%d members are known", n)
	}
	if _, ok, err := w.Households.Recognise(ctx, home, households.Person{ID: 1000, Name: "Guest"}); err != nil || !ok {
		t.Errorf("a guest who comes back: %t, %v", ok, err)
	}
}
