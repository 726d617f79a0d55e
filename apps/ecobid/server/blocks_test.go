package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// changing matches what differs between two pages of one kind: tokens, times and the id of the request.
var changing = regexp.MustCompile(`(?:value|content|data-[a-z-]+|nonce|datetime)="[^"]*"|[A-Za-z0-9]{12,}`)

// seen returns the status of a response, and the words of its main part: the header counts news that arrive meanwhile.
func (b *browser) seen(method, path string, pairs ...string) (int, string) {
	b.T.Helper()
	if method == http.MethodGet {
		b.Do(method, path, "", nil, nil)
	} else {
		b.get("/about")
		pairs = append(pairs, "csrf", b.CSRF)
		values := make([]string, 0, len(pairs)/2)
		for i := 0; i+1 < len(pairs); i += 2 {
			values = append(values, pairs[i]+"="+pairs[i+1])
		}
		b.Do(method, path, "application/x-www-form-urlencoded", strings.NewReader(strings.Join(values, "&")), nil)
	}
	_, main, _ := strings.Cut(b.Page, "<main")
	main, _, _ = strings.Cut(main, "</main>")
	return b.Code, changing.ReplaceAllString(main, "")
}

// TestBlocksHoldOnEveryPage opens the pages of an owner as a person whom the owner has blocked, and as one who has
// blocked the owner: they are the pages of things that do not exist.
func TestBlocksHoldOnEveryPage(t *testing.T) {
	base := start(t)
	owner, dora, emil := signUp(t, base, "owner"), signUp(t, base, "dora"), signUp(t, base, "emil")
	gift, auction := owner.give("Oak table", "first"), owner.give("Blue bicycle", "auction", "min-bid", "5.00", "hours", "24")
	person := personLink(dora.get(gift).Page)
	dora.post(http.StatusOK, gift+"/reserve", "message", "Tonight?")
	pickup := dora.Path
	owner.get(pickup).post(http.StatusOK, pickup+"/confirm", "time", time.Now().Add(30*time.Hour).UTC().Format("2006-01-02T15:04"))
	dora.get(pickup).shows("Marszałkowska 1").post(http.StatusOK, pickup+"/message", "text", "On my way")
	dora.get(auction).post(http.StatusOK, auction+"/bid", "maximum", "9.00")

	blocked := personLink(owner.get(pickup).Page)
	owner.get(blocked).post(http.StatusOK, blocked+"/block").shows("Blocked people", "dora")
	emil.get(person).post(http.StatusOK, person+"/block").shows("owner")

	for _, b := range []*browser{dora, emil} {
		b.get("/").Hides("Oak table", "Blue bicycle")
		for _, path := range []string{gift, auction, "/live" + gift, person} {
			status, page := b.seen(http.MethodGet, path)
			_, unknown := b.seen(http.MethodGet, path[:strings.LastIndex(path, "/")]+"/01JUNKNWN0000000000000000Z")
			if status != http.StatusNotFound || page != unknown {
				t.Errorf("GET %s: %d, unlike that of an unknown one:\n%s\n%s", path, status, page, unknown)
			}
		}
		for _, action := range []string{"reserve", "join", "bid", "favourite", "report", "edit", "publish", "withdraw", "bump"} {
			for _, path := range []string{gift, auction} {
				if status, _ := b.seen(http.MethodPost, path+"/"+action, "maximum", "1.00", "reason", "spam", "title", "Mine", "category", "home", "condition", "good"); status != http.StatusNotFound {
					t.Errorf("POST %s/%s: %d", path, action, status)
				}
			}
		}
	}
	if status, _ := dora.seen(http.MethodPost, person+"/block"); status != http.StatusNotFound {
		t.Errorf("a blocked person blocks: %d", status)
	}
	for _, b := range []*browser{dora, owner} { // what they had is cancelled, and no more is told
		b.get(pickup).shows("This reservation was cancelled").Hides("Marszałkowska", "On my way")
	}
	owner.get("/settings/blocks").post(http.StatusOK, blocked+"/block", "undo", "1").shows("You have blocked no one")
	dora.get(gift).shows("Oak table")
}
