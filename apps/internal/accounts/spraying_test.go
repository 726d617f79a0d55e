package accounts_test

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/refusal"
)

// openLimited returns accounts with a limit of wrong passwords for all names from one network.
func openLimited(t *testing.T, most int) *world {
	t.Helper()
	w := open(t)
	limiter := limits.New(w.Platform)
	of := func(limit string) limits.Limit {
		if limit == "failed sign-in" {
			return limits.Limit{Name: limit, Most: most, Window: time.Hour}
		}
		return limits.Limit{Name: limit, Most: 1000, Window: time.Hour}
	}
	w.Accounts = w.on(t, func(o *accounts.Options) {
		o.Allow = func(ctx context.Context, limit, subject string) error {
			_, err := limiter.Allow(ctx, of(limit), subject)
			return err
		}
		o.Allows = func(ctx context.Context, limit, subject string) error {
			_, err := limiter.Allows(ctx, of(limit), subject)
			return err
		}
	})
	w.ada(t)
	return w
}

func (w *world) from(t *testing.T, name, typed, from string) error {
	t.Helper()
	_, err := w.SignIns.WithPassword(t.Context(), accounts.Credentials{Address: name, Password: typed, From: netip.MustParseAddr(from)})
	return err
}

// TestOneNetworkCannotTryManyNames tries one password for each of many names.
func TestOneNetworkCannotTryManyNames(t *testing.T) {
	w := openLimited(t, 5)
	for i := range 5 {
		network := fmt.Sprintf("2001:db8::%d", i) // addresses of one network
		w.expect(t, "one of five", w.from(t, fmt.Sprintf("person%d@example.org", i), "Password123!", network), accounts.ErrWrong)
	}
	var refusals []string
	for name, typed := range map[string]string{"eve@example.org": password, address: password, "ADA@example.org": "wrong password"} {
		err := w.from(t, name, typed, "2001:db8::9")
		if got := wait(t, err); got <= 0 || got > time.Hour+5*time.Minute {
			t.Errorf("%s has to wait %v", name, got)
		}
		refusals = append(refusals, err.Error())
	}
	if refusals[0] != refusals[1] || refusals[1] != refusals[2] {
		t.Errorf("the refusals tell who has an account: %q", refusals)
	}
	if err := w.from(t, address, password, "192.0.2.1"); err != nil {
		t.Errorf("another network: %v", err)
	}
	w.Clock.Advance(65 * time.Minute)
	if err := w.from(t, address, password, "2001:db8::9"); err != nil {
		t.Errorf("after an hour: %v", err)
	}
}

// TestOnlyFailuresOfANetworkCount: people who know their password can all sign in from one network.
func TestOnlyFailuresOfANetworkCount(t *testing.T) {
	w := openLimited(t, 5)
	for range 20 {
		if err := w.from(t, address, password, "192.0.2.1"); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		w.expect(t, "one of five", w.from(t, "eve@example.org", password, "192.0.2.1"), accounts.ErrWrong)
	}
	w.expect(t, "the sixth", w.from(t, "bo@example.org", password, "192.0.2.1"), accounts.ErrLocked)
}

// TestParallelGuessesForManyNamesAreAllCounted: those that end after the limit was reached are refused, too.
func TestParallelGuessesForManyNamesAreAllCounted(t *testing.T) {
	w := openLimited(t, 5)
	wrong, locked := guess(t, 40, func(i int) error {
		return w.from(t, fmt.Sprintf("person%d@example.org", i), "Password123!", "192.0.2.1")
	})
	if wrong != 5 || locked != 35 {
		t.Errorf("%d guesses were answered and %d refused", wrong, locked)
	}
}

// TestAGuessThatEndsAfterTheLimitFindsNothing: other attempts reach the limit while a password is checked.
func TestAGuessThatEndsAfterTheLimitFindsNothing(t *testing.T) {
	asked := 0
	w := open(t, func(o *accounts.Options) {
		o.Allows = func(context.Context, string, string) error {
			if asked++; asked == 2 {
				return refusal.New(refusal.TooMany, "", "Too many.")
			}
			return nil
		}
	})
	w.ada(t)
	_, err := w.signIn(t, password)
	w.expect(t, "the right password", err, accounts.ErrLocked)
}
