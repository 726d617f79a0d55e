package web_test

import (
	"fmt"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
)

func TestGuessingTheOperatorSecretIsLimited(t *testing.T) {
	s := open(t, withOperators)
	v := s.visitor()
	v.get("/operator/sign-in")
	for range askahuman.LimitSignIn.Most {
		v.send("/operator/sign-in", "name", "Eve", "secret", "guess").want(t, 422)
	}
	v.send("/operator/sign-in", "name", "Eve", "secret", operatorSecret).want(t, 429, "Try again in")
	if v.last.header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	ada := s.visitor()
	ada.get("/operator/sign-in")
	ada.send("/operator/sign-in", "name", "Ada", "secret", operatorSecret).want(t, 200, "Overview") // is not Eve
	s.Clock.Advance(11 * time.Minute)
	v.send("/operator/sign-in", "name", "Eve", "secret", operatorSecret).want(t, 200, "Overview")
}

// TestNamesAreFreeButAddressesAreNot: guessing under many names is limited as well.
func TestNamesAreFreeButAddressesAreNot(t *testing.T) {
	s := open(t, withOperators)
	v := s.visitor()
	v.get("/operator/sign-in")
	for n := range askahuman.LimitSignInFrom.Most {
		v.send("/operator/sign-in", "name", fmt.Sprint("Eve ", n), "secret", "guess").want(t, 422)
	}
	v.send("/operator/sign-in", "name", "Ada", "secret", operatorSecret).want(t, 429, "Try again in")
	s.Clock.Advance(11 * time.Minute)
	v.send("/operator/sign-in", "name", "Ada", "secret", operatorSecret).want(t, 200, "Overview")
}

// TestOperatorsDoNotLockEachOtherOut: only guessing counts.
func TestOperatorsDoNotLockEachOtherOut(t *testing.T) {
	s := open(t, withOperators)
	for range askahuman.LimitSignIn.Most + 1 {
		s.operator().last.want(t, 200)
	}
}
