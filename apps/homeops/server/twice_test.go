package server_test

import (
	"regexp"
	"testing"
)

var joinLink = regexp.MustCompile(`/join\?token=[A-Za-z0-9_-]+`)

// TestAFormSentTwiceActsOnce sends the forms of the system twice, as a double click and a resend do.
func TestAFormSentTwiceActsOnce(t *testing.T) {
	w := start(t, nil)
	b := w.browser("en")
	group := "/chat?as=711"
	b.Twice(group, "/chat", "as", "711", "text", "What shall we eat?")
	b.Open(group).Counts(1, "What shall we eat?")
	b.Twice(group, "/chat", "as", "711", "text", "What shall we eat?")
	b.Open(group).Counts(2, "What shall we eat?") // from another page it is another message

	member := w.signIn("711", "en", "login")
	member.Twice("/log", "/log", "activity", "dishes", "effort", "low", "at", "")
	member.Open("/log").Counts(1, "/undo")
	member.Twice("/log", "/log", "activity", "dishes", "effort", "low", "at", "")
	member.Open("/log").Counts(2, "/undo")

	links := map[string]bool{}
	for _, tab := range member.Twice("/household/settings", "/household/invite") {
		link := joinLink.FindString(tab.Page)
		if links[link] = true; link == "" {
			t.Errorf("no link of an invitation at %s", tab.Path)
		}
	}
	if len(links) != 1 {
		t.Errorf("the same form made %d invitations", len(links))
	}
}
