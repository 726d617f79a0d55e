package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/internal/files/fileserve"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// itemView holds the data of item.html.
type itemView struct {
	Item     listings.Item
	Giver    people.Public
	Km       float64
	Place    place
	Own      bool
	SignedIn bool
	// Favourite reports that the viewer has remembered the item.
	Favourite bool

	Auction *auctions.View // nil for what is given away
	Bids    []bidRow
	// Outbid reports that the viewer has led and does not lead any more.
	Outbid bool
	// EndWarning is the time before the end in which the clock warns, LatestEnd the end that late bids
	// cannot pass.
	EndWarning time.Duration
	LatestEnd  time.Time
	// Position is the viewer's place in the queue; Joined reports a place or a ticket.
	Position int
	Joined   bool
	Draw     *giving.Drawn
	Names    map[string]string // of the entrants of a draw
	// Requests are the reservations of an own item. Taking is the viewer's open one of an item of somebody else.
	Requests []pickupRow
	Taking   *giving.Reservation
	CanBump  bool       // an own item can be brought to the top
	Again    *offerView // to post an own item again that has expired

	Form   *webkit.Form // to reserve, to join or to bid
	Report *webkit.Form // nil unless it was refused
	Share  string
}

// endWarning is the time before the end of an auction in which its clock warns.
const endWarning = 5 * time.Minute

// A bidRow is a bid in the history of an auction.
type bidRow struct {
	Name   string
	Amount string
	At     time.Time
	You    bool
	// Automatic reports that the maximum of another person was higher.
	Automatic bool
}

func (web *Web) item(w http.ResponseWriter, r *http.Request) error {
	return web.showItem(w, r, http.StatusOK, nil, nil)
}

// showItem renders an item. Form holds what was refused.
func (web *Web) showItem(w http.ResponseWriter, r *http.Request, status int, form, report *webkit.Form) error {
	ctx, me := r.Context(), viewer(r)
	item, err := web.Domain.Listings.Get(ctx, me, r.PathValue("id"))
	if err != nil {
		return err
	}
	view := itemView{Item: item, Own: item.UserID == me, SignedIn: me != "", Place: web.placeOf(r), Form: form, Report: report}
	view.Km = shownDistance(view.Place.Point, geo.Point{Lat: item.Lat, Lon: item.Lon})
	if view.Giver, err = web.Domain.People.Public(ctx, "", item.UserID); err != nil {
		return err
	}
	if view.SignedIn && !view.Own {
		if view.Favourite, err = web.Domain.Trust.IsFavourite(ctx, me, item.ItemID); err != nil {
			return err
		}
	}
	for _, fill := range []func(*http.Request, *itemView) error{web.fillAuction, web.fillAllocation, web.fillRequests} {
		if err := fill(r, &view); err != nil {
			return err
		}
	}
	web.Site.Render(w, r, status, "item.html", view)
	return nil
}

// fillAuction adds the auction of an item and its history.
func (web *Web) fillAuction(r *http.Request, view *itemView) error {
	if view.Item.LiveAuctionID == nil {
		return nil
	}
	auction, err := web.Domain.Auctions.OfItem(r.Context(), viewer(r), view.Item)
	if err != nil {
		return err
	}
	view.Auction, view.EndWarning, view.LatestEnd = &auction, endWarning, auction.LatestEnd().In(web.Site.Zone(r))
	page, err := web.Domain.Auctions.History(r.Context(), auction, ecobid.DefaultPage, "")
	if err != nil {
		return err
	}
	ids := make([]string, len(page.Items))
	for i, bid := range page.Items {
		ids[i] = bid.UserID
	}
	names, err := web.Domain.People.Several(r.Context(), ids)
	if err != nil {
		return err
	}
	for _, bid := range page.Items {
		view.Outbid = view.Outbid || bid.UserID == viewer(r) && !auction.Leading && !auction.Ended
		view.Bids = append(view.Bids, bidRow{
			Name: names[bid.UserID].Username, Amount: auctions.Amount(bid.Amount, auction.Currency), At: bid.CreatedAt, You: bid.UserID == viewer(r),
			Automatic: bid.LeaderID != bid.UserID,
		})
	}
	return nil
}

// fillAllocation adds the viewer's place in a queue, or the draw of a lottery.
func (web *Web) fillAllocation(r *http.Request, view *itemView) error {
	item := view.Item
	if item.Allocation == listings.FirstCome {
		return nil
	}
	if view.SignedIn && !view.Own {
		entries, err := web.Domain.Giving.Entries(r.Context(), viewer(r))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			view.Joined = view.Joined || entry.ItemID == item.ItemID
		}
		if view.Position, err = web.Domain.Giving.Position(r.Context(), viewer(r), item.ItemID); err != nil {
			return err
		}
	}
	if item.DrawSecret == nil {
		return nil
	}
	drawn, err := web.Domain.Giving.Draw(r.Context(), viewer(r), item.ItemID)
	if err != nil {
		return err
	}
	known, err := web.Domain.People.Several(r.Context(), drawn.Order)
	if err != nil {
		return err
	}
	view.Draw, view.Names = &drawn, map[string]string{}
	for id, person := range known {
		view.Names[id] = person.Username
	}
	return nil
}

// fillRequests adds what the owner can do with an item, and its reservations; for others, their own reservation.
func (web *Web) fillRequests(r *http.Request, view *itemView) error {
	if !view.Own {
		return web.fillTaking(r, view)
	}
	if view.Item.Status == listings.StatusDraft {
		return nil
	}
	view.CanBump = web.Domain.Listings.CanBump(view.Item)
	if view.Item.Status == listings.StatusExpired {
		view.Again = offerPage(view.Form, &view.Item)
	}
	page, err := web.Domain.Giving.OfItem(r.Context(), viewer(r), view.Item.ItemID)
	if err != nil {
		return err
	}
	view.Requests, err = web.rows(r, viewer(r), page)
	return err
}

// fillTaking adds the open reservation of a viewer.
func (web *Web) fillTaking(r *http.Request, view *itemView) error {
	if !view.SignedIn || view.Item.Status != listings.StatusReserved {
		return nil
	}
	page, err := web.Domain.Giving.Taking(r.Context(), viewer(r), false, ecobid.MaxPage, "")
	for i := range page.Items {
		if page.Items[i].ItemID == view.Item.ItemID {
			view.Taking = &page.Items[i]
		}
	}
	return err
}

func (web *Web) watchItem(w http.ResponseWriter, r *http.Request) error {
	item, err := web.Domain.Listings.Get(r.Context(), viewer(r), r.PathValue("id"))
	if err != nil {
		return err
	}
	topics := []live.Topic{ecobid.ItemTopic(item.ItemID)}
	if item.LiveAuctionID != nil {
		topics = append(topics, ecobid.AuctionTopic(*item.LiveAuctionID))
	}
	web.Site.Watch(w, r, web.Hub, topics...)
	return nil
}

func (web *Web) reserve(w http.ResponseWriter, r *http.Request) error {
	return web.ask(w, r, func(request giving.Request) (string, error) {
		reservation, err := web.Domain.Giving.Reserve(r.Context(), request)
		return "/pickups/" + reservation.ReservationID, err
	}, "Reserved. The giver has 24 hours to answer.")
}

func (web *Web) join(w http.ResponseWriter, r *http.Request) error {
	return web.ask(w, r, func(request giving.Request) (string, error) {
		joined, err := web.Domain.Giving.Join(r.Context(), request)
		if joined.Reservation != nil {
			return "/pickups/" + joined.Reservation.ReservationID, err
		}
		return "/items/" + request.ItemID, err
	}, "You are in. You are told when it is your turn.")
}

// ask sends a request for an item, and shows the page again with what was written if it is refused.
func (web *Web) ask(w http.ResponseWriter, r *http.Request, send func(giving.Request) (string, error), done string) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("message", "Message")
	to, err := send(giving.Request{UserID: me, ItemID: r.PathValue("id"), Message: form.Value("message"), Key: form.Key()})
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return web.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	web.Site.Flash(w, r, webkit.Good, done)
	web.Site.Redirect(w, r, to)
	return nil
}

func (web *Web) leave(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	if err := web.Domain.Giving.Leave(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	web.Site.Flash(w, r, webkit.Info, "You have left.")
	web.Site.Redirect(w, r, "/items/"+r.PathValue("id"))
	return nil
}

func (web *Web) bid(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	item, err := web.Domain.Listings.Get(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	if item.LiveAuctionID == nil {
		return ecobid.ErrEnded
	}
	form := webkit.ReadForm(r).Label("maximum", "Your maximum")
	maximum := form.Cents("maximum", 1, ecobid.MaxAmount)
	if !form.Valid() {
		return web.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	receipt, err := web.Domain.Auctions.Bid(r.Context(), auctions.Bid{UserID: me, AuctionID: *item.LiveAuctionID, Maximum: maximum, Key: form.Key()})
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return web.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	tone, text := bidWords(receipt, item.Currency)
	web.Site.Flash(w, r, tone, text)
	web.Site.Redirect(w, r, "/items/"+item.ItemID)
	return nil
}

// bidWords says what a bid led to.
func bidWords(receipt auctions.Receipt, currency string) (tone, text string) {
	price := auctions.Amount(receipt.Price, currency)
	if !receipt.Leading {
		return webkit.Warn, "Outbid at once: another person has a higher maximum. The least next bid is " + auctions.Amount(receipt.LeastNext, currency) + "."
	}
	text = "You lead at " + price + ". Others see " + price + "; your maximum of " + auctions.Amount(receipt.Maximum, currency) + " stays secret."
	if receipt.Extended {
		text += " The end moved to give others time to answer."
	}
	return webkit.Good, text
}

func (web *Web) favourite(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	change, text := web.Domain.Trust.AddFavourite, "Kept in your favourites."
	if webkit.ReadForm(r).Flag("drop") {
		change, text = web.Domain.Trust.RemoveFavourite, "Removed from your favourites."
	}
	if err := change(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	web.Site.Flash(w, r, webkit.Good, text)
	web.Site.Redirect(w, r, "/items/"+r.PathValue("id"))
	return nil
}

func (web *Web) photo(w http.ResponseWriter, r *http.Request) error {
	id, small := strings.CutSuffix(r.PathValue("file"), "-small")
	key := listings.PhotoKey(id)
	if small {
		key = listings.ThumbKey(id)
	}
	err := fileserve.Serve(w, r, web.Files, fileserve.File{Key: key, Cache: "public, max-age=31536000, immutable"})
	if _, missing := refusal.As(err, refusal.NotFound); missing {
		return ecobid.ErrNoPhoto
	}
	return err
}

// refuseForm records a refusal in a form, to be shown with it. It returns errors that are none.
func refuseForm(form *webkit.Form, err error) error {
	if err == nil {
		return nil
	}
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok || refused.Kind == refusal.NotFound {
		return err
	}
	for _, field := range refused.Fields {
		message := field.Message
		if message == "" {
			message = refused.Message
		}
		form.Fail(field.Name, message)
	}
	if len(refused.Fields) == 0 {
		form.Fail("", refused.Message)
	}
	return nil
}
