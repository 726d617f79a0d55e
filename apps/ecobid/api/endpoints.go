package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"sortkey.dev/apps/internal/openapi"
)

// None is the type of endpoints without arguments or without a response.
type None = openapi.None

// on declares an endpoint whose callers need a level.
func on[In, Out any](a *api, method, path, summary string, needed level, status int, do func(ctx context.Context, c *call, in In) (Out, error)) openapi.Operation {
	who := func(w http.ResponseWriter, r *http.Request) (*call, error) { return a.identify(w, r, needed) }
	operation := openapi.On(who, method, path, summary, status, do)
	operation.Public = needed == public
	return operation
}

// endpoints returns all endpoints of the API, by subject.
func (a *api) endpoints() []openapi.Operation {
	return slices.Concat(a.authEndpoints(), a.itemEndpoints(), a.reservationEndpoints(), a.auctionEndpoints(), a.peopleEndpoints(), a.settingsEndpoints(), a.moderationEndpoints(), []openapi.Operation{
		on(a, http.MethodGet, "/health", "Whether the database can be used", public, http.StatusOK, a.health),
		on(a, http.MethodGet, "/v1/impact", "What was kept out of the bin", public, http.StatusOK, a.impact),
		{
			Method: http.MethodGet, Path: "/v1/photos/{id}", Summary: "A photo", Public: true, Status: http.StatusOK, Handler: a.photo,
			In: reflect.TypeFor[photoArguments](), Out: reflect.TypeFor[None](), Media: "image/jpeg",
		},
		{
			Method: http.MethodPost, Path: "/v1/uploads", Summary: "Upload a photo", Status: http.StatusCreated, Handler: a.upload,
			In: reflect.TypeFor[None](), Out: reflect.TypeFor[Uploaded](), Upload: "image/*",
		},
		{
			Method: http.MethodGet, Path: "/v1/auctions/{id}/events", Summary: "The auction at every change, as server-sent events", Public: true, Status: http.StatusOK, Handler: a.auctionEvents,
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
