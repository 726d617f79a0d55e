package webkit_test

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

func TestCopyButton(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	tab.Click("button", "Copy")
	tab.WaitFor("Copied")
	tab.WaitTrue(`document.querySelector("[data-said]").textContent === "Copied"`)
	tab.WaitCopied(fmt.Sprint(g.data()["Code"]))
	tab.See("button", "Copy") // after a while, so that it can be seen again
	tab.Eval(`navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed")); true`, nil)
	tab.Click("button", "Copy")
	tab.WaitFor("Select the text and copy it yourself.")
	const link = "https://ask.example.org/q/8f2c"
	if strings.Contains(tab.Text(), link) {
		t.Error("the link can be read before anybody needs to")
	}
	tab.Click("button", "Copy link")
	tab.WaitFor(link) // so that it can be selected
}

func TestShowMore(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/list", webtest.Phone, webtest.Light)
	tab.Allow("net::ERR_|Failed to fetch|fetching the script") // of the page, and of its worker
	tab.Click("link", "Show more")
	tab.WaitFor("Entry 40")
	if got := tab.Focused(); got != "listitem Entry 21" {
		t.Errorf("the focus is on %q, not on what came", got)
	}
	g.cut.Store(true)
	tab.Click("link", "Show more")
	tab.See("link", "That did not work. Try again")
	g.cut.Store(false)
	tab.Click("link", "That did not work. Try again")
	tab.WaitFor("Entry 60")
	if n := tab.Count("listitem", ""); n < 60 || tab.Has("link", "Show more") {
		t.Errorf("there are %d entries, and more are offered: %v", n, tab.Has("link", "Show more"))
	}
}

func TestMoreComesByItself(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/list?auto=1", webtest.Phone, webtest.Light)
	tab.WaitTrue(`(window.scrollTo(0, document.body.scrollHeight), document.querySelectorAll("#entries > li").length === 60)`)
	tab.WaitTrue(`document.querySelector("[data-more]") === null`)
	tab.Eval("window.scrollTo(0, 0)", nil)
	tab.NoViolations()
}

// findTimer is the timer of the gallery that counts down to something 25 minutes away.
const findTimer = `const timer = [...document.querySelectorAll("[data-timer][data-until]")].find((t) => Date.parse(t.dataset.until) > Date.now()); `

func TestTimerRunsOut(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Light)
	tab.Eval(`{`+findTimer+`timer.id = "clock"; timer.dataset.warn = "3600"; timer.dataset.over = "Too late now"; }`, nil)
	tab.WaitTrue(`document.getElementById("clock").classList.contains("soon")`)
	tab.Eval(`{
		const timer = document.getElementById("clock");
		document.addEventListener("timer-over", (event) => { window.told = event.target.id; });
		timer.setAttribute("data-reload", "");
		timer.dataset.until = new Date(Date.now() - 1).toISOString();
	}`, nil)
	tab.WaitTrue(`window.told === "clock" || document.getElementById("clock") === null`)
	tab.WaitTrue(`document.getElementById("clock") === null`) // the page was loaded again
	tab.See("heading", "Everything in one place")
	tab.Eval(`{`+findTimer+`timer.id = "clock"; timer.dataset.over = "Too late now"; timer.dataset.until = new Date(Date.now() - 1).toISOString(); }`, nil)
	tab.WaitFor("Too late now")
	tab.WaitTrue(`document.getElementById("clock").classList.contains("over")`)
	tab.NoViolations()
}

func TestLostStreamComesBack(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	tab.Allow("net::ERR_|Failed to fetch|fetching the script") // of the page, and of its worker
	for g.hub.Listeners("gallery") == 0 {
		tab.WaitTrue("true") // the stream is on its way
	}
	const bar = "There is no connection. What you see may be old"
	g.cut.Store(true)
	g.server.CloseClientConnections()
	tab.WaitFor(bar)
	tab.NoViolations()
	tab.Screenshot("offline-bar")
	tab.Prefer(webtest.Light)
	tab.Readable()
	g.seen.Store(3) // without a hint: the page reloads because it may have missed one
	g.cut.Store(false)
	tab.WaitFor("Seen 3 times")
	tab.WaitGone(bar)
	tab.Offline(true)
	tab.WaitFor(bar)
	tab.Offline(false)
	tab.WaitGone(bar)
}

func TestPaper(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Tablet, webtest.Dark)
	for _, chosen := range []string{"", "dark"} {
		tab.Eval(`document.documentElement.dataset.theme = "`+chosen+`"`, nil)
		tab.Print(true)
		var shown []string
		tab.Eval(`[...document.querySelectorAll("nav, .theme, .skip, button, .button, .toasts, .pager")].filter((e) => e.checkVisibility()).filter((e) => !e.matches(".tabs, .segmented, .filter")).map((e) => e.outerHTML.slice(0, 80))`, &shown)
		if len(shown) > 0 {
			t.Errorf("paper shows what cannot be pressed: %q", shown)
		}
		for selector, want := range map[string][2]string{
			"body": {"rgb(255, 255, 255)", "rgb(0, 0, 0)"}, ".card": {"rgb(255, 255, 255)", "rgb(0, 0, 0)"},
			".top": {"rgb(255, 255, 255)", "rgb(0, 0, 0)"}, "table td": {"rgba(0, 0, 0, 0)", "rgb(0, 0, 0)"},
		} {
			var got [2]string
			tab.Eval(`(() => { const s = getComputedStyle(document.querySelector("`+selector+`")); return [s.backgroundColor, s.color]; })()`, &got)
			if got != want {
				t.Errorf("theme %q: %s has ground and text %v on paper, want %v", chosen, selector, got, want)
			}
		}
		tab.Readable()
		tab.Screenshot("paper" + chosen)
		tab.Print(false)
	}
}

func TestReducedMotion(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Light)
	const moving = `[...document.querySelectorAll("*")].filter((e) => ["", "::before", "::after"].some((part) => {
		const s = getComputedStyle(e, part);
		return s.animationName !== "none" || s.transitionDuration.split(", ").some((d) => d !== "0s");
	})).map((e) => e.outerHTML.slice(0, 80))`
	tab.Motion(true)
	var moves []string
	tab.Eval(moving, &moves)
	if len(moves) == 0 {
		t.Error("nothing moves even where it may; the test cannot fail")
	}
	tab.Motion(false)
	tab.Eval(moving, &moves)
	if len(moves) > 0 {
		t.Errorf("these move although less motion is wanted: %q", moves)
	}
}

func TestRowsSayWhereThereIsMore(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Narrow, webtest.Dark)
	more := func(selector string) (side string) {
		t.Helper()
		tab.Eval(`document.querySelector('`+selector+`').dataset.fade ?? ""`, &side)
		return side
	}
	const months = `[aria-label="Month"] > ul`
	const code = `pre[aria-label="Ask from a shell"]`
	tab.WaitTrue(`document.querySelector('` + code + `').dataset.fade === "right"`)
	tab.Eval(`document.querySelector('`+code+`').scrollLeft = 5000`, nil)
	tab.WaitTrue(`document.querySelector('` + code + `').dataset.fade === "left"`)
	tab.WaitTrue(`document.querySelector(".nav").dataset.fade === "right"`)
	const table = `[aria-label="Costs of patterns"]`
	tab.WaitTrue(`document.querySelector('` + table + `').dataset.fade === "right"`)
	tab.Eval(`document.querySelector('`+table+`').focus({ focusVisible: true })`, nil)
	tab.WaitTrue(`getComputedStyle(document.querySelector('` + table + `')).maskImage === "none"`) // all of the outline is seen
	if got := more(months); got != "both" {
		t.Errorf("the months begin with more at %q; July, the current one, should be in the middle", got)
	}
	tab.Eval(`document.querySelector('`+months+`').scrollLeft = 0`, nil)
	tab.WaitTrue(`document.querySelector('` + months + `').dataset.fade === "right"`)
	tab.Eval(`document.querySelector(".nav").scrollLeft = 1000`, nil)
	tab.WaitTrue(`document.querySelector(".nav").dataset.fade === "left"`)
	var header struct{ Brand, Switch, High float64 }
	tab.Eval(`(() => { const box = (s) => document.querySelector(s).getBoundingClientRect();
		return {Brand: box(".brand").top + box(".brand").height / 2, Switch: box(".theme").top + box(".theme").height / 2, High: box(".top").height}; })()`, &header)
	if d := header.Brand - header.Switch; d > 4 || d < -4 || header.High > 110 {
		t.Errorf("at 320 pixels the switch of brightness is not beside the name: %+v", header)
	}
	tab.Resize(webtest.Desktop)
	tab.WaitTrue(`document.querySelectorAll(".nav[data-fade], pre[data-fade], .table-wrap[data-fade]").length === 0`)
}

func TestOptionalChoiceCanBeTakenBack(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	const chosen = `document.querySelector("[name=mood]:checked")?.value`
	const clearShown = `getComputedStyle(document.querySelector(".segment-none")).opacity === "1"`
	tab.WaitTrue("!(" + clearShown + ")")
	tab.Choose("Fair")
	tab.WaitTrue(chosen + ` === "2" && ` + clearShown)
	tab.LargeTargets()
	tab.NoViolations()
	tab.Screenshot("clear")
	tab.Choose("Fair") // once more takes it back
	tab.WaitTrue(chosen + ` === "" && !(` + clearShown + `)`)
	tab.Choose("Good")
	tab.WaitTrue(chosen + ` === "1"`)
	tab.Choose("Fair") // another one does not
	tab.WaitTrue(chosen + ` === "2"`)
	tab.Choose("Clear the choice")
	tab.WaitTrue(chosen + ` === ""`)
	tab.Press("Left") // the keyboard goes on from there
	tab.WaitTrue(chosen + ` === "3"`)
	tab.Press("Right")
	tab.WaitTrue(chosen + ` === "" && ` + clearShown) // where the focus is can be seen
	if n := tab.Count("radio", "Clear the choice"); n != 1 {
		t.Errorf("%d choices can be taken back; the one with a value to begin with cannot", n)
	}
}

func TestWhatIsNotOfferedTakesNoRoom(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	tab.WaitTrue(`document.querySelector("[data-install]").parentElement.getBoundingClientRect().height === 0`)
	tab.Eval(`{ const offer = new Event("beforeinstallprompt"); offer.prompt = async () => { window.asked = true; }; window.dispatchEvent(offer); }`, nil)
	tab.Click("button", "Install the app")
	tab.WaitTrue(`window.asked && document.querySelector("[data-install]").parentElement.getBoundingClientRect().height === 0`)
}
