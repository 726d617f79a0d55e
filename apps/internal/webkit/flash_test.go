package webkit_test

import (
	"net/http"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

const removed = "Everything is removed"

func TestFlashIsShownOnce(t *testing.T) {
	v := newGallery(t, galleryOptions(t)).visitor(t)
	_, page := v.get("/form")
	v.post("/remove", formValues("csrf", v.token(page)))
	v.post("/remove", formValues("csrf", v.token(page)))
	if _, body := v.get("/form"); strings.Count(body, removed) != 2 {
		t.Error("two messages are not both on the next page")
	}
	if _, body := v.get("/form"); strings.Contains(body, removed) {
		t.Error("the messages are on the page after that, too")
	}
}

// TestFlashWaitsForAPageThatAPersonSees sends the headers of each kind of request while a message is pending.
func TestFlashWaitsForAPageThatAPersonSees(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, test := range []struct {
		name, method, path string
		seen               bool
		headers            []string
	}{
		{"a navigation", "GET", "/form", true, []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Accept", html}},
		{"a navigation through the service worker", "GET", "/form", true, []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "empty", "Accept", html}},
		{"a navigation to a page that is missing", "GET", "/nowhere", true, []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}},
		{"a navigation over plain HTTP", "GET", "/form", true, []string{"Accept", html}},
		{"a program without headers", "GET", "/form", true, nil},
		{"HEAD", "HEAD", "/form", false, []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Accept", html}},
		{"prefetch", "GET", "/form", false, []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Sec-Purpose", "prefetch;prerender"}},
		{"an old prefetch", "GET", "/form", false, []string{"Purpose", "prefetch", "Accept", html}},
		{"a frame", "GET", "/form", false, []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Accept", html}},
		{"a script", "GET", "/form", false, []string{"Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty", "Accept", "*/*"}},
		{"a script over plain HTTP", "GET", "/form", false, []string{"Accept", "*/*"}},
		{"events over plain HTTP", "GET", "/form", false, []string{"Accept", "text/event-stream"}},
		{"an image that is missing", "GET", "/nowhere.png", false, []string{"Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}},
		{"an image over plain HTTP", "GET", "/nowhere.png", false, []string{"Accept", "image/avif,image/webp,image/*,*/*;q=0.8"}},
		{"the service worker's offline page", "GET", "/offline", false, []string{"Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"}},
	} {
		v := g.visitor(t)
		_, page := v.get("/form")
		v.post("/remove", formValues("csrf", v.token(page)))
		r, err := http.NewRequest(test.method, v.base+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(test.headers); i += 2 {
			r.Header.Set(test.headers[i], test.headers[i+1])
		}
		_, body := v.do(r)
		_, next := v.get("/form")
		if strings.Contains(body, removed) != test.seen || strings.Contains(next, removed) == test.seen {
			t.Errorf("%s: the message is on its page: %t, on the next page: %t; want %t, %t",
				test.name, strings.Contains(body, removed), strings.Contains(next, removed), test.seen, !test.seen)
		}
	}
}

// TestBrowserAMessageOutlivesUnseenRequests lets a browser send each request that a person does not see between a form and the
// page that follows it.
func TestBrowserAMessageOutlivesUnseenRequests(t *testing.T) {
	t.Parallel()
	g := newGallery(t, galleryOptions(t))
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Light)
	tab.Allow("MIME type|frame|404|Failed to load resource")
	const installed = `navigator.serviceWorker.ready.then((r) => r.active.state === "activated" && navigator.serviceWorker.controller)`
	tab.WaitTrue(installed)
	for name, unseen := range map[string]string{
		"the service worker is installed": `navigator.serviceWorker.register("/service-worker.js?another").then((r) => new Promise((go) => {
			const worker = r.installing;
			worker.onstatechange = () => worker.state === "activated" && go(true);
		}))`,
		"a script looks again":       `fetch("/form").then((answer) => answer.text()).then(() => true)`,
		"a script asks for the head": `fetch("/form", { method: "HEAD" }).then(() => true)`,
		"events end":                 `new Promise((go) => { const source = new EventSource("/form"); source.onerror = () => { source.close(); go(true); }; })`,
		"an image is missing":        `new Promise((go) => { const image = new Image(); image.onerror = () => go(true); image.src = "/nowhere.png"; })`,
		"a form by script":           `fetch("/theme", { method: "POST", body: new URLSearchParams({ theme: "light", back: "/form", csrf: document.querySelector("input[name=csrf]").value }) }).then(() => true)`,
	} {
		tab.Eval(`fetch("/remove", { method: "POST", redirect: "manual", body: new URLSearchParams({ csrf: document.querySelector("input[name=csrf]").value }) }).then(() => true)`, nil)
		tab.Eval(unseen, nil)
		tab.Goto("/form")
		if !strings.Contains(tab.Text(), removed) {
			t.Errorf("%s: the message is lost", name)
		}
		tab.Goto("/list")
		if strings.Contains(tab.Text(), removed) {
			t.Errorf("%s: the message comes twice", name)
		}
		tab.Goto("/form")
	}
}

// TestBrowserAKeptPageHasNoOldMessage: a page is kept as it was seen, with the message that it had then.
func TestBrowserAKeptPageHasNoOldMessage(t *testing.T) {
	t.Parallel()
	g, tab := openKept(t)
	tab.Allow("ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to fetch|Failed to load resource")
	tab.Eval(`fetch("/remove", { method: "POST", redirect: "manual", body: new URLSearchParams({ csrf: document.querySelector("input[name=csrf]").value }) }).then(() => true)`, nil)
	tab.Goto("/form")
	tab.WaitFor(removed)
	tab.WaitTrue(`caches.match("/form").then((kept) => kept.text()).then((text) => text.includes("` + removed + `"))`)
	g.Close()
	g.server.CloseClientConnections()
	g.server.Listener.Close()
	tab.Goto("/form")
	tab.WaitFor("As of")
	if strings.Contains(tab.Text(), removed) {
		t.Error("the page that was kept shows its message again")
	}
}
