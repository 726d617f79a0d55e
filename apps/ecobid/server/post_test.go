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
