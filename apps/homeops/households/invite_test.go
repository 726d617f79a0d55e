package households_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/internal/onetime"
)

// nothing adds no writes to a transaction.
func nothing(access.Tx, households.Home) error { return nil }

func invite(t *testing.T, w *homeopstest.World) string {
	t.Helper()
	token, err := w.Households.Invite(t.Context(), anna, w.Home(t).HouseholdID, "")
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestAnInvitationMakesOnePersonAMember(t *testing.T) {
	w := homeopstest.Open(t)
	w.Set(t, func(s *households.Settings) { s.ClosedMembership = true })
	token := invite(t, w)
	seen, err := w.Households.LookInvitation(t.Context(), token)
	if err != nil || seen.By != "Anna" || seen.Home.Name != "Hemma" || !seen.Until.Equal(homeopstest.Start.Add(households.InviteValid)) {
		t.Errorf("the invitation is %+v: %v", seen, err)
	}
	if _, err := w.Households.Accept(t.Context(), token, households.Person{ID: erik, Name: "Erik"}, nothing); err != nil {
		t.Errorf("a member: %v", err) // and the invitation still works
	}
	var all sync.WaitGroup
	failures := make([]error, 5)
	for i := range failures {
		all.Go(func() {
			_, failures[i] = w.Households.Accept(t.Context(), token, households.Person{ID: int64(200 + i), Name: "New"}, nothing)
		})
	}
	all.Wait()
	joined := 0
	for i, err := range failures {
		_, member := w.Home(t).Member(int64(200 + i))
		switch {
		case err == nil && member:
			joined++
		case !errors.Is(err, onetime.ErrUsed) || member:
			t.Errorf("person %d: member %t, %v", i, member, err)
		}
	}
	if joined != 1 {
		t.Errorf("%d people joined by one invitation", joined)
	}
	if _, err := w.Households.LookInvitation(t.Context(), token); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("a used invitation: %v", err)
	}
}

func TestInvitationsExpire(t *testing.T) {
	w := homeopstest.Open(t)
	first, second := invite(t, w), invite(t, w)
	w.Clock.Advance(households.InviteValid - time.Second)
	if _, err := w.Households.Accept(t.Context(), first, households.Person{ID: 200, Name: "New"}, nothing); err != nil {
		t.Errorf("in time: %v", err)
	}
	w.Clock.Advance(time.Second)
	if _, err := w.Households.Accept(t.Context(), second, households.Person{ID: 201, Name: "Late"}, nothing); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("too late: %v", err)
	}
}

func TestOnlyTheOwnerInvites(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	if _, err := w.Households.Invite(t.Context(), erik, home.HouseholdID, ""); !errors.Is(err, households.ErrNotOwner) {
		t.Errorf("a member: %v", err)
	}
	if _, err := w.Households.Invite(t.Context(), homeopstest.Maja, home.HouseholdID, ""); !errors.Is(err, households.ErrNoMember) {
		t.Errorf("a stranger: %v", err)
	}
	token := invite(t, w)
	if err := w.Households.Leave(t.Context(), home.HouseholdID, anna); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Households.LookInvitation(t.Context(), token); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("the invitation of an owner who left: %v", err)
	}
}

func TestAFullHouseholdTakesNoOne(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	token, last := invite(t, w), invite(t, w)
	for i := len(home.Active()); i < homeops.MaxMembers-1; i++ {
		if _, err := w.Households.Join(t.Context(), home.HouseholdID, households.Person{ID: int64(300 + i), Name: "Guest"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Households.Accept(t.Context(), last, households.Person{ID: 200, Name: "Last"}, nothing); err != nil {
		t.Errorf("the last member: %v", err)
	}
	if _, err := w.Households.Accept(t.Context(), token, households.Person{ID: 201, Name: "New"}, nothing); !errors.Is(err, households.ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	if _, err := w.Households.Invite(t.Context(), anna, home.HouseholdID, ""); !errors.Is(err, households.ErrFull) {
		t.Errorf("an invitation to a full household: %v", err)
	}
}

func TestAPersonIsAskedOnceToOpenTheChannel(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	for i, want := range []bool{true, false} {
		if first, err := w.Households.MarkInvited(t.Context(), anna); err != nil || first != want {
			t.Errorf("time %d: first %t, %v", i+1, first, err)
		}
	}
}
