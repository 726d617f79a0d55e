package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/webkit"
)

// startView holds the data of start.html.
type startView struct {
	frame
	Asked bool             // a page that only members see was asked for
	Rooms []chatroom.Group // simulated households that have written; nil with Telegram
}

// RoomNames returns the names of the simulated households.
func (v startView) RoomNames() string {
	var names []string
	for _, g := range v.Rooms {
		names = append(names, "“"+g.Title+"”")
	}
	return strings.Join(names, ", ")
}

// start explains the system to visitors; members go to their week.
func (web *Web) start(w http.ResponseWriter, r *http.Request) error {
	f, err := web.visit(r)
	if err != nil {
		return err
	}
	if f.Home.HouseholdID != "" {
		web.Site.Redirect(w, r, "/week")
		return nil
	}
	view := startView{frame: f, Asked: r.URL.Query().Has("asked")}
	if web.Room != nil {
		for _, g := range web.Room.Groups() {
			_, err := web.Domain.Households.Profile(r.Context(), g.People[0].ID)
			if err == nil {
				view.Rooms = append(view.Rooms, g)
			} else if !errors.Is(err, households.ErrNoMember) {
				return err
			}
		}
	}
	web.Site.Render(w, r, http.StatusOK, "start.html", view)
	return nil
}

// setupView holds the data of setup.html.
type setupView struct {
	frame
	ReadsAll bool // the privacy mode of the bot is off
	InChat   bool // the household's chat is known
}

// setup explains the way to a household of one's own.
func (web *Web) setup(w http.ResponseWriter, r *http.Request) error {
	f, err := web.visit(r)
	if err != nil {
		return err
	}
	web.Site.Render(w, r, http.StatusOK, "setup.html", setupView{frame: f, ReadsAll: web.Bot.CanReadAllGroupMessages, InChat: f.Home.HouseholdID != ""})
	return nil
}

// signInView holds the data of sign-in.html.
type signInView struct {
	frame
	Token string
	Who   string
}

// showSignIn asks before the token is used: chat programs follow links to show a preview.
func (web *Web) showSignIn(w http.ResponseWriter, r *http.Request) error {
	f, err := web.visit(r)
	if err != nil {
		return err
	}
	token := r.URL.Query().Get("token")
	id, err := web.Domain.Households.LookSignIn(r.Context(), token)
	if err != nil {
		return err
	}
	profile, err := web.Domain.Households.Profile(r.Context(), id)
	if err != nil {
		return err
	}
	if f.Me == 0 {
		f.Lang = understanding.Locale(profile.Locale)
	}
	w.Header().Set("Referrer-Policy", "no-referrer")
	web.Site.Render(w, r, http.StatusOK, "sign-in.html", signInView{frame: f, Token: token, Who: profile.DisplayName})
	return nil
}

func (web *Web) signIn(w http.ResponseWriter, r *http.Request) error {
	id, err := web.Domain.Households.SignIn(r.Context(), webkit.ReadForm(r).Value("token"))
	if err != nil {
		return err
	}
	web.Site.SetCookie(w, memberCookie, strconv.FormatInt(id, 10), keepSignedIn)
	web.Site.DropCookie(w, homeCookie)
	web.Site.Redirect(w, r, "/week")
	return nil
}

func (web *Web) signOut(w http.ResponseWriter, r *http.Request) error {
	web.Site.DropCookie(w, memberCookie)
	web.Site.DropCookie(w, homeCookie)
	web.Site.Redirect(w, r, "/")
	return nil
}

// languageView holds the data of language.html.
type languageView struct {
	frame
	Back string
}

func (web *Web) showLanguage(w http.ResponseWriter, r *http.Request) error {
	f, err := web.visit(r)
	if err != nil {
		return err
	}
	web.Site.Render(w, r, http.StatusOK, "language.html", languageView{frame: f, Back: "/"})
	return nil
}

// chooseLanguage sets the language of the pages: of a member for good, of others in this browser.
func (web *Web) chooseLanguage(w http.ResponseWriter, r *http.Request) error {
	f, err := web.visit(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	chosen := understanding.Locale(form.Value("language"))
	if !chosen.Valid() {
		chosen = understanding.English
	}
	web.Site.SetCookie(w, langCookie, string(chosen), keepChoice)
	if f.Me != 0 {
		if err := web.Domain.Households.Speak(r.Context(), f.Me, chosen); err != nil {
			return err
		}
	}
	web.Site.Redirect(w, r, webkit.LocalPath(form.Value("back")))
	return nil
}
