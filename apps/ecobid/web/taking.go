package web

import (
	"net/http"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/webkit"
)

// takingPages takes the requests, bids and favourites of an item.
type takingPages struct {
	auctions *auctions.Service
	giving   *giving.Service
	items    *itemPages
	listings *listings.Service
	site     *webkit.Site
	trust    *trust.Service
}

func (p *takingPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"POST /items/{id}/reserve":   p.reserve,
		"POST /items/{id}/join":      p.join,
		"POST /items/{id}/leave":     p.leave,
		"POST /items/{id}/bid":       p.bid,
		"POST /items/{id}/favourite": p.favourite,
	}
}

func (p *takingPages) reserve(w http.ResponseWriter, r *http.Request) error {
	return p.ask(w, r, func(request giving.Request) (string, error) {
		reservation, err := p.giving.Reserve(r.Context(), request)
		return "/pickups/" + reservation.ReservationID, err
	}, "Reserved. The giver has 24 hours to answer.")
}

func (p *takingPages) join(w http.ResponseWriter, r *http.Request) error {
	return p.ask(w, r, func(request giving.Request) (string, error) {
		joined, err := p.giving.Join(r.Context(), request)
		if joined.Reservation != nil {
			return "/pickups/" + joined.Reservation.ReservationID, err
		}
		return "/items/" + request.ItemID, err
	}, "You are in. You are told when it is your turn.")
}

// ask sends a request for an item, and shows the page again with what was written if it is refused.
func (p *takingPages) ask(w http.ResponseWriter, r *http.Request, send func(giving.Request) (string, error), done string) error {
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
		return p.items.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	p.site.Flash(w, r, webkit.Good, done)
	p.site.Redirect(w, r, to)
	return nil
}

func (p *takingPages) leave(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	if err := p.giving.Leave(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Info, "You have left.")
	p.site.Redirect(w, r, "/items/"+r.PathValue("id"))
	return nil
}

func (p *takingPages) bid(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	item, err := p.listings.Get(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	if item.LiveAuctionID == nil {
		return ecobid.ErrEnded
	}
	form := webkit.ReadForm(r).Label("maximum", "Your maximum")
	maximum := form.Cents("maximum", 1, ecobid.MaxAmount)
	if !form.Valid() {
		return p.items.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	receipt, err := p.auctions.Bid(r.Context(), auctions.Bid{UserID: me, AuctionID: *item.LiveAuctionID, Maximum: maximum, Key: form.Key()})
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return p.items.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	tone, text := bidWords(receipt, item.Currency)
	p.site.Flash(w, r, tone, text)
	p.site.Redirect(w, r, "/items/"+item.ItemID)
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

func (p *takingPages) favourite(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	change, text := p.trust.AddFavourite, "Kept in your favourites."
	if webkit.ReadForm(r).Flag("drop") {
		change, text = p.trust.RemoveFavourite, "Removed from your favourites."
	}
	if err := change(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, text)
	p.site.Redirect(w, r, "/items/"+r.PathValue("id"))
	return nil
}
