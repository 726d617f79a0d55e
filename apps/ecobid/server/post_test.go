package server_test

import (
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// TestBrowserPhotosOnTheirWay: a thing that is posted while its photos are being uploaded has all of them.
func TestBrowserPhotosOnTheirWay(t *testing.T) {
	base := start(t)
	signUp(t, base, "greta")
	tab := signIn(t, base, "greta", webtest.Phone)
	tab.Goto("/post")
	tab.Eval(`(() => { const fetch = globalThis.fetch; globalThis.fetch = (...all) => new Promise((go) => setTimeout(go, 700)).then(() => fetch(...all)); })()`, nil) // a slow network
	attach(tab, "table.jpg", "image/jpeg", picture(t))
	attach(tab, "leg.jpg", "image/jpeg", picture(t))
	tab.Fill("What is it?", "Oak table")
	tab.Choose("Furniture")
	tab.Click("button", "Post it")
	tab.WaitURL("/items/")
	tab.WaitTrue(`document.querySelectorAll(".photos img").length === 2`)
}

// TestBrowserAPhotoIsTakenAway: of a thing that was posted, and of a form that was refused.
func TestBrowserAPhotoIsTakenAway(t *testing.T) {
	base := start(t)
	greta := signUp(t, base, "greta")
	item := give(greta, "Oak table", "first", "photo-id", photo(greta))
	tab := signIn(t, base, "greta", webtest.Phone)
	tab.Goto(item + "/edit")
	tab.WaitTrue(`document.querySelectorAll(".thumbs button").length === 2`)
	tab.Eval(`document.querySelector(".thumbs button").click()`, nil)
	tab.LookAround("edit")
	tab.Click("button", "Save")
	tab.WaitTrue(`document.querySelectorAll(".photos img").length === 1`)

	tab.Goto("/post")
	attach(tab, "table.jpg", "image/jpeg", picture(t))
	tab.WaitTrue(`document.querySelector(".thumbs img")?.naturalWidth > 0`)
	tab.Eval(`document.querySelector("[data-post]").noValidate = true`, nil)
	tab.Submit("Post it")
	tab.WaitFor("Please check")
	tab.WaitTrue(`document.querySelectorAll(".thumbs button").length === 1`)
}

// TestBrowserAnUnfinishedThingIsPrivate: what one person has typed and not sent is not shown to the next person at the same
// device, and is there again when the first one is back.
func TestBrowserAnUnfinishedThingIsPrivate(t *testing.T) {
	base := start(t)
	signUp(t, base, "greta")
	signUp(t, base, "timo")
	tab := signIn(t, base, "greta", webtest.Phone)
	tab.Goto("/post")
	tab.Eval(`document.querySelector("form details").open = true`, nil)
	tab.Fill("Where to pick it up", "Marszałkowska 1")
	const typed = `document.querySelector("[name=address]").value`
	for _, step := range []struct{ name, want string }{{"timo", ""}, {"greta", "Marszałkowska 1"}} {
		tab.Goto("/account")
		tab.Submit("Sign out")
		tab.Goto("/sign-in")
		tab.Fill("E-mail address", step.name+"@example.org")
		tab.Fill("Password", "correct horse battery")
		tab.Submit("Sign in")
		tab.Goto("/post")
		var address string
		if tab.Eval(typed, &address); address != step.want {
			t.Errorf("the form of %s has the address %q, want %q", step.name, address, step.want)
		}
	}
}

// TestBrowserAPostWithoutAConnection: what was typed is still there when the connection is back.
func TestBrowserAPostWithoutAConnection(t *testing.T) {
	base := start(t)
	signUp(t, base, "greta")
	tab := signIn(t, base, "greta", webtest.Phone)
	tab.Goto("/post")
	attach(tab, "table.jpg", "image/jpeg", picture(t))
	tab.WaitTrue(`document.querySelector(".thumbs img")?.naturalWidth > 0`)
	tab.Fill("What is it?", "Oak table")
	tab.Choose("Furniture")
	tab.Allow("ERR_INTERNET_DISCONNECTED")
	tab.Offline(true)
	tab.Click("button", "Post it")
	tab.WaitFor("There is no connection. Nothing was sent")
	tab.Offline(false)
	tab.Click("button", "Post it")
	tab.WaitURL("/items/")
	tab.WaitFor("Oak table")
}
