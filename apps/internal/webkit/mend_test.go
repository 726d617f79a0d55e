package webkit_test

import (
	"testing"

	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

func TestErrorsNameWhatIsWrong(t *testing.T) {
	for name, test := range map[string]struct {
		label, sent   string
		beside, above string // what stands beside the field, and in the summary
	}{
		"empty, with a label":   {"Your question", " ", "Your question is missing.", "Your question is missing."},
		"empty, without":        {"", "", "Fill this in.", "Fill this in."},
		"a question as a label": {"How was it?", "", "Fill this in.", "How was it? Fill this in."},
		"short, with a label":   {"Your question", "hello", "Write 5 more characters.", "Your question: Write 5 more characters."},
		"short, without":        {"", "hello you", "Write 1 more character.", "Write 1 more character."},
	} {
		t.Run(name, func(t *testing.T) {
			form := webkit.NewForm(formValues("internal_name", test.sent))
			if test.label != "" {
				form.Label("internal_name", test.label)
			}
			form.Text("internal_name", 10, 500)
			if got := form.Error("internal_name"); got != test.beside {
				t.Errorf("beside the field: %q, want %q", got, test.beside)
			}
			if got := form.Errors(); len(got) != 1 || got[0].Summary() != test.above {
				t.Errorf("in the summary: %+v, want %q", got, test.above)
			}
		})
	}
}

// TestMendedFieldsAreNoLongerWrong: what was changed loses its error at once.
func TestMendedFieldsAreNoLongerWrong(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Dark)
	tab.Fill("How many people", "99")
	tab.Click("button", "Ask")
	tab.WaitFor("Please check 3 things")
	tab.See("link", "Your question is missing.")
	tab.Fill("Your question", "Is this friendly enough?")
	tab.WaitFor("Please check 2 things")
	tab.WaitGone("Your question is missing.")
	tab.WaitTrue(`(() => { const field = document.getElementById("f-prompt");
		return !field.hasAttribute("aria-invalid") && field.getAttribute("aria-describedby") === "f-prompt-hint" && !field.closest(".has-error"); })()`)
	tab.WaitTrue(`document.getElementById("f-people").closest(".has-error") !== null`) // not changed yet
	tab.NoViolations()
	tab.Screenshot("half-mended")
	tab.Choose("One of several options")
	tab.WaitFor("Please check one thing")
	tab.Fill("How many people", "5")
	tab.WaitGone("Please check")
	tab.WaitTrue(`document.querySelectorAll(".error, .has-error, [aria-invalid]").length === 0`)
	tab.NoViolations()
	tab.Click("button", "Ask")
	tab.WaitFor("Asked: Is this friendly enough?")
}

// TestMessagesLeaveButtonsFree: on a phone a message is under the header, elsewhere at the lower edge.
func TestMessagesLeaveButtonsFree(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	tab.Click("button", "Report this question")
	tab.Click("button", "Report")
	tab.WaitFor("Everything is removed")
	tab.Screenshot("message")
	const box = `const toast = document.querySelector(".toast").getBoundingClientRect(), top = document.querySelector(".top").getBoundingClientRect(); `
	tab.WaitTrue(`(() => { ` + box + `return toast.top >= top.bottom && toast.top < top.bottom + 20 && toast.left >= 0 && toast.right <= innerWidth; })()`)
	tab.Eval(`window.scrollTo(0, 600)`, nil)
	tab.WaitTrue(`(() => { ` + box + `return window.scrollY > 0 && toast.top >= top.bottom && toast.top < top.bottom + 20; })()`)
	tab.Resize(webtest.Desktop)
	tab.WaitTrue(`(() => { ` + box + `return toast.bottom > innerHeight - 40 && toast.bottom <= innerHeight; })()`)
	tab.Prefer(webtest.Light)
	tab.Screenshot("message")
}

func TestSegmentsAreAsWideAsFields(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Desktop, webtest.Light)
	tab.WaitTrue(`(() => { const wide = (s) => document.querySelector(s).getBoundingClientRect().width;
		return Math.abs(wide("#f-urgency .segments") - wide("#f-prompt")) < 1; })()`)
	tab.Goto("/")
	tab.WaitTrue(`(() => { const mood = document.getElementById("f-mood"), box = (s) => mood.querySelector(s).getBoundingClientRect();
		return box(".segments").top - box(".hint").bottom >= 8; })()`)
}

// withoutScripts shows the page that is open by the rules for browsers without scripts.
const withoutScripts = `for (const sheet of document.styleSheets) for (const rule of sheet.cssRules)
	if (rule.media?.mediaText.includes("scripting: none")) rule.media.mediaText = "all"`

// TestNothingToPressWithoutScripts shows the page by the rules for browsers without scripts.
func TestNothingToPressWithoutScripts(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/", webtest.Phone, webtest.Dark)
	const buttons = `[...document.querySelectorAll(".copy")].filter((e) => e.checkVisibility()).length`
	const texts = `[...document.querySelectorAll(".copy-text")].filter((e) => e.checkVisibility()).map((e) => e.textContent).join()`
	tab.WaitTrue(buttons + ` === 2 && ` + texts + ` === ""`)
	tab.Eval(withoutScripts, nil)
	tab.WaitTrue(buttons + ` === 0 && ` + texts + ` === "https://ask.example.org/q/8f2c"`)
	tab.WaitTrue(`getComputedStyle(document.querySelector(".copy-text")).userSelect === "all"`)
	tab.NoSidewaysScroll()
	tab.Screenshot("no-scripts")
}
