package api_test

import (
	"errors"
	"strings"
	"testing"

	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/operation"
)

func registration(name, email string) contract.Registration {
	return contract.Registration{Email: email, Password: "correct horse " + name, Username: name, City: "Warsaw", Country: "PL", Currency: "PLN"}
}

// TestRegisterTellsNotWhoHasAnAccount signs up with a new address and with the same address again.
func TestRegisterTellsNotWhoHasAnAccount(t *testing.T) {
	s := openWith(t, accounts.Options{RequireVerified: true})
	stranger := user{site: s}
	fresh := stranger.send(t, "POST", "/v1/auth/register", registration("Anna", "anna@example.org"))
	known := stranger.send(t, "POST", "/v1/auth/register", registration("Eve", "ANNA@example.org"))
	if fresh.status != 201 || fresh.text != `{"verifyAddress":true}`+"\n" || known.status != fresh.status || known.text != fresh.text {
		t.Errorf("a new address gets %d %s and a known one %d %s", fresh.status, fresh.text, known.status, known.text)
	}
	rows, err := s.outbox.Recent(t.Context(), 2, 10)
	if err != nil || len(rows) != 2 || rows[0].To != "ANNA@example.org" || !strings.Contains(rows[0].Subject, "already have an account") {
		t.Errorf("the mail is %+v (%v)", rows, err)
	}
	for _, email := range []string{"anna@example.org", "new@example.org"} {
		stranger.refused(t, "POST", "/v1/auth/register", registration("anna", email), 409, "NAME_TAKEN")
	}
	stranger.refused(t, "POST", "/v1/auth/login", operation.Login{Email: "anna@example.org", Password: "correct horse Eve"}, 401, "SIGN_IN_FAILED")
	for _, email := range []string{"anna@example.org", "new@example.org"} {
		err := client.New(s.url).Register(t.Context(), client.Registration(registration("Bo "+email[:3], email)))
		if !errors.Is(err, client.ErrVerifyAddress) {
			t.Errorf("%s: %v", email, err)
		}
	}
}

// TestRegisterWithoutVerification signs up where an account can be used at once.
func TestRegisterWithoutVerification(t *testing.T) {
	s := open(t)
	if anna := s.join(t, "Anna"); anna.id == "" || anna.token == "" {
		t.Errorf("got %+v", anna)
	}
	user{site: s}.refused(t, "POST", "/v1/auth/register", registration("Eve", "anna@example.org"), 409, "ADDRESS_TAKEN")
}
