package host_test

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/refusal"
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

// TestInvitationsAreLimited invites one address by many authors, and many addresses by one author.
func TestInvitationsAreLimited(t *testing.T) {
	p := open(t).process(t, "one")
	invite := func(author, address string) error {
		_, err := p.Accounts.Invitations.Invite(t.Context(), accounts.Invitation{Address: address, Author: author})
		return err
	}
	for i := range 5 {
		if err := invite(fmt.Sprintf("author%d", i), "ada@example.org"); err != nil {
			t.Fatalf("invitation %d: %v", i, err)
		}
	}
	if _, refused := refusal.As(invite("author5", "Ada@example.org"), refusal.TooMany); !refused {
		t.Error("an address gets a mail of every author")
	}
	for i := range 1000 {
		if err := invite("author", fmt.Sprintf("person%d@example.org", i)); err != nil {
			t.Fatalf("invitation %d: %v", i, err)
		}
	}
	if _, refused := refusal.As(invite("author", "bo@example.org"), refusal.TooMany); !refused {
		t.Error("an author invites without a limit")
	}
}
