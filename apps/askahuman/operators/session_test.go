package operators_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/askahumantest"
)

func TestASessionEndsOnceForAll(t *testing.T) {
	w := askahumantest.Open(t)
	other := w.Through(t, w.Database.DynamoDB)
	token, err := w.Operators.BeginSession(t.Context(), "realm", "Ada", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	is := func(realm, token, want string) {
		t.Helper()
		if got, err := other.Operators.Session(t.Context(), realm, token); err != nil || got != want {
			t.Errorf("it is a session of %q (%v), want %q", got, err, want)
		}
	}
	is("realm", token, "Ada")
	is("realm", token, "Ada")
	is("realm of another secret", token, "")
	is("realm", "", "")
	w.Clock.Advance(time.Hour - time.Second)
	is("realm", token, "Ada")
	for range 2 {
		if err := w.Operators.EndSession(t.Context(), "realm", token); err != nil {
			t.Fatal(err)
		}
		is("realm", token, "")
	}
	if token, err = w.Operators.BeginSession(t.Context(), "realm", "Ada", time.Hour); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	is("realm", token, "")
}
