package host_test

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"

	"sortkey.dev/apps/internal/accounts"
)

// TestWrongPasswordsOfOneNetworkAreLimited tries a password for 301 names.
func TestWrongPasswordsOfOneNetworkAreLimited(t *testing.T) {
	p := open(t).process(t, "one")
	try := func(i int) error {
		_, err := p.Accounts.SignIns.WithPassword(t.Context(), accounts.Credentials{
			Address: fmt.Sprintf("person%d@example.org", i), Password: "Password123!", From: netip.MustParseAddr("192.0.2.1"),
		})
		return err
	}
	for i := range 300 {
		if err := try(i); !errors.Is(err, accounts.ErrWrong) {
			t.Fatalf("attempt %d: %v", i, err)
		}
	}
	if err := try(300); !errors.Is(err, accounts.ErrLocked) {
		t.Errorf("one more: %v", err)
	}
}
