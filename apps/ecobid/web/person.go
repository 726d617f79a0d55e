package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/webkit"
)

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

func (web *Web) person(w http.ResponseWriter, r *http.Request) error {
	return web.showPerson(w, r, http.StatusOK, nil)
}

func (web *Web) showPerson(w http.ResponseWriter, r *http.Request, status int, report *webkit.Form) error {
	id, me := r.PathValue("id"), viewer(r)
	public, err := web.Domain.People.Public(r.Context(), me, id)
	if err != nil {
		return err
	}
	view := personView{Public: public, Own: id == me, Signed: me != "", Report: report}
	if view.Items, err = web.Domain.Listings.Offered(r.Context(), "", id); err != nil {
		return err
	}
	page, err := web.Domain.Trust.Ratings(r.Context(), "", id, 0, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view.Ratings = page.Items
	if page.Next != "" {
		view.More = addQuery("/people/"+id, "cursor", page.Next)
	}
	web.Site.Render(w, r, status, "person.html", view)
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
func (web *Web) blocks(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	blocked, err := web.Domain.Trust.Blocked(r.Context(), me)
	if err != nil {
		return err
	}
	ids := make([]string, len(blocked))
	for i, one := range blocked {
		ids[i] = one.BlockedID
	}
	known, err := web.Domain.People.Several(r.Context(), ids)
	if err != nil {
		return err
	}
	var view blocksView
	for _, one := range blocked {
		view.Blocked = append(view.Blocked, blockRow{one.BlockedID, known[one.BlockedID].Username, one.CreatedAt})
	}
	web.Site.Render(w, r, http.StatusOK, "blocks.html", view)
	return nil
}

func (web *Web) block(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	change, text := web.Domain.Trust.Block, "Blocked. You do not see each other any more."
	if webkit.ReadForm(r).Flag("undo") {
		change, text = web.Domain.Trust.Unblock, "The block is gone. You see each other again."
	}
	if err := change(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	web.Site.Flash(w, r, webkit.Info, text)
	web.Site.Redirect(w, r, "/settings/blocks")
	return nil
}

// report reports an item.
func (web *Web) report(w http.ResponseWriter, r *http.Request) error {
	return web.file(w, r, trust.Target{ItemID: r.PathValue("id")}, "/items/", func(form *webkit.Form) error {
		return web.showItem(w, r, http.StatusUnprocessableEntity, nil, form)
	})
}

// reportPerson reports a person.
func (web *Web) reportPerson(w http.ResponseWriter, r *http.Request) error {
	return web.file(w, r, trust.Target{UserID: r.PathValue("id")}, "/people/", func(form *webkit.Form) error {
		return web.showPerson(w, r, http.StatusUnprocessableEntity, form)
	})
}

// file stores a report and shows its target, or refuses it.
func (web *Web) file(w http.ResponseWriter, r *http.Request, target trust.Target, pages string, refuse func(*webkit.Form) error) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("reason", "What is wrong")
	err = web.Domain.Trust.Report(r.Context(), me, target, form.Value("reason"), form.Value("note"))
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return refuse(form)
	}
	web.Site.Flash(w, r, webkit.Good, "Thank you. A moderator looks at it, and you are told what comes of it.")
	web.Site.Redirect(w, r, pages+r.PathValue("id"))
	return nil
}

// profileView holds the data of profile.html.
type profileView struct{ Form *webkit.Form }

// profileOf reads the fields of a profile.
func profileOf(form *webkit.Form) people.Profile {
	form.Label("username", "Name on EcoBid").Label("city", "City").Label("country", "Country").Label("currency", "Currency")
	return people.Profile{
		Username: form.Value("username"), City: form.Value("city"), Country: strings.ToUpper(form.Value("country")),
		Currency: strings.ToUpper(form.Value("currency")),
	}
}

func (web *Web) showProfile(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	user, err := web.Domain.People.Get(r.Context(), me)
	if err != nil {
		return err
	}
	web.Site.Render(w, r, http.StatusOK, "profile.html", profileView{Form: webkit.NewForm(map[string][]string{
		"username": {user.Username}, "city": {user.City}, "country": {user.Country}, "currency": {user.Currency},
	})})
	return nil
}

func (web *Web) saveProfile(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	_, err = web.Domain.People.Update(r.Context(), me, profileOf(form))
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		web.Site.Render(w, r, http.StatusUnprocessableEntity, "profile.html", profileView{Form: form})
		return nil
	}
	web.Site.Flash(w, r, webkit.Good, "Saved.")
	web.Site.Redirect(w, r, "/settings/profile")
	return nil
}

// searchesView holds the data of searches.html.
type searchesView struct {
	Form       *webkit.Form
	Searches   []trust.SavedSearch
	Place      place
	Categories []webkit.Option
	Radii      []int
	Max        int
}

func (web *Web) searches(w http.ResponseWriter, r *http.Request) error {
	return web.showSearches(w, r, http.StatusOK, nil)
}

func (web *Web) showSearches(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	view := searchesView{Form: form, Place: web.placeOf(r), Radii: ecobid.Radii, Max: ecobid.MaxSearches}
	view.Categories = append([]webkit.Option{{Value: string(trust.AnyCategory), Text: "Everything"}}, categoryOptions()...)
	if view.Searches, err = web.Domain.Trust.Searches(r.Context(), me); err != nil {
		return err
	}
	web.Site.Render(w, r, status, "searches.html", view)
	return nil
}

func (web *Web) saveSearch(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	radius := form.Label("radius", "Distance").Int("radius", ecobid.Radii[0], ecobid.Radii[len(ecobid.Radii)-1])
	if form.Valid() {
		_, err = web.Domain.Trust.SaveSearch(r.Context(), me, "", trust.Search{
			Words: form.Value("words"), Category: trust.SearchCategory(form.Value("category")), Around: web.placeOf(r).Point, Radius: radius,
		})
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return web.showSearches(w, r, http.StatusUnprocessableEntity, form)
	}
	web.Site.Flash(w, r, webkit.Good, "Saved. You are told when there is something new.")
	web.Site.Redirect(w, r, "/settings/searches")
	return nil
}

func (web *Web) dropSearch(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	if err := web.Domain.Trust.DeleteSearch(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	web.Site.Redirect(w, r, "/settings/searches")
	return nil
}

// export sends all data about a person as a file.
func (web *Web) export(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	data, err := web.Domain.Trust.Export(r.Context(), me)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="ecobid.json"`)
	_, err = w.Write(text)
	return err
}

// impactView holds the data of impact.html.
type impactView struct {
	City   string
	Months webkit.BarChart
	Items  int64
	Grams  int64
	CO2    int64
	Rules  []trust.Factor
}

func (web *Web) impact(w http.ResponseWriter, r *http.Request) error {
	view := impactView{City: r.URL.Query().Get("city"), Rules: trust.Factors}
	figures, err := web.Domain.Trust.Impact(r.Context(), view.City)
	if err != nil {
		return err
	}
	view.Months = webkit.BarChart{Title: "Things reused by month", Desc: "How many things were handed over in each month.", Unit: "things"}
	for _, month := range figures {
		view.Items, view.Grams, view.CO2 = view.Items+month.Items, view.Grams+month.Grams, view.CO2+month.Co2Grams
		view.Months.Bars = append(view.Months.Bars, webkit.Bar{Label: month.Month, Value: float64(month.Items)})
	}
	web.Site.Render(w, r, http.StatusOK, "impact.html", view)
	return nil
}

// newsView holds the data of notifications.html.
type newsView struct {
	Entries []notify.Entry
	Unread  bool
	More    string
}

func (web *Web) notifications(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	entries, next, err := web.Domain.Notifier.Inbox(r.Context(), me, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view := newsView{Entries: entries}
	for _, entry := range entries {
		view.Unread = view.Unread || !entry.Read
	}
	if next != "" {
		view.More = addQuery("/notifications", "cursor", next)
	}
	web.Site.Render(w, r, http.StatusOK, "notifications.html", view)
	return nil
}

func (web *Web) readNotifications(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	if _, err := web.Domain.Notifier.ReadAll(r.Context(), me); err != nil {
		return err
	}
	web.Site.Redirect(w, r, "/notifications")
	return nil
}
