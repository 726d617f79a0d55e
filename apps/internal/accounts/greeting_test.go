package accounts_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/internal/accounts"
)

const advertisement = "you won 500 EUR, claim it at https://evil.example/claim -"

// TestMailToAnUnverifiedAddressHasNoName signs up with the address of another person and causes every mail to
// that address and to a third one.
func TestMailToAnUnverifiedAddressHasNoName(t *testing.T) {
	w := open(t)
	account, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: advertisement, Address: address, Password: password}, nil)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := w.Passwords.Change(t.Context(), account.AccountID, password, other, home)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Addresses.SendVerification(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	if err := w.Passwords.Forgot(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	token := w.request(t, changed, "win/500@evil.example")
	letters := w.letters(t) // of which the last goes to the new address and has no name either
	moved, err := w.Addresses.ConfirmChange(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	letters = append(letters, w.letters(t)[len(letters):]...) // to the old address, which was never verified
	if len(letters) != 7 {
		t.Errorf("there are %d mails", len(letters))
	}
	for _, letter := range letters {
		if text := letter.Subject + *letter.Text; strings.Contains(text, "evil") || strings.Contains(text, "500") {
			t.Errorf("the mail to %s is %s", letter.To, text)
		}
	}
	if err := w.Passwords.Forgot(t.Context(), *moved.Email); err != nil {
		t.Fatal(err)
	}
	if letters := w.letters(t); !strings.HasPrefix(*letters[len(letters)-1].Text, "Hello "+advertisement+",") {
		t.Errorf("a verified address is greeted with %s", *letters[len(letters)-1].Text)
	}
}

func TestInvitationsHaveNoLinksInTheNameOfTheAuthor(t *testing.T) {
	w := open(t)
	for by, named := range map[string]bool{
		"Ada Lovelace":             true,
		"Dr. Ada Lovelace, Ph. D.": true,
		"Åsa":                      true,
		advertisement:              false,
		"evil.example":             false,
		"Ada at EVIL.example":      false,
		"www. evil":                false,
		"evil\u3002example":        false,
		"192.0.2.1":                false,
		"Ada\nBob":                 false,
	} {
		if _, err := w.Invitations.Invite(t.Context(), accounts.Invitation{Address: "bo@example.org", By: by}); err != nil {
			t.Fatal(err)
		}
		letters := w.letters(t)
		text := *letters[len(letters)-1].Text
		if strings.HasPrefix(text, by+" has invited you to Test.") != named || strings.HasPrefix(text, "You are invited to Test.") == named {
			t.Errorf("%q: %s", by, text)
		}
	}
}
