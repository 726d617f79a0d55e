package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// Upload uploads a photo: a JPEG, PNG or WebP picture of at most 5 MB.
func (c *Client) Upload(ctx context.Context, picture []byte) (Uploaded, error) {
	return post[Uploaded](ctx, c, "/v1/uploads", picture, "")
}

// Post creates an item. It is published unless it is a draft or has no photo.
func (c *Client) Post(ctx context.Context, in NewItem) (Item, error) {
	return post[Item](ctx, c, "/v1/items", in, "")
}

// Item returns an item.
func (c *Client) Item(ctx context.Context, id string) (Item, error) {
	return get[Item](ctx, c, path("items", id, ""))
}

// Publish publishes a draft or an expired item.
func (c *Client) Publish(ctx context.Context, id string, in Publication) (Item, error) {
	return post[Item](ctx, c, path("items", id, "/publish"), in, "")
}

// Withdraw takes an item back.
func (c *Client) Withdraw(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodDelete, path: path("items", id, "")})
}

// OwnItems returns a page of the caller's items, newest first.
func (c *Client) OwnItems(ctx context.Context, cursor string) (List[Item], error) {
	return get[List[Item]](ctx, c, "/v1/users/me/items?cursor="+url.QueryEscape(cursor))
}

// Offered returns the latest available items of a person, newest first.
func (c *Client) Offered(ctx context.Context, userID string) (List[Item], error) {
	return get[List[Item]](ctx, c, path("users", userID, "/items"))
}

// Place returns the exact place of an item, once the giver has confirmed the pickup.
func (c *Client) Place(ctx context.Context, id string) (Place, error) {
	return get[Place](ctx, c, path("items", id, "/place"))
}

// Reserve reserves an item. Requests with the same key return the same reservation; key may be "".
func (c *Client) Reserve(ctx context.Context, id, message, key string) (Reservation, error) {
	return post[Reservation](ctx, c, path("items", id, "/reserve"), map[string]string{"message": message}, key)
}

// Join joins the queue or the lottery of an item.
func (c *Client) Join(ctx context.Context, id, message string) (Joined, error) {
	return post[Joined](ctx, c, path("items", id, "/join"), map[string]string{"message": message}, "")
}

// Leave leaves the queue or the lottery of an item.
func (c *Client) Leave(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodDelete, path: path("items", id, "/join")})
}

// Draw returns the draw of a lottery, to verify it.
func (c *Client) Draw(ctx context.Context, id string) (Draw, error) {
	return get[Draw](ctx, c, path("items", id, "/draw"))
}

// Reservations returns a page of the caller's reservations that are open, or of those of the past.
func (c *Client) Reservations(ctx context.Context, past bool, cursor string) (List[Reservation], error) {
	return get[List[Reservation]](ctx, c, "/v1/users/me/reservations?"+pastPage(past, cursor))
}

// Requests returns a page of the reservations of the caller's items.
func (c *Client) Requests(ctx context.Context, past bool, cursor string) (List[Reservation], error) {
	return get[List[Reservation]](ctx, c, "/v1/users/me/requests?"+pastPage(past, cursor))
}

func pastPage(past bool, cursor string) string {
	values := url.Values{"cursor": {cursor}}
	if past {
		values.Set("past", "true")
	}
	return values.Encode()
}

// Reservation returns a reservation of the caller.
func (c *Client) Reservation(ctx context.Context, id string) (Reservation, error) {
	return get[Reservation](ctx, c, path("reservations", id, ""))
}

// Accept accepts an offer.
func (c *Client) Accept(ctx context.Context, id string) (Reservation, error) {
	return post[Reservation](ctx, c, path("reservations", id, "/accept"), nil, "")
}

// Confirm confirms a request with a time.
func (c *Client) Confirm(ctx context.Context, id string, pickup time.Time, message string) (Reservation, error) {
	return post[Reservation](ctx, c, path("reservations", id, "/confirm"), Confirmation{PickupTime: pickup, Message: message}, "")
}

// Decline declines a request.
func (c *Client) Decline(ctx context.Context, id string) (Reservation, error) {
	return post[Reservation](ctx, c, path("reservations", id, "/decline"), nil, "")
}

// Cancel cancels a reservation.
func (c *Client) Cancel(ctx context.Context, id string) (Reservation, error) {
	return post[Reservation](ctx, c, path("reservations", id, "/cancel"), nil, "")
}

// PickedUp confirms the pickup for the caller's side.
func (c *Client) PickedUp(ctx context.Context, id string) (Reservation, error) {
	return post[Reservation](ctx, c, path("reservations", id, "/picked-up"), nil, "")
}

// Code returns the code of a pickup to the giver.
func (c *Client) Code(ctx context.Context, id string) (string, error) {
	code, err := get[struct {
		Code string `json:"code"`
	}](ctx, c, path("reservations", id, "/code"))
	return code.Code, err
}

// Complete completes a pickup with the giver's code.
func (c *Client) Complete(ctx context.Context, id, code string) (Reservation, error) {
	return post[Reservation](ctx, c, path("reservations", id, "/complete"), map[string]string{"code": code}, "")
}

// Messages returns a page of the messages of a reservation, oldest first.
func (c *Client) Messages(ctx context.Context, id, cursor string) (List[Message], error) {
	return get[List[Message]](ctx, c, path("reservations", id, "/messages?cursor="+url.QueryEscape(cursor)))
}

// Send sends a message to the other party of a pickup.
func (c *Client) Send(ctx context.Context, id, text string) (Message, error) {
	return post[Message](ctx, c, path("reservations", id, "/messages"), map[string]string{"text": text}, "")
}

// Rate rates the other party of a completed pickup.
func (c *Client) Rate(ctx context.Context, id string, rating NewRating) error {
	return c.send(ctx, request{method: http.MethodPost, path: path("reservations", id, "/rating"), body: rating})
}

// StartAuction starts the auction of an item.
func (c *Client) StartAuction(ctx context.Context, in NewAuction) (Auction, error) {
	return post[Auction](ctx, c, "/v1/auctions", in, "")
}

// Auctions returns a page of the running auctions, those that end next first.
func (c *Client) Auctions(ctx context.Context, cursor string) (List[Auction], error) {
	return get[List[Auction]](ctx, c, "/v1/auctions?cursor="+url.QueryEscape(cursor))
}

// Auction returns an auction.
func (c *Client) Auction(ctx context.Context, id string) (Auction, error) {
	return get[Auction](ctx, c, path("auctions", id, ""))
}

// Bid places a secret maximum in minor units. Requests with the same key return the same receipt;
// key may be "".
func (c *Client) Bid(ctx context.Context, id string, maximum int64, key string) (BidReceipt, error) {
	return post[BidReceipt](ctx, c, path("auctions", id, "/bids"), map[string]int64{"maximum": maximum}, key)
}

// Bids returns a page of the history of an auction, newest first.
func (c *Client) Bids(ctx context.Context, id, cursor string) (List[Bid], error) {
	return get[List[Bid]](ctx, c, path("auctions", id, "/bids?cursor="+url.QueryEscape(cursor)))
}

// CancelAuction cancels an auction without bids.
func (c *Client) CancelAuction(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodPost, path: path("auctions", id, "/cancel")})
}

// Profile returns the profile of a person; of the caller if the id is "me".
func (c *Client) Profile(ctx context.Context, id string) (Profile, error) {
	return get[Profile](ctx, c, path("users", id, ""))
}

// Ratings returns a page of the ratings of a person.
func (c *Client) Ratings(ctx context.Context, id, cursor string) (List[Rating], error) {
	return get[List[Rating]](ctx, c, path("users", id, "/ratings?cursor="+url.QueryEscape(cursor)))
}

// Block blocks a person.
func (c *Client) Block(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodPost, path: path("users", id, "/block")})
}

// Unblock takes a block back.
func (c *Client) Unblock(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodDelete, path: path("users", id, "/block")})
}

// ReportItem reports an item.
func (c *Client) ReportItem(ctx context.Context, id, reason, note string) error {
	return c.send(ctx, request{method: http.MethodPost, path: path("items", id, "/report"), body: map[string]string{"reason": reason, "note": note}})
}

// AddFavourite remembers an item.
func (c *Client) AddFavourite(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodPut, path: path("users/me/favourites", id, "")})
}

// Favourites returns the favourites of the caller.
func (c *Client) Favourites(ctx context.Context) (List[Favourite], error) {
	return get[List[Favourite]](ctx, c, "/v1/users/me/favourites")
}

// SaveSearch saves a search; the caller is notified of new items that match it.
func (c *Client) SaveSearch(ctx context.Context, in Search) (Search, error) {
	return post[Search](ctx, c, "/v1/users/me/searches", in, "")
}

// Inbox returns a page of the caller's notifications, newest first.
func (c *Client) Inbox(ctx context.Context, cursor string) (List[Notification], error) {
	return get[List[Notification]](ctx, c, "/v1/notifications?cursor="+url.QueryEscape(cursor))
}

// Impact returns the figures of a city; of everywhere if it is "".
func (c *Client) Impact(ctx context.Context, city string) (Impact, error) {
	return get[Impact](ctx, c, "/v1/impact?city="+url.QueryEscape(city))
}

// Edit replaces what an item says. An address that is nil stays, and while people can see the item, its location does, too.
func (c *Client) Edit(ctx context.Context, id string, in NewItem) (Item, error) {
	return put[Item](ctx, c, path("items", id, ""), in)
}

// Bump moves an item to the top of the feeds.
func (c *Client) Bump(ctx context.Context, id string) (Item, error) {
	return post[Item](ctx, c, path("items", id, "/bump"), nil, "")
}

// InCity returns a page of the available items of a category in a city, newest first.
func (c *Client) InCity(ctx context.Context, city, category, cursor string) (List[Card], error) {
	values := url.Values{"category": {category}, "cursor": {cursor}}
	return get[List[Card]](ctx, c, path("cities", city, "/items?"+values.Encode()))
}

// ItemReservations returns the reservations of an item of the caller, newest first.
func (c *Client) ItemReservations(ctx context.Context, id string) (List[Reservation], error) {
	return get[List[Reservation]](ctx, c, path("items", id, "/reservations"))
}

// OwnBids returns a page of the caller's bids, newest first.
func (c *Client) OwnBids(ctx context.Context, cursor string) (List[Bid], error) {
	return get[List[Bid]](ctx, c, "/v1/users/me/bids?cursor="+url.QueryEscape(cursor))
}

// OwnAuctions returns a page of the caller's auctions, newest first.
func (c *Client) OwnAuctions(ctx context.Context, cursor string) (List[Auction], error) {
	return get[List[Auction]](ctx, c, "/v1/users/me/auctions?cursor="+url.QueryEscape(cursor))
}

// ReportUser reports a person.
func (c *Client) ReportUser(ctx context.Context, id, reason, note string) error {
	return c.send(ctx, request{method: http.MethodPost, path: path("users", id, "/report"), body: map[string]string{"reason": reason, "note": note}})
}

// RemoveFavourite forgets an item.
func (c *Client) RemoveFavourite(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodDelete, path: path("users/me/favourites", id, "")})
}

// Searches returns the saved searches of the caller.
func (c *Client) Searches(ctx context.Context) (List[Search], error) {
	return get[List[Search]](ctx, c, "/v1/users/me/searches")
}

// DeleteSearch deletes a saved search.
func (c *Client) DeleteSearch(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodDelete, path: path("users/me/searches", id, "")})
}

// ReadInbox marks all notifications as read.
func (c *Client) ReadInbox(ctx context.Context) error {
	return c.send(ctx, request{method: http.MethodPost, path: "/v1/notifications/read"})
}

// ChangeProfile changes the profile of the caller; absent parts stay.
func (c *Client) ChangeProfile(ctx context.Context, in ProfileChange) (Profile, error) {
	var out Profile
	err := c.send(ctx, request{method: http.MethodPatch, path: "/v1/users/me", body: in, out: &out})
	return out, err
}

// Export returns a copy of the caller's data, as JSON.
func (c *Client) Export(ctx context.Context) (json.RawMessage, error) {
	return get[json.RawMessage](ctx, c, "/v1/users/me/data")
}

// Erase deletes the account of the caller and its data.
func (c *Client) Erase(ctx context.Context) error {
	return c.send(ctx, request{method: http.MethodDelete, path: "/v1/users/me"})
}
