package web

import (
	"encoding/json"
	"net/http"
	"strings"

	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/webkit"
)

// profilePages changes the profile of a person and exports the data.
type profilePages struct {
	people *people.Service
	site   *webkit.Site
	trust  *trust.Service
}

func (p *profilePages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /settings/profile":  p.showProfile,
		"POST /settings/profile": p.saveProfile,
		"GET /settings/export":   p.export,
	}
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

func (p *profilePages) showProfile(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	user, err := p.people.Get(r.Context(), me)
	if err != nil {
		return err
	}
	p.site.Render(w, r, http.StatusOK, "profile.html", profileView{Form: webkit.NewForm(map[string][]string{
		"username": {user.Username}, "city": {user.City}, "country": {user.Country}, "currency": {user.Currency},
	})})
	return nil
}

func (p *profilePages) saveProfile(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	_, err = p.people.Update(r.Context(), me, profileOf(form))
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		p.site.Render(w, r, http.StatusUnprocessableEntity, "profile.html", profileView{Form: form})
		return nil
	}
	p.site.Flash(w, r, webkit.Good, "Saved.")
	p.site.Redirect(w, r, "/settings/profile")
	return nil
}

// export sends all data about a person as a file.
func (p *profilePages) export(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	data, err := p.trust.Export(r.Context(), me)
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
