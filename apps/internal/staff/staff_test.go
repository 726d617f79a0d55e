package staff_test

import (
	"errors"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
)

const firstSecret = "the first secret"

var here, there = netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")

type world struct {
	*platformtest.World
	*staff.Staff
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{World: platformtest.Open(t)}
	w.Staff = w.process(t, firstSecret)
	return w
}

// process returns the staff of another process, or of one with another setting.
func (w *world) process(t *testing.T, secret string) *staff.Staff {
	t.Helper()
	s, err := staff.New(w.Platform, staff.Options{FirstSecret: secret})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// signIn signs in, and fails the test if that is refused.
func (w *world) signIn(t *testing.T, name, secret string) (token string, operator staff.Operator) {
	t.Helper()
	token, operator, err := w.SignIn(t.Context(), staff.Credentials{Name: name, Secret: secret, Network: there})
	if err != nil {
		t.Fatalf("sign in as %s: %v", name, err)
	}
	return token, operator
}

// add adds an operator as the first one.
func (w *world) add(t *testing.T, name string) (operator staff.Operator, secret string) {
	t.Helper()
	operator, secret, err := w.Add(t.Context(), staff.First, name)
	if err != nil {
		t.Fatalf("add %s: %v", name, err)
	}
	return operator, secret
}

// refused checks the kind of a refusal.
func refused(t *testing.T, what string, err error, kind refusal.Kind) {
	t.Helper()
	if _, ok := refusal.As(err, kind); !ok {
		t.Errorf("%s: %v, want a refusal of kind %s", what, err, kind)
	}
}

func TestOperatorsSignInWithTheirOwnSecrets(t *testing.T) {
	w := open(t)
	_, secret := w.add(t, "Ines  Öberg")
	_, other := w.add(t, "Bo")
	for _, attempt := range []struct{ name, secret, want string }{
		{staff.First, firstSecret, "operator"}, {" OPERATOR ", " " + firstSecret + " ", "operator"},
		{"Ines Öberg", secret, "Ines Öberg"}, {"ines öberg", secret, "Ines Öberg"}, {"Bo", other, "Bo"},
		{"Bo", secret, ""}, {"Bo", firstSecret, ""}, {staff.First, secret, ""}, {"Unknown", firstSecret, ""}, {"", firstSecret, ""}, {"Bo", "", ""},
	} {
		token, operator, err := w.SignIn(t.Context(), staff.Credentials{Name: attempt.name, Secret: attempt.secret, Network: here, Device: "Firefox"})
		if attempt.want == "" {
			refused(t, attempt.name+" with a wrong secret", err, refusal.Unauthenticated)
			continue
		}
		if err != nil || operator.Name != attempt.want {
			t.Fatalf("%q: %+v, %v", attempt.name, operator, err)
		}
		if known, err := w.process(t, firstSecret).Resolve(t.Context(), token); err != nil || known.Name != attempt.want {
			t.Errorf("%q in another process: %+v, %v", attempt.name, known, err)
		}
	}
	page, err := audit.New(w.Platform, audit.Options{}).By(t.Context(), "Ines Öberg", 0, "")
	if err != nil || len(page.Items) != 2 || page.Items[0].Action != "sign in" {
		t.Errorf("the trail: %+v, %v", page.Items, err)
	}
}

func TestSessionsEnd(t *testing.T) {
	w := open(t)
	_, secret := w.add(t, "Bo")
	_, first := w.signIn(t, staff.First, firstSecret)
	for name, end := range map[string]func(token string) error{
		"sign out": func(token string) error { return w.SignOut(t.Context(), token) },
		"time":     func(string) error { w.Clock.Advance(staff.SessionTime); return nil },
		"disable": func(string) error {
			err := w.Disable(t.Context(), first, "bo")
			return errors.Join(err, w.Enable(t.Context(), "operator", "bo"))
		},
		"renew": func(string) (err error) { _, secret, err = w.Renew(t.Context(), "operator", "bo"); return err },
	} {
		token, _ := w.signIn(t, "Bo", secret)
		w.Clock.Advance(staff.SessionTime - time.Millisecond)
		if _, err := w.Resolve(t.Context(), token); err != nil {
			t.Fatalf("%s: before: %v", name, err)
		}
		w.Clock.Advance(time.Millisecond - staff.SessionTime)
		if err := end(token); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := w.Resolve(t.Context(), token); !errors.Is(err, staff.ErrSignedOut) {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.SignOut(t.Context(), token); err != nil {
			t.Errorf("%s: sign out once more: %v", name, err)
		}
	}
	for _, token := range []string{"", "/", "bo/", "/x", "none/x", "bo/x", "operator/x"} {
		if _, err := w.Resolve(t.Context(), token); !errors.Is(err, staff.ErrSignedOut) {
			t.Errorf("token %q: %v", token, err)
		}
	}
}

func TestAnotherFirstSecretEndsTheSessionsWithTheOldOne(t *testing.T) {
	w := open(t)
	token, _ := w.signIn(t, staff.First, firstSecret)
	w.Staff = w.process(t, "another first secret")
	if _, err := w.Resolve(t.Context(), token); !errors.Is(err, staff.ErrSignedOut) {
		t.Errorf("with the old secret: %v", err)
	}
	w.signIn(t, staff.First, "another first secret")
}

// TestTheRightSecretIsNotLockedOut: guesses of others do not count against another network or a
// known browser, and those of the same network only for minutes.
func TestTheRightSecretIsNotLockedOut(t *testing.T) {
	w := open(t)
	_, secret := w.add(t, "Bo")
	try := func(name, secret, browser string, network netip.Addr) error {
		_, _, err := w.SignIn(t.Context(), staff.Credentials{Name: name, Secret: secret, Network: network, Browser: browser})
		return err
	}
	for range staff.SignInLimit.Most - 1 {
		refused(t, "a guess", try("bo", "guess", "", here), refusal.Unauthenticated)
	}
	if err := try("Bo", secret, "", here); err != nil {
		t.Fatalf("the last attempt that is allowed: %v", err)
	}
	refused(t, "the right secret after too many guesses", try("Bo", secret, "", here), refusal.TooMany)
	refused(t, "a guess after too many", try("Bo", "guess", "", here), refusal.TooMany)
	for name, err := range map[string]error{
		"from another network": try("Bo", secret, "", there),
		"in a known browser":   try("Bo", secret, "browser-1", here),
		"another operator":     try(staff.First, firstSecret, "", here),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.Clock.Advance(staff.SignInLimit.Window * 13 / 12)
	if err := try("Bo", secret, "", here); err != nil {
		t.Errorf("after the window: %v", err)
	}
}

func TestParallelGuessesAreAllCounted(t *testing.T) {
	w := open(t)
	var wrong, full atomic.Int32
	var all sync.WaitGroup
	for range 3 * staff.SignInLimit.Most {
		all.Go(func() {
			_, _, err := w.SignIn(t.Context(), staff.Credentials{Name: staff.First, Secret: "guess", Network: here})
			if _, ok := refusal.As(err, refusal.Unauthenticated); ok {
				wrong.Add(1)
			} else if _, ok := refusal.As(err, refusal.TooMany); ok {
				full.Add(1)
			} else {
				t.Errorf("a guess: %v", err)
			}
		})
	}
	all.Wait()
	if wrong.Load() != int32(staff.SignInLimit.Most) || full.Load() != 2*int32(staff.SignInLimit.Most) {
		t.Errorf("%d guesses were compared and %d refused", wrong.Load(), full.Load())
	}
}

func TestTheFirstOperatorCanBeDisabled(t *testing.T) {
	w := open(t)
	bo, secret := w.add(t, "Bo")
	_, first := w.signIn(t, staff.First, firstSecret)
	refused(t, "disable yourself", w.Disable(t.Context(), first, staff.First), refusal.Conflict)
	for range 2 {
		if err := w.Disable(t.Context(), bo, staff.First); err != nil {
			t.Fatal(err)
		}
		_, _, err := w.SignIn(t.Context(), staff.Credentials{Name: staff.First, Secret: firstSecret, Network: there})
		refused(t, "the disabled first operator", err, refusal.Forbidden)
		refused(t, "its token", w.CheckToken(t.Context(), firstSecret, here), refusal.Unauthenticated)
		refused(t, "disable twice", w.Disable(t.Context(), bo, staff.First), refusal.Conflict)
		if err := w.Enable(t.Context(), "Bo", staff.First); err != nil {
			t.Fatal(err)
		}
		w.signIn(t, staff.First, firstSecret)
	}
	// Another secret is the way back.
	if err := w.Disable(t.Context(), bo, staff.First); err != nil {
		t.Fatal(err)
	}
	w.Staff = w.process(t, "another first secret")
	_, first = w.signIn(t, staff.First, "another first secret")
	if err := w.Disable(t.Context(), first, "bo"); err != nil {
		t.Fatal(err)
	}
	_, _, err := w.SignIn(t.Context(), staff.Credentials{Name: "Bo", Secret: secret, Network: there})
	refused(t, "the disabled Bo", err, refusal.Forbidden)
	if err := w.Disable(t.Context(), bo, staff.First); err != nil { // the record is of the old secret
		t.Fatal(err)
	}
	if list, err := w.List(t.Context()); err != nil || len(list) != 2 || list[0].Active || list[1].Active {
		t.Errorf("the operators: %+v, %v", list, err)
	}
	_, _, err = w.Renew(t.Context(), "Bo", staff.First)
	refused(t, "renew a setting", err, refusal.Conflict)
}

func TestNamesOfOperators(t *testing.T) {
	w := open(t)
	w.add(t, strings.Repeat("é", staff.MaxName))
	w.add(t, "Bo")
	for _, name := range []string{"", " ", strings.Repeat("é", staff.MaxName+1), "a\nb#", "a/b", "BO", "Operator", "<b>"} {
		_, _, err := w.Add(t.Context(), staff.First, name)
		refused(t, "add "+name, err, refusal.Invalid)
	}
	_, _, err := w.Renew(t.Context(), staff.First, "none")
	refused(t, "renew a missing operator", err, refusal.NotFound)
	refused(t, "disable a missing operator", w.Disable(t.Context(), staff.Operator{}, "none"), refusal.NotFound)
	refused(t, "enable a missing operator", w.Enable(t.Context(), staff.First, "none"), refusal.NotFound)
	refused(t, "enable an active operator", w.Enable(t.Context(), staff.First, "bo"), refusal.Conflict)
}

func TestANameIsTakenOnce(t *testing.T) {
	w := open(t)
	var added atomic.Int32
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			_, _, err := w.Add(t.Context(), staff.First, "Bo")
			if err == nil {
				added.Add(1)
			} else if _, ok := refusal.As(err); !ok {
				t.Errorf("add: %v", err)
			}
		})
	}
	all.Wait()
	if added.Load() != 1 {
		t.Errorf("the name was given %d times", added.Load())
	}
}

func TestWrongTokensLockNoOperatorOut(t *testing.T) {
	w := open(t)
	for _, token := range []string{w.Token(), firstSecret} {
		if err := w.CheckToken(t.Context(), token, here); err != nil {
			t.Errorf("a right token: %v", err)
		}
	}
	for range staff.TokenLimit.Most {
		refused(t, "a wrong token", w.CheckToken(t.Context(), "wrong", here), refusal.Unauthenticated)
	}
	refused(t, "a wrong token too many", w.CheckToken(t.Context(), "wrong", here), refusal.TooMany)
	refused(t, "the right token after them", w.CheckToken(t.Context(), w.Token(), here), refusal.TooMany)
	if err := w.CheckToken(t.Context(), w.Token(), there); err != nil {
		t.Errorf("from another network: %v", err)
	}
	if _, _, err := w.SignIn(t.Context(), staff.Credentials{Name: staff.First, Secret: firstSecret, Network: here}); err != nil {
		t.Errorf("sign in after wrong tokens: %v", err)
	}
}

func TestTheFirstSecretHasALength(t *testing.T) {
	w := platformtest.Open(t)
	for length, ok := range map[int]bool{staff.MinSecret - 1: false, staff.MinSecret: true, staff.MaxSecret: true, staff.MaxSecret + 1: false} {
		if _, err := staff.New(w.Platform, staff.Options{FirstSecret: strings.Repeat("é", length)}); (err == nil) != ok {
			t.Errorf("%d characters: %v", length, err)
		}
	}
}
