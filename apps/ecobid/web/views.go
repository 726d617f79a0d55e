package web

import "sortkey.dev/apps/internal/webkit"

// views declares the data of the pages.
var views = webkit.Views{
	"about.html":            aboutView{},
	"blocks.html":           blocksView{},
	"home.html":             homeView{},
	"impact.html":           impactView{},
	"item.html":             itemView{},
	"mine.html":             mineView{},
	"notices.html":          noticesView{},
	"notifications.html":    newsView{},
	"operator-reports.html": reportsView{},
	"person.html":           personView{},
	"pickup.html":           pickupView{},
	"place.html":            placeView{},
	"post.html":             postView{},
	"profile.html":          profileView{},
	"searches.html":         searchesView{},
	"webhooks.html":         hooksView{},
}
