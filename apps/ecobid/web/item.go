package web

import (
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/files/fileserve"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// itemPages shows an item.
type itemPages struct {
	auctions *auctions.Service
	files    files.Store
	giving   *giving.Service
	hub      *live.Hub
	listings *listings.Service
	people   *people.Service
	places   *placePages
	site     *webkit.Site
	trust    *trust.Service
}

func (p *itemPages) public() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /items/{id}":      p.item,
		"GET /live/items/{id}": p.watchItem,
		"GET /photos/{file}":   p.photo,
	}
}

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

func (p *itemPages) item(w http.ResponseWriter, r *http.Request) error {
	return p.showItem(w, r, http.StatusOK, nil, nil)
}

// showItem renders an item. Form holds what was refused.
func (p *itemPages) showItem(w http.ResponseWriter, r *http.Request, status int, form, report *webkit.Form) error {
	ctx, me := r.Context(), viewer(r)
	item, err := p.listings.Get(ctx, me, r.PathValue("id"))
	if err != nil {
		return err
	}
	view := itemView{Item: item, Own: item.UserID == me, SignedIn: me != "", Place: p.places.placeOf(r), Form: form, Report: report}
	view.Km = shownDistance(view.Place.Point, geo.Point{Lat: item.Lat, Lon: item.Lon})
	if view.Giver, err = p.people.Public(ctx, "", item.UserID); err != nil {
		return err
	}
	if view.SignedIn && !view.Own {
		if view.Favourite, err = p.trust.IsFavourite(ctx, me, item.ItemID); err != nil {
			return err
		}
	}
	for _, fill := range []func(*http.Request, *itemView) error{p.fillAuction, p.fillAllocation, p.fillRequests} {
		if err := fill(r, &view); err != nil {
			return err
		}
	}
	p.site.Render(w, r, status, "item.html", view)
	return nil
}

// fillAuction adds the auction of an item and its history.
func (p *itemPages) fillAuction(r *http.Request, view *itemView) error {
	if view.Item.LiveAuctionID == nil {
		return nil
	}
	auction, err := p.auctions.OfItem(r.Context(), viewer(r), view.Item)
	if err != nil {
		return err
	}
	view.Auction, view.EndWarning, view.LatestEnd = &auction, endWarning, auction.LatestEnd().In(p.site.Zone(r))
	page, err := p.auctions.History(r.Context(), auction, ecobid.DefaultPage, "")
	if err != nil {
		return err
	}
	ids := make([]string, len(page.Items))
	for i, bid := range page.Items {
		ids[i] = bid.UserID
	}
	names, err := p.people.Several(r.Context(), ids)
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
func (p *itemPages) fillAllocation(r *http.Request, view *itemView) error {
	item := view.Item
	if item.Allocation == listings.FirstCome {
		return nil
	}
	if view.SignedIn && !view.Own {
		entries, err := p.giving.Entries(r.Context(), viewer(r))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			view.Joined = view.Joined || entry.ItemID == item.ItemID
		}
		if view.Position, err = p.giving.Position(r.Context(), viewer(r), item.ItemID); err != nil {
			return err
		}
	}
	if item.DrawSecret == nil {
		return nil
	}
	drawn, err := p.giving.Draw(r.Context(), viewer(r), item.ItemID)
	if err != nil {
		return err
	}
	known, err := p.people.Several(r.Context(), drawn.Order)
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
func (p *itemPages) fillRequests(r *http.Request, view *itemView) error {
	if !view.Own {
		return p.fillTaking(r, view)
	}
	if view.Item.Status == listings.StatusDraft {
		return nil
	}
	view.CanBump = p.listings.CanBump(view.Item)
	if view.Item.Status == listings.StatusExpired {
		view.Again = offerPage(view.Form, &view.Item)
	}
	page, err := p.giving.OfItem(r.Context(), viewer(r), view.Item.ItemID)
	if err != nil {
		return err
	}
	view.Requests, err = rows(r, p.people, viewer(r), page)
	return err
}

// fillTaking adds the open reservation of a viewer.
func (p *itemPages) fillTaking(r *http.Request, view *itemView) error {
	if !view.SignedIn || view.Item.Status != listings.StatusReserved {
		return nil
	}
	page, err := p.giving.Taking(r.Context(), viewer(r), false, ecobid.MaxPage, "")
	for i := range page.Items {
		if page.Items[i].ItemID == view.Item.ItemID {
			view.Taking = &page.Items[i]
		}
	}
	return err
}

func (p *itemPages) watchItem(w http.ResponseWriter, r *http.Request) error {
	item, err := p.listings.Get(r.Context(), viewer(r), r.PathValue("id"))
	if err != nil {
		return err
	}
	topics := []live.Topic{ecobid.ItemTopic(item.ItemID)}
	if item.LiveAuctionID != nil {
		topics = append(topics, ecobid.AuctionTopic(*item.LiveAuctionID))
	}
	p.site.Watch(w, r, p.hub, topics...)
	return nil
}

func (p *itemPages) photo(w http.ResponseWriter, r *http.Request) error {
	id, small := strings.CutSuffix(r.PathValue("file"), "-small")
	key := listings.PhotoKey(id)
	if small {
		key = listings.ThumbKey(id)
	}
	err := fileserve.Serve(w, r, p.files, fileserve.File{Key: key, Cache: "public, max-age=31536000, immutable"})
	if _, missing := refusal.As(err, refusal.NotFound); missing {
		return ecobid.ErrNoPhoto
	}
	return err
}

// refuseForm records a refusal in a form, to be shown with it. It returns other errors.
func refuseForm(form *webkit.Form, err error) error { return form.Refuse(err) }
