package server_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/qrcode"
	"sortkey.dev/apps/internal/webtest"
)

// TestMain runs the tests, the child process of the kill test, or the converter of TestHEIC.
func TestMain(m *testing.M) {
	if directory := os.Getenv(killDirectory); directory != "" {
		serveUntilKilled(directory)
	}
	if os.Getenv(convertVariable) != "" {
		if err := convert(os.Args[2]); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	webtest.Main(m)
}

// signIn opens a tab of a person who has an account.
func signIn(t *testing.T, base, name string, size webtest.Size) *webtest.Tab {
	t.Helper()
	tab := webtest.Open(t, base+"/sign-in", size, webtest.Light)
	tab.Fill("E-mail address", name+"@example.org")
	tab.Fill("Password", "correct horse battery")
	tab.Click("button", "Sign in")
	tab.WaitTrue(`!location.pathname.startsWith("/sign-in")`)
	return tab
}

// attach puts a file into the file field of a page, as a person does.
func attach(tab *webtest.Tab, name, mediaType string, content []byte) {
	tab.Eval(fmt.Sprintf(`(() => {
		const bytes = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)), files = new DataTransfer(), field = document.querySelector("input[type=file]");
		files.items.add(new File([bytes], %q, { type: %q }));
		field.files = files.files;
		field.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, base64.StdEncoding.EncodeToString(content), name, mediaType), nil)
}

// path returns the path of an open page.
func path(tab *webtest.Tab, base string) string {
	at, _, _ := strings.Cut(strings.TrimPrefix(tab.URL(), base), "?")
	return at
}

// TestBrowserAThingGoesFromHandToHand walks a giver and a taker from the photo to the ratings, both
// on a phone.
func TestBrowserAThingGoesFromHandToHand(t *testing.T) {
	base := start(t)
	signUp(t, base, "greta")
	signUp(t, base, "timo")
	giver, taker := signIn(t, base, "greta", webtest.Phone), signIn(t, base, "timo", webtest.Phone)

	giver.Goto("/post")
	giver.LookAround("post")
	attach(giver, "table.jpg", "image/jpeg", picture(t))
	giver.WaitTrue(`document.querySelector(".thumbs img")?.naturalWidth > 0`)
	giver.Fill("What is it?", "Oak table")
	giver.Reload() // what was typed is kept
	giver.WaitTrue(`document.querySelector("[name=title]").value === "Oak table"`)
	attach(giver, "table.jpg", "image/jpeg", picture(t))
	giver.WaitTrue(`document.querySelector(".thumbs img")?.naturalWidth > 0`)
	giver.Choose("Furniture")
	giver.WaitTrue(`document.querySelector("[name=category]:checked")?.value === "furniture"`)
	giver.Eval(`document.querySelector("form details").open = true`, nil)
	giver.Fill("Where to pick it up", "Marszałkowska 1")
	giver.LookAround("post-filled")
	giver.Click("button", "Post it")
	giver.WaitURL("/items/")
	giver.WaitFor("Your neighbours see it now")
	item := path(giver, base)
	giver.LookAround("item-own")

	taker.Goto("/")
	taker.WaitFor("Oak table")
	taker.LookAround("home")
	taker.Goto(item)
	taker.LookAround("item")
	taker.Fill("When could you come?", "Tonight at 7?")
	taker.Click("button", "Reserve it")
	taker.WaitURL("/pickups/")
	pickup := path(taker, base)
	taker.WaitFor("greta answers next")
	taker.LookAround("pickup-asked")

	giver.Goto(pickup)
	giver.WaitFor("Tonight at 7?")
	giver.LookAround("pickup-answer")
	giver.Eval(fmt.Sprintf(`document.querySelector("[name=time]").value = %q`, time.Now().Add(30*time.Hour).Format("2006-01-02T15:04")), nil)
	giver.Click("button", "Confirm and show the address")
	giver.WaitTrue(`document.querySelector(".qr")?.naturalWidth > 0`)
	fitsWidestCode(t, giver)
	giver.LookAround("pickup-giver")
	taker.WaitFor("Marszałkowska 1") // the open page has followed
	taker.LookAround("pickup-taker")
	taker.Fill("Your message", "On my way")
	taker.Click("button", "Send")
	giver.WaitFor("On my way")

	taker.Goto(scan(t, giver, base, pickup))
	taker.LookAround("pickup-scanned")
	taker.Click("button", "Picked up")
	taker.WaitFor("One thing less in the bin")
	giver.WaitFor("One thing less in the bin")
	taker.LookAround("pickup-done")
	for tab, words := range map[*webtest.Tab]string{taker: "Lovely", giver: "On time"} {
		tab.Eval(`document.querySelector("[name=stars][value='5']").click()`, nil)
		tab.Fill("A few words", words)
		tab.Click("button", "Rate")
		tab.WaitFor("Thank you")
		tab.WaitGone("How was it with")
	}
	taker.LookAround("pickup-rated")
	taker.Goto("/notifications")
	taker.WaitFor("Enjoy Oak table")
	taker.LookAround("notifications")
	taker.Click("link", "Enjoy Oak table")
	taker.WaitURL(pickup)
	for name, page := range map[string]string{"mine-past": "/mine?past=1", "impact": "/impact"} {
		giver.Goto(page)
		giver.LookAround(name)
	}
}

// scan returns the link of the QR code on the giver's screen. It compares the drawing with that of the
// link, because browsers on all systems draw codes and only some read them.
func scan(t *testing.T, giver *webtest.Tab, base, pickup string) string {
	t.Helper()
	var code, image string
	giver.Eval(`document.querySelector(".spoken").textContent`, &code)
	giver.Eval(`(() => { const request = new XMLHttpRequest(); request.open("GET", document.querySelector(".qr").src, false); request.send(); return request.responseText; })()`, &image)
	link := pickup + "?code=" + code
	want, err := qrcode.New(base + link)
	if err != nil {
		t.Fatal(err)
	}
	if image != want.SVG() {
		t.Errorf("the QR code does not lead to %s", link)
	}
	return link
}

// fitsWidestCode checks that no pickup code makes a narrow page scroll sideways. Codes are random.
func fitsWidestCode(t *testing.T, tab *webtest.Tab) {
	t.Helper()
	tab.Resize(webtest.Narrow)
	var excess int // measured at once: the next update of the page restores the code
	tab.Eval(`(() => {
		document.querySelector(".spoken").textContent = "WWWWWW";
		return document.documentElement.scrollWidth - document.documentElement.clientWidth;
	})()`, &excess)
	if excess > 0 {
		t.Errorf("the widest code exceeds a narrow screen by %d pixels", excess)
	}
	tab.Resize(webtest.Phone)
}

// TestBrowserTwoTabsBidLive lets two people bid against each other, each with an open page.
func TestBrowserTwoTabsBidLive(t *testing.T) {
	base := start(t)
	seller := signUp(t, base, "selma")
	signUp(t, base, "boris")
	signUp(t, base, "carla")
	item := give(seller, "Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	boris, carla := signIn(t, base, "boris", webtest.Phone), signIn(t, base, "carla", webtest.Desktop)
	boris.Goto(item)
	carla.Goto(item)
	carla.LookAround("auction")
	carla.Fill("Your maximum, stays secret", "8.00")
	boris.Fill("Your maximum, stays secret", "12.00")
	boris.Click("button", "Place bid")
	boris.WaitFor("You lead")
	boris.LookAround("auction-leading")
	carla.WaitFor("1 bid") // without a reload
	carla.WaitTrue(`document.querySelector("[name=maximum]").value === "8.00"`)
	carla.Click("button", "Place bid")
	carla.WaitFor("Outbid at once")
	carla.LookAround("auction-outbid")
	boris.WaitFor("9.00 PLN")
	carla.Fill("Your maximum, stays secret", "20.00")
	carla.Click("button", "Place bid")
	carla.WaitFor("You lead")
	boris.WaitFor("13.00 PLN")
	boris.WaitTrue(`!document.body.textContent.includes("You lead")`)
	boris.WaitFor("You were outbid")
	boris.WaitTrue(`document.querySelector("[name=maximum]").value === "14.00"`)
	boris.LookAround("auction-history")
	for _, tab := range []*webtest.Tab{boris, carla} {
		var text string
		tab.Eval(`document.querySelector("main").textContent`, &text)
		if tab == boris && strings.Contains(text, "20.00") {
			t.Error("the maximum of another person is on the page")
		}
	}
	boris.Goto("/mine")
	boris.WaitFor("Outbid")
	boris.LookAround("mine-bids")
	boris.Goto("/notifications")
	boris.WaitFor("You were outbid")
	desk := signIn(t, base, "selma", webtest.Desktop)
	desk.Goto(item)
	desk.LookAround("auction-own")
}

// TestBrowserOtherPages looks at the pages that the other walks do not reach.
func TestBrowserOtherPages(t *testing.T) {
	base, system := startSystem(t)
	visitor := webtest.Open(t, base+"/", webtest.Phone, webtest.Light)
	visitor.Allow("422|409|404|403")
	visitor.WaitFor("Nothing here yet")
	visitor.LookAround("home-empty")
	for name, page := range map[string]string{"about": "/about", "impact-empty": "/impact", "place": "/place", "sign-up": "/sign-up", "missing": "/items/none"} {
		visitor.Goto(page)
		visitor.LookAround(name)
	}
	giver, other := signUp(t, base, "gustav"), signUp(t, base, "olga")
	tab := signIn(t, base, "olga", webtest.Phone)
	tab.Allow("422|409|404|403")
	tab.Goto("/mine")
	tab.LookAround("mine-empty")
	for i, title := range []string{"A very long title of a wardrobe with three doors that has to be broken into two lines", "Lamp", "Books"} {
		give(giver, title, []string{"first", "queue", "draw"}[i])
	}
	draw := giver.Path
	tab.Goto("/?view=map")
	tab.WaitFor("3 items")
	tab.LookAround("map")
	tab.Goto("/")
	tab.Eval(`document.querySelector(".wishes-box").open = true`, nil)
	tab.LookAround("home-filter")
	tab.Goto(draw)
	tab.Click("button", "Take a ticket")
	tab.WaitFor("You have a ticket")
	tab.LookAround("item-joined")
	tab.Eval(`[...document.querySelectorAll("summary")].find((e) => e.textContent === "Report this").click()`, nil)
	tab.LookAround("item-report")
	other.Open("/settings/searches").Send(http.StatusOK, "/settings/searches", "words", "bicycle", "category", "any", "radius", "5")
	for name, page := range map[string]string{
		"searches": "/settings/searches", "profile": "/settings/profile", "account": "/account", "post-again": "/post", "person": personLink(giver.Open(draw).Page),
		"notifications-empty": "/notifications", "settings-notifications": "/settings/notifications", "webhooks-empty": "/settings/webhooks", "blocks-empty": "/settings/blocks",
	} {
		tab.Goto(page)
		tab.LookAround(name)
	}
	tab.Goto("/settings/notifications")
	tab.Click("checkbox", "Quiet hours: no messages to my devices")
	tab.Fill("Until (hour)", "22")
	tab.Click("button", "Save")
	tab.WaitFor("cannot begin and end at the same time")
	tab.LookAround("settings-notifications-refused")
	tab.Goto("/settings/webhooks")
	tab.Fill("Address", "http://localhost/hook")
	tab.Click("button", "Add")
	tab.WaitFor("Address:")
	tab.LookAround("webhooks-refused")
	tab.Fill("Address", "https://hooks.invalid/ecobid/a-rather-long-path-that-does-not-fit-on-one-line-of-a-phone")
	tab.Click("button", "Add")
	tab.WaitFor("whsec_") // the secret itself, to be read without scripts too
	tab.LookAround("webhooks")
	other.Open(draw).Send(http.StatusOK, draw+"/report", "reason", "A trap", "note", "It ticks.")
	tab.Goto(personLink(other.Open(draw).Page))
	tab.Click("button", "Block")
	tab.LookAround("person-block")
	tab.Click("button", "Block")
	tab.WaitFor("Blocked people")
	tab.LookAround("blocks")
	desk := webtest.Open(t, base+"/operator/sign-in", webtest.Desktop, webtest.Light)
	desk.Fill("Your name", "operator")
	desk.Fill("Your secret", operatorSecretOf(t, system))
	desk.Click("button", "Sign in")
	desk.WaitTrue(`!location.pathname.endsWith("/sign-in")`)
	desk.Goto("/operator/reports")
	desk.WaitFor("It ticks.")
	desk.LookAround("operator-reports")
}
