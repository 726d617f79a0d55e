package webkit_test

import (
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// low is a phone on its side, or a page at 200 %.
var low = webtest.Size{Name: "low", Width: 640, Height: 360, Touch: true}

// TestTheHeaderHidesNoFocus: the header stays while the page scrolls, but not over what has the focus.
func TestTheHeaderHidesNoFocus(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Dark)
	const hidden = `(() => {
		const at = document.activeElement, top = document.querySelector(".top");
		if (top.contains(at) || at.matches("body, .skip, main")) return "";
		return at.getBoundingClientRect().top < top.getBoundingClientRect().bottom ? at.outerHTML.slice(0, 120) : "";
	})()`
	for _, size := range []webtest.Size{webtest.Phone, low, webtest.Desktop} {
		tab.Resize(size)
		tab.Eval(`window.scrollTo(0, document.body.scrollHeight); document.querySelector(".bottom a").focus()`, nil)
		scrolled := false
		for range 14 {
			tab.Press("Shift+Tab")
			var under string
			if tab.Eval(hidden, &under); under != "" {
				t.Errorf("%s: the header lies over %s", size.Name, under)
			}
			var at float64
			tab.Eval("window.scrollY", &at)
			scrolled = scrolled || at > 0
		}
		if !scrolled {
			t.Errorf("%s: the page never scrolled; the test cannot fail", size.Name)
		}
	}
}

func TestALowScreenIsForThePage(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", low, webtest.Light)
	const gone = `(window.scrollTo(0, 600), document.querySelector(".top").getBoundingClientRect().bottom <= 0)`
	tab.WaitTrue(gone)
	tab.Resize(webtest.Phone)
	tab.WaitTrue("!(" + gone + ")")
}

// TestLongNamesBreak: a long name does not make the page wider.
func TestLongNamesBreak(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/list", webtest.Narrow, webtest.Light)
	tab.Allow("status of 404")
	tab.Goto("/nowhere")
	tab.Eval(`for (const part of document.querySelectorAll("h1, main .button")) part.textContent = "About " + "n".repeat(64)`, nil)
	tab.NoSidewaysScroll()
	tab.WaitTrue(`[...document.querySelectorAll("h1, main .button")].every((e) => {
		const box = e.getBoundingClientRect(), main = document.querySelector("main").getBoundingClientRect();
		return box.left >= main.left && box.right <= main.right && e.scrollWidth <= e.clientWidth;
	})`)
}

// TestMessagesWithoutScripts shows a page by the rules for browsers without scripts: a message stays, so it lies
// over nothing, and no button promises to hide it.
func TestMessagesWithoutScripts(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	tab.Click("button", "Report this question")
	tab.Click("button", "Report")
	tab.WaitFor("Everything is removed")
	tab.Eval(withoutScripts, nil)
	tab.WaitTrue(`(() => {
		const toast = document.querySelector(".toast"), main = document.querySelector("main");
		return toast.getBoundingClientRect().bottom <= main.getBoundingClientRect().top && !toast.querySelector("button").checkVisibility();
	})()`)
	tab.NoSidewaysScroll()
	tab.Screenshot("message-no-scripts")
	tab.Eval("window.scrollTo(0, 900)", nil)
	tab.WaitTrue(`document.querySelector(".toast").getBoundingClientRect().bottom < 0`) // it does not follow
}

// TestABrightnessThatIsNotKeptIsSaid: the server may refuse what the page shows already.
func TestABrightnessThatIsNotKeptIsSaid(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Desktop, webtest.Light)
	tab.Allow("status of 403")
	tab.Eval(`document.querySelector('meta[name="csrf"]').content = "old"`, nil)
	tab.Click("button", "Brightness: as on this device")
	tab.WaitFor("The brightness could not be saved.")
}

func TestArrowsPointAwayFromTheWords(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Desktop, webtest.Light)
	tab.WaitTrue(`(() => {
		const named = (text) => [...document.querySelectorAll(".button")].find((b) => b.textContent.trim() === text);
		return named("A link").lastChild.matches?.("svg") && named("Remove").firstChild.matches?.("svg");
	})()`)
}
