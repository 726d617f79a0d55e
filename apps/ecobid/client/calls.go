package client

import (
	"context"
	"time"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/internal/apiclient"
	"sortkey.dev/apps/internal/operation"
)

// Upload uploads a photo: a JPEG, PNG or WebP picture of at most 5 MB.
func (c *Client) Upload(ctx context.Context, picture []byte) (Uploaded, error) {
	return apiclient.Call(ctx, &c.session, contract.UploadPhoto, operation.With[operation.Content]{Body: operation.Content{Media: "application/octet-stream", Content: picture}})
}

// Post creates an item. It is published unless it is a draft or has no photo.
func (c *Client) Post(ctx context.Context, in NewItem) (Item, error) {
	return apiclient.Call(ctx, &c.session, contract.CreateItem, contract.NewItemOnce{Body: in})
}

// Item returns an item.
func (c *Client) Item(ctx context.Context, id string) (Item, error) {
	return apiclient.Call(ctx, &c.session, contract.GetItem, operation.ByID{ID: id})
}

// Publish publishes a draft or an expired item.
func (c *Client) Publish(ctx context.Context, id string, in Publication) (Item, error) {
	return apiclient.Call(ctx, &c.session, contract.PublishItem, operation.ByIDWith[Publication]{ID: id, Body: in})
}

// Withdraw takes an item back.
func (c *Client) Withdraw(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.WithdrawItem, operation.ByID{ID: id})
}

// OwnItems returns a page of the caller's items, newest first.
func (c *Client) OwnItems(ctx context.Context, cursor string) (List[Item], error) {
	return apiclient.Call(ctx, &c.session, contract.ListOwnItems, operation.Page{Cursor: cursor})
}

// Offered returns the latest available items of a person, newest first.
func (c *Client) Offered(ctx context.Context, userID string) (List[Item], error) {
	return apiclient.Call(ctx, &c.session, contract.ListOffered, operation.ByID{ID: userID})
}

// Place returns the exact place of an item, once the giver has confirmed the pickup.
func (c *Client) Place(ctx context.Context, id string) (Place, error) {
	return apiclient.Call(ctx, &c.session, contract.GetPlace, operation.ByID{ID: id})
}

// Reserve reserves an item. Requests with the same key return the same reservation; key may be "".
func (c *Client) Reserve(ctx context.Context, id, message, key string) (Reservation, error) {
	return apiclient.Call(ctx, &c.session, contract.Reserve, contract.Once[contract.Wish]{ID: id, Key: key, Body: contract.Wish{Message: message}})
}

// Join joins the queue or the lottery of an item.
func (c *Client) Join(ctx context.Context, id, message string) (Joined, error) {
	return apiclient.Call(ctx, &c.session, contract.Join, contract.Once[contract.Wish]{ID: id, Body: contract.Wish{Message: message}})
}

// Leave leaves the queue or the lottery of an item.
func (c *Client) Leave(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.Leave, operation.ByID{ID: id})
}

// Draw returns the draw of a lottery, to verify it.
func (c *Client) Draw(ctx context.Context, id string) (Draw, error) {
	return apiclient.Call(ctx, &c.session, contract.GetDraw, operation.ByID{ID: id})
}

// Reservations returns a page of the caller's reservations that are open, or of those of the past.
func (c *Client) Reservations(ctx context.Context, past bool, cursor string) (List[Reservation], error) {
	return apiclient.Call(ctx, &c.session, contract.ListReservations, contract.Past{Past: past, Cursor: cursor})
}

// Requests returns a page of the reservations of the caller's items.
func (c *Client) Requests(ctx context.Context, past bool, cursor string) (List[Reservation], error) {
	return apiclient.Call(ctx, &c.session, contract.ListRequests, contract.Past{Past: past, Cursor: cursor})
}

// Reservation returns a reservation of the caller.
func (c *Client) Reservation(ctx context.Context, id string) (Reservation, error) {
	return apiclient.Call(ctx, &c.session, contract.GetReservation, operation.ByID{ID: id})
}

// Accept accepts an offer.
func (c *Client) Accept(ctx context.Context, id string) (Reservation, error) {
	return apiclient.Call(ctx, &c.session, contract.Accept, operation.ByID{ID: id})
}

// Confirm confirms a request with a time.
func (c *Client) Confirm(ctx context.Context, id string, pickup time.Time, message string) (Reservation, error) {
	return apiclient.Call(ctx, &c.session, contract.Confirm, operation.ByIDWith[contract.Confirmation]{ID: id, Body: contract.Confirmation{PickupTime: pickup, Message: message}})
}

// Decline declines a request.
func (c *Client) Decline(ctx context.Context, id string) (Reservation, error) {
	return apiclient.Call(ctx, &c.session, contract.Decline, operation.ByID{ID: id})
}

// Cancel cancels a reservation.
func (c *Client) Cancel(ctx context.Context, id string) (Reservation, error) {
	return apiclient.Call(ctx, &c.session, contract.Cancel, operation.ByID{ID: id})
}

// PickedUp confirms the pickup for the caller's side.
func (c *Client) PickedUp(ctx context.Context, id string) (Reservation, error) {
	return apiclient.Call(ctx, &c.session, contract.PickUp, operation.ByID{ID: id})
}

// Code returns the code of a pickup to the giver.
func (c *Client) Code(ctx context.Context, id string) (string, error) {
	code, err := apiclient.Call(ctx, &c.session, contract.GetCode, operation.ByID{ID: id})
	return code.Code, err
}

// Complete completes a pickup with the giver's code.
func (c *Client) Complete(ctx context.Context, id, code string) (Reservation, error) {
	return apiclient.Call(ctx, &c.session, contract.Complete, operation.ByIDWith[contract.Code]{ID: id, Body: contract.Code{Code: code}})
}

// Messages returns a page of the messages of a reservation, oldest first.
func (c *Client) Messages(ctx context.Context, id, cursor string) (List[Message], error) {
	return apiclient.Call(ctx, &c.session, contract.ListMessages, operation.PageOf{ID: id, Cursor: cursor})
}

// Send sends a message to the other party of a pickup.
func (c *Client) Send(ctx context.Context, id, text string) (Message, error) {
	return apiclient.Call(ctx, &c.session, contract.SendMessage, contract.Once[contract.Text]{ID: id, Body: contract.Text{Text: text}})
}

// Rate rates the other party of a completed pickup.
func (c *Client) Rate(ctx context.Context, id string, rating NewRating) error {
	return apiclient.Do(ctx, &c.session, contract.Rate, contract.Once[NewRating]{ID: id, Body: rating})
}

// StartAuction starts the auction of an item.
func (c *Client) StartAuction(ctx context.Context, in NewAuction) (Auction, error) {
	return apiclient.Call(ctx, &c.session, contract.StartAuction, operation.With[NewAuction]{Body: in})
}

// Auctions returns a page of the running auctions, those that end next first.
func (c *Client) Auctions(ctx context.Context, cursor string) (List[Auction], error) {
	return apiclient.Call(ctx, &c.session, contract.ListAuctions, operation.Page{Cursor: cursor})
}

// Auction returns an auction.
func (c *Client) Auction(ctx context.Context, id string) (Auction, error) {
	return apiclient.Call(ctx, &c.session, contract.GetAuction, operation.ByID{ID: id})
}

// Bid places a secret maximum in minor units. Requests with the same key return the same receipt;
// key may be "".
func (c *Client) Bid(ctx context.Context, id string, maximum int64, key string) (BidReceipt, error) {
	return apiclient.Call(ctx, &c.session, contract.PlaceBid, contract.Once[contract.Maximum]{ID: id, Key: key, Body: contract.Maximum{Maximum: maximum}})
}

// Bids returns a page of the history of an auction, newest first.
func (c *Client) Bids(ctx context.Context, id, cursor string) (List[Bid], error) {
	return apiclient.Call(ctx, &c.session, contract.ListBids, operation.PageOf{ID: id, Cursor: cursor})
}

// CancelAuction cancels an auction without bids.
func (c *Client) CancelAuction(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.CancelAuction, operation.ByID{ID: id})
}

// Profile returns the profile of a person; of the caller if the id is "me".
func (c *Client) Profile(ctx context.Context, id string) (Profile, error) {
	return apiclient.Call(ctx, &c.session, contract.GetProfile, operation.ByID{ID: id})
}

// Ratings returns a page of the ratings of a person.
func (c *Client) Ratings(ctx context.Context, id, cursor string) (List[Rating], error) {
	return apiclient.Call(ctx, &c.session, contract.ListRatings, operation.PageOf{ID: id, Cursor: cursor})
}

// Block blocks a person.
func (c *Client) Block(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.Block, operation.ByID{ID: id})
}

// Unblock takes a block back.
func (c *Client) Unblock(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.Unblock, operation.ByID{ID: id})
}

// ReportItem reports an item.
func (c *Client) ReportItem(ctx context.Context, id, reason, note string) error {
	return apiclient.Do(ctx, &c.session, contract.ReportItem, operation.ByIDWith[contract.NewReport]{ID: id, Body: contract.NewReport{Reason: reason, Note: note}})
}

// AddFavourite remembers an item.
func (c *Client) AddFavourite(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.AddFavourite, operation.ByID{ID: id})
}

// Favourites returns the favourites of the caller.
func (c *Client) Favourites(ctx context.Context) (List[Favourite], error) {
	return apiclient.Call(ctx, &c.session, contract.ListFavourites, contract.None{})
}

// SaveSearch saves a search; the caller is notified of new items that match it.
func (c *Client) SaveSearch(ctx context.Context, in Search) (Search, error) {
	return apiclient.Call(ctx, &c.session, contract.SaveSearch, operation.With[Search]{Body: in})
}

// Inbox returns a page of the caller's notifications, newest first.
func (c *Client) Inbox(ctx context.Context, cursor string) (List[Notification], error) {
	return apiclient.Call(ctx, &c.session, contract.ListNotifications, contract.Inbox{Cursor: cursor})
}

// Impact returns the figures of a city; of everywhere if it is "".
func (c *Client) Impact(ctx context.Context, city string) (Impact, error) {
	return apiclient.Call(ctx, &c.session, contract.GetImpact, contract.Where{City: city})
}

// Edit replaces what an item says. An address that is nil stays, and while people can see the item, its location does, too.
func (c *Client) Edit(ctx context.Context, id string, in NewItem) (Item, error) {
	return apiclient.Call(ctx, &c.session, contract.EditItem, operation.ByIDWith[NewItem]{ID: id, Body: in})
}

// Bump moves an item to the top of the feeds.
func (c *Client) Bump(ctx context.Context, id string) (Item, error) {
	return apiclient.Call(ctx, &c.session, contract.BumpItem, operation.ByID{ID: id})
}

// InCity returns a page of the available items of a category in a city, newest first.
func (c *Client) InCity(ctx context.Context, city, category, cursor string) (List[Card], error) {
	return apiclient.Call(ctx, &c.session, contract.ListInCity, contract.InCity{City: city, Category: category, Cursor: cursor})
}

// ItemReservations returns the reservations of an item of the caller, newest first.
func (c *Client) ItemReservations(ctx context.Context, id string) (List[Reservation], error) {
	return apiclient.Call(ctx, &c.session, contract.ListItemReservations, operation.ByID{ID: id})
}

// OwnBids returns a page of the caller's bids, newest first.
func (c *Client) OwnBids(ctx context.Context, cursor string) (List[Bid], error) {
	return apiclient.Call(ctx, &c.session, contract.ListOwnBids, operation.Page{Cursor: cursor})
}

// OwnAuctions returns a page of the caller's auctions, newest first.
func (c *Client) OwnAuctions(ctx context.Context, cursor string) (List[Auction], error) {
	return apiclient.Call(ctx, &c.session, contract.ListOwnAuctions, operation.Page{Cursor: cursor})
}

// ReportUser reports a person.
func (c *Client) ReportUser(ctx context.Context, id, reason, note string) error {
	return apiclient.Do(ctx, &c.session, contract.ReportUser, operation.ByIDWith[contract.NewReport]{ID: id, Body: contract.NewReport{Reason: reason, Note: note}})
}

// RemoveFavourite forgets an item.
func (c *Client) RemoveFavourite(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.RemoveFavourite, operation.ByID{ID: id})
}

// Searches returns the saved searches of the caller.
func (c *Client) Searches(ctx context.Context) (List[Search], error) {
	return apiclient.Call(ctx, &c.session, contract.ListSearches, contract.None{})
}

// DeleteSearch deletes a saved search.
func (c *Client) DeleteSearch(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.DeleteSearch, operation.ByID{ID: id})
}

// ReadInbox marks all notifications as read.
func (c *Client) ReadInbox(ctx context.Context) error {
	return apiclient.Do(ctx, &c.session, contract.ReadNotifications, contract.None{})
}

// ChangeProfile changes the profile of the caller; absent parts stay.
func (c *Client) ChangeProfile(ctx context.Context, in ProfileChange) (Profile, error) {
	return apiclient.Call(ctx, &c.session, contract.ChangeMe, operation.With[ProfileChange]{Body: in})
}

// Export returns a copy of the caller's data.
func (c *Client) Export(ctx context.Context) (Copy, error) {
	return apiclient.Call(ctx, &c.session, contract.ExportData, contract.None{})
}

// Erase deletes the account of the caller and its data.
func (c *Client) Erase(ctx context.Context) error {
	return apiclient.Do(ctx, &c.session, contract.EraseMe, contract.None{})
}
