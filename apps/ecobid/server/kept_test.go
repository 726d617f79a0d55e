package server_test

import (
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// TestBrowserTheKeptPageIsWhole: the past things do not take the place of the open ones, which are kept for a time without a
// connection.
func TestBrowserTheKeptPageIsWhole(t *testing.T) {
	base := start(t)
	give(signUp(t, base, "greta"), "Oak table", "first")
	tab := signIn(t, base, "greta", webtest.Phone)
	tab.WaitTrue(`navigator.serviceWorker.ready.then((r) => r.active.state === "activated" && navigator.serviceWorker.controller)`)
	tab.Goto("/mine")
	tab.WaitTrue(`caches.match("/mine").then((kept) => kept !== undefined)`)
	tab.Goto("/mine?past=1")
	tab.WaitFor("Nothing of yours is over yet.")
	tab.WaitTrue(`caches.match("/mine").then((kept) => kept.text()).then((text) => text.includes("Oak table"))`)
}

// TestBrowserADeletedAccountLeavesNothingOnTheDevice: the draft of a thing has the address of its giver.
func TestBrowserADeletedAccountLeavesNothingOnTheDevice(t *testing.T) {
	base := start(t)
	signUp(t, base, "greta")
	tab := signIn(t, base, "greta", webtest.Phone)
	tab.Goto("/post")
	tab.Fill("What is it?", "Oak table")
	tab.WaitTrue(`JSON.stringify(localStorage).includes("Oak table")`)
	tab.Goto("/account/delete")
	tab.Choose("Yes, delete my account")
	tab.Fill("Current password", "correct horse battery")
	tab.Click("button", "Delete account")
	tab.WaitFor("Your account is deleted.")
	tab.WaitTrue(`!JSON.stringify(localStorage).includes("Oak table")`)
	tab.WaitTrue(`caches.match("/mine").then((kept) => kept === undefined)`)
}
