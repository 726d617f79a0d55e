package web

import (
	"errors"
	"net/http"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/webkit"
)

// editPages changes, publishes and withdraws an item.
type editPages struct {
	auctions *auctions.Service
	items    *itemPages
	listings *listings.Service
	posts    *postPages
	site     *webkit.Site
}

func (p *editPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /items/{id}/edit":      p.showEdit,
		"POST /items/{id}/edit":     p.edit,
		"POST /items/{id}/publish":  p.publish,
		"POST /items/{id}/withdraw": p.withdraw,
		"POST /items/{id}/bump":     p.bump,
	}
}

func (p *editPages) showEdit(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	item, err := p.listings.Own(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	at, err := p.listings.OwnPlace(r.Context(), me, item.ItemID)
	if err != nil && !errors.Is(err, ecobid.ErrNoPlace) {
		return err
	}
	p.site.Render(w, r, http.StatusOK, "post.html", p.posts.postPage(r, itemForm(item, at), &item))
	return nil
}

func (p *editPages) edit(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	item, err := p.listings.Own(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	draft := p.posts.readDraft(r, form)
	at, err := p.listings.OwnPlace(r.Context(), me, item.ItemID)
	switch {
	case err == nil: // where the giver looks around now says nothing about the item
		draft.Exact, draft.City, draft.Country = at.Point, item.City, item.Country
	case !errors.Is(err, ecobid.ErrNoPlace):
		return err
	}
	if form.Valid() {
		if failed := refuseForm(form, p.posts.addPhotos(r, me, form, &draft)); failed != nil {
			return failed
		}
	}
	if form.Valid() {
		item, err = p.listings.Edit(r.Context(), me, item.ItemID, draft)
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return p.posts.refusePost(w, r, form, &item)
	}
	if way := form.Value("way"); item.Status == listings.StatusDraft && way != "" {
		return p.posts.offer(w, r, form, item, form.Choice("way", wayFirst, wayQueue, wayDraw, wayAuction))
	}
	p.site.Flash(w, r, webkit.Good, "Saved.")
	p.site.Redirect(w, r, "/items/"+item.ItemID)
	return nil
}

// publish posts an expired item again, in the chosen way: what was for sale is never given away by itself.
func (p *editPages) publish(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	item, err := p.listings.Own(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	way := form.Choice("way", wayFirst, wayQueue, wayDraw, wayAuction)
	if !form.Valid() {
		return p.items.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	return p.posts.offer(w, r, form, item, way)
}

// withdraw takes an item out of the list. An auction without bids is cancelled.
func (p *editPages) withdraw(w http.ResponseWriter, r *http.Request) error {
	return p.change(w, r, "Withdrawn. Only you see it now.", func(me, id string) error {
		item, err := p.listings.Own(r.Context(), me, id)
		if err == nil && item.LiveAuctionID != nil {
			return p.auctions.Cancel(r.Context(), me, *item.LiveAuctionID)
		}
		if err != nil {
			return err
		}
		return p.listings.Withdraw(r.Context(), me, id)
	})
}

func (p *editPages) bump(w http.ResponseWriter, r *http.Request) error {
	return p.change(w, r, "Back at the top of the list.", func(me, id string) error {
		_, err := p.listings.Bump(r.Context(), me, id)
		return err
	})
}

// change changes an own item and shows it.
func (p *editPages) change(w http.ResponseWriter, r *http.Request, done string, do func(me, id string) error) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	form := webkit.ReadForm(r)
	err = do(me, id)
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return p.items.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	p.site.Flash(w, r, webkit.Good, done)
	p.site.Redirect(w, r, "/items/"+id)
	return nil
}
