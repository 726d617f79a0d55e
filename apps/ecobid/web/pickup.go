package web

import (
	"io"
	"net/http"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/qrcode"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// pickupPages shows a reservation and moves it on.
type pickupPages struct {
	giving *giving.Service
	hub    *live.Hub
	now    func() time.Time
	people *people.Service
	public string
	site   *webkit.Site
	trust  *trust.Service
}

func (p *pickupPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /pickups/{id}":           p.pickup,
		"GET /pickups/{id}/code.svg":  p.pickupCode,
		"GET /live/pickups/{id}":      p.watchPickup,
		"POST /pickups/{id}/{action}": p.act,
	}
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

func (p *pickupPages) pickup(w http.ResponseWriter, r *http.Request) error {
	return p.showPickup(w, r, http.StatusOK, nil)
}

func (p *pickupPages) showPickup(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	reservation, err := p.giving.Get(ctx, me, r.PathValue("id"))
	if err != nil {
		return err
	}
	zone := p.site.Zone(r)
	reservation.DeadlineAt = reservation.DeadlineAt.In(zone)
	if reservation.PickupTime != nil {
		reservation.PickupTime = new(reservation.PickupTime.In(zone))
	}
	view := pickupView{
		Reservation: reservation, Giver: reservation.SellerID == me, Yours: actsNow(reservation, me), Form: form,
		Scanned: r.URL.Query().Get("code"), Earliest: p.now().In(zone).Format("2006-01-02T15:04"),
	}
	if view.Other, err = p.people.Public(ctx, "", otherParty(reservation, me)); err != nil {
		return err
	}
	if view.CanRate, err = p.trust.CanRate(ctx, me, reservation); err != nil {
		return err
	}
	if reservation.FirstMarkBy != nil {
		view.Marked = (*reservation.FirstMarkBy == giving.MarkedSeller) == view.Giver
	}
	if err := p.fillPickup(r, me, &view); err != nil {
		return err
	}
	p.site.Render(w, r, status, "pickup.html", view)
	return nil
}

// fillPickup adds what is open after the confirmation: the place, the code and the messages.
func (p *pickupPages) fillPickup(r *http.Request, me string, view *pickupView) error {
	if view.Status != giving.StatusConfirmed && view.Status != giving.StatusCompleted {
		return nil
	}
	exact, err := p.giving.Place(r.Context(), me, view.ItemID)
	if _, hidden := refusal.As(err); err != nil && !hidden {
		return err
	} else if err == nil {
		view.Place = &exact
	}
	if view.Giver && view.Status == giving.StatusConfirmed {
		if view.Code, err = p.giving.Code(r.Context(), me, view.ReservationID); err != nil {
			return err
		}
	}
	page, err := p.giving.Messages(r.Context(), me, view.ReservationID, ecobid.MaxPage, "")
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
func (p *pickupPages) pickupCode(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	code, err := p.giving.Code(r.Context(), me, id)
	if err != nil {
		return err
	}
	drawn, err := qrcode.New(p.public + "/pickups/" + id + "?code=" + code)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-store")
	_, err = io.WriteString(w, drawn.SVG())
	return err
}

// watchPickup sends hints about a pickup of a person and its messages.
func (p *pickupPages) watchPickup(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	if _, err := p.giving.Get(r.Context(), me, id); err != nil {
		return err
	}
	p.site.Watch(w, r, p.hub, ecobid.PersonTopic(me), ecobid.MessagesTopic(id))
	return nil
}

// act does one of the actions of a pickup, and shows the page again with what was written if it is
// refused.
func (p *pickupPages) act(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form, id := webkit.ReadForm(r), r.PathValue("id")
	done, err := p.do(r, form, me, id, r.PathValue("action"))
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil || !form.Valid() {
		return p.showPickup(w, r, http.StatusUnprocessableEntity, form)
	}
	if done != "" {
		p.site.Flash(w, r, webkit.Good, done)
	}
	p.site.Redirect(w, r, "/pickups/"+id)
	return nil
}

// do does an action and returns what to tell the person.
func (p *pickupPages) do(r *http.Request, form *webkit.Form, me, id, action string) (done string, err error) {
	ctx, pickups := r.Context(), p.giving
	switch action {
	case "confirm":
		at := form.Label("time", "Time of the pickup").Time("time", p.site.Zone(r))
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
		return "Thank you. Ratings are shown when both have rated.", p.trust.Rate(ctx, me, id, stars, form.Value("comment"), form.Key())
	}
	return "", ecobid.ErrNoReservation
}
