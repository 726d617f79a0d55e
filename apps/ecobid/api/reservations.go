package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
)

func writeCreated(w http.ResponseWriter, value any) error {
	return jsonapi.Write(w, http.StatusCreated, value)
}

func (a *api) reservationEndpoints() []openapi.Operation {
	return []openapi.Operation{
		on(a, http.MethodGet, "/v1/users/me/reservations", "Own reservations", member, http.StatusOK, a.taking),
		on(a, http.MethodGet, "/v1/users/me/requests", "Reservations of own items", member, http.StatusOK, a.requests),
		on(a, http.MethodGet, "/v1/reservations/{id}", "A reservation", member, http.StatusOK, a.reservation),
		on(a, http.MethodPost, "/v1/reservations/{id}/accept", "Accept an offer", member, http.StatusOK, a.accept),
		on(a, http.MethodPost, "/v1/reservations/{id}/confirm", "Confirm a request with a time", member, http.StatusOK, a.confirm),
		on(a, http.MethodPost, "/v1/reservations/{id}/decline", "Decline a request", member, http.StatusOK, a.decline),
		on(a, http.MethodPost, "/v1/reservations/{id}/cancel", "Cancel a reservation", member, http.StatusOK, a.cancel),
		on(a, http.MethodPost, "/v1/reservations/{id}/picked-up", "Confirm the pickup", member, http.StatusOK, a.pickedUp),
		on(a, http.MethodGet, "/v1/reservations/{id}/code", "The code of the pickup, for the giver", member, http.StatusOK, a.code),
		on(a, http.MethodPost, "/v1/reservations/{id}/complete", "Complete the pickup with the giver's code", member, http.StatusOK, a.complete),
		on(a, http.MethodGet, "/v1/reservations/{id}/messages", "Messages between the parties", member, http.StatusOK, a.messages),
		on(a, http.MethodPost, "/v1/reservations/{id}/messages", "Send a message", member, http.StatusCreated, a.send),
		on(a, http.MethodPost, "/v1/reservations/{id}/rating", "Rate the other party", member, http.StatusCreated, a.rate),
	}
}

type pastPages struct {
	Past   bool   `query:"past"`
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}

func (a *api) taking(ctx context.Context, c *call, in pastPages) (List[Reservation], error) {
	page, err := a.Domain.Giving.Taking(ctx, c.user(), in.Past, in.Limit, in.Cursor)
	return listOf(page, reservationOf), err
}

func (a *api) requests(ctx context.Context, c *call, in pastPages) (List[Reservation], error) {
	page, err := a.Domain.Giving.Requests(ctx, c.user(), in.Past, in.Limit, in.Cursor)
	return listOf(page, reservationOf), err
}

func (a *api) reservation(ctx context.Context, c *call, in byID) (Reservation, error) {
	r, err := a.Domain.Giving.Get(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

func (a *api) accept(ctx context.Context, c *call, in byID) (Reservation, error) {
	r, err := a.Domain.Giving.Accept(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

// A Confirmation names the time of a pickup.
type Confirmation struct {
	PickupTime time.Time `json:"pickupTime"`
	Message    string    `json:"message,omitempty"`
}

func (a *api) confirm(ctx context.Context, c *call, in struct {
	ID   string `path:"id"`
	Body Confirmation
}) (Reservation, error) {
	r, err := a.Domain.Giving.Confirm(ctx, c.user(), in.ID, in.Body.PickupTime, in.Body.Message)
	return reservationOf(r), err
}

func (a *api) decline(ctx context.Context, c *call, in byID) (Reservation, error) {
	r, err := a.Domain.Giving.Decline(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

func (a *api) cancel(ctx context.Context, c *call, in byID) (Reservation, error) {
	r, err := a.Domain.Giving.Cancel(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

func (a *api) pickedUp(ctx context.Context, c *call, in byID) (Reservation, error) {
	r, err := a.Domain.Giving.PickedUp(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

// A Code is the code of a pickup.
type Code struct {
	Code string `json:"code"`
}

func (a *api) code(ctx context.Context, c *call, in byID) (Code, error) {
	code, err := a.Domain.Giving.Code(ctx, c.user(), in.ID)
	return Code{code}, err
}

func (a *api) complete(ctx context.Context, c *call, in struct {
	ID   string `path:"id"`
	Body Code
}) (Reservation, error) {
	r, err := a.Domain.Giving.Redeem(ctx, c.user(), in.ID, in.Body.Code)
	return reservationOf(r), err
}

func (a *api) messages(ctx context.Context, c *call, in pagesOf) (List[Message], error) {
	page, err := a.Domain.Giving.Messages(ctx, c.user(), in.ID, in.Limit, in.Cursor)
	return listOf(page, messageOf), err
}

// A Text is a message to send.
type Text struct {
	Text string `json:"text"`
}

func (a *api) send(ctx context.Context, c *call, in struct {
	ID   string `path:"id"`
	Key  string `header:"Idempotency-Key"`
	Body Text
}) (Message, error) {
	m, err := a.Domain.Giving.Send(ctx, c.user(), in.ID, in.Body.Text, in.Key)
	return messageOf(m), err
}

// A NewRating rates the other party of a pickup.
type NewRating struct {
	Rating  int    `json:"rating"`
	Comment string `json:"comment,omitempty"`
}

func (a *api) rate(ctx context.Context, c *call, in struct {
	ID   string `path:"id"`
	Key  string `header:"Idempotency-Key"`
	Body NewRating
}) (None, error) {
	return None{}, a.Domain.Trust.Rate(ctx, c.user(), in.ID, in.Body.Rating, in.Body.Comment, in.Key)
}
