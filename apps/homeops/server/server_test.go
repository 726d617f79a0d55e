package server_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/server"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/webtest"
)

// A world is a running system with a clock that the test moves.
type world struct {
	t      *testing.T
	url    string
	client *http.Client // trusts the server
	clock  *apptest.Clock
	system apps.System
}

// start opens the system with the simulated chat and runs its background work until the test ends.
func start(t *testing.T, settings map[string]string) *world {
	t.Helper()
	return startWith(t, settings, httptest.NewServer)
}

// startWith opens the system behind a server of the given kind.
func startWith(t *testing.T, settings map[string]string, serve func(http.Handler) *httptest.Server) *world {
	t.Helper()
	database := apptest.Open(t, nil)
	w := &world{t: t, clock: apptest.NewClock(homeopstest.Start)}
	site, system := apptest.Serve(t, serve, func(ctx context.Context, base string) (apps.System, error) {
		return server.Open(ctx, apps.Config{
			DynamoDB: database.DynamoDB, Streams: database.Streams, TablePrefix: database.Prefix,
			Secret: []byte("a secret of tests"), PublicURL: base, LocalURL: base, Now: w.clock.Now,
			Log:     slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
			Setting: func(name string) string { return settings[name] },
		})
	})
	w.url, w.client, w.system = site.URL, site.Client(), system
	return w
}

// A browser is a visitor of a world.
type browser struct {
	*world
	*webtest.Visitor
}

// browser returns a browser that asks for a language.
func (w *world) browser(lang string) *browser {
	w.t.Helper()
	visitor := webtest.NewVisitor(w.t, w.url)
	visitor.Client.Transport, visitor.Lang = w.client.Transport, lang
	return &browser{w, visitor}
}

func (b *browser) do(method, path string, body io.Reader) {
	b.t.Helper()
	b.Do(method, path, "application/x-www-form-urlencoded", body, nil)
}

// washedUp lets Anna write to the group that she has done the dishes, and waits until it is logged.
func (w *world) washedUp() {
	w.t.Helper()
	anna := w.browser("sv")
	anna.Open("/chat?as=701").Send(http.StatusOK, "/chat", "as", "701", "text", "Jag har diskat")
	anna.until("-7001", "/chat?as=701", "✍")
}

// until reloads a page of a chat at every change of it, until it says something.
func (b *browser) until(chat, path, words string) {
	b.t.Helper()
	b.untilCount(chat, path, words, 1)
}

// untilCount waits until the page says something a number of times.
func (b *browser) untilCount(chat, path, words string, n int) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.t.Context(), time.Minute)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+"/live/chat/"+chat, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := b.Client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if b.Open(path); strings.Count(b.Page, words) >= n {
		return
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "event: change") {
			if b.Open(path); strings.Count(b.Page, words) >= n {
				return
			}
		}
	}
	b.t.Fatalf("%s never says %q %d times", path, words, n)
}

var signInLink = regexp.MustCompile(`href="[^"]*(/sign-in\?token=[^"]+)"`)

// signIn signs a simulated person in through the private chat with the bot.
func (w *world) signIn(as, lang, login string) *browser {
	w.t.Helper()
	b := w.browser(lang)
	private := "/chat?as=" + as + "&view=private"
	welcome := map[string]string{"sv": "Tack! Här kommer", "en": "Thanks! Only"}[lang]
	b.Open(private).Send(http.StatusOK, "/chat", "as", as, "view", "private", "text", "/start")
	b.until(as, private, welcome)
	b.Send(http.StatusOK, "/chat", "as", as, "view", "private", "text", login)
	b.until(as, private, "/sign-in?token=")
	link := signInLink.FindStringSubmatch(b.Page)
	if link == nil {
		w.t.Fatal("there is no link")
	}
	_, token, _ := strings.Cut(link[1], "token=")
	b.Open(link[1]).Send(http.StatusOK, "/sign-in", "token", token)
	if b.Path != "/week" {
		w.t.Fatalf("at %s after the sign-in", b.Path)
	}
	return b
}

var entryForm = regexp.MustCompile(`action="(/log/[0-9A-Z]+)"`)

// A scene is the same story in a language.
type scene struct {
	lang, group, member, other, login        string
	did, logged, effort, corrected, promised string
	week, log, house, none                   string
	insight, promise                         string
}

var scenes = []scene{
	{"sv", "-7001", "701", "702", "logga in", "Jag har diskat", "diskning", "Lagom", "dammsugning", "Jag tar tvätten ikväll", "Min vecka", "Min logg", "Hushållet", "Loggen är tom", "Din vecka:", "tvättning"},
	{"en", "-7002", "711", "712", "login", "I did the dishes", "dishes", "Medium", "vacuuming", "I'll do the laundry tonight", "My week", "My log", "Household", "The log is empty", "Your week:", "laundry"},
}

func TestFromChatToWeeklyInsight(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.lang, func(t *testing.T) {
			w := start(t, nil)
			group := "/chat?as=" + s.member
			b := w.browser(s.lang)
			b.Open(group).Send(http.StatusOK, "/chat", "as", s.member, "text", s.did)
			b.until(s.group, group, `class="reaction"`)
			member := w.signIn(s.member, s.lang, s.login)
			member.Says(s.week)
			member.Open("/log").Says(s.log, s.logged, s.effort)
			form := entryForm.FindStringSubmatch(member.Page)
			if form == nil {
				t.Fatal("there is no entry to correct")
			}
			member.Send(http.StatusOK, form[1], "activity", "vacuuming", "effort", "high").Says(s.corrected)
			b.Open(group).Send(http.StatusOK, "/chat", "as", s.member, "text", s.promised)
			w.clock.Advance(time.Minute)
			b.until(s.group, group, s.promised)
			member.Open("/household").Says(s.house, s.corrected).Open("/household?q=" + s.corrected).Says(s.corrected)
			member.Open("/household?q=xyzzy").Hides(`class="list-row"`)

			w.clock.Set(time.Date(2037, time.February, 22, 17, 0, 1, 0, time.UTC)) // Sunday, 18:00 in Stockholm
			private := "/chat?as=" + s.member + "&view=private"
			b.until(s.member, private, s.insight)
			member.Open("/week").Says(s.corrected, "2037-W07").Hides("2037-W08") // the week before, and no link to itself
			w.clock.Advance(7 * time.Hour)
			member.Open("/week").Says("2037-W08")
			member.Open("/promises").Says(s.promise)
			member.Open("/log").Send(http.StatusOK, form[1]+"/undo")
			member.Open("/household").Says(s.none)
			for _, path := range []string{"/household/words", "/household/habits", "/household/settings", "/preferences", "/preferences/export", "/setup", "/language"} {
				member.Open(path)
			}
		})
	}
}

// figures finds the numbers of a load.
var figures = regexp.MustCompile(`(?i)netload|net_load|"effort"|fairness|insats|återhämtning|lagom|tungt|lätt<|"Value":`)

func TestNoPageShowsTheLoadOfAnother(t *testing.T) {
	w := start(t, nil)
	b := w.browser("sv")
	b.Open("/chat?as=701").Send(http.StatusOK, "/chat", "as", "701", "text", "Jag har städat hela lägenheten, det var tungt")
	b.until("-7001", "/chat?as=701", `class="reaction"`)
	anna, erik := w.signIn("701", "sv", "logga in"), w.signIn("702", "sv", "logga in")
	anna.Open("/log").Says("städning", "Tungt")
	anna.Open("/week").Says("Insats")
	for _, path := range []string{"/household", "/household?q=städning", "/household/habits", "/household/words", "/household/settings"} {
		if found := figures.FindString(erik.Open(path).Page); found != "" {
			t.Errorf("%s shows %q of another member", path, found)
		}
	}
	erik.Open("/household").Says("städning", "Anna")
	erik.Open("/log").Hides("städning</strong>").Open("/week").Says("Inget loggades den här veckan")
	if found := figures.FindString(strings.ReplaceAll(erik.Open("/preferences/export").Page, `"Efforts"`, "")); found != "" {
		t.Errorf("the export of another member has %q", found)
	}
	event := entryForm.FindStringSubmatch(anna.Open("/log").Page)
	erik.Open("/log").Send(http.StatusOK, event[1], "activity", "dishes", "effort", "low").Says("Bara den som gjorde eller skrev det kan ändra det.")
	erik.Send(http.StatusOK, event[1]+"/undo")
	anna.Open("/log").Says("städning", "Tungt")
}

func TestVisitorsSeeNoHousehold(t *testing.T) {
	w := start(t, nil)
	b := w.browser("sv-SE,sv;q=0.9")
	b.Open("/").Says(`lang="sv"`, "Hemmets tysta minne", "Hoppa till innehållet")
	for _, path := range []string{"/week", "/log", "/promises", "/preferences", "/preferences/export", "/household", "/household/words", "/household/habits", "/household/settings"} {
		if b.Open(path); !strings.HasPrefix(b.Path, "/?asked=") {
			t.Errorf("%s leads a visitor to %s", path, b.Path)
		}
	}
	b.Open("/language").Send(http.StatusOK, "/language", "language", "en", "back", "/")
	b.Says(`lang="en"`, "The quiet memory of your home")
	if b.do(http.MethodGet, "/sign-in?token=invented", nil); b.Code != http.StatusGone {
		t.Errorf("an invented token: %d", b.Code)
	}
	if b.do(http.MethodPost, "/webhook", strings.NewReader("{}")); b.Code != http.StatusUnauthorized {
		t.Errorf("a webhook call without the secret: %d", b.Code)
	}
}

func TestOperatorsTrySentences(t *testing.T) {
	w := start(t, map[string]string{"HOMEOPS_OPERATOR_SECRET": "chosen by the owner"})
	b := w.browser("en")
	b.Open("/operator/sign-in").Send(http.StatusOK, "/operator/sign-in", "name", "operator", "secret", "chosen by the owner")
	b.Open("/operator/sandbox?language=sv&hour=10&text=Jag+har+diskat").Says("The bot speaks", "diskning", "sv.", "$0")
	b.Open("/operator/sandbox?language=sv&hour=23&text=Jag+har+diskat").Says("The bot is silent", "quiet_hours")
	b.Open("/operator/sandbox?language=en&hour=10&text=What+is+for+dinner%3F").Says("The bot is silent", "It means nothing for the household")
}

var inviteLink = regexp.MustCompile(`/join\?token=[A-Za-z0-9_-]+`)

// A person of another household joins by a link of the owner, which works once.
func TestJoinByLink(t *testing.T) {
	for _, s := range []struct{ lang, group, owner, member, guest, login, did, make, lead, gone string }{
		{"sv", "-7001", "701", "702", "711", "logga in", "Jag har diskat", "Skapa en inbjudningslänk", "Anna bjuder in dig till hushållet ”Hemma”.", "Inbjudan fungerar inte längre"},
		{"en", "-7002", "711", "712", "701", "login", "I did the dishes", "Make an invitation link", "Emma invites you to the household “Our place”.", "This invitation does not work any more"},
	} {
		t.Run(s.lang, func(t *testing.T) {
			w := start(t, nil)
			b := w.browser(s.lang)
			b.Open("/chat?as="+s.owner).Send(http.StatusOK, "/chat", "as", s.owner, "text", s.did)
			b.until(s.group, "/chat?as="+s.owner, `class="reaction"`)
			owner := w.signIn(s.owner, s.lang, s.login)
			owner.Open("/household/settings").Says(s.make).Send(http.StatusOK, "/household/invite")
			link := inviteLink.FindString(owner.Page)
			if link == "" {
				t.Fatal("there is no link")
			}
			member := w.signIn(s.member, s.lang, s.login)
			member.Open("/household/settings").Hides(s.make).Send(http.StatusForbidden, "/household/invite")

			guest := w.browser(s.lang)
			_, token, _ := strings.Cut(link, "token=")
			private := "/chat?as=" + s.guest + "&view=private"
			guest.Open(link).Says(s.lead, `value="`+s.guest+`"`).Hides(`value="` + s.member + `"`)
			guest.Send(http.StatusOK, "/chat", "as", s.guest, "view", "private", "text", "/start join-"+token)
			title := map[string]string{"sv": "Hemma", "en": "Our place"}[s.lang]
			guest.until(s.guest, private, title+". ")
			owner.Open("/household/settings").Says(map[string]string{"711": "Emma", "701": "Anna"}[s.guest])
			if guest.do(http.MethodGet, link, nil); guest.Code != http.StatusGone {
				t.Errorf("the used link: %d", guest.Code)
			}
			guest.Says(s.gone)
		})
	}
}

// With Telegram the invitation leads to the bot.
func TestInvitationLeadsToTelegram(t *testing.T) {
	p := newPhone(t)
	w := start(t, map[string]string{"HOMEOPS_TELEGRAM_TOKEN": "1:token", "HOMEOPS_TELEGRAM_URL": p.url})
	anna := p.chat(w)
	anna.Open("/household/settings").Send(http.StatusOK, "/household/invite")
	link := inviteLink.FindString(anna.Page)
	_, token, _ := strings.Cut(link, "token=")
	w.browser("sv").Open(link).Says(`href="https://t.me/homeops_bot?start=join-` + token + `"`)
	kim := telegram.User{ID: 13, FirstName: "Kim", LanguageCode: "sv"}
	p.AddPrivate(kim)
	p.write(kim.ID, kim, "/start join-"+token)
	p.until("that Kim belongs to the household", func() bool { return p.said(kim.ID, "Nu hör du till Hemma.") })
	anna.Open("/household/settings").Says("Kim")
}

// What is wrong is said in the language of the pages, and what was typed stays.
func TestMistakesAreExplainedInSwedish(t *testing.T) {
	w := start(t, nil)
	w.washedUp()
	owner := w.signIn("701", "sv", "logga in")
	fields := []string{"name", "Vi hemma", "language", "sv", "quiet-from", "22", "quiet-to", "7", "cap", "3", "cooldown", "15"}
	owner.Open("/household/settings").Send(http.StatusUnprocessableEntity, "/household/settings", append(fields, "zone", "Mars/Phobos")...).
		Says("Skriv en tidszon som Europe/Stockholm.", "Mars/Phobos", "Vi hemma")
	owner.Send(http.StatusUnprocessableEntity, "/household/settings", "name", "Hemma", "zone", "Europe/Stockholm", "language", "sv", "quiet-from", "99").
		Says("Skriv ett heltal från 0 till 23.", "Svar per dag som mest saknas.").Hides("Fill this in", "is missing")
	owner.do(http.MethodGet, "/nowhere", nil)
	owner.Says("Här finns ingenting", "Till startsidan").Hides("There is nothing here")
	owner.do(http.MethodGet, "/log?cursor=zzz", nil)
	owner.Says("Börja med den första.").Hides("does not exist")
}

// TestErasureIsConfirmed: the answer must not be erased before it is sent.
func TestErasureIsConfirmed(t *testing.T) {
	w := start(t, nil)
	w.washedUp()
	anna := w.signIn("701", "sv", "logga in")
	private := "/chat?as=701&view=private"
	anna.Open(private).Send(http.StatusOK, "/chat", "as", "701", "view", "private", "text", "radera mina data")
	anna.until("701", private, "Allt om dig raderas nu.")
	w.clock.Advance(homeops.EraseAfter)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		anna.do(http.MethodGet, "/preferences", nil)
		if anna.Path != "/preferences" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("Anna is never erased")
		}
	}
}

// TestLimitsCountCharacters: å, ä and ö are two bytes each, and one character.
func TestLimitsCountCharacters(t *testing.T) {
	w := start(t, nil)
	w.washedUp()
	owner := w.signIn("701", "sv", "logga in")
	longest, tooLong := strings.Repeat("å", 60), strings.Repeat("å", 61)
	fields := []string{"zone", "Europe/Stockholm", "language", "sv", "quiet-from", "22", "quiet-to", "7", "cap", "3", "cooldown", "15"}
	owner.Open("/household/settings").Send(http.StatusUnprocessableEntity, "/household/settings", append(fields, "name", tooLong)...).Says("Namnet har 1 till 60 tecken.")
	owner.Send(http.StatusOK, "/household/settings", append(fields, "name", longest)...).Says(longest)
	owner.Open("/household/words").Send(http.StatusUnprocessableEntity, "/household/words", "word", tooLong, "activity", "dishes").Says("Skriv 1 till 60 tecken.")
	owner.Send(http.StatusOK, "/household/words", "word", longest, "activity", "dishes").Says(longest)
	owner.Open("/household?q=" + longest).Hides("Sök efter 1 till 60 tecken.")
}

var suggestion = regexp.MustCompile(`name="text" value="([^"]+)"`)

// Every sentence that the chat page proposes to a newcomer has an effect that they see.
func TestProposedSentencesWork(t *testing.T) {
	for _, s := range []struct {
		lang, group, member string
		want                []string
	}{
		{"sv", "-7001", "701", []string{`class="reaction"`, "", "Hittar inget om dammsugning.", "Borttaget ✓"}},
		{"en", "-7002", "711", []string{`class="reaction"`, "", "Nothing found about vacuuming.", "Removed ✓"}},
	} {
		w := start(t, nil)
		b := w.browser(s.lang)
		b.Open("/chat?as=" + s.member)
		found := suggestion.FindAllStringSubmatch(b.Page, -1)
		if len(found) != len(s.want) {
			t.Fatalf("%s: the page proposes %q", s.lang, found)
		}
		for i, words := range s.want {
			b.Open("/chat?as="+s.member).Send(http.StatusOK, "/chat", "as", s.member, "text", found[i][1])
			if words != "" {
				b.until(s.group, "/chat?as="+s.member, words)
			}
		}
	}
}
