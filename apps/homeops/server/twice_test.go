package server_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// twice opens a page, sends the same form of it twice at the same time, and once more after that, as a double click
// and a resend do. It returns the three responses, none of which is a refusal and which all lead to one path.
func (b *browser) twice(page, path string, pairs ...string) []*browser {
	b.t.Helper()
	token := csrfForm.FindStringSubmatch(b.get(page).page)
	if token == nil {
		b.t.Fatalf("there is no form at %s", page)
	}
	values := url.Values{"csrf": {token[1]}}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	tabs := make([]*browser, 3)
	for i := range tabs {
		tabs[i] = &browser{world: b.world, http: b.http, lang: b.lang}
	}
	var sent sync.WaitGroup
	for _, tab := range tabs[:2] {
		sent.Go(func() { tab.do(http.MethodPost, path, strings.NewReader(values.Encode())) })
	}
	sent.Wait()
	tabs[2].do(http.MethodPost, path, strings.NewReader(values.Encode()))
	for _, tab := range tabs {
		if tab.code != http.StatusOK || tab.path != tabs[0].path {
			b.t.Errorf("POST %s: %d at %s, want %d at %s", path, tab.code, tab.path, http.StatusOK, tabs[0].path)
		}
	}
	return tabs
}

func (b *browser) count(want int, words string) {
	b.t.Helper()
	if got := strings.Count(b.page, words); got != want {
		b.t.Errorf("the page at %s says %q %d times, want %d", b.path, words, got, want)
	}
}

var joinLink = regexp.MustCompile(`/join\?token=[A-Za-z0-9_-]+`)

// TestAFormSentTwiceActsOnce sends the forms of the system twice, as a double click and a resend do.
func TestAFormSentTwiceActsOnce(t *testing.T) {
	w := start(t, nil)
	b := w.browser("en")
	group := "/chat?as=711"
	b.twice(group, "/chat", "as", "711", "text", "What shall we eat?")
	b.get(group).count(1, "What shall we eat?")
	b.twice(group, "/chat", "as", "711", "text", "What shall we eat?")
	b.get(group).count(2, "What shall we eat?") // from another page it is another message

	member := w.signIn("711", "en", "login")
	member.twice("/log", "/log", "activity", "dishes", "effort", "low", "at", "")
	member.get("/log").count(1, "/undo")
	member.twice("/log", "/log", "activity", "dishes", "effort", "low", "at", "")
	member.get("/log").count(2, "/undo")

	links := map[string]bool{}
	for _, tab := range member.twice("/household/settings", "/household/invite") {
		link := joinLink.FindString(tab.page)
		if links[link] = true; link == "" {
			t.Errorf("no link of an invitation at %s", tab.path)
		}
	}
	if len(links) != 1 {
		t.Errorf("the same form made %d invitations", len(links))
	}
}
