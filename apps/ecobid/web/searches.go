package web

import (
	"net/http"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/webkit"
)

// searchPages saves searches.
type searchPages struct {
	places *placePages
	site   *webkit.Site
	trust  *trust.Service
}

func (p *searchPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /settings/searches":            p.searches,
		"POST /settings/searches":           p.saveSearch,
		"POST /settings/searches/{id}/drop": p.dropSearch,
	}
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

func (p *searchPages) searches(w http.ResponseWriter, r *http.Request) error {
	return p.showSearches(w, r, http.StatusOK, nil)
}

func (p *searchPages) showSearches(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	view := searchesView{Form: form, Place: p.places.placeOf(r), Radii: ecobid.Radii, Max: ecobid.MaxSearches}
	view.Categories = append([]webkit.Option{{Value: string(trust.AnyCategory), Text: "Everything"}}, categoryOptions()...)
	if view.Searches, err = p.trust.Searches(r.Context(), me); err != nil {
		return err
	}
	p.site.Render(w, r, status, "searches.html", view)
	return nil
}

func (p *searchPages) saveSearch(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	radius := form.Label("radius", "Distance").Int("radius", ecobid.Radii[0], ecobid.Radii[len(ecobid.Radii)-1])
	if form.Valid() {
		_, err = p.trust.SaveSearch(r.Context(), me, "", trust.Search{
			Words: form.Value("words"), Category: trust.SearchCategory(form.Value("category")), Around: p.places.placeOf(r).Point, Radius: radius,
		})
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return p.showSearches(w, r, http.StatusUnprocessableEntity, form)
	}
	p.site.Flash(w, r, webkit.Good, "Saved. You are told when there is something new.")
	p.site.Redirect(w, r, "/settings/searches")
	return nil
}

func (p *searchPages) dropSearch(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	if err := p.trust.DeleteSearch(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	p.site.Redirect(w, r, "/settings/searches")
	return nil
}
