package web

import (
	"net/http"

	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/webkit"
)

// languagePages changes the language of the pages.
type languagePages struct {
	households *households.Service
	site       *webkit.Site
	visitors   *visitors
}

func (pages *languagePages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /language":  pages.showLanguage,
		"POST /language": pages.chooseLanguage,
	}
}

// languageView holds the data of language.html.
type languageView struct {
	frame
	Back string
}

func (pages *languagePages) showLanguage(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	pages.site.Render(w, r, http.StatusOK, "language.html", languageView{frame: f, Back: "/"})
	return nil
}

// chooseLanguage sets the language of the pages: of a member for good, of others in this browser.
func (pages *languagePages) chooseLanguage(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	chosen := understanding.Locale(form.Value("language"))
	if !chosen.Valid() {
		chosen = understanding.English
	}
	pages.site.SetCookie(w, langCookie, string(chosen), keepChoice)
	if f.Me != 0 {
		if err := pages.households.Speak(r.Context(), f.Me, chosen); err != nil {
			return err
		}
	}
	pages.site.Redirect(w, r, webkit.LocalPath(form.Value("back")))
	return nil
}
