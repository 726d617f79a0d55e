package server_test

import (
	"net/http"
	"testing"
	"time"

	"sortkey.dev/apps/internal/webtest"
)

// TestBrowserEditingKeepsThePlace: a thing stays where it is when its giver, who looks around elsewhere, edits it.
func TestBrowserEditingKeepsThePlace(t *testing.T) {
	base := start(t)
	greta, timo := signUp(t, base, "greta"), signUp(t, base, "timo")
	posted := give(greta, "Oak table", "first", "coarse", "on")
	greta.Open("/post").Send(http.StatusUnprocessableEntity, "/post", "title", "Lamp", "category", "home", "condition", "good", "way", "first", "address", "Marszałkowska 1", "coarse", "on").Says("Kept as a draft")
	draft := itemLink.FindString(greta.Page)
	greta.Open("/place").Send(http.StatusOK, "/place", "city", "krakow", "next", "/")

	tab := signIn(t, base, "greta", webtest.Phone)
	tab.Goto("/place")
	tab.Fill("City", "Kraków")
	tab.Submit("Take this city")
	tab.Goto(draft + "/edit")
	tab.WaitTrue(`document.querySelector("[name=address]").value === "Marszałkowska 1" && document.querySelector("[name=coarse]").checked`)
	attach(tab, "lamp.jpg", "image/jpeg", picture(t))
	tab.WaitTrue(`document.querySelector(".thumbs img")?.naturalWidth > 0`)
	tab.LookAround("edit-draft")
	tab.Submit("Post it") // as the page of a new thing says
	tab.WaitFor("Warsaw ·")

	tab.Goto(posted + "/edit")
	tab.WaitTrue(`document.querySelector("[name=address]").value === "Marszałkowska 1" && !document.querySelector("[name=coarse]")`)
	tab.LookAround("edit-posted")
	tab.Fill("Where to pick it up", "Nowa 2")
	tab.Submit("Save")
	tab.WaitFor("Warsaw ·")

	for item, address := range map[string]string{draft: "Marszałkowska 1", posted: "Nowa 2"} {
		timo.Open(item).Says("Warsaw ·").Send(http.StatusOK, item+"/reserve", "message", "Tonight?")
		pickup := timo.Path
		greta.Open(pickup).Send(http.StatusOK, pickup+"/confirm", "time", time.Now().Add(30*time.Hour).Format("2006-01-02T15:04"))
		timo.Open(pickup).Says(address)
	}
}
