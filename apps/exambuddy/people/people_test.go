package people_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/refusal"
)

// TestAddressesAreTakenInEverySpelling is vector 1.
func TestAddressesAreTakenInEverySpelling(t *testing.T) {
	w := exambuddytest.Open(t)
	account, err := w.People.SignUp(t.Context(), accounts.NewAccount{Name: "Ann", Address: "a@x.se", Password: "Correct Horse 9"})
	if err != nil {
		t.Fatal(err)
	}
	user, err := w.DB.GetUserByEmail(t.Context(), "A@X.se")
	if err != nil || user.UserID != account.AccountID || user.Role != "CANDIDATE" {
		t.Errorf("the profile is %+v: %v", user, err)
	}
	if byID, err := w.DB.GetUserByID(t.Context(), account.AccountID); err != nil || byID.Email != "a@x.se" {
		t.Errorf("the profile by its id is %+v: %v", byID, err)
	}
	_, err = w.People.SignUp(t.Context(), accounts.NewAccount{Name: "Bob", Address: "A@X.se", Password: "Correct Horse 9"})
	if _, ok := refusal.As(err, refusal.Conflict); !ok {
		t.Errorf("another spelling of the address gives %v", err)
	}
}

func TestInvitedCandidateJoinsTheGroup(t *testing.T) {
	w := exambuddytest.Open(t)
	admin := w.Admin(t, "ada")
	group, err := w.People.CreateGroup(t.Context(), admin, "Class 7", exambuddy.Repeat{})
	if err != nil {
		t.Fatal(err)
	}
	link, err := w.People.Invite(t.Context(), admin, group.GroupID, "kim@example.org", exambuddy.Repeat{})
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(link, "token=")
	account, err := w.People.SignUp(t.Context(), accounts.NewAccount{Name: "Kim", Address: "kim@example.org", Password: "Correct Horse 9", Invitation: token})
	if err != nil {
		t.Fatal(err)
	}
	if role := people.Caller(account).Role; role != exambuddy.RoleCandidate {
		t.Errorf("the role is %s", role)
	}
	groups, err := w.People.GroupsOf(t.Context(), account.AccountID)
	if err != nil || len(groups) != 1 || groups[0] != group.GroupID {
		t.Errorf("the groups are %v: %v", groups, err)
	}
	if group, err = w.People.Group(t.Context(), admin, group.GroupID); err != nil || group.MemberCount != 1 {
		t.Errorf("the group has %d members: %v", group.MemberCount, err)
	}
	if _, err := w.People.AddMember(t.Context(), admin, group.GroupID, "kim@example.org"); err != nil {
		t.Errorf("adding a member again: %v", err)
	}
	other := w.Admin(t, "bob")
	if _, err := w.People.Group(t.Context(), other, group.GroupID); !errors.Is(err, exambuddy.ErrNoGroup) {
		t.Errorf("another admin sees the group: %v", err)
	}
	if err := w.People.DeleteGroup(t.Context(), admin, group.GroupID); err != nil {
		t.Error(err)
	}
	if groups, err := w.People.GroupsOf(t.Context(), account.AccountID); err != nil || len(groups) != 0 {
		t.Errorf("after the deletion the groups are %v: %v", groups, err)
	}
}

func TestTimeFactorHasBoundsAndAnEnd(t *testing.T) {
	w := exambuddytest.Open(t)
	admin, candidate := w.Admin(t, "ada"), w.Candidate(t, "kim")
	operator := w.SignUp(t, "olga", exambuddy.RoleOperator)
	for _, percent := range []int{99, 401} {
		if err := w.People.SetTimeFactor(t.Context(), operator, candidate.Email, percent, "", nil); err == nil {
			t.Errorf("%d per cent is accepted", percent)
		}
	}
	until := exambuddytest.Start.Add(time.Hour)
	if err := w.People.SetTimeFactor(t.Context(), operator, candidate.Email, 400, "approved", &until); err != nil {
		t.Fatal(err)
	}
	factor := func() int {
		factor, err := w.People.TimeFactor(t.Context(), candidate.ID, admin.ID)
		if err != nil {
			t.Fatal(err)
		}
		return factor.Percent()
	}
	w.At(time.Hour - time.Millisecond)
	if got := factor(); got != 400 {
		t.Errorf("the factor is %d", got)
	}
	w.At(time.Hour)
	if got := factor(); got != 100 {
		t.Errorf("after its end the factor is %d", got)
	}
	kim := exambuddy.Caller{ID: candidate.ID, Email: candidate.Email, Role: exambuddy.RoleCandidate}
	if err := w.People.SetTimeFactor(t.Context(), kim, candidate.Email, 200, "", nil); err == nil {
		t.Error("a candidate grants extra time")
	}
}

// TestTimeFactorHoldsInTheExamsOfItsAdmin, and that of an operator in all exams. The larger one counts.
func TestTimeFactorHoldsInTheExamsOfItsAdmin(t *testing.T) {
	w := exambuddytest.Open(t)
	ada, bob := w.SignUp(t, "ada", exambuddy.RoleAdmin), w.SignUp(t, "bob", exambuddy.RoleAdmin)
	operator, candidate := w.SignUp(t, "olga", exambuddy.RoleOperator), w.Candidate(t, "kim")
	set := func(by exambuddy.Caller, percent int) {
		t.Helper()
		if err := w.People.SetTimeFactor(t.Context(), by, candidate.Email, percent, "", nil); err != nil {
			t.Fatal(err)
		}
	}
	want := func(owner exambuddy.Caller, percent int) {
		t.Helper()
		if factor, err := w.People.TimeFactor(t.Context(), candidate.ID, owner.ID); err != nil || factor.Percent() != percent {
			t.Errorf("in the exams of %s the factor is %+v, not %d: %v", owner.Name, factor, percent, err)
		}
	}
	set(bob, 300)
	want(ada, 100)
	want(bob, 300)
	set(operator, 150)
	want(ada, 150)
	want(bob, 300)
	set(bob, 100) // removes the own one only
	want(bob, 150)
	set(ada, 125)
	want(ada, 150)
	set(operator, 100)
	want(ada, 125)
	want(bob, 100)
}
