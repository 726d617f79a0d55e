package web

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/internal/webkit"
)

// preferencePages changes the preferences of a member, and exports and erases the data.
type preferencePages struct {
	households *households.Service
	now        func() time.Time
	site       *webkit.Site
}

func (pages *preferencePages) pages() map[string]memberPage {
	return map[string]memberPage{
		"GET /preferences":        pages.preferences,
		"POST /preferences":       pages.savePreferences,
		"GET /preferences/export": pages.export,
		"POST /preferences/erase": pages.erase,
	}
}

// preferencesView holds the data of preferences.html.
type preferencesView struct {
	frame
	households.Choices
	Paused bool
	Form   *webkit.Form
}

func (pages *preferencePages) preferences(w http.ResponseWriter, r *http.Request, f frame) error {
	p, err := pages.households.Preferences(r.Context(), f.Me)
	if err != nil {
		return err
	}
	pages.site.Render(w, r, http.StatusOK, "preferences.html", preferencesView{frame: f, Choices: households.ChoicesOf(p), Paused: households.Paused(p, pages.now())})
	return nil
}

// savePreferences stores the member's choices. A pause has no end until it is taken back.
func (pages *preferencePages) savePreferences(w http.ResponseWriter, r *http.Request, f frame) error {
	form := webkit.ReadForm(r).Label("quiet-from", f.word("preferences.from")).Label("quiet-to", f.word("preferences.to"))
	p, err := pages.households.Preferences(r.Context(), f.Me)
	if err != nil {
		return err
	}
	choices := households.ChoicesOf(p)
	choices.NeverAnswer, choices.WeeklyInsight, choices.Insist = form.Flag("never-answer"), form.Flag("weekly"), form.Flag("insist")
	choices.QuietFrom, choices.QuietTo = nil, nil
	if form.Flag("own-quiet") {
		choices.QuietFrom, choices.QuietTo = new(form.Int("quiet-from", 0, 23)), new(form.Int("quiet-to", 0, 23))
	}
	if !form.Valid() {
		pages.site.Render(w, r, http.StatusUnprocessableEntity, "preferences.html", preferencesView{frame: f, Choices: choices, Form: form, Paused: households.Paused(p, pages.now())})
		return nil
	}
	if _, err = pages.households.Choose(r.Context(), f.Me, choices); err == nil {
		if form.Flag("pause") {
			err = pages.households.Pause(r.Context(), f.Me)
		} else {
			err = pages.households.Resume(r.Context(), f.Me)
		}
	}
	return done(pages.site, w, r, f, err, "preferences.saved", "/preferences")
}

// export downloads everything that is stored of the member.
func (pages *preferencePages) export(w http.ResponseWriter, r *http.Request, f frame) error {
	all, err := pages.households.Export(r.Context(), f.Me)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", `attachment; filename="homeops-`+f.now.Format(time.DateOnly)+`.json"`)
	_, _ = w.Write(text) // the browser went away
	return nil
}

// erase deletes everything of the member and signs them out.
func (pages *preferencePages) erase(w http.ResponseWriter, r *http.Request, f frame) error {
	if !webkit.ReadForm(r).Flag("sure") {
		pages.site.Flash(w, r, webkit.Warn, f.word("preferences.notSure"))
		pages.site.Redirect(w, r, "/preferences")
		return nil
	}
	if err := pages.households.RequestErasure(r.Context(), f.Me); err != nil {
		return err
	}
	pages.site.DropCookie(w, memberCookie)
	pages.site.Flash(w, r, webkit.Info, f.word("preferences.erasing"))
	pages.site.Redirect(w, r, "/")
	return nil
}

// hourOf returns an hour for a field; usual if there is none.
func hourOf(hour *int, usual int) string {
	if hour != nil {
		usual = *hour
	}
	return strconv.Itoa(usual)
}
