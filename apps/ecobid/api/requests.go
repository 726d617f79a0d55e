package api

import (
	"context"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/refusal"
)

// requests serves the operations of people who want an item.
type requests struct {
	giving *giving.Service
}

func (h *requests) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.GetPlace, c.member, h.place),
		openapi.Handle(contract.Reserve, c.member, h.reserve),
		openapi.Handle(contract.Join, c.member, h.join),
		openapi.Handle(contract.Leave, c.member, h.leave),
		openapi.Handle(contract.GetDraw, c.public, h.draw),
		openapi.Handle(contract.ListItemReservations, c.member, h.itemReservations),
		openapi.Handle(contract.ListEntries, c.member, h.entries),
	}
}

func (h *requests) place(ctx context.Context, c *call, in operation.ByID) (contract.Place, error) {
	place, err := h.giving.Place(ctx, c.user(), in.ID)
	return contract.Place{Lat: place.Point.Lat, Lon: place.Point.Lon, Address: place.Address}, err
}

func (h *requests) reserve(ctx context.Context, c *call, in contract.Once[contract.Wish]) (contract.Reservation, error) {
	r, err := h.giving.Reserve(ctx, giving.Request{UserID: c.user(), ItemID: in.ID, Message: in.Body.Message, Key: in.Key})
	return reservationOf(r), err
}

func (h *requests) join(ctx context.Context, c *call, in contract.Once[contract.Wish]) (contract.Joined, error) {
	joined, err := h.giving.Join(ctx, giving.Request{UserID: c.user(), ItemID: in.ID, Message: in.Body.Message, Key: in.Key})
	view := contract.Joined{Position: joined.Position}
	if joined.Reservation != nil {
		view.Reservation = new(reservationOf(*joined.Reservation))
	}
	return view, err
}

func (h *requests) leave(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.giving.Leave(ctx, c.user(), in.ID)
}

func (h *requests) draw(ctx context.Context, c *call, in operation.ByID) (contract.Draw, error) {
	drawn, err := h.giving.Draw(ctx, c.user(), in.ID)
	return contract.Draw{Commitment: drawn.Commitment, Secret: drawn.Secret, Entrants: drawn.Entrants, Order: drawn.Order}, err
}

func (h *requests) itemReservations(ctx context.Context, c *call, in operation.ByID) (contract.List[contract.Reservation], error) {
	page, err := h.giving.OfItem(ctx, c.user(), in.ID)
	return listOf(page, reservationOf), err
}

func (h *requests) entries(ctx context.Context, c *call, _ contract.None) (contract.List[contract.Entry], error) {
	joined, err := h.giving.Entries(ctx, c.user())
	list := contract.List[contract.Entry]{Items: []contract.Entry{}}
	for _, one := range joined {
		position, err := h.giving.Position(ctx, c.user(), one.ItemID)
		switch _, hidden := refusal.As(err, refusal.NotFound); {
		case hidden: // the item is withdrawn, or the caller may not see it
			continue
		case err != nil:
			return contract.List[contract.Entry]{}, err
		}
		list.Items = append(list.Items, contract.Entry{ItemID: one.ItemID, Position: position, At: one.CreatedAt})
	}
	return list, err
}
