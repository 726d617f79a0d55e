package webtest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/internal/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// recorder is a test that notes its failures instead of failing.
type recorder struct {
	testing.TB
	mu       sync.Mutex
	failures []string
	cleanups []func()
}

func (r *recorder) Helper() {}

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// record runs a test and gives its failures.
func record(t *testing.T, test func(t testing.TB)) []string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, f := range slices.Backward(r.cleanups) {
				f()
			}
		}()
		test(r)
	}()
	<-done
	return r.failures
}

const good = `<!doctype html><html lang="en"><head><title>Good</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head>
<body><main><h1>Good</h1><form action="/sent"><label for="n">Your name</label> <input id="n" name="name">
<label><input type="radio" name="c" value="tea"> Tea</label> <label for="s">Size</label> <select id="s" name="size"><option value="1">Small</option><option value="2">Large</option></select>
<button>Send</button></form></main></body></html>`

// TestBeforeEndsWithTheTest: a tab that is used again has nothing of the test before.
func TestBeforeEndsWithTheTest(t *testing.T) {
	at := serve(t, map[string]string{"/": good})
	for i, want := range []string{"before the page", "nothing"} {
		failures := record(t, func(t testing.TB) {
			tab := webtest.Open(t, at+"/", webtest.Phone, webtest.Light)
			if want != "nothing" {
				tab.Before(`window.held = "before the page"`)
			}
			for range 2 {
				tab.Goto("/")
				var held string
				if tab.Eval(`window.held ?? "nothing"`, &held); held != want {
					t.Errorf("the page finds %q, want %q", held, want)
				}
			}
		})
		if len(failures) > 0 {
			t.Errorf("test %d: %q", i, failures)
		}
	}
}

func serve(t *testing.T, pages map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/strict" {
			w.Header().Set("Content-Security-Policy", "script-src 'none'")
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/sent" {
			fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Sent</title><link rel="icon" href="data:,"><main><h1>Got %s, %s, %s</h1></main></html>`, r.FormValue("name"), r.FormValue("c"), r.FormValue("size"))
			return
		}
		page, ok := pages[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			page = good
		}
		fmt.Fprint(w, page)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAPersonFillsInAForm(t *testing.T) {
	base := serve(t, map[string]string{"/": good})
	tab := webtest.Open(t, base+"/", webtest.Phone, webtest.Dark)
	tab.NoViolations()
	tab.NoSidewaysScroll()
	if got := tab.Walk(20); !slices.Equal(got, []string{"textbox Your name", "radio Tea", "combobox Size", "button Send"}) {
		t.Errorf("the walk is %q", got)
	}
	tab.Fill("Your name", "Nobody")
	tab.Fill("Your name", "Ann")
	tab.Choose("Tea")
	tab.Select("Size", "Large")
	tab.Click("button", "Send")
	tab.WaitURL("/sent")
	tab.See("heading", "Got Ann, tea, 2")
}

// TestSubmitWaitsForTheNextPage: what is read after it is read on the page that the form leads to.
func TestSubmitWaitsForTheNextPage(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sent" {
			time.Sleep(300 * time.Millisecond) // the page before is open all this time
		}
		fmt.Fprint(w, good)
	}))
	t.Cleanup(server.Close)
	tab := webtest.Open(t, server.URL+"/", webtest.Phone, webtest.Light)
	for range 3 {
		tab.Submit("Send")
		if at := tab.URL(); !strings.Contains(at, "/sent") {
			t.Fatalf("after the form was sent the address is %s", at)
		}
		tab.Leave("history.back()")
		tab.WaitTrue(`location.pathname === "/"`)
	}
}

func TestEachTabHasItsOwnCookies(t *testing.T) {
	base := serve(t, map[string]string{"/": good})
	first := webtest.Open(t, base+"/", webtest.Desktop, webtest.Light)
	first.Eval(`document.cookie = "who=first"; true`, nil)
	second := webtest.Open(t, base+"/", webtest.Desktop, webtest.Light)
	var cookies string
	second.Eval("document.cookie", &cookies)
	if cookies != "" {
		t.Errorf("the second tab has %q", cookies)
	}
}

func TestATabIsEmptyForTheNextTest(t *testing.T) {
	base := serve(t, map[string]string{"/": good})
	for range 2 { // the second has the tab of the first
		t.Run("", func(t *testing.T) {
			tab := webtest.Open(t, base+"/", webtest.Phone, webtest.Light)
			var left string
			tab.Eval(`document.cookie + (localStorage.getItem("who") ?? "")`, &left)
			if left != "" {
				t.Errorf("a test left %q", left)
			}
			tab.Eval(`document.cookie = "who=somebody"; localStorage.setItem("who", "me")`, nil)
			tab.Offline(true)
		})
	}
}

// TestOfflineRequestsFail, and succeed again afterwards.
func TestOfflineRequestsFail(t *testing.T) {
	base := serve(t, map[string]string{"/": good})
	tab := webtest.Open(t, base+"/", webtest.Phone, webtest.Light)
	tab.Allow("ERR_INTERNET_DISCONNECTED")
	const arrives = `fetch("/", { cache: "no-store" }).then(() => true, () => false)`
	tab.WaitTrue(arrives)
	tab.Offline(true)
	tab.WaitTrue(`!navigator.onLine && ` + strings.Replace(arrives, "() => true, () => false", "() => false, () => true", 1))
	tab.Offline(false)
	tab.WaitTrue(arrives)
}

func TestLookingAround(t *testing.T) {
	page := func(style string) string {
		return strings.Replace(good, "</head>", "<style>input, select, button { min-height: 44px; min-width: 44px } label { display: inline-block; min-height: 44px; min-width: 44px } "+style+"</style></head>", 1)
	}
	base := serve(t, map[string]string{
		"/":       page(""),
		"/narrow": page("@media (max-width: 330px) { form { width: 350px } }"),
		"/tablet": page("@media (width: 768px) { button { min-height: 0; height: 20px } }"),
		"/dark":   page("@media (prefers-color-scheme: dark) { h1 { color: #777; background: #666 } }"),
		"/light":  page("@media (prefers-color-scheme: light) { h1 { color: #eee; background: #fff } }"),
		"/chosen": strings.Replace(page(`[data-theme="light"] h1 { color: #eee; background: #fff }`), "<html", `<html data-theme="dark"`, 1),
	})
	for path, says := range map[string]string{
		"/": "", "/narrow": "scrolls sideways at 320 px", "/tablet": "too small for a finger", "/dark": "phone dark", "/light": "desktop light", "/chosen": "desktop light",
	} {
		t.Run(path, func(t *testing.T) {
			failures := record(t, func(t testing.TB) {
				tab := webtest.Open(t, base+path, webtest.Tablet, webtest.Dark)
				tab.LookAround("page")
				tab.WaitTrue(`innerWidth === 768 && matchMedia("(prefers-color-scheme: dark)").matches`)
			})
			if says == "" && len(failures) > 0 || says != "" && (len(failures) != 1 || !strings.Contains(failures[0], says)) {
				t.Errorf("want one failure that says %q: %q", says, failures)
			}
		})
	}
}

func TestPaperAndMotion(t *testing.T) {
	base := serve(t, map[string]string{"/": good})
	tab := webtest.Open(t, base+"/", webtest.Phone, webtest.Dark)
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, "screen reduce"},
		{func() { tab.Print(true) }, "print reduce"},
		{func() { tab.Motion(true) }, "print move"},
		{func() { tab.Print(false) }, "screen move"},
		{func() { tab.Motion(false) }, "screen reduce"},
	} {
		step.do()
		var got string
		tab.Eval(`(matchMedia("print").matches ? "print" : "screen") + (matchMedia("(prefers-reduced-motion)").matches ? " reduce" : " move")`, &got)
		if got != step.want {
			t.Errorf("the page sees %q, want %q", got, step.want)
		}
	}
}

func TestWhatPeopleStumbleOverFailsTests(t *testing.T) {
	page := func(body string) string {
		return `<!doctype html><html lang="en"><head><title>Page</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head><body><main><h1>Page</h1>` + body + `</main></body></html>`
	}
	base := serve(t, map[string]string{
		"/label":   page(`<input name="x">`),
		"/wide":    page(`<div style="width: 2000px">wide</div>`),
		"/small":   page(`<button style="width: 20px; height: 20px; padding: 0">x</button>`),
		"/console": page(`<script>console.error("the cat is on the keyboard")</script>`),
		"/throw":   page(`<script>throw new Error("no cheese")</script>`),
		"/strict":  page(`<script>1</script>`),
		"/focus":   page(`<style>a { outline: none !important }</style><a href="/">Home</a>`),
		"/covered": page(`<button>Send</button><div style="position: fixed; inset: 0; background: white">over</div>`),
	})
	for path, test := range map[string]struct {
		look func(tab *webtest.Tab)
		says string
	}{
		"/label":   {(*webtest.Tab).NoViolations, "label"},
		"/wide":    {(*webtest.Tab).NoSidewaysScroll, "scrolls sideways at 360 px"},
		"/small":   {(*webtest.Tab).LargeTargets, "too small for a finger: 20 x 20"},
		"/console": {func(tab *webtest.Tab) { tab.WaitFor("Page") }, "the cat is on the keyboard"},
		"/throw":   {func(tab *webtest.Tab) { tab.WaitFor("Page") }, "no cheese"},
		"/strict":  {func(tab *webtest.Tab) { tab.WaitFor("Page") }, "Content Security Policy"},
		"/missing": {func(tab *webtest.Tab) {}, "404"},
		"/focus":   {func(tab *webtest.Tab) { tab.Walk(3) }, "the focus is not visible on link Home"},
		"/covered": {func(tab *webtest.Tab) { tab.Click("button", "Send") }, "it cannot be hit"},
	} {
		t.Run(path, func(t *testing.T) {
			failures := record(t, func(t testing.TB) { test.look(webtest.Open(t, base+path, webtest.Phone, webtest.Light)) })
			if !slices.ContainsFunc(failures, func(f string) bool { return strings.Contains(f, test.says) }) {
				t.Errorf("no failure says %q: %q", test.says, failures)
			}
		})
	}
	failures := record(t, func(t testing.TB) {
		tab := webtest.Open(t, base+"/console", webtest.Phone, webtest.Light)
		tab.Allow("on the keyboard")
	})
	if len(failures) > 0 {
		t.Errorf("what is allowed fails: %q", failures)
	}
}

// TestPagesFindAnOrdinaryBrowser: the headless shell denies permissions that people's browsers give or ask for.
func TestPagesFindAnOrdinaryBrowser(t *testing.T) {
	base := serve(t, map[string]string{"/": good})
	tab := webtest.Open(t, base+"/", webtest.Phone, webtest.Light)
	var found struct{ Copying, Notifications string }
	tab.Eval(`navigator.permissions.query({name: "clipboard-write"}).then((p) => ({Copying: p.state, Notifications: Notification.permission}))`, &found)
	if found.Copying != "granted" || found.Notifications != "default" {
		t.Errorf("permissions: %+v", found)
	}
}
