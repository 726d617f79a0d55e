package server_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// walked lists the GET routes of members' pages with the paths that the walk visits; nil for routes
// that are left out, because they show no page of a member or a person alone.
var walked = map[string][]string{
	"/{$}": {"/"}, "/setup": {"/setup"}, "/language": {"/language"}, "/week": {"/week", "/week?week=2037-W08", "/week?week=2037-W07"},
	"/log": {"/log"}, "/promises": {"/promises"}, "/preferences": {"/preferences"}, "/preferences/export": {"/preferences/export"},
	"/household": {"/household", "/household?q=diskning", "/household?q=Anna"}, "/household/words": {"/household/words"},
	"/household/habits": {"/household/habits"}, "/household/settings": {"/household/settings"},
	"/chat":    {"/chat?as=702", "/chat?as=702&view=private", "/chat?as=703", "/chat?as=703&view=private"},
	"/sign-in": nil, "/live/chat/{id}": nil, "/health": nil, "/join": nil, // its path is in the page of an invitation
}

// tried lists the POST routes with what another member sends to them about Anna's entries; nil for
// routes that are left out, because they take nothing of a member who is named by the caller.
var tried = map[string][]string{
	"/log/{id}": {"activity", "dishes", "effort", "high"}, "/log/{id}/undo": {}, "/promises/{id}/drop": {},
	"/household/choose": {"household", "01JZZZZZZZZZZZZZZZZZZZZZZZ"}, "/household/settings": {"name", "Ours"}, "/household/invite": {}, "/household/words/drop": {"word", "x"},
	"/log": nil, "/preferences": nil, "/preferences/erase": nil, "/household/words": nil, // the caller's own
	"/language": nil, "/sign-in": nil, "/sign-out": nil, "/chat": nil, "/chat/press": nil, "/chat/open": nil, "/webhook": nil,
}

// questions are what another member asks the bot, in the group and in private, with the beginning of
// the answer; "" for none.
var questions = []struct{ text, answer string }{
	{"hur ofta har Anna diskat den här veckan?", "Anna: diskning"}, {"vem gör mest?", ""}, {"hur tungt var disken för Anna?", ""}, {"när diskade Anna senast?", "Anna diskade senast"},
}

var (
	route   = regexp.MustCompile(`"(GET|POST) (/[^"]*)"`)
	ownLink = regexp.MustCompile(`/log/([0-9A-HJKMNP-TV-Z]{26})`)
	// chances are parts of a page that differ with every request.
	chances = regexp.MustCompile(`name="csrf" (?:value|content)="[^"]*"|<meta name="(?:csrf|made|clock)" content="[^"]*">|nonce="[^"]*"|[0-9A-HJKMNP-TV-Z]{26}|127\.0\.0\.1:\d+|token=[\w-]+|join-[\w-]+|/assets/\w+/`)
	// loads are the lines of an export that tell a load.
	loads = regexp.MustCompile(`(?im)^.*(?:effort|load|value|ema|fair|score|recovery|weight).*$`)
)

// story lets Anna and Erik log the same, and Anna say how heavy it was for her. It returns what
// every member sees at every route.
func story(t *testing.T, heavy string) map[string]string {
	w := start(t, map[string]string{"HOMEOPS_OPERATOR_SECRET": operatorSecret})
	say := func(as, view, text string) {
		w.browser("sv").Open("/chat?as="+as+"&view="+view).Send(http.StatusOK, "/chat", "as", as, "view", view, "text", text)
	}
	b := w.browser("sv")
	for day := range 3 {
		say("701", "", "Jag har diskat")
		b.untilCount("-7001", "/chat?as=701", `class="reaction"`, 2*day+1)
		if day == 0 {
			say("701", "private", "/start")
			b.until("701", "/chat?as=701&view=private", "Tack! Här kommer")
		}
		say("701", "private", heavy)
		b.untilCount("701", "/chat?as=701&view=private", "Ändrat ✓", day+1)
		w.clock.Advance(time.Hour)
		say("702", "", "Jag har dammsugit")
		b.untilCount("-7001", "/chat?as=701", `class="reaction"`, 2*day+2)
		w.clock.Advance(23 * time.Hour)
	}
	members := map[string]*browser{"701": w.signIn("701", "sv", "logga in"), "702": w.signIn("702", "sv", "logga in"), "703": w.signIn("703", "sv", "logga in")}
	w.clock.Set(time.Date(2037, time.February, 22, 17, 0, 1, 0, time.UTC)) // Sunday, 18:00 in Stockholm
	for id := range members {
		b.until(id, "/chat?view=private&as="+id, "Din vecka:")
	}
	seen := make(map[string]string)
	annas := ownLink.FindStringSubmatch(members["701"].Open("/log").Page)
	if annas == nil {
		t.Fatal("Anna's log has no entry")
	}
	for path, pairs := range tried {
		if pairs != nil {
			members["702"].Open("/household").Submit(strings.ReplaceAll(path, "{id}", annas[1]), pairs...)
			seen["702 POST "+path] = chances.ReplaceAllString(fmt.Sprint(members["702"].Code, members["702"].Page), "…")
		}
	}
	for _, question := range questions {
		say("702", "", "@homeops_bot "+question.text)
		say("702", "private", question.text)
		if question.answer != "" {
			b.until("-7001", "/chat?as=702", question.answer)
			b.until("702", "/chat?as=702&view=private", question.answer)
		}
	}
	say("702", "private", "summering")
	b.untilCount("702", "/chat?as=702&view=private", "Din vecka:", 2)
	operators := w.browser("en").Open("/operator/sign-in").Send(http.StatusOK, "/operator/sign-in", "name", "operator", "secret", operatorSecret)
	seen["operator /operator/audit"] = chances.ReplaceAllString(operators.Open("/operator/audit").Page, "…")
	invitation := inviteLink.FindString(members["701"].Open("/household/settings").Send(http.StatusOK, "/household/invite").Page)
	for id, member := range members {
		seen[id+" /join"] = chances.ReplaceAllString(member.Open(invitation).Page, "…")
		for _, paths := range walked {
			for _, path := range paths {
				page := chances.ReplaceAllString(member.Open(path).Page, "…")
				if path == "/preferences/export" { // has times of jobs, too
					page = strings.Join(loads.FindAllString(page, -1), "\n")
				}
				seen[id+" "+path] = page
			}
		}
	}
	return seen
}

// TestNoRouteDependsOnTheLoadOfAnother tells the same story twice, once light and once heavy for
// Anna. Nothing that the other members see may differ: then no page can tell her load.
func TestNoRouteDependsOnTheLoadOfAnother(t *testing.T) {
	known := map[string]map[string][]string{"GET": walked, "POST": tried}
	for _, file := range []string{"../web/web.go", "../api/api.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range route.FindAllStringSubmatch(string(source), -1) {
			if _, ok := known[found[1]][found[2]]; !ok {
				t.Errorf("the walk does not know %s %s", found[1], found[2])
			}
		}
	}
	light, heavy := story(t, "1"), story(t, "3")
	differ := false
	for key, page := range light {
		other := heavy[key]
		if page == other {
			continue
		}
		if strings.HasPrefix(key, "701 ") && !strings.HasPrefix(key, "701 /chat") && !strings.HasPrefix(key, "701 /household") {
			differ = true // her own
			continue
		}
		t.Errorf("%s differs: %s", key, firstDifference(page, other))
	}
	if !differ {
		t.Error("Anna's own pages are the same in both stories")
	}
}

// firstDifference returns the first line in which two pages differ.
func firstDifference(a, b string) string {
	other := strings.Split(b, "\n")
	for _, line := range strings.Split(a, "\n") {
		if !slices.Contains(other, line) {
			return line
		}
	}
	return "lines are missing"
}
