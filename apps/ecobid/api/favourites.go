package api

import (
	"context"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// favourites serves the operations on favourites and saved searches.
type favourites struct {
	trust *trust.Service
}

func (h *favourites) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListFavourites, c.member, h.favourites),
		openapi.Handle(contract.AddFavourite, c.member, h.addFavourite),
		openapi.Handle(contract.RemoveFavourite, c.member, h.removeFavourite),
		openapi.Handle(contract.ListSearches, c.member, h.searches),
		openapi.Handle(contract.SaveSearch, c.member, h.saveSearch),
		openapi.Handle(contract.DeleteSearch, c.member, h.deleteSearch),
	}
}

func favouriteOf(f trust.Favourite) contract.Favourite {
	return contract.Favourite{ItemID: f.ItemID, Title: f.Title, At: f.CreatedAt}
}

func (h *favourites) favourites(ctx context.Context, c *call, _ contract.None) (contract.List[contract.Favourite], error) {
	all, err := h.trust.Favourites(ctx, c.user())
	return contract.List[contract.Favourite]{Items: each(all, favouriteOf)}, err
}

func (h *favourites) addFavourite(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.AddFavourite(ctx, c.user(), in.ID)
}

func (h *favourites) removeFavourite(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.RemoveFavourite(ctx, c.user(), in.ID)
}

func searchOf(s trust.SavedSearch) contract.Search {
	view := contract.Search{ID: s.SearchID, Category: string(s.Category), Lat: s.Lat, Lon: s.Lon, Radius: s.RadiusKm, Paused: !s.Active}
	if s.Words != nil {
		view.Words = *s.Words
	}
	return view
}

func (h *favourites) searches(ctx context.Context, c *call, _ contract.None) (contract.List[contract.Search], error) {
	all, err := h.trust.Searches(ctx, c.user())
	return contract.List[contract.Search]{Items: each(all, searchOf)}, err
}

func (h *favourites) saveSearch(ctx context.Context, c *call, in operation.With[contract.Search]) (contract.Search, error) {
	b := in.Body
	saved, err := h.trust.SaveSearch(ctx, c.user(), b.ID, trust.Search{
		Words: b.Words, Category: trust.SearchCategory(b.Category), Around: geo.Point{Lat: b.Lat, Lon: b.Lon}, Radius: int(b.Radius), Paused: b.Paused,
	})
	return searchOf(saved), err
}

func (h *favourites) deleteSearch(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.DeleteSearch(ctx, c.user(), in.ID)
}
