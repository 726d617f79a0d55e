package api

import (
	"net/http"
	"reflect"
	"slices"
)

// endpoints returns all endpoints of the API, by subject.
func (a *api) endpoints() []endpoint {
	return slices.Concat(a.authEndpoints(), a.itemEndpoints(), a.reservationEndpoints(), a.auctionEndpoints(), a.peopleEndpoints(), a.moderationEndpoints(), []endpoint{
		on(http.MethodGet, "/health", "Whether the database can be used", public, http.StatusOK, a.health),
		on(http.MethodGet, "/v1/impact", "What was kept out of the bin", public, http.StatusOK, a.impact),
		{
			Method: http.MethodGet, Path: "/v1/photos/{id}", Summary: "A photo", Level: public, Status: http.StatusOK,
			In: reflect.TypeFor[photoArguments](), Out: reflect.TypeFor[None](), Media: "image/jpeg",
		},
		{
			Method: http.MethodPost, Path: "/v1/uploads", Summary: "Upload a photo", Level: member, Status: http.StatusCreated,
			In: reflect.TypeFor[None](), Out: reflect.TypeFor[Uploaded](), Upload: "image/*",
		},
		{
			Method: http.MethodGet, Path: "/v1/auctions/{id}/events", Summary: "The auction at every change, as server-sent events", Level: public, Status: http.StatusOK,
			In: reflect.TypeFor[byID](), Out: reflect.TypeFor[None](), Media: "text/event-stream",
		},
	})
}

// byID holds the arguments of endpoints about one thing.
type byID struct {
	ID string `path:"id"`
}

// pages holds the arguments of lists.
type pages struct {
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}

// pagesOf holds the arguments of lists about one thing.
type pagesOf struct {
	ID     string `path:"id"`
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}

type photoArguments struct {
	ID   string `path:"id"`
	Size string `query:"size"`
}
