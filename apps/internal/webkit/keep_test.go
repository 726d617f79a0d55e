package webkit_test

import (
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// openKept opens the gallery with its page kept on the device.
func openKept(t *testing.T) (*gallery, *webtest.Tab) {
	t.Helper()
	options := galleryOptions(t)
	options.App.Worker = "subscribed.js"
	g := newGallery(t, options)
	tab := webtest.Open(t, g.server.URL+"/form", webtest.Phone, webtest.Light)
	tab.WaitTrue(`navigator.serviceWorker.ready.then((r) => r.active.state === "activated" && navigator.serviceWorker.controller)`)
	tab.WaitTrue(`caches.match("/form").then((kept) => kept !== undefined)`)
	return g, tab
}

// TestSigningInForgetsKeptPages: the session of the person before may have expired, so that nobody signed out. Push
// messages go on.
func TestSigningInForgetsKeptPages(t *testing.T) {
	t.Parallel()
	for name, enter := range map[string]string{
		"by a form": `(() => {
			const form = document.createElement("form");
			form.method = "post";
			form.action = "/enter";
			form.append(document.querySelector("input[name=csrf]").cloneNode());
			document.body.append(form);
			form.submit();
		})()`,
		"by a provider": `location.assign("/enter/with/provider")`,
	} {
		t.Run(name, func(t *testing.T) {
			_, tab := openKept(t)
			tab.Leave(enter)
			tab.WaitURL("/list")
			tab.WaitTrue(`caches.match("/form").then((kept) => kept === undefined)`)
			tab.WaitTrue(`caches.has("unsubscribed").then((ended) => !ended)`)
		})
	}
}

// TestAPageOnItsWayIsNotKeptAfterLeaving: a page that was asked for before the person left the device arrives later.
func TestAPageOnItsWayIsNotKeptAfterLeaving(t *testing.T) {
	t.Parallel()
	g, tab := openKept(t)
	until := make(chan struct{})
	g.hold.Store(&until)
	tab.Eval(`(self.other = window.open("/form")) !== null`, nil)
	for g.held.Load() == 0 {
		tab.WaitTrue("true") // the page is on its way
	}
	var outcome string
	tab.Eval(`fetch("/leave", {
		method: "POST", redirect: "manual", body: new URLSearchParams({ csrf: document.querySelector("input[name=csrf]").value }),
	}).then((answer) => answer.type)`, &outcome)
	if outcome != "opaqueredirect" {
		t.Fatalf("the outcome is %s", outcome)
	}
	tab.WaitTrue(`caches.match("/form").then((kept) => kept === undefined)`)
	close(until)
	tab.WaitTrue(`other.document.querySelector("h1") !== null`)
	var kept bool
	tab.Eval(`caches.match("/form").then(Boolean)`, &kept)
	if kept {
		t.Error("a page that arrived after its person had left is kept")
	}
	tab.Eval(`other.close()`, nil)
}
