package web

import (
	"io"
	"net/http"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/qrcode"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// mineView holds the data of mine.html.
type mineView struct {
	Requests, Taking []pickupRow
	Items            []listings.Item
	Bids             []ownBid
	Favourites       []trust.Favourite
	More             string // of the items
	Past             bool
}

// A pickupRow is a reservation in a list.
type pickupRow struct {
	giving.Reservation
	Other people.Public
	// Yours reports that the viewer has to act.
	Yours bool
}

// An ownBid is an auction in which the viewer bids.
type ownBid struct {
	auctions.View
	At  time.Time
	Won bool
}

func (web *Web) mine(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	ctx, query := r.Context(), r.URL.Query()
	view := mineView{Past: query.Get("past") == "1"}
	requests, err := web.Domain.Giving.Requests(ctx, me, view.Past, 0, "")
	if err != nil {
		return err
	}
	taking, err := web.Domain.Giving.Taking(ctx, me, view.Past, 0, "")
	if err != nil {
		return err
	}
	if view.Requests, err = web.rows(r, me, requests); err != nil {
		return err
	}
	if view.Taking, err = web.rows(r, me, taking); err != nil {
		return err
	}
	if err := web.ownItems(r, me, &view); err != nil {
		return err
	}
	if view.Bids, err = web.ownBids(r, me, view.Past); err != nil {
		return err
	}
	if view.Favourites, err = web.Domain.Trust.Favourites(ctx, me); err != nil {
		return err
	}
	web.Site.Render(w, r, http.StatusOK, "mine.html", view)
	return nil
}

// maxMine is the number of pages of items that are read for one of the list.
const maxMine = 10

// ownItems adds the items of a person that are open, or those of the past. All are in one list, so that it may take some pages
// to find the next ones.
func (web *Web) ownItems(r *http.Request, me string, view *mineView) error {
	at, cursor := "/mine", r.URL.Query().Get("cursor")
	if view.Past {
		at = addQuery(at, "past", "1")
	}
	for range maxMine {
		page, err := web.Domain.Listings.Mine(r.Context(), me, 0, cursor)
		if err != nil {
			return err
		}
		view.Items = append(view.Items, keep(page.Items, func(i listings.Item) bool { return isOver(i.Status) == view.Past })...)
		if cursor = page.Next; cursor == "" || len(view.Items) >= ecobid.DefaultPage {
			break
		}
	}
	if cursor != "" {
		view.More = addQuery(at, "cursor", cursor)
	}
	return nil
}

// isOver reports whether nothing more can happen to an item. One that has expired can be posted again.
func isOver(s listings.Status) bool {
	return s == listings.StatusCompleted || s == listings.StatusCancelled || s == listings.StatusRemoved
}

// rows adds the other party to reservations.
func (web *Web) rows(r *http.Request, me string, page access.Page[giving.Reservation]) ([]pickupRow, error) {
	ids := make([]string, len(page.Items))
	for i, one := range page.Items {
		ids[i] = otherParty(one, me)
	}
	known, err := web.Domain.People.Several(r.Context(), ids)
	if err != nil {
		return nil, err
	}
	rows := make([]pickupRow, len(page.Items))
	for i, one := range page.Items {
		rows[i] = pickupRow{Reservation: one, Other: known[ids[i]], Yours: actsNow(one, me)}
	}
	return rows, nil
}

// ownBids returns the auctions of a person's latest bids, each once: those that run, or those that have ended.
func (web *Web) ownBids(r *http.Request, me string, ended bool) ([]ownBid, error) {
	page, err := web.Domain.Auctions.Mine(r.Context(), me, 0, "")
	if err != nil {
		return nil, err
	}
	var ids []string
	last := map[string]time.Time{}
	for _, bid := range page.Items {
		if _, seen := last[bid.AuctionID]; !seen {
			ids, last[bid.AuctionID] = append(ids, bid.AuctionID), bid.CreatedAt
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	known, err := web.Domain.Auctions.Several(r.Context(), me, ids)
	if err != nil {
		return nil, err
	}
	var bids []ownBid
	for _, id := range ids {
		if view, ok := known[id]; ok && view.Ended == ended {
			bids = append(bids, ownBid{View: view, At: last[id], Won: view.WinnerID != nil && *view.WinnerID == me})
		}
	}
	return bids, nil
}

func (web *Web) watchMine(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	web.Site.Watch(w, r, web.Hub, ecobid.PersonTopic(me))
	return nil
}

// otherParty returns the other person of a reservation.
func otherParty(r giving.Reservation, me string) string {
	if r.BuyerID == me {
		return r.SellerID
	}
	return r.BuyerID
}

// actsNow reports whether a person has to act on a reservation.
func actsNow(r giving.Reservation, me string) bool {
	if r.Status != giving.StatusPending {
		return false
	}
	return r.Awaits == giving.AwaitsSeller && r.SellerID == me || r.Awaits == giving.AwaitsBuyer && r.BuyerID == me
}

// pickupView holds the data of pickup.html.
type pickupView struct {
	giving.Reservation
	Other    people.Public
	Giver    bool // the viewer gives
	Yours    bool // the viewer has to act
	Place    *listings.Place
	Code     string // on the giver's screen
	Scanned  string // the code of a link that was scanned
	Messages []messageRow
	Marked   bool // the viewer has confirmed the handover
	CanRate  bool
	Form     *webkit.Form
	Earliest string
	Currency string
}

// A messageRow is a message of a pickup.
type messageRow struct {
	giving.Message
	Own bool
}

func (web *Web) pickup(w http.ResponseWriter, r *http.Request) error {
	return web.showPickup(w, r, http.StatusOK, nil)
}

func (web *Web) showPickup(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	reservation, err := web.Domain.Giving.Get(ctx, me, r.PathValue("id"))
	if err != nil {
		return err
	}
	zone := web.Site.Zone(r)
	reservation.DeadlineAt = reservation.DeadlineAt.In(zone)
	if reservation.PickupTime != nil {
		reservation.PickupTime = new(reservation.PickupTime.In(zone))
	}
	view := pickupView{
		Reservation: reservation, Giver: reservation.SellerID == me, Yours: actsNow(reservation, me), Form: form,
		Scanned: r.URL.Query().Get("code"), Earliest: web.Domain.Now().In(zone).Format("2006-01-02T15:04"),
	}
	if view.Other, err = web.Domain.People.Public(ctx, "", otherParty(reservation, me)); err != nil {
		return err
	}
	if view.CanRate, err = web.Domain.Trust.CanRate(ctx, me, reservation); err != nil {
		return err
	}
	if reservation.FirstMarkBy != nil {
		view.Marked = (*reservation.FirstMarkBy == giving.MarkedSeller) == view.Giver
	}
	if err := web.fillPickup(r, me, &view); err != nil {
		return err
	}
	web.Site.Render(w, r, status, "pickup.html", view)
	return nil
}

// fillPickup adds what is open after the confirmation: the place, the code and the messages.
func (web *Web) fillPickup(r *http.Request, me string, view *pickupView) error {
	if view.Status != giving.StatusConfirmed && view.Status != giving.StatusCompleted {
		return nil
	}
	exact, err := web.Domain.Giving.Place(r.Context(), me, view.ItemID)
	if _, hidden := refusal.As(err); err != nil && !hidden {
		return err
	} else if err == nil {
		view.Place = &exact
	}
	if view.Giver && view.Status == giving.StatusConfirmed {
		if view.Code, err = web.Domain.Giving.Code(r.Context(), me, view.ReservationID); err != nil {
			return err
		}
	}
	page, err := web.Domain.Giving.Messages(r.Context(), me, view.ReservationID, ecobid.MaxPage, "")
	if _, hidden := refusal.As(err, refusal.NotFound); err != nil && !hidden {
		return err
	}
	for _, message := range page.Items {
		view.Messages = append(view.Messages, messageRow{Message: message, Own: message.SenderID == me})
	}
	return nil
}

// pickupCode draws the QR code on the giver's screen. It leads the other person to the page of the
// pickup, with the code filled in.
func (web *Web) pickupCode(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	code, err := web.Domain.Giving.Code(r.Context(), me, id)
	if err != nil {
		return err
	}
	drawn, err := qrcode.New(web.PublicURL + "/pickups/" + id + "?code=" + code)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-store")
	_, err = io.WriteString(w, drawn.SVG())
	return err
}

// watchPickup sends hints about a pickup of a person and its messages.
func (web *Web) watchPickup(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	if _, err := web.Domain.Giving.Get(r.Context(), me, id); err != nil {
		return err
	}
	web.Site.Watch(w, r, web.Hub, ecobid.PersonTopic(me), ecobid.MessagesTopic(id))
	return nil
}

// act does one of the actions of a pickup, and shows the page again with what was written if it is
// refused.
func (web *Web) act(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form, id := webkit.ReadForm(r), r.PathValue("id")
	done, err := web.do(r, form, me, id, r.PathValue("action"))
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil || !form.Valid() {
		return web.showPickup(w, r, http.StatusUnprocessableEntity, form)
	}
	if done != "" {
		web.Site.Flash(w, r, webkit.Good, done)
	}
	web.Site.Redirect(w, r, "/pickups/"+id)
	return nil
}

// do does an action and returns what to tell the person.
func (web *Web) do(r *http.Request, form *webkit.Form, me, id, action string) (done string, err error) {
	ctx, pickups := r.Context(), web.Domain.Giving
	switch action {
	case "confirm":
		at := form.Label("time", "Time of the pickup").Time("time", web.Site.Zone(r))
		if !form.Valid() {
			return "", nil
		}
		_, err = pickups.Confirm(ctx, me, id, at, form.Value("message"))
		return "Confirmed. The address is open to the other person now.", err
	case "decline":
		_, err = pickups.Decline(ctx, me, id)
		return "Declined. The item is available again.", err
	case "accept":
		_, err = pickups.Accept(ctx, me, id)
		return "Accepted. The giver answers next.", err
	case "cancel":
		_, err = pickups.Cancel(ctx, me, id)
		return "Cancelled. The other person is told.", err
	case "picked-up":
		_, err = pickups.PickedUp(ctx, me, id)
		return "Noted. It is complete when both have said so.", err
	case "code":
		_, err = pickups.Redeem(ctx, me, id, form.Value("code"))
		return "Picked up. Enjoy it.", err
	case "message":
		_, err = pickups.Send(ctx, me, id, form.Value("text"), form.Key())
		return "", err
	case "rate":
		stars := form.Label("stars", "Stars").Int("stars", ecobid.MinStars, ecobid.MaxStars)
		if !form.Valid() {
			return "", nil
		}
		return "Thank you. Ratings are shown when both have rated.", web.Domain.Trust.Rate(ctx, me, id, stars, form.Value("comment"), form.Key())
	}
	return "", ecobid.ErrNoReservation
}
