package server_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"sortkey.dev/apps/internal/webtest"
)

// TestMain runs the tests, or the child process of the kill test.
func TestMain(m *testing.M) {
	if os.Getenv(killDirectory) != "" {
		serveUntilKilled()
	}
	webtest.Main(m)
}

// look checks a page on a phone, light and dark, and its width on other screens. It keeps pictures of
// it on all screens if they are wanted.
func look(tab *webtest.Tab, name string) {
	pictures := os.Getenv("SORTKEY_SHOTS") != ""
	for _, theme := range []webtest.Theme{webtest.Dark, webtest.Light} {
		tab.Prefer(theme)
		for _, size := range []webtest.Size{webtest.Desktop, webtest.Narrow, webtest.Phone} {
			if theme == webtest.Dark && size != webtest.Phone && !(pictures && size == webtest.Desktop) {
				continue
			}
			tab.Resize(size)
			tab.NoSidewaysScroll()
			if size != webtest.Narrow {
				tab.Screenshot(name)
			}
		}
		if theme == webtest.Dark {
			tab.Readable()
		}
	}
	tab.NoViolations()
	tab.LargeTargets()
}

// A walk is the way through the pages in a language.
type walk struct {
	lang, language, use       string // its name, and the button that chooses it
	member, other, name       string
	message, send, did, heard string
	promised, private, start  string
	welcome, login, signIn    string
	edit, what, entry, save   string
	changed, insight          string
	invite                    string
}

var walks = []walk{
	{
		lang: "sv", language: "Svenska", use: "Use this language", member: "701", other: "702", name: "Anna",
		message: "Meddelande som Anna", send: "Skicka", did: "Jag har diskat", heard: "Hej! Jag läser", promised: "Jag tar tvätten ikväll",
		private: "Meddelande som Erik", start: "/start", welcome: "Tack! Här kommer", login: "logga in", signIn: "Logga in som Anna",
		edit: "Ändra", what: "Vad", entry: "dammsugning", save: "Spara", changed: "Ändrat ✓", insight: "Din vecka: 1 syssla", invite: "Skapa en inbjudningslänk",
	},
	{
		lang: "en", language: "English", use: "Use this language", member: "711", other: "712", name: "Emma",
		message: "Message as Emma", send: "Send", did: "I did the dishes", heard: "Hi! I read", promised: "I'll do the laundry tonight",
		private: "Message as Oliver", start: "/start", welcome: "Thanks! Only", login: "login", signIn: "Sign in as Emma",
		edit: "Edit", what: "What", entry: "vacuuming", save: "Save", changed: "Changed ✓", insight: "Your week: 1 chore", invite: "Make an invitation link",
	},
}

// TestBrowserFromChatToInsight walks in Chromium on a phone from the chat to the log, a correction
// and the weekly insight, and looks at every page on the way, in both languages.
func TestBrowserFromChatToInsight(t *testing.T) {
	for _, s := range walks {
		t.Run(s.lang, func(t *testing.T) {
			w := start(t, nil)
			tab := webtest.Open(t, w.url+"/language", webtest.Phone, webtest.Light)
			page := func(name string) { look(tab, s.lang+"-"+name) }
			tab.Choose(s.language)
			tab.Submit(s.use)
			tab.WaitTrue(`document.documentElement.lang === "` + s.lang + `"`)
			page("start")
			s.chat(tab, page)
			s.signInBy(tab, page)
			s.correct(tab, page)
			for _, p := range []struct{ name, path string }{
				{"promises", "/promises"}, {"preferences", "/preferences"}, {"household", "/household"}, {"search", "/household?q=" + s.entry}, {"nothing", "/household?q=xyzzy"},
				{"words", "/household/words"}, {"habits", "/household/habits"}, {"settings", "/household/settings"}, {"setup", "/setup"}, {"language", "/language"},
			} {
				tab.Goto(p.path)
				page(p.name)
			}
			s.invitation(tab, page)

			tab.Goto("/chat?as=" + s.member + "&view=private")
			w.clock.Set(time.Date(2037, time.February, 22, 17, 0, 1, 0, time.UTC)) // Sunday, 18:00 in Stockholm
			tab.WaitFor(s.insight)
			page("insight")
			tab.Goto("/week")
			tab.WaitFor(s.entry)
			page("week")
		})
	}
}

// chat writes a log and a promise in the group.
func (s walk) chat(tab *webtest.Tab, page func(string)) {
	tab.Goto("/chat?as=" + s.member)
	page("chat-empty")
	tab.Fill(s.message, s.did)
	tab.Submit(s.send)
	tab.WaitFor("✍")
	tab.WaitFor(s.heard)
	tab.Goto("/chat?as=" + s.other)
	tab.Fill(s.private, s.promised)
	tab.Submit(s.send)
	tab.WaitFor(s.promised)
	page("chat")
}

// signInBy follows the link that the bot sends in private.
func (s walk) signInBy(tab *webtest.Tab, page func(string)) {
	tab.Goto("/chat?as=" + s.member + "&view=private")
	tab.Submit(s.start)
	tab.WaitFor(s.welcome)
	tab.Submit(s.login)
	tab.WaitTrue(`document.querySelector('.bubble a[href*="/sign-in?token="]') !== null`)
	page("chat-private")
	tab.Leave(`document.querySelector('.bubble a[href*="/sign-in?token="]').click()`)
	tab.WaitURL("/sign-in")
	page("sign-in")
	tab.Click("button", s.signIn)
	tab.WaitURL("/week")
	page("week-begun")
}

// correct changes the entry that the chat made.
func (s walk) correct(tab *webtest.Tab, page func(string)) {
	tab.Goto("/log")
	page("log")
	tab.Eval(`document.querySelector('.edit').open = true`, nil)
	page("log-edit")
	tab.Eval(fmt.Sprintf(`(() => {
		const field = document.querySelector(".edit select[name=activity]");
		field.value = [...field.options].find((o) => o.text === %q).value;
	})()`, s.entry), nil)
	tab.Click("button", s.save)
	tab.WaitFor(s.changed)
	tab.WaitTrue(`[...document.querySelectorAll(".entry strong")].some((e) => e.textContent === "` + s.entry + `")`)
}

// invitation makes a link and opens it.
func (s walk) invitation(tab *webtest.Tab, page func(string)) {
	tab.Goto("/household/settings")
	tab.Click("button", s.invite)
	tab.WaitFor("/join?token=")
	page("invite")
	tab.Leave(`location.href = document.body.innerText.match(/\/join\?token=[A-Za-z0-9_-]+/)[0]`)
	tab.WaitURL("/join")
	page("join")
	tab.Allow("410")
	tab.Goto("/join?token=used")
	page("join-gone")
}

// TestBrowserErasureForgetsTheDevice: the pages of a person who had everything deleted are not shown without a connection.
func TestBrowserErasureForgetsTheDevice(t *testing.T) {
	w, s := start(t, nil), walks[1]
	tab := webtest.Open(t, w.url+"/language", webtest.Phone, webtest.Light)
	tab.Choose(s.language)
	tab.Submit(s.use)
	s.chat(tab, func(string) {})
	s.signInBy(tab, func(string) {})
	tab.WaitTrue(`navigator.serviceWorker.ready.then((r) => r.active.state === "activated" && navigator.serviceWorker.controller)`)
	tab.Goto("/week")
	tab.WaitTrue(`caches.match("/week").then((kept) => kept !== undefined)`)
	tab.Goto("/preferences")
	tab.Eval(`document.querySelector("[name=sure]").checked = true`, nil)
	tab.Leave(`document.querySelector("form[action='/preferences/erase']").submit()`)
	tab.WaitTrue(`location.pathname === "/"`)
	tab.WaitTrue(`caches.match("/week").then((kept) => kept === undefined)`)
}
