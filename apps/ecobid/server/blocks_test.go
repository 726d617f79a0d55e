package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/webtest"
)

// changing matches what differs between two pages of one kind: tokens, times and the id of the request.
var changing = regexp.MustCompile(`(?:value|content|data-[a-z-]+|nonce|datetime)="[^"]*"|[A-Za-z0-9]{12,}`)

// seen returns the status of a response, and the words of its main part: the header counts news that arrive meanwhile.
func seen(b *webtest.Visitor, method, path string, pairs ...string) (int, string) {
	b.T.Helper()
	if method == http.MethodGet {
		b.Do(method, path, "", nil, nil)
	} else {
		b.Open("/about")
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
	gift, auction := give(owner, "Oak table", "first"), give(owner, "Blue bicycle", "auction", "min-bid", "5.00", "hours", "24")
	person := personLink(dora.Open(gift).Page)
	dora.Send(http.StatusOK, gift+"/reserve", "message", "Tonight?")
	pickup := dora.Path
	owner.Open(pickup).Send(http.StatusOK, pickup+"/confirm", "time", time.Now().Add(30*time.Hour).UTC().Format("2006-01-02T15:04"))
	dora.Open(pickup).Says("Marszałkowska 1").Send(http.StatusOK, pickup+"/message", "text", "On my way")
	dora.Open(auction).Send(http.StatusOK, auction+"/bid", "maximum", "9.00")

	blocked := personLink(owner.Open(pickup).Page)
	owner.Open(blocked).Send(http.StatusOK, blocked+"/block").Says("Blocked people", "dora")
	emil.Open(person).Send(http.StatusOK, person+"/block").Says("owner")

	for _, b := range []*webtest.Visitor{dora, emil} {
		b.Open("/").Hides("Oak table", "Blue bicycle")
		for _, path := range []string{gift, auction, "/live" + gift, person} {
			status, page := seen(b, http.MethodGet, path)
			_, unknown := seen(b, http.MethodGet, path[:strings.LastIndex(path, "/")]+"/01JUNKNWN0000000000000000Z")
			if status != http.StatusNotFound || page != unknown {
				t.Errorf("GET %s: %d, unlike that of an unknown one:\n%s\n%s", path, status, page, unknown)
			}
		}
		for _, action := range []string{"reserve", "join", "bid", "favourite", "report", "edit", "publish", "withdraw", "bump"} {
			for _, path := range []string{gift, auction} {
				if status, _ := seen(b, http.MethodPost, path+"/"+action, "maximum", "1.00", "reason", "spam", "title", "Mine", "category", "home", "condition", "good"); status != http.StatusNotFound {
					t.Errorf("POST %s/%s: %d", path, action, status)
				}
			}
		}
	}
	if status, _ := seen(dora, http.MethodPost, person+"/block"); status != http.StatusNotFound {
		t.Errorf("a blocked person blocks: %d", status)
	}
	for _, b := range []*webtest.Visitor{dora, owner} { // what they had is cancelled, and no more is told
		b.Open(pickup).Says("This reservation was cancelled").Hides("Marszałkowska", "On my way")
	}
	owner.Open("/settings/blocks").Send(http.StatusOK, blocked+"/block", "undo", "1").Says("You have blocked no one")
	dora.Open(gift).Says("Oak table")
}
