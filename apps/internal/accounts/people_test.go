package accounts_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform/platformdb"
)

func TestNameAndRoles(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	if got, err := w.People.Rename(t.Context(), account.AccountID, "  Ada  Lovelace "); err != nil || got.Name != "Ada Lovelace" || *got.Email != address {
		t.Errorf("got %+v (%v)", got, err)
	}
	if _, err := w.People.Rename(t.Context(), account.AccountID, " "); !slices.Equal(fields(err), []string{"name"}) {
		t.Errorf("no name: %v", err)
	}
	if got, err := w.People.SetLocale(t.Context(), account.AccountID, "sv"); err != nil || *got.Locale != "sv" || got.Name != "Ada Lovelace" {
		t.Errorf("got %+v (%v)", got, err)
	}
	if got, err := w.People.SetRoles(t.Context(), "operator", account.AccountID, []string{"teacher", "author", "teacher"}); err != nil || !slices.Equal(slices.Sorted(slices.Values(got.Roles)), []string{"author", "teacher"}) {
		t.Errorf("got %+v (%v)", got, err)
	}
	if got, err := w.People.SetRoles(t.Context(), "operator", account.AccountID, nil); err != nil || len(got.Roles) != 0 {
		t.Errorf("got %+v (%v)", got, err)
	}
	for _, err := range []error{
		second(w.People.Get(t.Context(), "none")), second(w.People.Rename(t.Context(), "none", "Bo")),
		second(w.People.Disable(t.Context(), "operator", "none", "")), second(w.People.ByAddress(t.Context(), "bo@example.org")),
	} {
		w.expect(t, "no account", err, accounts.ErrNoAccount)
	}
}

func second(_ platformdb.Account, err error) error { return err }

func TestParallelChangesAreAllKept(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			if i%2 == 0 {
				if _, err := w.People.Rename(t.Context(), account.AccountID, fmt.Sprint("Ada ", i)); err != nil {
					t.Error(err)
				}
			} else if _, err := w.People.SetRoles(t.Context(), "operator", account.AccountID, []string{"teacher"}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	got, err := w.People.Get(t.Context(), account.AccountID)
	if err != nil || got.Name == "Ada" || !slices.Equal(got.Roles, []string{"teacher"}) || got.Version != account.Version+4 {
		t.Errorf("got %+v (%v)", got, err)
	}
}

func TestEraseLeavesNothing(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	if _, err := w.Addresses.Verify(t.Context(), w.token(t, "/verify")); err != nil {
		t.Fatal(err)
	}
	person := accounts.External{Provider: "school", Subject: "17", Name: "Ada", Address: address, AddressVerified: true}
	if linked, _, err := w.SignIns.WithExternal(t.Context(), person, false, nil); err != nil || linked.AccountID != account.AccountID {
		t.Fatalf("%+v (%v)", linked, err)
	}
	session := w.session(t, account)
	for range 70 { // more than a page of the list
		w.session(t, account)
	}
	pair, err := w.Tokens.Issue(t.Context(), account, "a program")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Passwords.Forgot(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	reset := w.token(t, "/reset")
	bystander, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Bo", Address: "bo@example.org", Password: password}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stays := w.session(t, bystander)
	stop := errors.New("not now")
	refuse := func(access.Tx, platformdb.Account, json.RawMessage) error { return stop }
	w.expect(t, "refused by the system", w.People.Erase(t.Context(), "operator", account.AccountID, refuse), stop)
	w.resolve(t, session, nil)
	for range 2 {
		if err := w.People.Erase(t.Context(), "operator", account.AccountID, nil); err != nil {
			t.Fatal(err)
		}
	}
	w.resolve(t, session, accounts.ErrSignedOut)
	_, err = w.Tokens.Refresh(t.Context(), pair.Refresh)
	w.expect(t, "a program", err, accounts.ErrSignedOut)
	_, err = w.signIn(t, password)
	w.expect(t, "sign in", err, accounts.ErrWrong)
	_, err = w.Passwords.Reset(t.Context(), reset, other, home)
	w.expect(t, "reset", err, onetime.ErrUsed)
	w.resolve(t, stays, nil)
	if n := countAccounts(t, w); n != 1 {
		t.Errorf("%d accounts", n)
	}
	for row, err := range w.DB.ScanIdentity().All(t.Context()) {
		if err != nil || row.AccountID == account.AccountID {
			t.Errorf("left: %+v (%v)", row, err)
		}
	}
	for row, err := range w.DB.ScanSession().All(t.Context()) {
		if err != nil || row.AccountID == account.AccountID {
			t.Errorf("left: %+v (%v)", row, err)
		}
	}
	again := w.ada(t)
	if again.AccountID == account.AccountID {
		t.Error("the address opens the erased account")
	}
}

func TestOptionsThatAreRequired(t *testing.T) {
	w := open(t)
	for _, o := range []accounts.Options{
		{PublicURL: "https://a.example", Mail: w.outbox}, {Name: "A", Mail: w.outbox}, {Name: "A", PublicURL: "https://a.example"},
		{Name: "A", PublicURL: "https://a.example", Mail: w.outbox, Argon: accounts.Argon{Passes: 1}},
	} {
		if _, err := accounts.New(w.Platform, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// A person deletes the account while a sign-in through a provider links to it. The link must not outlive the
// account: nobody could sign in with it again.
func TestEraseWhileAProviderIsLinked(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	if _, err := w.Addresses.Verify(t.Context(), w.token(t, "/verify")); err != nil {
		t.Fatal(err)
	}
	other := w.on(t, func(o *accounts.Options) {
		o.Record = func(_ access.Tx, event audit.Event) {
			if event.Action != "link school" {
				return
			}
			if err := w.People.Erase(t.Context(), account.AccountID, account.AccountID, nil); err != nil {
				t.Error(err)
			}
		}
	})
	person := accounts.External{Provider: "school", Subject: "17", Name: "Ada", Address: address, AddressVerified: true}
	first, created, err := other.SignIns.WithExternal(t.Context(), person, false, nil)
	if err != nil || !created || first.AccountID == account.AccountID {
		t.Errorf("signed in to %+v, created %t (%v)", first, created, err)
	}
	if again, _, err := w.SignIns.WithExternal(t.Context(), person, false, nil); err != nil || again.AccountID != first.AccountID {
		t.Errorf("signed in again to %+v (%v)", again, err)
	}
}
