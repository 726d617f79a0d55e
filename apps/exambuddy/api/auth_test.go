package api_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/client"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformtest"
)

// openVerified returns a site where addresses must be verified.
func openVerified(t *testing.T) *site {
	t.Helper()
	s := open(t)
	var err error
	s.Accounts, err = accounts.New(platformtest.On(t, s.Database, s.Env.Box, s.Clock), accounts.Options{
		Name: "ExamBuddy", PublicURL: "https://exams.test", Mail: s.Mail, Argon: accounts.Cheap, RequireVerified: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Domain = domain.New(s.Env, s.Accounts, s.Files)
	s.serve(t)
	return s
}

// TestRegisterTellsNotWhoHasAnAccount signs up with a new address, with the same address again, and with that
// of a person who signs in through a provider.
func TestRegisterTellsNotWhoHasAnAccount(t *testing.T) {
	s := openVerified(t)
	_, _, err := s.Accounts.SignIns.WithExternal(t.Context(), accounts.External{Provider: "school", Subject: "17", Name: "Bo", Address: "bo@example.org", AddressVerified: true}, false, s.Domain.People.With)
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []string{contract.RoleCandidate, contract.RoleAdmin} {
		for _, email := range []string{role + "@example.org", strings.ToUpper(role) + "@example.org", "bo@example.org"} {
			got := user{site: s}.send(t, "POST", "/v1/auth/register", contract.Registration{Email: email, Password: password, Name: "Ann", Role: role})
			if got.status != 201 || got.text != `{"verifyAddress":true}`+"\n" {
				t.Errorf("%s: %d %s", email, got.status, got.text)
			}
		}
	}
	told := 0
	for _, m := range s.Mail.Sent {
		if strings.Contains(m.Subject, "already have an account") {
			told++
		}
	}
	if told != 4 {
		t.Errorf("%d of 4 owners are told", told)
	}
	c := client.New(s.url)
	for _, email := range []string{"candidate@example.org", "new@example.org"} {
		registered, err := c.Register(t.Context(), client.Registration{Email: email, Password: password, Name: "Ann"})
		if err != nil || registered != (client.Registered{VerifyAddress: true}) {
			t.Errorf("%s: %+v, %v", email, registered, err)
		}
	}
}
