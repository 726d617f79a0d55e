package accounts_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/internal/accounts"
)

// The author of an invitation gets its link, too, and could otherwise have an account with the verified
// address of another person.
func TestOnlyTheMailedLinkOfAnInvitationVerifiesTheAddress(t *testing.T) {
	w := open(t)
	link, err := w.Invitations.Invite(t.Context(), accounts.Invitation{Address: address, Role: "student", By: "Mallory"})
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(link, "?token=")
	in := accounts.NewAccount{Name: "Mallory", Address: address, Password: password, Invitation: token, From: home}
	account, err := w.SignUps.SignUp(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if account.VerifiedAt != nil {
		t.Error("the link that was not mailed verifies the address")
	}
	ada, created, err := w.SignIns.WithExternal(t.Context(), accounts.External{Provider: "school", Subject: "1", Name: "Ada", Address: address, AddressVerified: true}, false, nil)
	if err != nil || !created || ada.AccountID == account.AccountID {
		t.Errorf("the owner of the address gets %+v, created %t (%v)", ada, created, err)
	}
}
