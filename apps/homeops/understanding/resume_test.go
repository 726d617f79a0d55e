package understanding_test

import (
	"testing"

	"sortkey.dev/apps/homeops/understanding"
)

// What people ask for themselves is understood with marks, in quotes and as a command.
func TestWhatPeopleAskForThemselves(t *testing.T) {
	for _, text := range []string{"login", "Logga in!", "/login", "“login”", " sign  in."} {
		if !understanding.AsksForSignIn(text) || understanding.AsksForErasure(text) {
			t.Errorf("%q asks for no link", text)
		}
	}
	for _, text := range []string{"erase my data", "Radera mina uppgifter!", "“delete all of my data”"} {
		if !understanding.AsksForErasure(text) || understanding.AsksForSignIn(text) {
			t.Errorf("%q asks for no erasure", text)
		}
	}
	for _, text := range []string{"", "I did the dishes", "login please", "erase the board"} {
		if understanding.AsksForSignIn(text) || understanding.AsksForErasure(text) {
			t.Errorf("%q asks for something", text)
		}
	}
}
