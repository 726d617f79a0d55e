package accounts_test

import (
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

func TestSignIn(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	got, err := w.SignIns.WithPassword(t.Context(), accounts.Credentials{Address: " ada@example.org", Password: password, From: home})
	if err != nil || got.AccountID != account.AccountID {
		t.Errorf("got %+v (%v)", got, err)
	}
	for name, c := range map[string]accounts.Credentials{
		"wrong password":      {Address: address, Password: password + "!", From: home},
		"empty password":      {Address: address, From: home},
		"unknown address":     {Address: "eve@example.org", Password: password, From: home},
		"no address":          {Address: "", Password: password, From: home},
		"a very long one":     {Address: address, Password: strings.Repeat("x", 100_000), From: home},
		"other capitals":      {Address: address, Password: strings.ToUpper(password), From: home},
		"delimiter of a key":  {Address: "a#b", Password: password, From: home},
		"no network is known": {Address: address, Password: "wrong password"},
	} {
		if _, err := w.SignIns.WithPassword(t.Context(), c); !errors.Is(err, accounts.ErrWrong) || err.Error() != accounts.ErrWrong.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// wait returns how long a refusal says to wait.
func wait(t *testing.T, err error) time.Duration {
	t.Helper()
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok || !errors.Is(err, accounts.ErrLocked) {
		t.Fatalf("got %v, want %v", err, accounts.ErrLocked)
	}
	return refused.Wait
}

// TestLockOut tries wrong passwords for a name with an account and for one without: both behave alike.
func TestLockOut(t *testing.T) {
	for _, name := range []string{address, "eve@example.org"} {
		t.Run(name, func(t *testing.T) {
			w := open(t, func(o *accounts.Options) { o.Attempts = 3 })
			w.ada(t)
			try := func(typed string, from netip.Addr) error {
				_, err := w.SignIns.WithPassword(t.Context(), accounts.Credentials{Address: name, Password: typed, From: from})
				return err
			}
			for range 3 {
				w.expect(t, "one of three", try("wrong password", home), accounts.ErrWrong)
				w.Clock.Advance(time.Minute)
			}
			if got := wait(t, try(password, home)); got != 14*time.Minute { // after the last one
				t.Errorf("the right password has to wait %v", got)
			}
			w.Clock.Advance(14*time.Minute - time.Millisecond)
			if got := wait(t, try(password, home)); got != time.Millisecond {
				t.Errorf("at the end it has to wait %v", got)
			}
			w.Clock.Advance(time.Millisecond)
			want := error(nil)
			if name != address {
				want = accounts.ErrWrong
			}
			if err := try(password, home); !errors.Is(err, want) {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

func TestALockIsForOneNetwork(t *testing.T) {
	w := open(t, func(o *accounts.Options) { o.Attempts = 2 })
	w.ada(t)
	try := func(typed, from string) error {
		_, err := w.SignIns.WithPassword(t.Context(), accounts.Credentials{Address: address, Password: typed, From: netip.MustParseAddr(from)})
		return err
	}
	w.expect(t, "first", try("wrong password", "2001:db8::1"), accounts.ErrWrong)
	w.expect(t, "another address of the network", try("wrong password", "2001:db8::2"), accounts.ErrWrong)
	w.expect(t, "locked", try(password, "2001:db8::3"), accounts.ErrLocked)
	if err := try(password, "2001:db8:0:1::1"); err != nil {
		t.Errorf("another network: %v", err)
	}
	if err := try(password, "192.0.2.1"); err != nil {
		t.Errorf("another network: %v", err)
	}
	w.expect(t, "the first network", try(password, "2001:db8::1"), accounts.ErrLocked)
}

func TestSuccessForgetsFailures(t *testing.T) {
	w := open(t, func(o *accounts.Options) { o.Attempts = 3 })
	w.ada(t)
	for range 4 {
		for range 2 {
			_, err := w.signIn(t, "wrong password")
			w.expect(t, "wrong", err, accounts.ErrWrong)
		}
		if _, err := w.signIn(t, password); err != nil {
			t.Fatalf("the third attempt: %v", err)
		}
	}
}

func TestAttemptsAreCountedForAnHour(t *testing.T) {
	w := open(t, func(o *accounts.Options) { o.Attempts = 3 })
	w.ada(t)
	for range 2 {
		_, err := w.signIn(t, "wrong password")
		w.expect(t, "wrong", err, accounts.ErrWrong)
	}
	w.Clock.Advance(time.Hour)
	for range 3 {
		_, err := w.signIn(t, "wrong password")
		w.expect(t, "an hour later", err, accounts.ErrWrong)
	}
	_, err := w.signIn(t, password)
	w.expect(t, "the fourth", err, accounts.ErrLocked)
}

func TestParallelGuessesAreAllCounted(t *testing.T) {
	w := open(t)
	w.ada(t)
	wrong, locked := guess(t, 20, func(int) error {
		_, err := w.SignIns.WithPassword(t.Context(), accounts.Credentials{Address: address, Password: "wrong password", From: home})
		return err
	})
	if wrong != 10 || locked != 10 {
		t.Errorf("%d guesses were checked and %d refused", wrong, locked)
	}
}

// guess tries n passwords at the same time, and returns how many were wrong and how many were refused.
func guess(t *testing.T, n int, try func(i int) error) (wrong, locked int32) {
	t.Helper()
	var wrongs, refused atomic.Int32
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			switch err := try(i); {
			case errors.Is(err, accounts.ErrWrong):
				wrongs.Add(1)
			case errors.Is(err, accounts.ErrLocked):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	return wrongs.Load(), refused.Load()
}

func TestPasswordsAreHashedAgain(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	stored := func() string {
		rows, err := w.DB.ListIdentities(account.AccountID).Slice(t.Context())
		if err != nil || len(rows) != 1 {
			t.Fatalf("identities %+v (%v)", rows, err)
		}
		return *rows[0].PasswordHash
	}
	first := stored()
	if !strings.HasPrefix(first, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("stored %s", first)
	}
	if _, err := w.signIn(t, password); err != nil || stored() != first {
		t.Errorf("with the same parameters the hash changes (%v)", err)
	}
	later := w.on(t, func(o *accounts.Options) { o.Argon = accounts.Argon{Passes: 2, MemoryKiB: 128, Threads: 2} })
	c := accounts.Credentials{Address: address, Password: password, From: home}
	if _, err := later.SignIns.WithPassword(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if got := stored(); !strings.HasPrefix(got, "$argon2id$v=19$m=128,t=2,p=2$") {
		t.Errorf("afterwards %s", got)
	}
	if _, err := later.SignIns.WithPassword(t.Context(), c); err != nil {
		t.Errorf("with the new hash: %v", err)
	}
	c.Password = "wrong password"
	if _, err := later.SignIns.WithPassword(t.Context(), c); !errors.Is(err, accounts.ErrWrong) {
		t.Errorf("a wrong one with the new hash: %v", err)
	}
	usual := w.on(t, func(o *accounts.Options) { o.Argon = accounts.Argon{} })
	c.Password = password
	if _, err := usual.SignIns.WithPassword(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if got := stored(); !strings.HasPrefix(got, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("without parameters %s", got)
	}
}

func TestDisabledAccounts(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	session := w.session(t, account)
	pair, err := w.Tokens.Issue(t.Context(), account, "a program")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second changes nothing
		if _, err := w.People.Disable(t.Context(), "operator", account.AccountID, "spam"); err != nil {
			t.Fatal(err)
		}
	}
	_, err = w.signIn(t, password)
	w.expect(t, "sign in", err, accounts.ErrDisabled)
	_, err = w.signIn(t, "wrong password")
	w.expect(t, "a wrong password tells nothing", err, accounts.ErrWrong)
	_, err = w.Sessions.Resolve(t.Context(), session)
	w.expect(t, "session", err, accounts.ErrSignedOut)
	_, err = w.Tokens.Verify(t.Context(), pair.Access)
	w.expect(t, "access token", err, accounts.ErrSignedOut)
	_, err = w.Tokens.Refresh(t.Context(), pair.Refresh)
	w.expect(t, "refresh token", err, accounts.ErrSignedOut)
	if _, err := w.People.Enable(t.Context(), "operator", account.AccountID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Sessions.Resolve(t.Context(), session)
	w.expect(t, "session from before", err, accounts.ErrSignedOut)
	_, err = w.Tokens.Verify(t.Context(), pair.Access)
	w.expect(t, "access token from before", err, accounts.ErrSignedOut)
	_, err = w.Tokens.Refresh(t.Context(), pair.Refresh)
	w.expect(t, "refresh token from before", err, accounts.ErrSignedOut)
	if _, err := w.signIn(t, password); err != nil {
		t.Errorf("enabled: %v", err)
	}
	if got := strings.Join(w.actions(t, account.AccountID), ", "); got != "operator enable account, operator disable account, "+account.AccountID+" sign up" {
		t.Errorf("the audit trail says %s", got)
	}
}

func TestSignInThroughAProvider(t *testing.T) {
	w := open(t)
	person := accounts.External{Provider: "school", Subject: "17", Name: "Ada", Address: "ada@example.org", AddressVerified: true}
	profiles := 0
	with := func(access.Tx, platformdb.Account, json.RawMessage) error { profiles++; return nil }
	first, created, err := w.SignIns.WithExternal(t.Context(), person, false, with)
	if err != nil || !created || first.VerifiedAt == nil || *first.Email != "ada@example.org" || profiles != 1 {
		t.Fatalf("first: %+v %t (%v)", first, created, err)
	}
	second, created, err := w.SignIns.WithExternal(t.Context(), person, false, with)
	if err != nil || created || second.AccountID != first.AccountID || profiles != 1 {
		t.Errorf("second: %+v %t (%v)", second, created, err)
	}
	person.Subject = "18"
	_, _, err = w.SignIns.WithExternal(t.Context(), person, true, with)
	w.expect(t, "sign-up is closed", err, accounts.ErrNoAccount)
	person.Subject = "17"
	person.Provider = "work" // where 17 is another person
	third, created, err := w.SignIns.WithExternal(t.Context(), person, false, with)
	if err != nil || !created || third.AccountID == first.AccountID {
		t.Errorf("another provider: %+v %t (%v)", third, created, err)
	}
	for _, wrong := range []accounts.External{{Provider: "password", Subject: "17"}, {Provider: "", Subject: "17"}, {Provider: "school"}} {
		if _, _, err := w.SignIns.WithExternal(t.Context(), wrong, false, nil); err == nil {
			t.Errorf("%+v signs in", wrong)
		}
	}
}

func TestAProviderFindsTheAccountOfAVerifiedAddress(t *testing.T) {
	for name, test := range map[string]struct {
		here, there bool // verified
		same        bool
	}{
		"both verified":    {true, true, true},
		"only here":        {true, false, false},
		"only there":       {false, true, false},
		"neither verified": {false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			account := w.ada(t)
			if test.here {
				if _, err := w.Addresses.Verify(t.Context(), w.token(t, "/verify")); err != nil {
					t.Fatal(err)
				}
			}
			person := accounts.External{Provider: "school", Subject: "17", Name: "Ada", Address: "ADA@example.org", AddressVerified: test.there}
			got, created, err := w.SignIns.WithExternal(t.Context(), person, false, nil)
			if err != nil || created == test.same || (got.AccountID == account.AccountID) != test.same {
				t.Errorf("got %+v, created %t (%v)", got, created, err)
			}
		})
	}
}

func TestTwoFirstSignInsThroughAProviderAreOneAccount(t *testing.T) {
	w := open(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, _, err := w.SignIns.WithExternal(t.Context(), accounts.External{Provider: "school", Subject: "17", Name: "Ada"}, false, nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := countAccounts(t, w); n != 1 {
		t.Errorf("there are %d accounts", n)
	}
}
