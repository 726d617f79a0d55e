package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/notify"

	"sortkey.dev/apps/internal/openapi"
)

func (a *api) peopleEndpoints() []openapi.Operation {
	return []openapi.Operation{
		on(a, http.MethodGet, "/v1/users/me", "The own profile", member, http.StatusOK, a.me),
		on(a, http.MethodPatch, "/v1/users/me", "Change the own profile", member, http.StatusOK, a.changeMe),
		on(a, http.MethodDelete, "/v1/users/me", "Erase the own account and its data", member, http.StatusNoContent, a.eraseMe),
		on(a, http.MethodGet, "/v1/users/me/data", "A copy of the own data", member, http.StatusOK, a.export),
		on(a, http.MethodGet, "/v1/users/{id}", "The profile of a person", public, http.StatusOK, a.profile),
		on(a, http.MethodGet, "/v1/users/{id}/ratings", "The ratings of a person", public, http.StatusOK, a.ratings),
		on(a, http.MethodPost, "/v1/users/{id}/block", "Block a person", member, http.StatusNoContent, a.block),
		on(a, http.MethodDelete, "/v1/users/{id}/block", "Unblock a person", member, http.StatusNoContent, a.unblock),
		on(a, http.MethodPost, "/v1/users/{id}/report", "Report a person", member, http.StatusCreated, a.reportUser),
		on(a, http.MethodPost, "/v1/items/{id}/report", "Report an item", member, http.StatusCreated, a.reportItem),
		on(a, http.MethodGet, "/v1/users/me/favourites", "Favourites", member, http.StatusOK, a.favourites),
		on(a, http.MethodPut, "/v1/users/me/favourites/{id}", "Add a favourite", member, http.StatusNoContent, a.addFavourite),
		on(a, http.MethodDelete, "/v1/users/me/favourites/{id}", "Remove a favourite", member, http.StatusNoContent, a.removeFavourite),
		on(a, http.MethodGet, "/v1/users/me/searches", "Saved searches", member, http.StatusOK, a.searches),
		on(a, http.MethodPost, "/v1/users/me/searches", "Save a search", member, http.StatusCreated, a.saveSearch),
		on(a, http.MethodDelete, "/v1/users/me/searches/{id}", "Delete a saved search", member, http.StatusNoContent, a.deleteSearch),
		on(a, http.MethodGet, "/v1/notifications", "The inbox", member, http.StatusOK, a.inbox),
		on(a, http.MethodPost, "/v1/notifications/read", "Mark all notifications as read", member, http.StatusNoContent, a.readAll),
	}
}

func (a *api) me(ctx context.Context, c *call, _ None) (Profile, error) {
	p, err := a.Domain.People.Public(ctx, c.user(), c.user())
	return profileOf(p), err
}

// A ProfileChange holds the parts of a profile to change; absent parts stay.
type ProfileChange struct {
	Username *string `json:"username,omitempty"`
	City     *string `json:"city,omitempty"`
	Country  *string `json:"country,omitempty"`
	Currency *string `json:"currency,omitempty"`
}

func (a *api) changeMe(ctx context.Context, c *call, in struct{ Body ProfileChange }) (Profile, error) {
	user, err := a.Domain.People.Get(ctx, c.user())
	if err != nil {
		return Profile{}, err
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
	if _, err := a.Domain.People.Update(ctx, c.user(), p); err != nil {
		return Profile{}, err
	}
	return a.me(ctx, c, None{})
}

func (a *api) eraseMe(ctx context.Context, c *call, _ None) (None, error) {
	if err := a.Domain.Erase(ctx, c.user()); err != nil {
		return None{}, err
	}
	return None{}, a.Accounts.People.Erase(ctx, c.user(), c.user(), nil)
}

// A Copy is a copy of a person's data.
type Copy struct {
	Profile      Profile       `json:"profile"`
	Items        []Item        `json:"items"`
	Reservations []Reservation `json:"reservations"`
	Messages     []Message     `json:"messages"`
	Bids         []Bid         `json:"bids"`
	Favourites   []Favourite   `json:"favourites"`
	Searches     []Search      `json:"searches"`
	Blocked      []string      `json:"blocked"`
	Ratings      []Rating      `json:"ratings"`
	RatingsGiven []Rating      `json:"ratingsGiven"`
}

func (a *api) export(ctx context.Context, c *call, _ None) (Copy, error) {
	e, err := a.Domain.Trust.Export(ctx, c.user())
	if err != nil {
		return Copy{}, err
	}
	profile, err := a.me(ctx, c, None{})
	blocked := []string{}
	for _, b := range e.Blocks {
		blocked = append(blocked, b.BlockedID)
	}
	return Copy{
		Profile: profile, Items: each(e.Items, itemOf), Reservations: each(append(e.Taken, e.Given...), reservationOf), Messages: each(e.Messages, messageOf),
		Bids: each(e.Bids, bidOf), Favourites: each(e.Favourites, favouriteOf), Searches: each(e.Searches, searchOf), Blocked: blocked,
		Ratings: each(e.Ratings, ratingOf), RatingsGiven: each(e.RatingsGiven, ratingOf),
	}, err
}

func each[From, To any](items []From, view func(From) To) []To {
	return listOf(access.Page[From]{Items: items}, view).Items
}

func (a *api) profile(ctx context.Context, c *call, in byID) (Profile, error) {
	p, err := a.Domain.People.Public(ctx, c.user(), in.ID)
	return profileOf(p), err
}

func (a *api) ratings(ctx context.Context, c *call, in pagesOf) (List[Rating], error) {
	page, err := a.Domain.Trust.Ratings(ctx, c.user(), in.ID, in.Limit, in.Cursor)
	return listOf(page, ratingOf), err
}

func (a *api) block(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.Block(ctx, c.user(), in.ID)
}

func (a *api) unblock(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.Unblock(ctx, c.user(), in.ID)
}

// A NewReport is a report.
type NewReport struct {
	Reason string `json:"reason"`
	Note   string `json:"note,omitempty"`
}

type reportArguments struct {
	ID   string `path:"id"`
	Body NewReport
}

func (a *api) reportUser(ctx context.Context, c *call, in reportArguments) (None, error) {
	return None{}, a.Domain.Trust.Report(ctx, c.user(), trust.Target{UserID: in.ID}, in.Body.Reason, in.Body.Note)
}

func (a *api) reportItem(ctx context.Context, c *call, in reportArguments) (None, error) {
	return None{}, a.Domain.Trust.Report(ctx, c.user(), trust.Target{ItemID: in.ID}, in.Body.Reason, in.Body.Note)
}

// A Favourite is an item that a person wants to see again.
type Favourite struct {
	ItemID string    `json:"itemId"`
	Title  string    `json:"title"`
	At     time.Time `json:"at"`
}

func favouriteOf(f trust.Favourite) Favourite { return Favourite{f.ItemID, f.Title, f.CreatedAt} }

func (a *api) favourites(ctx context.Context, c *call, _ None) (List[Favourite], error) {
	all, err := a.Domain.Trust.Favourites(ctx, c.user())
	return List[Favourite]{Items: each(all, favouriteOf)}, err
}

func (a *api) addFavourite(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.AddFavourite(ctx, c.user(), in.ID)
}

func (a *api) removeFavourite(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.RemoveFavourite(ctx, c.user(), in.ID)
}

// A Search is a saved search. Only the centre of the cell of its point is stored.
type Search struct {
	ID       string  `json:"id,omitempty"`
	Words    string  `json:"words,omitempty"`
	Category string  `json:"category,omitempty"`
	Lat      float64 `json:"lat"`
	Lon      float64 `json:"lon"`
	Radius   int64   `json:"radius"`
	Paused   bool    `json:"paused,omitempty"`
}

func searchOf(s trust.SavedSearch) Search {
	view := Search{ID: s.SearchID, Category: string(s.Category), Lat: s.Lat, Lon: s.Lon, Radius: s.RadiusKm, Paused: !s.Active}
	if s.Words != nil {
		view.Words = *s.Words
	}
	return view
}

func (a *api) searches(ctx context.Context, c *call, _ None) (List[Search], error) {
	all, err := a.Domain.Trust.Searches(ctx, c.user())
	return List[Search]{Items: each(all, searchOf)}, err
}

func (a *api) saveSearch(ctx context.Context, c *call, in struct{ Body Search }) (Search, error) {
	b := in.Body
	saved, err := a.Domain.Trust.SaveSearch(ctx, c.user(), b.ID, trust.Search{
		Words: b.Words, Category: trust.SearchCategory(b.Category), Around: geo.Point{Lat: b.Lat, Lon: b.Lon}, Radius: int(b.Radius), Paused: b.Paused,
	})
	return searchOf(saved), err
}

func (a *api) deleteSearch(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.DeleteSearch(ctx, c.user(), in.ID)
}

// A Notification is an entry of the inbox.
type Notification struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind"`
	Title string    `json:"title"`
	Body  string    `json:"body"`
	Link  string    `json:"link"`
	At    time.Time `json:"at"`
	Read  bool      `json:"read"`
}

func (a *api) inbox(ctx context.Context, c *call, in struct {
	Cursor string `query:"cursor"`
}) (List[Notification], error) {
	entries, next, err := a.Domain.Notifier.Inbox(ctx, c.user(), in.Cursor)
	return List[Notification]{Items: each(entries, func(e notify.Entry) Notification {
		return Notification{e.ID, e.Kind, e.Title, e.Body, e.Link, e.At, e.Read}
	}), Next: next}, err
}

func (a *api) readAll(ctx context.Context, c *call, _ None) (None, error) {
	_, err := a.Domain.Notifier.ReadAll(ctx, c.user())
	return None{}, err
}
