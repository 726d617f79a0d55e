package web

import (
	"net/http"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webkit"
)

// minePages shows the items, requests and bids of a person.
type minePages struct {
	auctions *auctions.Service
	giving   *giving.Service
	hub      *live.Hub
	listings *listings.Service
	people   *people.Service
	site     *webkit.Site
	trust    *trust.Service
}

func (p *minePages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /mine":      p.mine,
		"GET /live/mine": p.watchMine,
	}
}

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

func (p *minePages) mine(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	ctx, query := r.Context(), r.URL.Query()
	view := mineView{Past: query.Get("past") == "1"}
	requests, err := p.giving.Requests(ctx, me, view.Past, 0, "")
	if err != nil {
		return err
	}
	taking, err := p.giving.Taking(ctx, me, view.Past, 0, "")
	if err != nil {
		return err
	}
	if view.Requests, err = rows(r, p.people, me, requests); err != nil {
		return err
	}
	if view.Taking, err = rows(r, p.people, me, taking); err != nil {
		return err
	}
	if err := p.ownItems(r, me, &view); err != nil {
		return err
	}
	if view.Bids, err = p.ownBids(r, me, view.Past); err != nil {
		return err
	}
	if view.Favourites, err = p.trust.Favourites(ctx, me); err != nil {
		return err
	}
	p.site.Render(w, r, http.StatusOK, "mine.html", view)
	return nil
}

// maxMine is the number of pages of items that are read for one of the list.
const maxMine = 10

// ownItems adds the items of a person that are open, or those of the past. All are in one list, so that it may take some pages
// to find the next ones.
func (p *minePages) ownItems(r *http.Request, me string, view *mineView) error {
	at, cursor := "/mine", r.URL.Query().Get("cursor")
	if view.Past {
		at = addQuery(at, "past", "1")
	}
	for range maxMine {
		page, err := p.listings.Mine(r.Context(), me, 0, cursor)
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
func rows(r *http.Request, profiles *people.Service, me string, page access.Page[giving.Reservation]) ([]pickupRow, error) {
	ids := make([]string, len(page.Items))
	for i, one := range page.Items {
		ids[i] = otherParty(one, me)
	}
	known, err := profiles.Several(r.Context(), ids)
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
func (p *minePages) ownBids(r *http.Request, me string, ended bool) ([]ownBid, error) {
	page, err := p.auctions.Mine(r.Context(), me, 0, "")
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
	known, err := p.auctions.Several(r.Context(), me, ids)
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

func (p *minePages) watchMine(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	p.site.Watch(w, r, p.hub, ecobid.PersonTopic(me))
	return nil
}
