package api

import (
	"context"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// profiles serves the operations on people and their data.
type profiles struct {
	accounts  *accounts.People
	eraseData func(ctx context.Context, userID string) error
	people    *people.Service
	trust     *trust.Service
}

func (h *profiles) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.GetMe, c.member, h.me),
		openapi.Handle(contract.ChangeMe, c.member, h.changeMe),
		openapi.Handle(contract.EraseMe, c.member, h.eraseMe),
		openapi.Handle(contract.ExportData, c.member, h.export),
		openapi.Handle(contract.GetProfile, c.public, h.profile),
		openapi.Handle(contract.ListRatings, c.public, h.ratings),
	}
}

func (h *profiles) me(ctx context.Context, c *call, _ contract.None) (contract.Profile, error) {
	p, err := h.people.Public(ctx, c.user(), c.user())
	return profileOf(p), err
}

func (h *profiles) changeMe(ctx context.Context, c *call, in operation.With[contract.ProfileChange]) (contract.Profile, error) {
	user, err := h.people.Get(ctx, c.user())
	if err != nil {
		return contract.Profile{}, err
	}
	p := people.Profile{Username: user.Username, City: user.City, Country: user.Country, Currency: user.Currency}
	for _, change := range []struct {
		to   *string
		from *string
	}{{&p.Username, in.Body.Username}, {&p.City, in.Body.City}, {&p.Country, in.Body.Country}, {&p.Currency, in.Body.Currency}} {
		if change.from != nil {
			*change.to = *change.from
		}
	}
	if _, err := h.people.Update(ctx, c.user(), p); err != nil {
		return contract.Profile{}, err
	}
	return h.me(ctx, c, contract.None{})
}

func (h *profiles) eraseMe(ctx context.Context, c *call, _ contract.None) (contract.None, error) {
	if err := h.eraseData(ctx, c.user()); err != nil {
		return contract.None{}, err
	}
	return contract.None{}, h.accounts.Erase(ctx, c.user(), c.user(), nil)
}

func (h *profiles) export(ctx context.Context, c *call, _ contract.None) (contract.Copy, error) {
	e, err := h.trust.Export(ctx, c.user())
	if err != nil {
		return contract.Copy{}, err
	}
	profile, err := h.me(ctx, c, contract.None{})
	blocked := []string{}
	for _, b := range e.Blocks {
		blocked = append(blocked, b.BlockedID)
	}
	return contract.Copy{
		Profile: profile, Items: each(e.Items, itemOf), Reservations: each(append(e.Taken, e.Given...), reservationOf), Messages: each(e.Messages, messageOf),
		Bids: each(e.Bids, bidOf), Favourites: each(e.Favourites, favouriteOf), Searches: each(e.Searches, searchOf), Blocked: blocked,
		Ratings: each(e.Ratings, ratingOf), RatingsGiven: each(e.RatingsGiven, ratingOf),
	}, err
}

func (h *profiles) profile(ctx context.Context, c *call, in operation.ByID) (contract.Profile, error) {
	p, err := h.people.Public(ctx, c.user(), in.ID)
	return profileOf(p), err
}

func (h *profiles) ratings(ctx context.Context, c *call, in operation.PageOf) (contract.List[contract.Rating], error) {
	page, err := h.trust.Ratings(ctx, c.user(), in.ID, in.Limit, in.Cursor)
	return listOf(page, ratingOf), err
}
