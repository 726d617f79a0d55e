package server_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// TestMain runs the tests, or the child process of the kill test.
func TestMain(m *testing.M) {
	if directory := os.Getenv(killDirectory); directory != "" {
		serveUntilKilled(directory)
	}
	webtest.Main(m)
}

// signIn opens a tab of a person who has an account.
func signIn(t *testing.T, base, name string, size webtest.Size) *webtest.Tab {
	t.Helper()
	tab := webtest.Open(t, base+"/sign-in", size, webtest.Light)
	tab.Fill("E-mail address", strings.ToLower(name)+"@example.org")
	tab.Fill("Password", "correct horse battery")
	tab.Click("button", "Sign in")
	tab.WaitTrue(`!location.pathname.startsWith("/sign-in")`)
	return tab
}

// look checks a page on a phone, light and dark, and its width on other screens. It keeps pictures of
// it on all screens if they are wanted.
func look(tab *webtest.Tab, name string) {
	pictures := os.Getenv("SORTKEY_SHOTS") != ""
	for _, theme := range []webtest.Theme{webtest.Dark, webtest.Light} {
		tab.Prefer(theme)
		for _, size := range []webtest.Size{webtest.Desktop, webtest.Tablet, webtest.Narrow, webtest.Phone} {
			if !pictures && theme == webtest.Dark && size != webtest.Phone {
				continue
			}
			tab.Resize(size)
			tab.NoSidewaysScroll()
			tab.WaitTrue(`[...document.querySelectorAll("main .table-wrap")].filter((box) => !box.closest(".chart")).every((box) => box.scrollHeight <= box.clientHeight + 1)`) // the page scrolls, not a box in it
			if size != webtest.Narrow {
				tab.Screenshot(name)
			}
		}
		if theme == webtest.Dark {
			tab.Readable()
		}
	}
	tab.LargeTargets()
	tab.NoViolations()
}

// confirm presses the button of an open dialog that goes on.
const confirm = `document.querySelector("dialog[open] button.primary, dialog[open] button.danger, dialog[open] [value=yes]").click()`

// attach puts a file into the only file field of a page.
func attach(tab *webtest.Tab, name, mediaType string, content []byte) {
	tab.Eval(fmt.Sprintf(`(() => {
		const bytes = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)), files = new DataTransfer();
		files.items.add(new File([bytes], %q, { type: %q }));
		document.querySelector("input[type=file]").files = files.files;
	})()`, base64.StdEncoding.EncodeToString(content), name, mediaType), nil)
}

// TestBrowserAdminImportsAndPublishes walks an admin from a PDF document to a published exam.
func TestBrowserAdminImportsAndPublishes(t *testing.T) {
	base := start(t)
	exam := makeExam(signUp(t, base, "Ada", "build"), "Networks")
	pdf, err := os.ReadFile("../exchange/pdfimport/testdata/chromium-columns.pdf")
	if err != nil {
		t.Fatal(err)
	}
	tab := signIn(t, base, "Ada", webtest.Desktop)
	look(tab, "admin-projects")
	tab.Goto(exam)
	look(tab, "admin-project-empty")
	tab.Goto(exam + "/import")
	attach(tab, "networks.pdf", "application/pdf", pdf)
	tab.Click("button", "Upload")
	tab.WaitFor("Nothing is stored in the exam before you import")
	look(tab, "admin-import")
	tab.Resize(webtest.Desktop)
	tab.Press("j", "j", "x")
	tab.WaitTrue(`document.querySelector('#d2 input[value="skip"]').checked`)
	// The page of a draft is shown beside it.
	tab.WaitTrue(`(() => {
		const link = [...document.querySelectorAll("a[data-page]")].at(-1);
		link.click();
		return link.href.endsWith("#page=2") && document.querySelector("[data-source]").src.startsWith(link.href + "&");
	})()`)
	tab.Click("button", "Import the chosen ones")
	tab.WaitFor("The chosen questions are in the exam.")
	tab.Goto(exam)
	tab.WaitFor("23 questions")
	look(tab, "admin-project")
	tab.Resize(webtest.Desktop)
	tab.Click("button", "Publish")
	tab.WaitFor("Published. Candidates see it now.")
	for name, path := range map[string]string{"admin-settings": exam + "/settings", "admin-live": exam + "/live", "admin-results-empty": exam + "/results", "admin-groups": "/admin/groups", "account": "/account"} {
		tab.Goto(path)
		look(tab, name)
	}
}

// rich holds a question of each type with everything that the editor has a field for.
const rich = `[
{"type":"single_choice","text":"Which colour, exactly?","options":[{"id":"a","text":"Red, or so"},{"id":"b","text":"Blue | green"},{"id":"c","text":"None of these","last":true}],"tags":["colours","a, b"],"difficulty":"hard","time_limit":45,"key":{"correct":["b"],"also":["a"],"explanation":"Because.\n\nAnd more."}},
{"type":"true_false","text":"Is it so?","options":[{"id":"true","text":"Ja"},{"id":"false","text":"Nein"}],"difficulty":"easy","key":{"correct":["false"]}},
{"type":"multiple_response","text":"Which ones?","options":[{"id":"a","text":"One"},{"id":"b","text":"Two"},{"id":"c","text":"Three"}],"difficulty":"medium","key":{"correct":["a","c"],"scheme":"HALVES"}},
{"type":"fill_in_blank","text":"A ___ of about ___ and a ___.","blanks":[{"id":"x"},{"id":"y"},{"id":"z","choices":[{"id":"p","text":"pen"},{"id":"q","text":"pencil"}]}],"difficulty":"medium","key":{"blanks":{"x":{"texts":["café","caff"],"ignore_accents":true,"ignore_punctuation":true},"y":{"texts":["pi"],"low":"3.1","high":"3.2"},"z":{"texts":["q"]}}}},
{"type":"ordering","text":"By size","options":[{"id":"c","text":"Cat"},{"id":"a","text":"Ant"},{"id":"w","text":"Whale"}],"difficulty":"medium","key":{"correct":["a","c","w"],"scheme":"BY_POSITION"}},
{"type":"matching","text":"Capitals","options":[{"id":"a","text":"Sweden"},{"id":"b","text":"Finland"}],"targets":[{"id":"r","text":"Riga"},{"id":"h","text":"Helsinki"},{"id":"s","text":"Stockholm"}],"difficulty":"medium","key":{"pairs":{"a":"s","b":"h"}}},
{"type":"scenario","text":"Judge.","passage":"A shop has ten apples.","statements":[{"id":"a","text":"There are apples."},{"id":"b","text":"There are pears."}],"difficulty":"medium","key":{"pairs":{"a":"yes","b":"no"}}}
]`

// TestBrowserSavingAnUnchangedQuestionChangesNothing opens each question in the editor, as a browser
// fills its form in, and saves it.
func TestBrowserSavingAnUnchangedQuestionChangesNothing(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "Rich")
	upload(admin.Open(exam+"/import"), exam+"/import", "file", "rich.json", rich)
	fields := []string{"do", "publish"}
	for i := range 7 {
		fields = append(fields, fmt.Sprintf("choice-%d", i+1), "take")
	}
	settled(admin).Says("7</strong> ready").Send(http.StatusOK, admin.Path, fields...)
	settled(admin).Says("Imported")
	before := admin.Open(exam + "/export/json").Page
	paths, _ := questionPaths(admin.Open(exam))
	tab := signIn(t, base, "Ada", webtest.Desktop)
	for i, path := range paths {
		tab.Goto(path)
		if i == 0 || i == 3 || i == 5 {
			look(tab, fmt.Sprintf("admin-question-%d", i))
			tab.Resize(webtest.Desktop)
		}
		tab.Click("button", "Save")
		tab.WaitFor("Saved.")
	}
	if after := admin.Open(exam + "/export/json").Page; after != before {
		t.Errorf("the questions are\n%s\nand were\n%s", after, before)
	}
}

// TestBrowserCandidateSitsOnAPhone walks a candidate from the catalogue to the result, with the
// keyboard, with drag and drop, and without a connection for a while.
func TestBrowserCandidateSitsOnAPhone(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "General knowledge")
	addQuestions(admin, exam)
	id := strings.TrimPrefix(exam, "/admin/projects/")
	admin.Open(exam+"/settings").Send(http.StatusOK, exam+"/settings", "title", "General knowledge", "pass_mark", "50", "navigation", "free", "offline", "tolerant", "reveal", "submit", "overdue", "submit",
		"exam_count", "8", "exam_difficulty", "easy", "practice", "on", "certificates", "on", "version", version(admin))
	admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")

	visitor := webtest.Open(t, base+"/", webtest.Phone, webtest.Light)
	look(visitor, "welcome")
	visitor.Goto("/sign-up")
	look(visitor, "sign-up")
	visitor.Goto("/about")
	look(visitor, "about")
	tab := signIn(t, base, "Cleo", webtest.Phone)
	look(tab, "home")
	tab.Goto("/practice")
	look(tab, "practice-empty")
	tab.Goto("/exams/" + id)
	look(tab, "exam")
	tab.Click("button", "Start, the clock begins")
	tab.WaitURL("/sit/")
	sit := regexp.MustCompile(`/sit/[0-9A-Z]+`).FindString(tab.URL())
	kinds := map[string]int{}
	for n := 1; n <= 8; n++ {
		tab.Goto(fmt.Sprintf("%s/%d", sit, n))
		kind := answerInBrowser(t, tab)
		if kinds[kind]++; kinds[kind] == 1 {
			look(tab, "sit-"+kind)
		}
	}
	if len(kinds) != 5 {
		t.Errorf("the kinds of questions are %v", kinds)
	}
	tab.Goto(sit + "/hand-in")
	tab.WaitFor("8 of 8")
	look(tab, "hand-in")
	tab.Click("button", "Hand in")
	tab.WaitTrue(`document.querySelector("dialog[open] button") !== null`)
	look(tab, "hand-in-confirm")
	tab.Eval(confirm, nil)
	tab.WaitURL("/results/")
	tab.WaitFor("100.0 %")
	look(tab, "result")
	tab.Print(true)
	tab.WaitTrue(`getComputedStyle(document.querySelector("header")).display === "none" || document.querySelector("header nav") === null || getComputedStyle(document.querySelector("header nav")).display === "none"`)
	tab.NoSidewaysScroll()
	tab.Screenshot("result-print")
	tab.Print(false)
	tab.Click("button", "Certificate")
	tab.WaitURL("/certificates/")
	tab.WaitTrue(`document.querySelector(".qr").naturalWidth > 0`)
	look(tab, "certificate")
	tab.Goto("/history")
	look(tab, "history")
	tab.Goto("/practice")
	look(tab, "practice")

	desk := signIn(t, base, "Ada", webtest.Desktop)
	desk.Goto(exam + "/results")
	look(desk, "admin-results")
	paths, _ := questionPaths(admin.Open(exam))
	desk.Goto(strings.Replace(paths[0], "/questions/", "/items/", 1))
	look(desk, "admin-item")
}

// answerInBrowser answers the question of the page rightly, as a person does, and returns its kind.
func answerInBrowser(t *testing.T, tab *webtest.Tab) string {
	t.Helper()
	var kind string
	tab.Eval(`(() => { const has = (s) => document.querySelector(".sit-question " + s) !== null;
		return has("[data-ordering]") ? "ordering" : has(".pairs") ? "matching" : has(".statement") ? "statements" : has("input.blank") ? "blanks" : "choice"; })()`, &kind)
	switch kind {
	case "ordering":
		order(tab)
	case "matching":
		tab.Select("Sweden", "Stockholm")
		tab.Select("Finland", "Helsinki")
	case "statements":
		tab.Eval(`for (const s of document.querySelectorAll(".statement")) s.querySelector('input[value="' + (s.textContent.includes("apples") ? "yes" : "no") + '"]').click()`, nil)
	case "blanks":
		tab.Fill("Blank 1", "hypertext")
		tab.Press("Tab")
	default:
		tab.Allow("ERR_INTERNET_DISCONNECTED")
		tab.Offline(true)
		tab.Eval(`(() => { const asked = document.querySelector(".asked").textContent;
			for (const label of document.querySelectorAll(".answers label")) {
				const text = label.querySelector(".choice-text").textContent.trim();
				if (["Oslo", "Two", "True", "Six"].includes(text) || text === "Four" && asked.includes("even")) label.querySelector("input").click();
			} })()`, nil)
		tab.WaitFor("Kept on this device")
		tab.Offline(false)
	}
	tab.WaitTrue(`document.querySelector("[data-saved]").textContent === "Saved"`)
	tab.Reload()
	return kind
}

// order sorts the items of an ordering: one by keyboard, the others by dragging.
func order(tab *webtest.Tab) {
	const items = `[...document.querySelectorAll(".order-text")].map((e) => e.textContent).join()`
	tab.Eval(`[...document.querySelectorAll(".order-row")].find((row) => row.textContent.includes("Ant")).focus()`, nil)
	tab.Press("Space", "Up", "Up", "Space")
	tab.WaitTrue(items + `.startsWith("Ant")`)
	tab.Eval(`(() => { const rows = [...document.querySelectorAll(".order-row")], whale = rows.find((row) => row.textContent.includes("Whale")), last = rows.at(-1);
		if (whale === last) return;
		const data = new DataTransfer(), box = last.getBoundingClientRect(), at = { bubbles: true, cancelable: true, dataTransfer: data, clientX: box.left + 5, clientY: box.bottom - 2 };
		whale.dispatchEvent(new DragEvent("dragstart", at));
		last.dispatchEvent(new DragEvent("dragover", at));
		last.dispatchEvent(new DragEvent("drop", at));
		whale.dispatchEvent(new DragEvent("dragend", at)); })()`, nil)
	tab.WaitTrue(items + ` === "Ant,Cat,Whale"`)
	tab.Eval(`document.querySelector('[data-move="1"]:not(:disabled)').click()`, nil)
	tab.WaitTrue(items + ` === "Cat,Ant,Whale"`)
	tab.Eval(`document.querySelectorAll('[data-move="-1"]')[1].click()`, nil)
	tab.WaitTrue(items + ` === "Ant,Cat,Whale"`)
}

// TestBrowserRareShapes looks at pages in the states that the other walks do not reach.
func TestBrowserRareShapes(t *testing.T) {
	base := startWith(t, map[string]string{"EXAMBUDDY_ADMINS": "open", "EXAMBUDDY_OPERATOR_SECRET": "an operator's secret of tests"})
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	admin.Open("/admin/groups").Send(http.StatusOK, "/admin/groups", "name", "Class 7b")
	group := admin.Path
	admin.Send(http.StatusOK, group, "do", "add", "email", "cleo@example.org")
	exam := makeExam(admin, "An exam with a very long title: everything that can be asked about northern countries")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	addQuestions(admin, exam)
	admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
	paths, _ := questionPaths(admin)
	desk := signIn(t, base, "Ada", webtest.Desktop)
	desk.Allow("422|409|404|403")

	// An exam that is forward only, seen from two browsers, and in the room.
	candidate.Open("/exams/"+id).Send(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "3")
	at := candidate.Path
	tab := signIn(t, base, "Cleo", webtest.Phone)
	tab.Allow("422|409|404|403")
	look(tab, "home-running")
	tab.Goto("/exams/" + id)
	look(tab, "exam-active")
	tab.Goto(strings.TrimSuffix(at, "/1"))
	tab.WaitFor("Continue here")
	look(tab, "ready-other")
	desk.Goto(exam + "/live")
	desk.WaitFor("Cleo")
	look(desk, "admin-live-one")
	candidate.Send(http.StatusOK, at, "do", "next")
	tab.Click("button", "Continue here")
	tab.WaitTrue(`document.querySelector("[data-sit]") !== null`)
	tab.Goto(strings.TrimSuffix(at, "/1") + "/hand-in")
	look(tab, "hand-in-open")
	tab.Click("button", "Hand in")
	tab.WaitTrue(`document.querySelector("dialog[open] button") !== null`)
	tab.Eval(confirm, nil)
	tab.WaitURL("/results/")
	look(tab, "result-failed")

	// Practice: a right and a wrong answer.
	tab.Goto("/exams/" + id)
	tab.Leave(`const form = document.querySelector("[data-start]"); form.querySelector('[name="mode"][value="test"]').click(); form.querySelector('[name="no_limit"]').click(); form.requestSubmit();`)
	tab.WaitURL("/sit/")
	look(tab, "practice-question")
	tab.Click("button", "I do not know")
	tab.WaitTrue(`document.querySelector("[data-feedback], .notice") !== null || document.querySelector("h1").textContent.includes("2 of")`)
	look(tab, "practice-after")

	// Forms that are refused.
	desk.Goto(exam + "/questions/new?kind=hotspot")
	look(desk, "admin-question-new-hotspot")
	desk.Goto(paths[0])
	version := version(admin.Open(paths[0]))
	admin.Send(http.StatusOK, paths[0], "kind", "single_choice", "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "difficulty", "easy", "text", "Capital of Norway today?", "version", version)
	desk.Click("button", "Save")
	desk.WaitFor("As it is now")
	look(desk, "admin-question-stale")
	desk.Goto(strings.Replace(paths[0], "/questions/", "/items/", 1))
	desk.Choose("Full marks for all")
	desk.Click("button", "Try it out")
	desk.WaitFor("Nothing is changed yet")
	look(desk, "admin-item-preview")
	for name, path := range map[string]string{"admin-group": group, "admin-project-none": exam + "?q=nothing+like+this", "admin-projects-one": "/admin", "not-found": "/admin/projects/none", "admin-archived": "/admin?show=archived"} {
		desk.Goto(path)
		look(desk, name)
	}

	// A scanned document holds no text.
	scanned, err := os.ReadFile("../exchange/pdfimport/testdata/scanned.pdf")
	if err != nil {
		t.Fatal(err)
	}
	upload(admin.Open(exam+"/import"), exam+"/import", "file", "scanned.pdf", string(scanned))
	failed := settled(admin).Path
	desk.Goto(failed)
	desk.WaitFor("Nothing was imported")
	look(desk, "admin-import-failed")
	desk.Goto(exam + "/import")
	look(desk, "admin-imports")

	staff := webtest.Open(t, base+"/operator/sign-in", webtest.Desktop, webtest.Light)
	staff.Fill("Your name", "operator")
	staff.Fill("Your secret", "an operator's secret of tests")
	staff.Click("button", "Sign in")
	staff.WaitTrue(`!location.pathname.endsWith("/sign-in")`)
	staff.Goto("/operator/people")
	staff.WaitFor("Ada")
	look(staff, "operator-people")
}
