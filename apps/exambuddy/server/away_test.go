package server_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// openInBrowser opens the page of an exam of two choices, which can also be practised, in a browser.
func openInBrowser(t *testing.T, base, navigation string) *webtest.Tab {
	t.Helper()
	admin := signUp(t, base, "Ada", "build")
	signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "Two choices")
	for _, text := range []string{"Capital of Norway?", "Largest town of Norway?"} {
		admin.Open(exam+"/questions/new?kind=single_choice").Send(http.StatusOK, exam+"/questions/new", "kind", "single_choice", "text", text, "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "difficulty", "easy")
	}
	admin.Open(exam+"/settings").Send(http.StatusOK, exam+"/settings", "title", "Two choices", "pass_mark", "50", "navigation", navigation, "offline", "tolerant", "reveal", "submit", "overdue", "submit",
		"exam_count", "2", "exam_difficulty", "easy", "practice", "on", "version", version(admin))
	admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
	tab := signIn(t, base, "Cleo", webtest.Phone)
	tab.Goto("/exams/" + strings.TrimPrefix(exam, "/admin/projects/"))
	return tab
}

// sitInBrowser starts an exam of two choices in a browser, and returns the tab with its first question and the path of
// the session.
func sitInBrowser(t *testing.T, base, navigation string) (*webtest.Tab, string) {
	t.Helper()
	tab := openInBrowser(t, base, navigation)
	tab.Click("button", "Start, the clock begins")
	tab.WaitURL("/sit/")
	return tab, regexp.MustCompile(`/sit/[0-9A-Z]+`).FindString(tab.URL())
}

// practiseInBrowser starts to practise two choices with a clock, and returns the tab with the first question.
func practiseInBrowser(t *testing.T) *webtest.Tab {
	t.Helper()
	tab := openInBrowser(t, start(t), "free")
	tab.Eval(`document.querySelector('[name="mode"][value="test"]').click()`, nil)
	tab.Click("button", "Start, the clock begins")
	tab.WaitURL("/sit/")
	return tab
}

// stored is the answer to the question of the page that the server has. The page itself may show more: browsers restore what was
// chosen before a reload.
const stored = `fetch(location.href).then((r) => r.text()).then((text) => new DOMParser().parseFromString(text, "text/html")
	.querySelector(".answers input[checked]")?.closest("label").querySelector(".choice-text").textContent.trim() ?? "")`

// choose clicks an option, wherever it was put.
func choose(tab *webtest.Tab, option string) {
	tab.Eval(fmt.Sprintf(`[...document.querySelectorAll(".answers label")].find((l) => l.querySelector(".choice-text").textContent.trim() === %q).querySelector("input").click()`, option), nil)
}

// TestBrowserAnAnswerOutlivesASignOut: an answer that the server did not take because its candidate was signed out, such as in
// another tab, is stored after the next sign-in.
func TestBrowserAnAnswerOutlivesASignOut(t *testing.T) {
	base := start(t)
	tab, sit := sitInBrowser(t, base, "free")
	tab.Eval(`fetch("/sign-out", { method: "POST", headers: { "X-CSRF-Token": document.querySelector("meta[name=csrf]").content } }).then(() => true)`, nil)
	choose(tab, "Oslo")
	tab.WaitFor("You are signed out.")
	tab.Goto("/sign-in?next=" + sit + "/1")
	tab.Fill("E-mail address", "cleo@example.org")
	tab.Fill("Password", "correct horse battery")
	tab.Click("button", "Sign in")
	tab.WaitURL(sit)
	tab.WaitTrue(stored + `.then((answer) => answer === "Oslo")`)
	tab.WaitTrue(`document.querySelector(".answers input[checked]") !== null`) // and the page shows it
}

// TestBrowserAKeptAnswerIsShown: a page shows the answer that an earlier page kept, once the server has it, also if the first
// attempt to send it failed.
func TestBrowserAKeptAnswerIsShown(t *testing.T) {
	tab, _ := sitInBrowser(t, start(t), "free")
	tab.Before(`(() => { const fetch = globalThis.fetch; globalThis.fetch = (...all) => sessionStorage.back ? fetch(...all) : Promise.reject(new TypeError("no network")); })()`)
	tab.Eval(`(() => { // as a page does that was left before it could send its answer
		const value = [...document.querySelectorAll(".answers label")].find((l) => l.querySelector(".choice-text").textContent.trim() === "Oslo").querySelector("input").value;
		localStorage.setItem("exam:" + document.querySelector("[data-sit]").dataset.sit + ":1", JSON.stringify({ fields: [["sequence", "1"], ["choice", value]] }));
	})()`, nil)
	tab.Reload()
	tab.WaitFor("Kept on this device")
	tab.Eval(`void (sessionStorage.back = "yes")`, nil)
	tab.WaitTrue(`document.querySelector(".answers input[checked]")?.closest("label").querySelector(".choice-text").textContent.trim() === "Oslo"`)
}

// TestBrowserTheHandInSendsKeptAnswers: an answer that waits on the device is sent from the page before the hand-in, too.
func TestBrowserTheHandInSendsKeptAnswers(t *testing.T) {
	base := start(t)
	tab, sit := sitInBrowser(t, base, "free")
	tab.Eval(`(() => { globalThis.fetch = () => Promise.reject(new TypeError("no network")); })()`, nil)
	choose(tab, "Oslo")
	tab.WaitFor("Kept on this device")
	tab.Click("link", "All questions")
	tab.WaitFor("1 of 2")

	tab.Before(`(() => { const fetch = globalThis.fetch; globalThis.fetch = (...all) => globalThis.back ? fetch(...all) : Promise.reject(new TypeError("no network")); })()`)
	tab.Goto(sit + "/2")
	choose(tab, "Oslo")
	tab.WaitFor("Kept on this device")
	tab.Click("link", "All questions")
	tab.WaitFor("Kept on this device")
	tab.Click("button", "Hand in")
	tab.WaitTrue(`document.querySelector("dialog[open] button") !== null`)
	tab.Eval("globalThis.back = true; "+confirm, nil)
	tab.WaitURL("/results/")
	tab.WaitFor("100.0 %")
}

// handInInBrowser presses the button of the page before the hand-in and says yes.
func handInInBrowser(tab *webtest.Tab) {
	tab.Click("button", "Hand in")
	tab.WaitTrue(`document.querySelector("dialog[open] button") !== null`)
	tab.Eval(confirm, nil)
}

// TestBrowserTheHandInTellsOfUnsentAnswers: while an answer cannot be sent, the first hand-in stops and says so, and the second
// goes through.
func TestBrowserTheHandInTellsOfUnsentAnswers(t *testing.T) {
	tab, sit := sitInBrowser(t, start(t), "free")
	tab.Before(`(() => { const fetch = globalThis.fetch; globalThis.fetch = (at, ...all) => String(at).endsWith("/save") ? Promise.resolve(new Response("{}", { status: 429, headers: { "Content-Type": "application/json" } })) : fetch(at, ...all); })()`)
	tab.Goto(sit + "/1")
	choose(tab, "Oslo")
	tab.WaitFor("Kept on this device")
	tab.Click("link", "All questions")
	tab.WaitFor("Kept on this device")
	handInInBrowser(tab)
	tab.WaitFor("1 answer could not be sent yet")
	tab.WaitTrue(`document.querySelector('[aria-busy="true"]') === null`)
	look(tab, "hand-in-unsent")
	handInInBrowser(tab)
	tab.WaitURL("/results/")
	tab.WaitFor("0.0 %")
}

// TestBrowserTheHandInWaitsForARepeat: an attempt that is under way at the hand-in and fails is followed by another one, whose end
// the hand-in awaits.
func TestBrowserTheHandInWaitsForARepeat(t *testing.T) {
	tab, sit := sitInBrowser(t, start(t), "free")
	choose(tab, "Oslo")
	tab.WaitTrue(`document.querySelector("[data-saved]").textContent === "Saved"`)
	tab.Before(`(() => { // The hand-in's first attempt fails when the test says so, the others are slow; other pages send nothing.
		const fetch = globalThis.fetch, lost = () => new TypeError("no network");
		globalThis.fetch = (at, ...all) => {
			if (!String(at).endsWith("/save")) return fetch(at, ...all);
			if (!location.pathname.endsWith("/hand-in")) return Promise.reject(lost());
			if (!globalThis.fail) return new Promise((_, no) => { globalThis.fail = () => no(lost()); });
			return new Promise((go) => setTimeout(go, 500)).then(() => fetch(at, ...all));
		};
	})()`)
	tab.Goto(sit + "/2")
	choose(tab, "Oslo")
	tab.WaitFor("Kept on this device")
	tab.Click("link", "All questions")
	tab.WaitTrue(`globalThis.fail !== undefined`)
	handInInBrowser(tab)
	tab.Leave("globalThis.fail()")
	tab.WaitURL("/results/")
	tab.WaitFor("100.0 %")
}

// TestBrowserTheEndOfTheClockSendsKeptAnswers: when the time is over on the page before the hand-in, the answers that wait on the
// device are sent first. A connection that hangs delays the hand-in for some seconds only.
func TestBrowserTheEndOfTheClockSendsKeptAnswers(t *testing.T) {
	for connection, want := range map[string]string{
		`new Promise((go) => setTimeout(go, 500)).then(() => fetch(...all))`: "100.0 %", // slow
		`new Promise(() => {})`: "0.0 %", // hangs
	} {
		t.Run(want, func(t *testing.T) {
			tab, sit := sitInBrowser(t, start(t), "free")
			tab.Before(fmt.Sprintf(`(() => {
				const fetch = globalThis.fetch;
				globalThis.fetch = (...all) => !String(all[0]).endsWith("/save") ? fetch(...all) : globalThis.back ? %s : Promise.reject(new TypeError("no network"));
			})()`, connection))
			for _, page := range []string{"/1", "/2"} {
				tab.Goto(sit + page)
				choose(tab, "Oslo")
				tab.WaitFor("Kept on this device")
			}
			tab.Click("link", "All questions")
			tab.WaitFor("Kept on this device")
			tab.Leave(`globalThis.back = true; document.querySelector("[data-clock]").dataset.clock = new Date(0).toISOString()`) // the end is now
			tab.WaitURL("/results/")
			tab.WaitFor(want)
		})
	}
}

// TestBrowserTwoTabsAnswerOneQuestion: the last answer that a candidate gives is the one that is stored, also if an older one was
// given in another tab of the same browser, and if the first attempt to send it failed.
func TestBrowserTwoTabsAnswerOneQuestion(t *testing.T) {
	for name, after := range map[string]string{"connected": "", "one request is lost": `
			const all = globalThis.fetch;
			globalThis.fetch = () => { globalThis.fetch = all; return Promise.reject(new TypeError("no network")); };`} {
		t.Run(name, func(t *testing.T) {
			tab, sit := sitInBrowser(t, start(t), "free")
			tab.Eval(fmt.Sprintf(`(async () => { // as the other tab does after some changes
				const choice = [...document.querySelectorAll(".answers label")].find((l) => l.querySelector(".choice-text").textContent.trim() === "Bergen").querySelector("input").value;
				const body = new URLSearchParams({ choice, sequence: "4" });
				await fetch(%q, { method: "POST", headers: { "X-CSRF-Token": document.querySelector("meta[name=csrf]").content }, body });%s
			})()`, sit+"/1/save", after), nil)
			choose(tab, "Oslo")
			tab.WaitTrue(`document.querySelector("[data-saved]").textContent === "Saved"`)
			tab.WaitTrue(stored + `.then((answer) => answer === "Oslo")`)
		})
	}
}

// TestBrowserPracticeKeepsNoAnswer: a checked answer of practice is final, so that no page saves it again.
func TestBrowserPracticeKeepsNoAnswer(t *testing.T) {
	tab := practiseInBrowser(t)
	tab.Before(`(() => { const fetch = globalThis.fetch; globalThis.fetch = (at, ...all) => { if (String(at).endsWith("/save")) globalThis.saves = true; return fetch(at, ...all); }; })()`)
	choose(tab, "Oslo")
	tab.Click("button", "Check answer")
	tab.WaitFor("Right")
	var kept bool
	tab.Eval(`globalThis.saves === true || Object.keys(localStorage).some((key) => key.startsWith("exam:"))`, &kept)
	if kept {
		t.Error("the page kept an answer of practice, and saves it")
	}
}

// TestBrowserTheClockOfPracticeGoesOn: a form that was not sent, because there was no connection, does not stop the clock, whose
// end shows what is right.
func TestBrowserTheClockOfPracticeGoesOn(t *testing.T) {
	tab := practiseInBrowser(t)
	tab.Allow("ERR_INTERNET_DISCONNECTED")
	choose(tab, "Oslo")
	tab.Offline(true)
	tab.Click("button", "Check answer")
	tab.WaitFor("There is no connection. Nothing was sent")
	tab.Offline(false)
	tab.Leave(`document.querySelector("[data-clock]").dataset.clock = new Date(0).toISOString()`) // the end is now
	tab.WaitTrue(`document.querySelector("[data-feedback]") !== null`)
}

// jump is a script with which a test sets the clock of the device.
const jump = `(() => { const now = Date.now; globalThis.jump = 0; Date.now = () => now() + globalThis.jump; })()`

// TestBrowserAJumpOfTheClock: a device that sets its clock in the middle of an exam neither ends it nor gives more time.
func TestBrowserAJumpOfTheClock(t *testing.T) {
	for navigation, pages := range map[string][]string{"free": {"/1", "/hand-in"}, "forward": {"/1"}} {
		t.Run(navigation, func(t *testing.T) {
			tab, sit := sitInBrowser(t, start(t), navigation)
			tab.Before(jump)
			for _, page := range pages {
				tab.Goto(sit + page)
				for _, by := range []string{"3600000", "-3600000"} {
					tab.Eval(fmt.Sprintf(`new Promise((done) => { globalThis.jump = %s; setTimeout(() => done(true), 500); })`, by), nil) // some ticks
					tab.WaitTrue(`/^[123]:[0-5][0-9]$/.test(document.querySelector("[data-clock-text]").textContent)`)
					if at := tab.URL(); !strings.HasSuffix(at, sit+page) {
						t.Fatalf("the clock of the device led from %s to %s", page, at)
					}
				}
			}
		})
	}
}
