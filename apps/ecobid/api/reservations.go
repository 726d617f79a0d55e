package api

import (
	"context"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// reservations serves the operations on reservations.
type reservations struct {
	giving *giving.Service
	trust  *trust.Service
}

func (h *reservations) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListReservations, c.member, h.taking),
		openapi.Handle(contract.ListRequests, c.member, h.requests),
		openapi.Handle(contract.GetReservation, c.member, h.reservation),
		openapi.Handle(contract.Accept, c.member, h.accept),
		openapi.Handle(contract.Confirm, c.member, h.confirm),
		openapi.Handle(contract.Decline, c.member, h.decline),
		openapi.Handle(contract.Cancel, c.member, h.cancel),
		openapi.Handle(contract.PickUp, c.member, h.pickedUp),
		openapi.Handle(contract.GetCode, c.member, h.code),
		openapi.Handle(contract.Complete, c.member, h.complete),
		openapi.Handle(contract.ListMessages, c.member, h.messages),
		openapi.Handle(contract.SendMessage, c.member, h.send),
		openapi.Handle(contract.Rate, c.member, h.rate),
	}
}

func (h *reservations) taking(ctx context.Context, c *call, in contract.Past) (contract.List[contract.Reservation], error) {
	page, err := h.giving.Taking(ctx, c.user(), in.Past, in.Limit, in.Cursor)
	return listOf(page, reservationOf), err
}

func (h *reservations) requests(ctx context.Context, c *call, in contract.Past) (contract.List[contract.Reservation], error) {
	page, err := h.giving.Requests(ctx, c.user(), in.Past, in.Limit, in.Cursor)
	return listOf(page, reservationOf), err
}

func (h *reservations) reservation(ctx context.Context, c *call, in operation.ByID) (contract.Reservation, error) {
	r, err := h.giving.Get(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

func (h *reservations) accept(ctx context.Context, c *call, in operation.ByID) (contract.Reservation, error) {
	r, err := h.giving.Accept(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

func (h *reservations) confirm(ctx context.Context, c *call, in operation.ByIDWith[contract.Confirmation]) (contract.Reservation, error) {
	r, err := h.giving.Confirm(ctx, c.user(), in.ID, in.Body.PickupTime, in.Body.Message)
	return reservationOf(r), err
}

func (h *reservations) decline(ctx context.Context, c *call, in operation.ByID) (contract.Reservation, error) {
	r, err := h.giving.Decline(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

func (h *reservations) cancel(ctx context.Context, c *call, in operation.ByID) (contract.Reservation, error) {
	r, err := h.giving.Cancel(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

func (h *reservations) pickedUp(ctx context.Context, c *call, in operation.ByID) (contract.Reservation, error) {
	r, err := h.giving.PickedUp(ctx, c.user(), in.ID)
	return reservationOf(r), err
}

func (h *reservations) code(ctx context.Context, c *call, in operation.ByID) (contract.Code, error) {
	code, err := h.giving.Code(ctx, c.user(), in.ID)
	return contract.Code{Code: code}, err
}

func (h *reservations) complete(ctx context.Context, c *call, in operation.ByIDWith[contract.Code]) (contract.Reservation, error) {
	r, err := h.giving.Redeem(ctx, c.user(), in.ID, in.Body.Code)
	return reservationOf(r), err
}

func (h *reservations) messages(ctx context.Context, c *call, in operation.PageOf) (contract.List[contract.Message], error) {
	page, err := h.giving.Messages(ctx, c.user(), in.ID, in.Limit, in.Cursor)
	return listOf(page, messageOf), err
}

func (h *reservations) send(ctx context.Context, c *call, in contract.Once[contract.Text]) (contract.Message, error) {
	m, err := h.giving.Send(ctx, c.user(), in.ID, in.Body.Text, in.Key)
	return messageOf(m), err
}

func (h *reservations) rate(ctx context.Context, c *call, in contract.Once[contract.NewRating]) (contract.None, error) {
	return contract.None{}, h.trust.Rate(ctx, c.user(), in.ID, in.Body.Rating, in.Body.Comment, in.Key)
}
