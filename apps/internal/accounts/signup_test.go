package accounts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

func TestSignUp(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	if account.Name != "Ada" || *account.Email != address || !slices.Equal(account.Roles, []string{"student"}) || account.VerifiedAt != nil ||
		account.Standing != platformdb.AccountStandingActive || !account.CreatedAt.Equal(w.Now()) {
		t.Errorf("got %+v", account)
	}
	stored, err := w.People.Get(t.Context(), account.AccountID)
	if err != nil || stored.Name != "Ada" || stored.Version != account.Version {
		t.Errorf("stored %+v (%v)", stored, err)
	}
	found, err := w.People.ByAddress(t.Context(), " ADA@example.ORG ")
	if err != nil || found.AccountID != account.AccountID {
		t.Errorf("by address: %+v (%v)", found, err)
	}
	if got := w.actions(t, account.AccountID); !slices.Equal(got, []string{account.AccountID + " sign up"}) {
		t.Errorf("the audit trail says %v", got)
	}
}

func TestSignUpWithoutRoles(t *testing.T) {
	w := open(t)
	account, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{ID: "u1", Name: " Bo  Ek ", Address: "bo@example.org", Password: password, Locale: "sv"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := w.People.Get(t.Context(), "u1")
	if err != nil || len(stored.Roles) != 0 || stored.Name != "Bo Ek" || *stored.Locale != "sv" || account.AccountID != "u1" {
		t.Errorf("got %+v (%v)", stored, err)
	}
}

func TestTheFieldsOfSignUp(t *testing.T) {
	w := open(t)
	long := strings.Repeat("x", 244) + "@b.example" // 254 bytes
	for name, test := range map[string]struct {
		name, address, password string
		wrong                   []string
	}{
		"all missing":        {"", "", "", []string{"name", "address", "password"}},
		"longest name":       {strings.Repeat("å", 80), "a1@b.example", password, nil},
		"name too long":      {strings.Repeat("å", 81), "a@b.example", password, []string{"name"}},
		"control in a name":  {"A\x00da", "a@b.example", password, []string{"name"}},
		"no at":              {"Ada", "ada", password, []string{"address"}},
		"no domain":          {"Ada", "ada@localhost", password, []string{"address"}},
		"a name in it":       {"Ada", "Ada <ada@b.example>", password, []string{"address"}},
		"two addresses":      {"Ada", "a@b.example, c@d.example", password, []string{"address"}},
		"line break":         {"Ada", "a@b.example\r\nBcc: c@d.example", password, []string{"address"}},
		"longest address":    {"Ada", long, password, nil},
		"address too long":   {"Ada", "x" + long, password, []string{"address"}},
		"7 characters":       {"Ada", "a@b.example", "å234567", []string{"password"}},
		"8 characters":       {"Ada", "a2@b.example", "å2345678"[:9], nil},
		"200 characters":     {"Ada", "a3@b.example", strings.Repeat("åb", 100), nil},
		"201 characters":     {"Ada", "a@b.example", strings.Repeat("åb", 100) + "c", []string{"password"}},
		"a common one":       {"Ada", "a@b.example", "PassWord123", []string{"password"}},
		"one character":      {"Ada", "a@b.example", "zzzzzzzzzzz", []string{"password"}},
		"the address":        {"Ada", "ada@b.example", "ADA@b.example", []string{"password"}},
		"the name before @":  {"Ada", "ada.lovelace@b.example", "Ada.Lovelace", []string{"password"}},
		"with space in it":   {"Ada", "a4@b.example", "correct horse", nil},
		"two wrong together": {"", "a@b.example", "short", []string{"name", "password"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: test.name, Address: test.address, Password: test.password}, nil)
			if !slices.Equal(fields(err), test.wrong) || (err == nil) != (test.wrong == nil) {
				t.Errorf("got %v, fields %v", err, fields(err))
			}
		})
	}
}

func TestAnAddressHasOneAccount(t *testing.T) {
	w := open(t)
	var created, refused atomic.Int32
	var group sync.WaitGroup
	for range 12 {
		group.Go(func() {
			_, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Ada", Address: address, Password: password}, nil)
			switch {
			case err == nil:
				created.Add(1)
			case errors.Is(err, accounts.ErrTaken):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if created.Load() != 1 || refused.Load() != 11 {
		t.Errorf("%d created, %d refused", created.Load(), refused.Load())
	}
	if n := countAccounts(t, w); n != 1 {
		t.Errorf("there are %d accounts", n)
	}
	if err := w.SignUps.AlreadyHere(t.Context(), "ada@example.org"); err != nil {
		t.Fatal(err)
	}
	if letters := w.letters(t); !strings.Contains(letters[len(letters)-1].Subject, "already have an account") {
		t.Errorf("the mail is %+v", letters)
	}
}

func countAccounts(t *testing.T, w *world) (n int) {
	t.Helper()
	for _, err := range w.DB.ScanAccount().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestTheProfileIsWrittenWithTheAccount(t *testing.T) {
	w := open(t)
	profile := func(tx access.Tx, account platformdb.Account, _ json.RawMessage) error {
		w.DB.Join(tx).OpenMetric(platformdb.Metric{Day: "2037-02-02", Name: account.Name, TTL: w.Now()})
		return nil
	}
	if _, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Ada", Address: address, Password: password}, profile); err != nil {
		t.Fatal(err)
	}
	_, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Ada", Address: "other@example.org", Password: password}, profile)
	if err == nil || errors.Is(err, accounts.ErrTaken) || !errors.Is(err, access.ErrExists) {
		t.Errorf("a profile that exists: %v", err)
	}
	if _, err := w.People.ByAddress(t.Context(), "other@example.org"); !errors.Is(err, accounts.ErrNoAccount) {
		t.Errorf("the account was written without its profile: %v", err)
	}
	stop := errors.New("the class is full")
	refuse := func(access.Tx, platformdb.Account, json.RawMessage) error { return stop }
	if _, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Bo", Address: "bo@example.org", Password: password}, refuse); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

func TestSignUpIsLimited(t *testing.T) {
	fast := refusal.New(refusal.TooMany, "", "Too fast.")
	var asked []string
	w := open(t, func(o *accounts.Options) {
		o.Allow = func(_ context.Context, limit, subject string) error {
			asked = append(asked, limit+" "+subject)
			return fast
		}
	})
	_, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Ada", Address: address, Password: password, From: netip.MustParseAddr("2001:db8::1:2:3:4")}, nil)
	w.expect(t, "sign up", err, fast)
	w.expect(t, "forgot", w.Passwords.Forgot(t.Context(), address), fast)
	if len(asked) != 2 || asked[0] != "sign-up 2001:db8::/64" || !strings.HasPrefix(asked[1], "mail ") || strings.Contains(asked[1], "xample") {
		t.Errorf("asked for %v", asked)
	}
}

// mailLimit allows a number of mails to each address.
func mailLimit(most int) func(*accounts.Options) {
	sent := map[string]int{}
	return func(o *accounts.Options) {
		o.RequireVerified = true
		o.Allow = func(_ context.Context, limit, subject string) error {
			if limit != "mail" {
				return nil
			}
			if sent[subject] == most {
				return refusal.New(refusal.TooMany, "", "Too many mails.")
			}
			sent[subject]++
			return nil
		}
	}
}

// TestTheMailLimitDoesNotTellWhoHasAnAccount signs up with an address that has an account and with a new
// one, and asks for the mail again until it is refused.
func TestTheMailLimitDoesNotTellWhoHasAnAccount(t *testing.T) {
	for forgotten := range 4 {
		var answers []string
		for _, known := range []bool{true, false} {
			w := open(t, mailLimit(3))
			if known {
				// On the same data without limits, so that only what follows is counted.
				all := w.on(t)
				if _, err := all.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Ada", Address: address, Password: password}, nil); err != nil {
					t.Fatal(err)
				}
			}
			answer := ""
			for range forgotten {
				answer += fmt.Sprintln("forgot", w.Passwords.Forgot(t.Context(), address))
			}
			account, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Eve", Address: address, Password: password}, nil)
			verify, err := w.SignUps.MustVerify(t.Context(), address, account, err)
			answer += fmt.Sprintln("sign up", verify, err)
			for range 4 {
				if known {
					err = w.SignUps.AlreadyHereAgain(t.Context(), address)
				} else {
					err = w.Addresses.SendVerification(t.Context(), account)
				}
				answer += fmt.Sprintln("again", err)
			}
			answers = append(answers, answer)
		}
		if answers[0] != answers[1] || !strings.Contains(answers[0], "sign up true <nil>") {
			t.Errorf("after %d requests, an address with an account:\n%sa new one:\n%s", forgotten, answers[0], answers[1])
		}
	}
}

// TestMailToAnAddressWithAnAccountIsLimited: sign-ups with an address are no way to flood its mailbox.
func TestMailToAnAddressWithAnAccountIsLimited(t *testing.T) {
	w := open(t, mailLimit(3))
	w.ada(t)
	for range 6 {
		if err := w.SignUps.AlreadyHere(t.Context(), address); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(w.letters(t)); got != 3 {
		t.Errorf("the address got %d mails", got)
	}
}

func TestMustVerify(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	strict := w.on(t, func(o *accounts.Options) { o.RequireVerified = true })
	broken := errors.New("broken")
	verified := account
	verified.VerifiedAt = &account.CreatedAt
	for name, test := range map[string]struct {
		ups     *accounts.SignUps
		account platformdb.Account
		err     error
		verify  bool
		want    error
	}{
		"new":                             {strict.SignUps, account, nil, true, nil},
		"taken":                           {strict.SignUps, platformdb.Account{}, accounts.ErrTaken, true, nil},
		"new and verified":                {strict.SignUps, verified, nil, false, nil},
		"another error":                   {strict.SignUps, platformdb.Account{}, broken, false, broken},
		"new, without verification":       {w.SignUps, account, nil, false, nil},
		"taken, without verification":     {w.SignUps, platformdb.Account{}, accounts.ErrTaken, false, accounts.ErrTaken},
		"another error, no verification ": {w.SignUps, platformdb.Account{}, broken, false, broken},
	} {
		before := len(w.letters(t))
		verify, err := test.ups.MustVerify(t.Context(), address, test.account, test.err)
		if verify != test.verify || !errors.Is(err, test.want) {
			t.Errorf("%s: %t, %v", name, verify, err)
		}
		if told := len(w.letters(t)) > before; told != (name == "taken") {
			t.Errorf("%s: the owner is told: %t", name, told)
		}
	}
}

// TestACollisionOfTheProfileIsFoundWithATakenAddress: a system can answer both addresses alike.
func TestACollisionOfTheProfileIsFoundWithATakenAddress(t *testing.T) {
	w := open(t)
	profile := func(tx access.Tx, _ platformdb.Account, _ json.RawMessage) error {
		w.DB.Join(tx).OpenMetric(platformdb.Metric{Day: "2037-02-02", Name: "one", TTL: w.Now()})
		return nil
	}
	for _, address := range []string{address, address, "new@example.org"} {
		_, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Ada", Address: address, Password: password}, profile)
		var exists *access.ConditionError[platformdb.Metric]
		if taken := errors.As(err, &exists); taken == (err == nil) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestAnAddressIsVerified(t *testing.T) {
	w := open(t, func(o *accounts.Options) { o.RequireVerified = true })
	account := w.ada(t)
	first := w.token(t, "/verify")
	_, err := w.signIn(t, password)
	w.expect(t, "before", err, accounts.ErrUnverified)
	if err := w.Addresses.SendVerification(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	second := w.token(t, "/verify")
	if looked, err := w.Addresses.LookVerification(t.Context(), second); err != nil || looked.AccountID != account.AccountID {
		t.Errorf("looked %+v (%v)", looked, err)
	}
	w.Clock.Advance(24*time.Hour - time.Millisecond)
	verified, err := w.Addresses.Verify(t.Context(), second)
	if err != nil || verified.VerifiedAt == nil || !verified.VerifiedAt.Equal(w.Now()) {
		t.Fatalf("got %+v (%v)", verified, err)
	}
	if stored, err := w.People.Get(t.Context(), account.AccountID); err != nil || stored.VerifiedAt == nil || stored.Version != verified.Version {
		t.Errorf("stored %+v (%v)", stored, err)
	}
	_, err = w.Addresses.Verify(t.Context(), second)
	w.expect(t, "the link again", err, onetime.ErrUsed)
	w.Clock.Advance(time.Millisecond)
	_, err = w.Addresses.Verify(t.Context(), first)
	w.expect(t, "a day later", err, onetime.ErrUsed)
	if _, err := w.signIn(t, password); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	before := len(w.letters(t))
	if err := w.Addresses.SendVerification(t.Context(), verified); err != nil || len(w.letters(t)) != before {
		t.Errorf("a verified address gets another link (%v)", err)
	}
}

func TestInvitations(t *testing.T) {
	w := open(t)
	link, err := w.Invitations.Invite(t.Context(), accounts.Invitation{Address: "ada@example.org", Role: "teacher", Data: json.RawMessage(`{"class":"7b"}`), By: "Bo"})
	if err != nil {
		t.Fatal(err)
	}
	token := w.token(t, "/invitation")
	if _, given, _ := strings.Cut(link, "?token="); given == "" || !strings.HasPrefix(token, given+".") {
		t.Errorf("the link is %s", link)
	}
	if looked, err := w.Invitations.Look(t.Context(), token); err != nil || looked.Role != "teacher" || looked.By != "Bo" || !looked.ValidUntil.Equal(w.Now().Add(7*24*time.Hour)) {
		t.Errorf("looked %+v (%v)", looked, err)
	}
	var data json.RawMessage
	keep := func(_ access.Tx, _ platformdb.Account, given json.RawMessage) error { data = given; return nil }
	in := accounts.NewAccount{Name: "Ada", Address: address, Password: password, Roles: []string{"student"}, Invitation: token}
	account, err := w.SignUps.SignUp(t.Context(), in, keep)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(account.Roles, []string{"student", "teacher"}) || account.VerifiedAt == nil || string(data) != `{"class":"7b"}` {
		t.Errorf("got %+v with %s", account, data)
	}
	in.Address = "bo@example.org"
	_, err = w.SignUps.SignUp(t.Context(), in, keep)
	w.expect(t, "the invitation again", err, onetime.ErrUsed)
}

func TestAnInvitationExpiresAndIsNotLost(t *testing.T) {
	w := open(t)
	w.ada(t)
	if _, err := w.Invitations.Invite(t.Context(), accounts.Invitation{Address: "bo@example.org", Role: "teacher"}); err != nil {
		t.Fatal(err)
	}
	in := accounts.NewAccount{Name: "Bo", Address: address, Password: password, Invitation: w.token(t, "/invitation")}
	_, err := w.SignUps.SignUp(t.Context(), in, nil)
	w.expect(t, "an address that is taken", err, accounts.ErrTaken)
	w.Clock.Advance(7*24*time.Hour - time.Millisecond)
	in.Address = "bo2@example.org"
	account, err := w.SignUps.SignUp(t.Context(), in, nil)
	if err != nil || account.VerifiedAt != nil {
		t.Errorf("with another address than the invited one: %+v (%v)", account, err)
	}
	link, err := w.Invitations.Invite(t.Context(), accounts.Invitation{Role: "teacher"})
	if err != nil {
		t.Fatal(err)
	}
	_, in.Invitation, _ = strings.Cut(link, "token=")
	w.Clock.Advance(7 * 24 * time.Hour)
	in.Address = "bo3@example.org"
	_, err = w.SignUps.SignUp(t.Context(), in, nil)
	w.expect(t, "after a week", err, onetime.ErrUsed)
}

// The id of an account has the time at which it was created, to the millisecond, however the clock
// moves meanwhile: a system may keep both and store one from the other.
func TestTheIDOfAnAccountHasItsTime(t *testing.T) {
	w := open(t)
	p, err := platform.New(w.DB, w.Box, nil, func() time.Time {
		w.Clock.Advance(7 * time.Millisecond)
		return w.Clock.Now()
	})
	if err != nil {
		t.Fatal(err)
	}
	ticking, err := accounts.New(p, accounts.Options{Name: "Test", PublicURL: "https://test.example/", Mail: w.outbox, Argon: accounts.Cheap, Record: w.trail.Record})
	if err != nil {
		t.Fatal(err)
	}
	account, err := ticking.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Bo", Address: "bo@example.org", Password: password}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if made, err := access.TimeOfID(account.AccountID); err != nil || !made.Equal(account.CreatedAt) {
		t.Errorf("the id is of %v (%v), the account of %v", made, err, account.CreatedAt)
	}
}
