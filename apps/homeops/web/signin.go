package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/webkit"
)

// signInPages shows the first page, and signs members in and out.
type signInPages struct {
	bot        telegram.User
	households *households.Service
	room       *chatroom.Room
	site       *webkit.Site
	visitors   *visitors
}

func (pages *signInPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /{$}":       pages.start,
		"GET /setup":     pages.setup,
		"GET /sign-in":   pages.showSignIn,
		"POST /sign-in":  pages.signIn,
		"POST /sign-out": pages.signOut,
	}
}

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
func (pages *signInPages) start(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	if f.Home.HouseholdID != "" {
		pages.site.Redirect(w, r, "/week")
		return nil
	}
	view := startView{frame: f, Asked: r.URL.Query().Has("asked")}
	if pages.room != nil {
		for _, g := range pages.room.Groups() {
			_, err := pages.households.Profile(r.Context(), g.People[0].ID)
			if err == nil {
				view.Rooms = append(view.Rooms, g)
			} else if !errors.Is(err, households.ErrNoMember) {
				return err
			}
		}
	}
	pages.site.Render(w, r, http.StatusOK, "start.html", view)
	return nil
}

// setupView holds the data of setup.html.
type setupView struct {
	frame
	ReadsAll bool // the privacy mode of the bot is off
	InChat   bool // the household's chat is known
}

// setup explains the way to a household of one's own.
func (pages *signInPages) setup(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	pages.site.Render(w, r, http.StatusOK, "setup.html", setupView{frame: f, ReadsAll: pages.bot.CanReadAllGroupMessages, InChat: f.Home.HouseholdID != ""})
	return nil
}

// signInView holds the data of sign-in.html.
type signInView struct {
	frame
	Token string
	Who   string
}

// showSignIn asks before the token is used: chat programs follow links to show a preview.
func (pages *signInPages) showSignIn(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	token := r.URL.Query().Get("token")
	id, err := pages.households.LookSignIn(r.Context(), token)
	if err != nil {
		return err
	}
	profile, err := pages.households.Profile(r.Context(), id)
	if err != nil {
		return err
	}
	if f.Me == 0 {
		f.Lang = understanding.Locale(profile.Locale)
	}
	w.Header().Set("Referrer-Policy", "no-referrer")
	pages.site.Render(w, r, http.StatusOK, "sign-in.html", signInView{frame: f, Token: token, Who: profile.DisplayName})
	return nil
}

func (pages *signInPages) signIn(w http.ResponseWriter, r *http.Request) error {
	id, err := pages.households.SignIn(r.Context(), webkit.ReadForm(r).Value("token"))
	if err != nil {
		return err
	}
	pages.site.SetCookie(w, memberCookie, strconv.FormatInt(id, 10), keepSignedIn)
	pages.site.DropCookie(w, homeCookie)
	pages.site.Redirect(w, r, "/week")
	return nil
}

func (pages *signInPages) signOut(w http.ResponseWriter, r *http.Request) error {
	pages.site.DropCookie(w, memberCookie)
	pages.site.DropCookie(w, homeCookie)
	pages.site.Redirect(w, r, "/")
	return nil
}
