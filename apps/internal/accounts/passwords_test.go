package accounts_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform/platformdb"
)

const other = "battery staple"

func TestResetByMail(t *testing.T) {
	w := open(t, func(o *accounts.Options) { o.Attempts = 1 })
	account := w.ada(t)
	session := w.session(t, account)
	_, err := w.signIn(t, "forgotten!!")
	w.expect(t, "the forgotten one", err, accounts.ErrWrong)
	_, err = w.signIn(t, password)
	w.expect(t, "locked", err, accounts.ErrLocked)
	if err := w.Passwords.Forgot(t.Context(), "ada@EXAMPLE.org"); err != nil {
		t.Fatal(err)
	}
	earlier := w.token(t, "/reset")
	if letters := w.letters(t); letters[len(letters)-1].To != address { // as it was typed at sign-up
		t.Errorf("the mail goes to %s", letters[len(letters)-1].To)
	}
	if err := w.Passwords.Forgot(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	token := w.token(t, "/reset")
	if looked, err := w.Passwords.LookReset(t.Context(), token); err != nil || looked.AccountID != account.AccountID {
		t.Errorf("looked %+v (%v)", looked, err)
	}
	if _, err := w.Passwords.Reset(t.Context(), token, "short", home); len(fields(err)) != 1 {
		t.Errorf("a short password: %v", err)
	}
	w.Clock.Advance(time.Hour - time.Millisecond)
	got, err := w.Passwords.Reset(t.Context(), token, other, home)
	if err != nil || got.VerifiedAt == nil {
		t.Fatalf("got %+v (%v)", got, err)
	}
	_, err = w.signIn(t, password)
	w.expect(t, "the old password", err, accounts.ErrWrong)
	w.resolve(t, session, accounts.ErrSignedOut)
	w.resolve(t, w.session(t, got), nil)
	_, err = w.Passwords.Reset(t.Context(), token, "third password", home)
	w.expect(t, "the link again", err, onetime.ErrUsed)
	_, err = w.Passwords.Reset(t.Context(), earlier, "third password", home)
	w.expect(t, "an earlier link", err, onetime.ErrUsed)
	w.Clock.Advance(15 * time.Minute)
	if _, err := w.signIn(t, other); err != nil {
		t.Errorf("the new password: %v", err)
	}
}

// TestADisabledAccountKeepsItsPassword: a reset would sign its owner in, and verify an address.
func TestADisabledAccountKeepsItsPassword(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	forgot := func() string {
		if err := w.Passwords.Forgot(t.Context(), address); err != nil {
			t.Fatal(err)
		}
		return w.token(t, "/reset")
	}
	before := forgot()
	if _, err := w.People.Disable(t.Context(), "operator", account.AccountID, "spam"); err != nil {
		t.Fatal(err)
	}
	_, err := w.Passwords.Reset(t.Context(), before, other, home)
	w.expect(t, "a link from before", err, onetime.ErrUsed)
	meanwhile := forgot()
	_, err = w.Passwords.LookReset(t.Context(), meanwhile)
	w.expect(t, "look at a link", err, accounts.ErrDisabled)
	_, err = w.Passwords.Reset(t.Context(), meanwhile, other, home)
	w.expect(t, "a link", err, accounts.ErrDisabled)
	if _, err := w.People.Enable(t.Context(), "operator", account.AccountID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.signIn(t, password); err != nil {
		t.Errorf("the password from before: %v", err)
	}
	if _, err := w.Passwords.Reset(t.Context(), meanwhile, other, home); err != nil {
		t.Errorf("the link of an account that is enabled again: %v", err)
	}
}

func TestAResetLinkExpires(t *testing.T) {
	w := open(t)
	w.ada(t)
	if err := w.Passwords.Forgot(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	_, err := w.Passwords.Reset(t.Context(), w.token(t, "/reset"), other, home)
	w.expect(t, "after an hour", err, onetime.ErrUsed)
}

func TestForgotDoesNotTellWhoHasAnAccount(t *testing.T) {
	w := open(t)
	w.ada(t)
	before := len(w.letters(t))
	if err := w.Passwords.Forgot(t.Context(), "eve@example.org"); err != nil {
		t.Errorf("an unknown address: %v", err)
	}
	if got := len(w.letters(t)); got != before {
		t.Error("an unknown address gets mail")
	}
	if err := w.Passwords.Forgot(t.Context(), "eve"); len(fields(err)) != 1 {
		t.Errorf("no address: %v", err)
	}
}

func TestOfTwoResetsOneSucceeds(t *testing.T) {
	w := open(t)
	w.ada(t)
	if err := w.Passwords.Forgot(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	token := w.token(t, "/reset")
	var won, used atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, err := w.Passwords.Reset(t.Context(), token, other, home)
			switch {
			case err == nil:
				won.Add(1)
			case errors.Is(err, onetime.ErrUsed):
				used.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if won.Load() != 1 || used.Load() != 7 {
		t.Errorf("%d succeeded, %d were refused", won.Load(), used.Load())
	}
}

func TestChangeOfPassword(t *testing.T) {
	w := open(t, func(o *accounts.Options) { o.Attempts = 2 })
	account := w.ada(t)
	session := w.session(t, account)
	change := func(current, next string) error {
		changed, err := w.Passwords.Change(t.Context(), account.AccountID, current, next, home)
		if err == nil {
			account = changed
		}
		return err
	}
	if err := change(password, "short"); len(fields(err)) != 1 {
		t.Errorf("a short one: %v", err)
	}
	w.expect(t, "a wrong one", change("wrong password", other), accounts.ErrWrong)
	w.resolve(t, session, nil)
	if err := change(password, other); err != nil {
		t.Fatal(err)
	}
	w.resolve(t, session, accounts.ErrSignedOut)
	w.resolve(t, w.session(t, account), nil)
	if stored, err := w.People.Get(t.Context(), account.AccountID); err != nil || stored.Version != account.Version || stored.Epoch != account.Epoch {
		t.Errorf("returned %+v, stored %+v (%v)", account, stored, err)
	}
	if letters := w.letters(t); !strings.Contains(letters[len(letters)-1].Subject, "was changed") {
		t.Error("the person is not told")
	}
	w.expect(t, "guess 1", change("wrong password", password), accounts.ErrWrong)
	w.expect(t, "guess 2", change("wrong password", password), accounts.ErrWrong)
	w.expect(t, "guess 3", change(other, password), accounts.ErrLocked)
}

func TestChangeOfAddress(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	verify := w.token(t, "/verify")
	if err := w.Passwords.Forgot(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	reset := w.token(t, "/reset")
	if err := w.Addresses.RequestChange(t.Context(), account, address); len(fields(err)) != 1 {
		t.Errorf("the same address: %v", err)
	}
	if err := w.Addresses.RequestChange(t.Context(), account, "new@example.org"); err != nil {
		t.Fatal(err)
	}
	token := w.token(t, "/account/address/confirm")
	if letters := w.letters(t); letters[len(letters)-1].To != "new@example.org" {
		t.Errorf("the link goes to %s", letters[len(letters)-1].To)
	}
	if found, err := w.People.ByAddress(t.Context(), address); err != nil || *found.Email != address {
		t.Errorf("before the link is used: %+v (%v)", found, err)
	}
	moved, err := w.Addresses.ConfirmChange(t.Context(), token)
	if err != nil || *moved.Email != "new@example.org" || moved.VerifiedAt == nil {
		t.Fatalf("got %+v (%v)", moved, err)
	}
	if letters := w.letters(t); letters[len(letters)-1].To != address {
		t.Error("the old address is not told")
	}
	_, err = w.signIn(t, password)
	w.expect(t, "the old address", err, accounts.ErrWrong)
	if _, err := w.SignIns.WithPassword(t.Context(), accounts.Credentials{Address: "NEW@example.org", Password: password, From: home}); err != nil {
		t.Errorf("the new address: %v", err)
	}
	_, err = w.Addresses.ConfirmChange(t.Context(), token)
	w.expect(t, "the link again", err, onetime.ErrUsed)
	_, err = w.Addresses.Verify(t.Context(), verify)
	w.expect(t, "the link of the old address", err, onetime.ErrUsed)
	_, err = w.Passwords.Reset(t.Context(), reset, other, home)
	w.expect(t, "a reset by the old address", err, onetime.ErrUsed)
	if _, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Bo", Address: address, Password: password}, nil); err != nil {
		t.Errorf("the old address is not free: %v", err)
	}
}

func TestAnAddressWithAnAccountIsNotTakenOver(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	if err := w.Addresses.RequestChange(t.Context(), account, "bo@example.org"); err != nil {
		t.Fatal(err)
	}
	token := w.token(t, "/account/address/confirm")
	if _, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Bo", Address: "bo@example.org", Password: password}, nil); err != nil {
		t.Fatal(err)
	}
	_, err := w.Addresses.ConfirmChange(t.Context(), token)
	w.expect(t, "confirm", err, accounts.ErrTaken)
	if _, err := w.signIn(t, password); err != nil {
		t.Errorf("the account is damaged: %v", err)
	}
	if err := w.Addresses.RequestChange(t.Context(), account, "BO@example.org"); err != nil {
		t.Errorf("the request tells who has an account: %v", err)
	}
	if letters := w.letters(t); linkPattern.MatchString(*letters[len(letters)-1].Text) {
		t.Error("a link to an address with an account")
	}
}

func TestAnotherSpellingOfTheAddress(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	if err := w.Addresses.RequestChange(t.Context(), account, "ada@example.org"); err != nil {
		t.Fatal(err)
	}
	moved, err := w.Addresses.ConfirmChange(t.Context(), w.token(t, "/account/address/confirm"))
	if err != nil || *moved.Email != "ada@example.org" {
		t.Fatalf("got %+v (%v)", moved, err)
	}
	if _, err := w.signIn(t, password); err != nil {
		t.Error(err)
	}
}

// request asks for a change of the address and returns the token of the link.
func (w *world) request(t *testing.T, account platformdb.Account, address string) string {
	t.Helper()
	if err := w.Addresses.RequestChange(t.Context(), account, address); err != nil {
		t.Fatal(err)
	}
	return w.token(t, "/account/address/confirm")
}

// TestALinkOfAnotherAddressEnds: a person who knows the password asks for another address, and the owner
// acts before the link is used.
func TestALinkOfAnotherAddressEnds(t *testing.T) {
	for name, act := range map[string]func(w *world, account platformdb.Account) error{
		"with a change of the password": func(w *world, account platformdb.Account) error {
			_, err := w.Passwords.Change(t.Context(), account.AccountID, password, other, home)
			return err
		},
		"with a reset of the password": func(w *world, _ platformdb.Account) error {
			if err := w.Passwords.Forgot(t.Context(), address); err != nil {
				return err
			}
			_, err := w.Passwords.Reset(t.Context(), w.token(t, "/reset"), other, home)
			return err
		},
		"with all sessions": func(w *world, account platformdb.Account) error {
			_, err := w.Sessions.EndAll(t.Context(), account.AccountID)
			return err
		},
		"with a change of the address": func(w *world, account platformdb.Account) error {
			_, err := w.Addresses.ConfirmChange(t.Context(), w.request(t, account, "new@example.org"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			account := w.ada(t)
			token := w.request(t, account, "eve@evil.example")
			if err := act(w, account); err != nil {
				t.Fatal(err)
			}
			_, _, err := w.Addresses.LookChange(t.Context(), token)
			w.expect(t, "look", err, onetime.ErrUsed)
			_, err = w.Addresses.ConfirmChange(t.Context(), token)
			w.expect(t, "confirm", err, onetime.ErrUsed)
			if _, err := w.People.ByAddress(t.Context(), "eve@evil.example"); !errors.Is(err, accounts.ErrNoAccount) {
				t.Errorf("the account is taken over: %v", err)
			}
		})
	}
}

// TestTheOldAddressIsToldOfARequest: whether the new address has an account or not.
func TestTheOldAddressIsToldOfARequest(t *testing.T) {
	w := open(t)
	w.ada(t)
	account, err := w.Addresses.Verify(t.Context(), w.token(t, "/verify"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Bo", Address: "bo@example.org", Password: password}, nil); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []string{"eve@evil.example", "bo@example.org"} {
		before := len(w.letters(t))
		if err := w.Addresses.RequestChange(t.Context(), account, asked); err != nil {
			t.Fatal(err)
		}
		letters := w.letters(t)[before:]
		if len(letters) != 2 || letters[0].To != address || letters[1].To != asked {
			t.Fatalf("the mail after a request for %s is %+v", asked, letters)
		}
		text := *letters[0].Text
		if !strings.Contains(text, "use "+asked+" instead of this address") || !strings.Contains(text, "change your password now") || strings.Contains(text, "token=") {
			t.Errorf("the old address is told %s", text)
		}
	}
}

// TestRequestsOfOneAccountAreLimited: also for several new addresses, because each sends mail to the old one.
func TestRequestsOfOneAccountAreLimited(t *testing.T) {
	asked := map[string]int{}
	w := open(t, func(o *accounts.Options) {
		o.Allow = func(_ context.Context, limit, subject string) error {
			asked[limit+" "+subject]++
			return nil
		}
	})
	account := w.ada(t)
	for _, address := range []string{"a@example.org", "b@example.org", "c@example.org"} {
		w.request(t, account, address)
	}
	if got := asked["mail "+account.AccountID]; got != 3 {
		t.Errorf("the account's mail was counted %d times", got)
	}
}
