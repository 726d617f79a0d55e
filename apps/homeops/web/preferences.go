package web

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/internal/webkit"
)

// preferencesView holds the data of preferences.html.
type preferencesView struct {
	frame
	households.Choices
	Paused bool
	Form   *webkit.Form
}

func (web *Web) preferences(w http.ResponseWriter, r *http.Request, f frame) error {
	p, err := web.Domain.Households.Preferences(r.Context(), f.Me)
	if err != nil {
		return err
	}
	web.Site.Render(w, r, http.StatusOK, "preferences.html", preferencesView{frame: f, Choices: households.ChoicesOf(p), Paused: households.Paused(p, web.Domain.Now())})
	return nil
}

// savePreferences stores the member's choices. A pause has no end until it is taken back.
func (web *Web) savePreferences(w http.ResponseWriter, r *http.Request, f frame) error {
	form := webkit.ReadForm(r).Label("quiet-from", f.word("preferences.from")).Label("quiet-to", f.word("preferences.to"))
	p, err := web.Domain.Households.Preferences(r.Context(), f.Me)
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
		web.Site.Render(w, r, http.StatusUnprocessableEntity, "preferences.html", preferencesView{frame: f, Choices: choices, Form: form, Paused: households.Paused(p, web.Domain.Now())})
		return nil
	}
	if _, err = web.Domain.Households.Choose(r.Context(), f.Me, choices); err == nil {
		if form.Flag("pause") {
			err = web.Domain.Households.Pause(r.Context(), f.Me)
		} else {
			err = web.Domain.Households.Resume(r.Context(), f.Me)
		}
	}
	return web.done(w, r, f, err, "preferences.saved", "/preferences")
}

// export downloads everything that is stored of the member.
func (web *Web) export(w http.ResponseWriter, r *http.Request, f frame) error {
	all, err := web.Domain.Households.Export(r.Context(), f.Me)
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
func (web *Web) erase(w http.ResponseWriter, r *http.Request, f frame) error {
	if !webkit.ReadForm(r).Flag("sure") {
		web.Site.Flash(w, r, webkit.Warn, f.word("preferences.notSure"))
		web.Site.Redirect(w, r, "/preferences")
		return nil
	}
	if err := web.Domain.Households.RequestErasure(r.Context(), f.Me); err != nil {
		return err
	}
	web.Site.DropCookie(w, memberCookie)
	web.Site.Flash(w, r, webkit.Info, f.word("preferences.erasing"))
	web.Site.Redirect(w, r, "/")
	return nil
}

// hourOf returns an hour for a field; usual if there is none.
func hourOf(hour *int, usual int) string {
	if hour != nil {
		usual = *hour
	}
	return strconv.Itoa(usual)
}
