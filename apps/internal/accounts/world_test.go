package accounts_test

import (
	"errors"
	"net/netip"
	"regexp"
	"testing"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/refusal"
)

var home = netip.MustParseAddr("192.0.2.1")

const (
	address  = "Ada@Example.org"
	password = "correct horse"
)

// A world is the accounts of a system under test. Mail is kept in its outbox.
type world struct {
	*platformtest.World
	*accounts.Accounts
	outbox *mail.Outbox
	trail  *audit.Trail
}

func open(t *testing.T, change ...func(*accounts.Options)) *world {
	t.Helper()
	w := &world{World: platformtest.Open(t)}
	w.outbox, w.trail = mailOutbox(w), trailOf(w)
	w.Accounts = w.on(t, change...)
	return w
}

// on returns further accounts on the same data, as another process has them.
func (w *world) on(t *testing.T, change ...func(*accounts.Options)) *accounts.Accounts {
	t.Helper()
	o := accounts.Options{Name: "Test", PublicURL: "https://test.example/", Mail: w.outbox, Argon: accounts.Cheap, Record: w.trail.Record}
	for _, f := range change {
		f(&o)
	}
	all, err := accounts.New(w.Platform, o)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// ada signs up.
func (w *world) ada(t *testing.T) platformdb.Account {
	t.Helper()
	account, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Ada", Address: address, Password: password, Roles: []string{"student"}, From: home}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return account
}

// letters returns the mail so far, oldest first.
func (w *world) letters(t *testing.T) []platformdb.Mail {
	t.Helper()
	rows, err := w.outbox.Recent(t.Context(), 30, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
	return rows
}

var linkPattern = regexp.MustCompile(`https://test\.example(/[a-z/-]+)\?token=([A-Za-z0-9_.-]+)`)

// token returns the token in the newest mail, which leads to a path.
func (w *world) token(t *testing.T, path string) string {
	t.Helper()
	letters := w.letters(t)
	if len(letters) == 0 {
		t.Fatal("there is no mail")
	}
	match := linkPattern.FindStringSubmatch(*letters[len(letters)-1].Text)
	if match == nil || match[1] != path {
		t.Fatalf("the newest mail has no link to %s: %s", path, *letters[len(letters)-1].Text)
	}
	return match[2]
}

func (w *world) signIn(t *testing.T, typed string) (platformdb.Account, error) {
	t.Helper()
	return w.SignIns.WithPassword(t.Context(), accounts.Credentials{Address: address, Password: typed, From: home})
}

func (w *world) session(t *testing.T, account platformdb.Account) string {
	t.Helper()
	id, err := w.Sessions.Open(t.Context(), account, "a browser")
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (w *world) expect(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// actions returns what the audit trail says, newest first.
func (w *world) actions(t *testing.T, accountID string) []string {
	t.Helper()
	page, err := w.trail.About(t.Context(), accountID, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	var actions []string
	for _, event := range page.Items {
		actions = append(actions, event.Actor+" "+event.Action)
	}
	return actions
}

// fields returns the fields that a refusal names.
func fields(err error) []string {
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok {
		return nil
	}
	var names []string
	for _, field := range refused.Fields {
		names = append(names, field.Name)
	}
	return names
}

func mailOutbox(w *world) *mail.Outbox { return mail.NewOutbox(w.Platform, mail.Options{}) }

func trailOf(w *world) *audit.Trail { return audit.New(w.Platform, audit.Options{}) }
