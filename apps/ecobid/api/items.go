package api

import (
	"context"
	"encoding/json"
	"errors"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/nearby"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// items serves the operations on items.
type items struct {
	auctions *auctions.Service
	listings *listings.Service
	nearby   *nearby.Service
}

func (h *items) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.SearchItems, c.public, h.search),
		openapi.Handle(contract.ListInCity, c.public, h.inCity),
		openapi.Handle(contract.CreateItem, c.member, h.createItem),
		openapi.Handle(contract.GetItem, c.public, h.item),
		openapi.Handle(contract.EditItem, c.member, h.editItem),
		openapi.Handle(contract.WithdrawItem, c.member, h.withdrawItem),
		openapi.Handle(contract.PublishItem, c.member, h.publishItem),
		openapi.Handle(contract.BumpItem, c.member, h.bumpItem),
		openapi.Handle(contract.ListOwnItems, c.member, h.ownItems),
		openapi.Handle(contract.ListOffered, c.public, h.offered),
	}
}

func (h *items) search(ctx context.Context, c *call, in contract.Query) (contract.Nearby, error) {
	page, err := h.nearby.Search(ctx, nearby.Query{
		Center: geo.Point{Lat: in.Lat, Lon: in.Lon}, Radius: in.Radius, Category: listings.Category(in.Category), Mode: listings.Mode(in.Mode),
		Sort: nearby.Sort(in.Sort), Limit: in.Limit, Cursor: in.Cursor, Viewer: c.user(),
	})
	result := contract.Nearby{Items: []contract.Card{}, Next: page.Next, Approximate: page.Approximate}
	for _, f := range page.Items {
		result.Items = append(result.Items, foundOf(f))
	}
	return result, err
}

func (h *items) inCity(ctx context.Context, c *call, in contract.InCity) (contract.List[contract.Card], error) {
	page, err := h.listings.InCity(ctx, c.user(), listings.Category(in.Category), in.City, in.Limit, in.Cursor)
	return listOf(page, cardOf), err
}

func draftOf(in contract.NewItem) listings.Draft {
	d := listings.Draft{
		Title: in.Title, Description: in.Description, Category: listings.Category(in.Category), Condition: listings.Condition(in.Condition),
		Photos: in.Photos, WeightGrams: in.WeightGrams, Exact: geo.Point{Lat: in.Location.Lat, Lon: in.Location.Lon}, Address: in.Location.Address,
		City: in.Location.City, Country: in.Location.Country,
	}
	if in.Location.Coarse {
		d.Precision = listings.Coarse
	}
	return d
}

// offerOf returns how an item is given away.
func offerOf(in contract.NewItem) listings.Offer {
	return listings.Offer{Allocation: listings.Allocation(in.Allocation), EntryHours: in.EntryHours}
}

// checkOffer refuses an offer with which the item could be stored as a draft and not published.
func checkOffer(in contract.NewItem) error {
	if err := offerOf(in).Check(); err != nil || in.Auction == nil {
		return err
	}
	return startOf(*in.Auction).Check()
}

// createItem checks how the item is offered before it stores anything. A repeated request publishes the item if the
// first one stored the draft only.
func (h *items) createItem(ctx context.Context, c *call, in contract.NewItemOnce) (contract.Item, error) {
	if err := checkOffer(in.Body); err != nil {
		return contract.Item{}, err
	}
	request, err := json.Marshal(in.Body)
	if err != nil {
		return contract.Item{}, err
	}
	draft := draftOf(in.Body)
	draft.Key, draft.Request = in.Key, string(request)
	item, err := h.listings.Create(ctx, c.user(), draft)
	switch {
	case err != nil:
		return contract.Item{}, err
	case item.Status != listings.StatusDraft: // an earlier request with the key has published it
		return itemOf(item), nil
	case in.Body.Draft || len(in.Body.Photos) == 0: // it stays a draft
		return itemOf(item), nil
	}
	published, err := h.publish(ctx, c.user(), item.ItemID, in.Body)
	if errors.Is(err, ecobid.ErrState) { // the same request was sent twice at once, and the other one has published
		published, err = h.listings.Published(ctx, c.user(), item.ItemID)
	}
	return itemOf(published), err
}

// publish publishes a new item, or starts its auction.
func (h *items) publish(ctx context.Context, userID, itemID string, in contract.NewItem) (listings.Item, error) {
	if in.Auction == nil {
		return h.listings.Publish(ctx, userID, itemID, offerOf(in))
	}
	if _, err := h.auctions.Start(ctx, userID, itemID, startOf(*in.Auction)); err != nil {
		return listings.Item{}, err
	}
	return h.listings.Get(ctx, userID, itemID)
}

func startOf(s contract.AuctionSettings) auctions.Start {
	return auctions.Start{MinBid: s.MinBid, Reserve: s.ReservePrice, Hours: s.Hours}
}

func (h *items) item(ctx context.Context, c *call, in operation.ByID) (contract.Item, error) {
	item, err := h.listings.Get(ctx, c.user(), in.ID)
	return itemOf(item), err
}

func (h *items) editItem(ctx context.Context, c *call, in operation.ByIDWith[contract.NewItem]) (contract.Item, error) {
	item, err := h.listings.Edit(ctx, c.user(), in.ID, draftOf(in.Body))
	return itemOf(item), err
}

func (h *items) withdrawItem(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.listings.Withdraw(ctx, c.user(), in.ID)
}

func (h *items) publishItem(ctx context.Context, c *call, in operation.ByIDWith[contract.Publication]) (contract.Item, error) {
	item, err := h.listings.Publish(ctx, c.user(), in.ID, listings.Offer{Allocation: listings.Allocation(in.Body.Allocation), EntryHours: in.Body.EntryHours})
	return itemOf(item), err
}

func (h *items) bumpItem(ctx context.Context, c *call, in operation.ByID) (contract.Item, error) {
	item, err := h.listings.Bump(ctx, c.user(), in.ID)
	return itemOf(item), err
}

func (h *items) offered(ctx context.Context, c *call, in operation.ByID) (contract.List[contract.Item], error) {
	items, err := h.listings.Offered(ctx, c.user(), in.ID)
	return contract.List[contract.Item]{Items: each(items, itemOf)}, err
}

func (h *items) ownItems(ctx context.Context, c *call, in operation.Page) (contract.List[contract.Item], error) {
	page, err := h.listings.Mine(ctx, c.user(), in.Limit, in.Cursor)
	return listOf(page, itemOf), err
}
