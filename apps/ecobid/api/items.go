package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/nearby"
	"sortkey.dev/apps/internal/refusal"

	"sortkey.dev/apps/internal/openapi"
)

func (a *api) itemEndpoints() []openapi.Operation {
	return []openapi.Operation{
		on(a, http.MethodGet, "/v1/items", "Items near a point", public, http.StatusOK, a.search),
		on(a, http.MethodGet, "/v1/cities/{city}/items", "Items of a category in a city", public, http.StatusOK, a.inCity),
		on(a, http.MethodPost, "/v1/items", "Create an item, and publish it unless it is a draft", member, http.StatusCreated, a.createItem).Describe(createText),
		on(a, http.MethodGet, "/v1/items/{id}", "An item", public, http.StatusOK, a.item),
		on(a, http.MethodPut, "/v1/items/{id}", "Change an item", member, http.StatusOK, a.editItem).Describe(editText),
		on(a, http.MethodDelete, "/v1/items/{id}", "Withdraw an item", member, http.StatusNoContent, a.withdrawItem),
		on(a, http.MethodPost, "/v1/items/{id}/publish", "Publish a draft or an expired item", member, http.StatusOK, a.publishItem),
		on(a, http.MethodPost, "/v1/items/{id}/bump", "Move an item to the top of the feeds", member, http.StatusOK, a.bumpItem),
		on(a, http.MethodGet, "/v1/items/{id}/place", "The exact place, after the giver has confirmed", member, http.StatusOK, a.place),
		on(a, http.MethodPost, "/v1/items/{id}/reserve", "Reserve an item", member, http.StatusCreated, a.reserve),
		on(a, http.MethodPost, "/v1/items/{id}/join", "Join the queue or the lottery of an item", member, http.StatusCreated, a.join),
		on(a, http.MethodDelete, "/v1/items/{id}/join", "Leave the queue or the lottery of an item", member, http.StatusNoContent, a.leave),
		on(a, http.MethodGet, "/v1/items/{id}/draw", "The draw of a lottery, to verify", public, http.StatusOK, a.draw),
		on(a, http.MethodGet, "/v1/items/{id}/reservations", "The reservations of an own item", member, http.StatusOK, a.itemReservations),
		on(a, http.MethodGet, "/v1/users/me/items", "Own items", member, http.StatusOK, a.ownItems),
		on(a, http.MethodGet, "/v1/users/{id}/items", "The latest available items of a person", public, http.StatusOK, a.offered),
	}
}

// createText describes how an item is created.
const createText = `Without a photo the item stays a draft, too. Allocation, entryHours and auction are checked in every case, and a request that is refused with 400 changes nothing. The Idempotency-Key stands for the whole body: the same body with the same key returns the same item, as it is now; another body is refused with IDEMPOTENCY_KEY_REUSED.`

// editText describes what a change of an item leaves as it is.
const editText = `Replaces what the item says: a description or a weight that is left out is removed. An address that is left out stays, because an Item does not contain it; "" removes it. While the item is available, its location stays and only the address changes. Draft, allocation, entryHours and auction are ignored.`

type searchArguments struct {
	Lat      float64 `query:"lat" required:"true"`
	Lon      float64 `query:"lon" required:"true"`
	Radius   int     `query:"radius"`
	Category string  `query:"category"`
	Mode     string  `query:"mode"`
	Sort     string  `query:"sort"`
	Limit    int     `query:"limit"`
	Cursor   string  `query:"cursor"`
}

func (a *api) search(ctx context.Context, c *call, in searchArguments) (Nearby, error) {
	page, err := a.Domain.Nearby.Search(ctx, nearby.Query{
		Center: geo.Point{Lat: in.Lat, Lon: in.Lon}, Radius: in.Radius, Category: listings.Category(in.Category), Mode: listings.Mode(in.Mode),
		Sort: nearby.Sort(in.Sort), Limit: in.Limit, Cursor: in.Cursor, Viewer: c.user(),
	})
	result := Nearby{Items: []Card{}, Next: page.Next, Approximate: page.Approximate}
	for _, f := range page.Items {
		result.Items = append(result.Items, foundOf(f))
	}
	return result, err
}

func (a *api) inCity(ctx context.Context, c *call, in struct {
	City     string `path:"city"`
	Category string `query:"category" required:"true"`
	Limit    int    `query:"limit"`
	Cursor   string `query:"cursor"`
}) (List[Card], error) {
	page, err := a.Domain.Listings.InCity(ctx, c.user(), listings.Category(in.Category), in.City, in.Limit, in.Cursor)
	return listOf(page, cardOf), err
}

// A NewItem describes an item. The location is exact, and never shown before a pickup is
// confirmed.
type NewItem struct {
	Title       string        `json:"title"`
	Description string        `json:"description,omitempty"`
	Category    string        `json:"category"`
	Condition   string        `json:"condition"`
	Photos      []string      `json:"photos,omitempty"`
	WeightGrams int64         `json:"weightGrams,omitempty"`
	Location    ExactLocation `json:"location"`
	Draft       bool          `json:"draft,omitempty"`
	Allocation  string        `json:"allocation,omitempty"`
	EntryHours  int           `json:"entryHours,omitempty"`
	// Auction starts an auction.
	Auction *AuctionSettings `json:"auction,omitempty"`
}

// An ExactLocation is where an item is picked up.
type ExactLocation struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
	// Address may be nil: a changed item keeps its address then, and "" removes it.
	Address *string `json:"address,omitempty"`
	City    string  `json:"city"`
	Country string  `json:"country"`
	// Coarse shows a larger area, for lonely places.
	Coarse bool `json:"coarse,omitempty"`
}

// AuctionSettings holds what a seller fixes.
type AuctionSettings struct {
	MinBid       int64 `json:"minBid"`
	ReservePrice int64 `json:"reservePrice,omitempty"`
	Hours        int   `json:"durationHours"`
}

func (in NewItem) draft() listings.Draft {
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

// offer returns how an item is given away.
func (in NewItem) offer() listings.Offer {
	return listings.Offer{Allocation: listings.Allocation(in.Allocation), EntryHours: in.EntryHours}
}

// check refuses an offer with which the item could be stored as a draft and not published.
func (in NewItem) check() error {
	if err := in.offer().Check(); err != nil || in.Auction == nil {
		return err
	}
	return in.Auction.start().Check()
}

// createItem checks how the item is offered before it stores anything. A repeated request publishes the item if the
// first one stored the draft only.
func (a *api) createItem(ctx context.Context, c *call, in struct {
	Key  string `header:"Idempotency-Key"`
	Body NewItem
}) (Item, error) {
	if err := in.Body.check(); err != nil {
		return Item{}, err
	}
	request, err := json.Marshal(in.Body)
	if err != nil {
		return Item{}, err
	}
	draft := in.Body.draft()
	draft.Key, draft.Request = in.Key, string(request)
	item, err := a.Domain.Listings.Create(ctx, c.user(), draft)
	switch {
	case err != nil:
		return Item{}, err
	case item.Status != listings.StatusDraft: // an earlier request with the key has published it
		return itemOf(item), nil
	case in.Body.Draft || len(in.Body.Photos) == 0: // it stays a draft
		return itemOf(item), nil
	}
	published, err := a.publish(ctx, c.user(), item.ItemID, in.Body)
	if errors.Is(err, ecobid.ErrState) { // the same request was sent twice at once, and the other one has published
		published, err = a.Domain.Listings.Published(ctx, c.user(), item.ItemID)
	}
	return itemOf(published), err
}

// publish publishes a new item, or starts its auction.
func (a *api) publish(ctx context.Context, userID, itemID string, in NewItem) (listings.Item, error) {
	if in.Auction == nil {
		return a.Domain.Listings.Publish(ctx, userID, itemID, in.offer())
	}
	if _, err := a.Domain.Auctions.Start(ctx, userID, itemID, in.Auction.start()); err != nil {
		return listings.Item{}, err
	}
	return a.Domain.Listings.Get(ctx, userID, itemID)
}

func (s AuctionSettings) start() auctions.Start {
	return auctions.Start{MinBid: s.MinBid, Reserve: s.ReservePrice, Hours: s.Hours}
}

func (a *api) item(ctx context.Context, c *call, in byID) (Item, error) {
	item, err := a.Domain.Listings.Get(ctx, c.user(), in.ID)
	return itemOf(item), err
}

func (a *api) editItem(ctx context.Context, c *call, in struct {
	ID   string `path:"id"`
	Body NewItem
}) (Item, error) {
	item, err := a.Domain.Listings.Edit(ctx, c.user(), in.ID, in.Body.draft())
	return itemOf(item), err
}

func (a *api) withdrawItem(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Listings.Withdraw(ctx, c.user(), in.ID)
}

// A Publication says how an item is given away.
type Publication struct {
	Allocation string `json:"allocation,omitempty"`
	EntryHours int    `json:"entryHours,omitempty"`
}

func (a *api) publishItem(ctx context.Context, c *call, in struct {
	ID   string `path:"id"`
	Body Publication
}) (Item, error) {
	item, err := a.Domain.Listings.Publish(ctx, c.user(), in.ID, listings.Offer{Allocation: listings.Allocation(in.Body.Allocation), EntryHours: in.Body.EntryHours})
	return itemOf(item), err
}

func (a *api) bumpItem(ctx context.Context, c *call, in byID) (Item, error) {
	item, err := a.Domain.Listings.Bump(ctx, c.user(), in.ID)
	return itemOf(item), err
}

// A Place is the exact place of an item.
type Place struct {
	Lat     float64 `json:"lat"`
	Lon     float64 `json:"lon"`
	Address string  `json:"address,omitempty"`
}

func (a *api) place(ctx context.Context, c *call, in byID) (Place, error) {
	place, err := a.Domain.Giving.Place(ctx, c.user(), in.ID)
	return Place{place.Point.Lat, place.Point.Lon, place.Address}, err
}

// A Wish is a request for an item.
type Wish struct {
	Message string `json:"message,omitempty"`
}

type wishArguments struct {
	ID   string `path:"id"`
	Key  string `header:"Idempotency-Key"`
	Body Wish
}

func (a *api) reserve(ctx context.Context, c *call, in wishArguments) (Reservation, error) {
	r, err := a.Domain.Giving.Reserve(ctx, giving.Request{UserID: c.user(), ItemID: in.ID, Message: in.Body.Message, Key: in.Key})
	return reservationOf(r), err
}

// A Joined says what a person got by joining.
type Joined struct {
	Reservation *Reservation `json:"reservation,omitempty"`
	Position    int          `json:"position,omitempty"`
}

func (a *api) join(ctx context.Context, c *call, in wishArguments) (Joined, error) {
	joined, err := a.Domain.Giving.Join(ctx, giving.Request{UserID: c.user(), ItemID: in.ID, Message: in.Body.Message, Key: in.Key})
	view := Joined{Position: joined.Position}
	if joined.Reservation != nil {
		view.Reservation = new(reservationOf(*joined.Reservation))
	}
	return view, err
}

func (a *api) leave(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Giving.Leave(ctx, c.user(), in.ID)
}

// A Draw is a published draw: sort the entrants, and compute the winner with the secret.
type Draw struct {
	Commitment string   `json:"commitment"`
	Secret     string   `json:"secret"`
	Entrants   []string `json:"entrants"`
	Order      []string `json:"order"`
}

func (a *api) draw(ctx context.Context, c *call, in byID) (Draw, error) {
	drawn, err := a.Domain.Giving.Draw(ctx, c.user(), in.ID)
	return Draw{drawn.Commitment, drawn.Secret, drawn.Entrants, drawn.Order}, err
}

func (a *api) itemReservations(ctx context.Context, c *call, in byID) (List[Reservation], error) {
	page, err := a.Domain.Giving.OfItem(ctx, c.user(), in.ID)
	return listOf(page, reservationOf), err
}

func (a *api) offered(ctx context.Context, c *call, in byID) (List[Item], error) {
	items, err := a.Domain.Listings.Offered(ctx, c.user(), in.ID)
	return List[Item]{Items: each(items, itemOf)}, err
}

func (a *api) ownItems(ctx context.Context, c *call, in pages) (List[Item], error) {
	page, err := a.Domain.Listings.Mine(ctx, c.user(), in.Limit, in.Cursor)
	return listOf(page, itemOf), err
}

// An Uploaded is a stored photo.
type Uploaded struct {
	ID           string `json:"id"`
	URL          string `json:"url"`
	ThumbnailURL string `json:"thumbnailUrl"`
	Width        int64  `json:"width"`
	Height       int64  `json:"height"`
}

// upload stores the body of a request as a photo.
func (a *api) upload(w http.ResponseWriter, r *http.Request) error {
	c, err := a.identify(w, r, member)
	if err != nil {
		return err
	}
	content, err := io.ReadAll(r.Body)
	if err != nil {
		return refusal.New(refusal.TooLarge, "", "A photo has at most 5 MB.")
	}
	stored, err := a.Domain.Listings.Upload(r.Context(), c.user(), content)
	if err != nil {
		return err
	}
	return writeCreated(w, Uploaded{stored.UploadID, photoURL(stored.UploadID), thumbURL(stored.UploadID), stored.Width, stored.Height})
}

// photo serves a photo. Photos never change.
func (a *api) photo(w http.ResponseWriter, r *http.Request) error {
	object, err := a.Domain.Listings.OpenPhoto(r.Context(), r.PathValue("id"), r.URL.Query().Get("size") == "small")
	if err != nil {
		return err
	}
	defer object.Close()
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Content-Length", strconv.FormatInt(object.Size, 10))
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.Method != http.MethodHead {
		if _, err := io.Copy(w, object); err != nil {
			return fmt.Errorf("send a photo: %w", err)
		}
	}
	return nil
}
