package web

import (
	"net/http"
	"time"

	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/webkit"
)

// personPages shows a person, blocks people and reports people and items.
type personPages struct {
	items    *itemPages
	listings *listings.Service
	people   *people.Service
	site     *webkit.Site
	trust    *trust.Service
}

func (p *personPages) public() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /people/{id}": p.person,
	}
}

func (p *personPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"POST /items/{id}/report":  p.report,
		"POST /people/{id}/block":  p.block,
		"POST /people/{id}/report": p.reportPerson,
		"GET /settings/blocks":     p.blocks,
	}
}

// personView holds the data of person.html.
type personView struct {
	people.Public
	Ratings []trust.Rating
	Items   []listings.Item // that others can have
	Own     bool
	Signed  bool
	More    string
	Report  *webkit.Form // nil unless it was refused
}

func (p *personPages) person(w http.ResponseWriter, r *http.Request) error {
	return p.showPerson(w, r, http.StatusOK, nil)
}

func (p *personPages) showPerson(w http.ResponseWriter, r *http.Request, status int, report *webkit.Form) error {
	id, me := r.PathValue("id"), viewer(r)
	public, err := p.people.Public(r.Context(), me, id)
	if err != nil {
		return err
	}
	view := personView{Public: public, Own: id == me, Signed: me != "", Report: report}
	if view.Items, err = p.listings.Offered(r.Context(), "", id); err != nil {
		return err
	}
	page, err := p.trust.Ratings(r.Context(), "", id, 0, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view.Ratings = page.Items
	if page.Next != "" {
		view.More = addQuery("/people/"+id, "cursor", page.Next)
	}
	p.site.Render(w, r, status, "person.html", view)
	return nil
}

// blocksView holds the data of blocks.html.
type blocksView struct{ Blocked []blockRow }

// A blockRow is a person whom the viewer has blocked.
type blockRow struct {
	UserID, Username string
	Since            time.Time
}

// blocks lists the people whom a person has blocked: their own pages are gone for the person.
func (p *personPages) blocks(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	blocked, err := p.trust.Blocked(r.Context(), me)
	if err != nil {
		return err
	}
	ids := make([]string, len(blocked))
	for i, one := range blocked {
		ids[i] = one.BlockedID
	}
	known, err := p.people.Several(r.Context(), ids)
	if err != nil {
		return err
	}
	var view blocksView
	for _, one := range blocked {
		view.Blocked = append(view.Blocked, blockRow{one.BlockedID, known[one.BlockedID].Username, one.CreatedAt})
	}
	p.site.Render(w, r, http.StatusOK, "blocks.html", view)
	return nil
}

func (p *personPages) block(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	change, text := p.trust.Block, "Blocked. You do not see each other any more."
	if webkit.ReadForm(r).Flag("undo") {
		change, text = p.trust.Unblock, "The block is gone. You see each other again."
	}
	if err := change(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Info, text)
	p.site.Redirect(w, r, "/settings/blocks")
	return nil
}

// report reports an item.
func (p *personPages) report(w http.ResponseWriter, r *http.Request) error {
	return p.file(w, r, trust.Target{ItemID: r.PathValue("id")}, "/items/", func(form *webkit.Form) error {
		return p.items.showItem(w, r, http.StatusUnprocessableEntity, nil, form)
	})
}

// reportPerson reports a person.
func (p *personPages) reportPerson(w http.ResponseWriter, r *http.Request) error {
	return p.file(w, r, trust.Target{UserID: r.PathValue("id")}, "/people/", func(form *webkit.Form) error {
		return p.showPerson(w, r, http.StatusUnprocessableEntity, form)
	})
}

// file stores a report and shows its target, or refuses it.
func (p *personPages) file(w http.ResponseWriter, r *http.Request, target trust.Target, pages string, refuse func(*webkit.Form) error) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("reason", "What is wrong")
	err = p.trust.Report(r.Context(), me, target, form.Value("reason"), form.Value("note"))
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return refuse(form)
	}
	p.site.Flash(w, r, webkit.Good, "Thank you. A moderator looks at it, and you are told what comes of it.")
	p.site.Redirect(w, r, pages+r.PathValue("id"))
	return nil
}
