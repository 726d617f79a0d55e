package webkit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

// TestPagesOnEveryScreen looks at every page of the gallery on every screen in both themes.
func TestPagesOnEveryScreen(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	tab.Allow("status of (404|410|429|500|503)")
	for _, page := range []struct{ path, name string }{
		{"/", "gallery"}, {"/form", "form"}, {"/list", "list"},
		{"/nowhere", "missing"}, {"/fail", "failed"}, {"/offline", "offline"}, {"/fast", "fast"}, {"/gone", "gone"}, {"/away", "away"},
	} {
		tab.Goto(page.path)
		tab.LookAround(page.name)
	}
	tab.Goto("/form")
	tab.Fill("How many people", "99")
	tab.Click("button", "Ask")
	tab.WaitFor("Please check 3 things")
	if got := tab.Focused(); !strings.HasPrefix(got, "alert") {
		t.Errorf("the focus is on %q, not on the summary of errors", got)
	}
	tab.LookAround("form-errors")
}

// TestAccents looks at the gallery in the colours of the other systems. Nothing but colours differs.
func TestAccents(t *testing.T) {
	t.Parallel()
	options := galleryOptions(t)
	options.Accent = webkit.Teal
	g := newGallery(t, options)
	tab := webtest.Open(t, g.server.URL+"/", webtest.Tablet, webtest.Light)
	tab.WaitTrue(`document.documentElement.dataset.accent === "teal"`)
	for _, theme := range []webtest.Theme{webtest.Light, webtest.Dark} {
		tab.Prefer(theme)
		for _, accent := range []webkit.Accent{webkit.Teal, webkit.Blue, webkit.Green, webkit.Slate} {
			tab.Eval(fmt.Sprintf("document.documentElement.dataset.accent = %q", accent), nil)
			tab.Readable()
			tab.Screenshot("accent-" + string(accent))
		}
	}
}

func TestKeyboardReachesEverything(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Desktop, webtest.Light)
	walked := tab.Walk(60)
	want := []string{
		"link Skip to content", "link Ask-a-Human", "link Questions 12", "link Ask", "link Leaderboard", "link Settings",
		"button Brightness: as on this device",
		"textbox Your question", "textbox E-mail", "spinbutton How many people", "combobox Who should answer",
		"radio In their own words", "checkbox Design", "checkbox Language", "radio Normal", "checkbox Tell me when answers arrive",
		"button Ask", "link Cancel", "link For developers", "link About",
	}
	at := 0
	for _, name := range want {
		i := slices.Index(walked[at:], name)
		if i < 0 {
			t.Fatalf("%q is not reached after %q; the walk is\n%s", name, want[max(0, slices.Index(want, name)-1)], strings.Join(walked, "\n"))
		}
		at += i + 1
	}
}

func TestFormByKeyboardOnly(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Desktop, webtest.Dark)
	tab.Fill("Your question", "Is this friendly enough?")
	tab.WaitFor("24 of 500")
	tab.Choose("One of several options")
	tab.Press("Enter")
	tab.WaitFor("Asked: Is this friendly enough?")
	tab.Reload()
	if strings.Contains(tab.Text(), "Asked:") {
		t.Error("the message is shown again")
	}
}

func TestThemeIsRemembered(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Light)
	tab.Click("button", "Brightness: as on this device") // which is light, so the step that can be seen is dark
	tab.WaitTrue(`document.documentElement.dataset.theme === "dark"`)
	tab.WaitTrue(`document.querySelector("[data-said]").textContent === "Brightness: dark"`)
	tab.WaitTrue(`fetch("/form").then((r) => r.text()).then((t) => t.includes('data-theme="dark"'))`)
	tab.Reload()
	var theme string
	tab.Eval(`document.documentElement.dataset.theme`, &theme)
	if theme != "dark" {
		t.Errorf("the theme is %q after the page was loaded again", theme)
	}
	tab.Click("button", "Brightness: dark")
	tab.Click("button", "Brightness: light")
	tab.See("button", "Brightness: as on this device")
	tab.WaitTrue(`fetch("/form").then((r) => r.text()).then((t) => !t.includes('data-theme='))`)
}

func TestDestructiveButtonAsksOnce(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Light)
	tab.Click("button", "Remove everything")
	tab.See("heading", "Remove everything? This cannot be undone.")
	tab.NoViolations()
	tab.Screenshot("confirm")
	tab.Press("Escape")
	tab.WaitGone("This cannot be undone")
	tab.Click("button", "Remove everything")
	tab.See("button", "Cancel")
	tab.Press("Tab", "Enter")
	tab.WaitFor("Everything is removed")
	tab.NoViolations()
	tab.Screenshot("toast")
}

// TestDestructiveButtonAsksOnceWithoutNetwork: a server on this device can be reached all the same.
func TestDestructiveButtonAsksOnceWithoutNetwork(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Light)
	tab.Eval(`Object.defineProperty(navigator, "onLine", { configurable: true, value: false })`, nil)
	tab.Click("button", "Remove everything")
	tab.See("button", "Cancel")
	tab.Press("Tab", "Enter")
	tab.WaitFor("Everything is removed")
	tab.Goto("/")
	tab.Eval(`Object.defineProperty(navigator, "onLine", { configurable: true, value: false })`, nil)
	for range 2 { // each click asks, also after a question that was answered with no
		tab.Click("button", "Remove everything")
		tab.See("heading", "Remove everything? This cannot be undone.")
		tab.Press("Escape")
		tab.WaitGone("This cannot be undone")
	}
}

// TestQuestionBeforeTheScripts clicks a button that asks first as soon as it is drawn, before any
// module has run.
func TestQuestionBeforeTheScripts(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/list", webtest.Phone, webtest.Light)
	tab.Before(`new MutationObserver((changes, observer) => {
		const button = document.querySelector("[data-confirm]");
		if (!button) return;
		observer.disconnect();
		button.click();
	}).observe(document, {childList: true, subtree: true})`)
	tab.Goto("/")
	tab.See("heading", "Remove everything? This cannot be undone.")
	tab.Click("button", "Cancel")
	tab.See("button", "Remove everything")
}

func TestDialog(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	tab.Click("button", "Report this question")
	tab.See("dialog", "Report this question?")
	tab.NoViolations()
	tab.Screenshot("dialog")
	tab.Click("button", "Report")
	tab.WaitFor("Everything is removed")
}

func TestPageLooksAgainWhenSomethingChanged(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Desktop, webtest.Light)
	tab.WaitFor("Seen 0 times")
	for g.hub.Listeners("gallery") == 0 {
		tab.WaitTrue("true") // the stream is on its way
	}
	g.seen.Store(1)
	g.hub.Tell("gallery")
	tab.WaitFor("Seen 1 time")
}

func TestALivePartThatFailsSaysSo(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	tab.Allow("500|Failed to load resource")
	tab.WaitFor("Seen 0 times")
	for g.hub.Listeners("gallery") == 0 {
		tab.WaitTrue("true") // the stream is on its way
	}
	const said = "This part could not be updated"
	g.ill.Store(true)
	g.hub.Tell("gallery")
	tab.WaitFor(said)
	tab.NoViolations()
	g.ill.Store(false)
	g.seen.Store(1)
	g.hub.Tell("gallery")
	tab.WaitFor("Seen 1 time")
	tab.WaitGone(said)
	g.ill.Store(true)
	g.hub.Tell("gallery")
	tab.WaitFor(said)
	g.ill.Store(false)
	g.seen.Store(2)
	tab.Click("link", "Reload the page")
	tab.WaitFor("Seen 2 times")
}

func TestOfflinePage(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Light)
	tab.Allow("ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to fetch|Failed to load resource")
	tab.WaitTrue(`navigator.serviceWorker.ready.then((r) => r.active.state === "activated" && navigator.serviceWorker.controller)`)
	g.Close()
	g.server.CloseClientConnections()
	g.server.Listener.Close()
	tab.Goto("/")
	tab.See("heading", "You are offline")
	tab.Goto("/form")
	tab.See("heading", "Ask people") // kept from the first visit, which did not pass the worker
	tab.WaitFor("As of")
	tab.NoViolations()
}

// TestADeviceForgetsThePersonBefore: the next person on it does not read what the last one saw, and gets
// none of the messages of that one.
func TestADeviceForgetsThePersonBefore(t *testing.T) {
	t.Parallel()
	options := galleryOptions(t)
	options.App.Worker = "subscribed.js"
	g := newGallery(t, options)
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Light)
	tab.Allow("ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to fetch|Failed to load resource")
	tab.WaitTrue(`navigator.serviceWorker.ready.then((r) => r.active.state === "activated" && navigator.serviceWorker.controller)`)
	tab.WaitTrue(`caches.match("/form").then((kept) => kept !== undefined)`)
	tab.Leave(`(() => {
		const form = document.createElement("form");
		form.method = "post";
		form.action = "/leave";
		form.append(document.querySelector("input[name=csrf]").cloneNode());
		document.body.append(form);
		form.submit();
	})()`)
	tab.WaitURL("/list")
	tab.WaitTrue(`caches.match("/form").then((kept) => kept === undefined)`)
	tab.WaitTrue(`caches.has("unsubscribed")`)
	g.Close()
	g.server.CloseClientConnections()
	g.server.Listener.Close()
	tab.Goto("/form")
	tab.See("heading", "You are offline")
}

// TestARefusedFormForgetsNobody: the person is still signed in, and their messages go on.
func TestARefusedFormForgetsNobody(t *testing.T) {
	t.Parallel()
	options := galleryOptions(t)
	options.App.Worker = "subscribed.js"
	g := newGallery(t, options)
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Light)
	tab.Allow("ERR_EMPTY_RESPONSE|ERR_CONNECTION|ERR_FAILED|Failed to fetch|Failed to load resource")
	tab.WaitTrue(`navigator.serviceWorker.ready.then((r) => r.active.state === "activated" && navigator.serviceWorker.controller)`)
	tab.WaitTrue(`caches.match("/form").then((kept) => kept !== undefined)`)
	leave := func(password, token string) (outcome string) {
		tab.Eval(fmt.Sprintf(`fetch("/leave", { method: "POST", redirect: "manual", body: new URLSearchParams({ password: %q, csrf: %s }) })
			.then((answer) => answer.status ? String(answer.status) : answer.type, () => "failed")`, password, token), &outcome)
		return outcome
	}
	const token = `document.querySelector("input[name=csrf]").value`
	for _, test := range []struct {
		name, password, token, outcome string
		cut                            bool
	}{
		{"a wrong password", "wrong", token, "422", false},
		{"a wrong token", "right", `"wrong"`, "403", false},
		{"no connection", "right", token, "failed", true},
	} {
		g.cut.Store(test.cut)
		if outcome := leave(test.password, test.token); outcome != test.outcome {
			t.Errorf("%s: the outcome is %s, want %s", test.name, outcome, test.outcome)
		}
		g.cut.Store(false)
		var kept, subscribed bool
		tab.Eval(`new Promise((go) => setTimeout(go, 200)).then(() => caches.match("/form")).then(Boolean)`, &kept)
		tab.Eval(`caches.has("unsubscribed").then((ended) => !ended)`, &subscribed)
		if !kept || !subscribed {
			t.Errorf("%s: the page is kept: %t, messages arrive: %t", test.name, kept, subscribed)
		}
	}
	if outcome := leave("right", token); outcome != "opaqueredirect" {
		t.Errorf("the outcome is %s", outcome)
	}
	tab.WaitTrue(`caches.match("/form").then((kept) => kept === undefined)`)
	tab.WaitTrue(`caches.has("unsubscribed")`)
}

func TestServerLearnsTheZone(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Light)
	tab.Goto("/zone")
	tab.WaitFor("Europe/Stockholm")
}
