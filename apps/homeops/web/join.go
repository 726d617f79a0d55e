package web

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ingest"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/webkit"
)

// invite makes an invitation and shows its link, which only the same form can show again.
func (web *Web) invite(w http.ResponseWriter, r *http.Request, f frame) error {
	token, err := web.Domain.Households.Invite(r.Context(), f.Me, f.Home.HouseholdID, webkit.ReadForm(r).Key())
	if err != nil {
		return err
	}
	view := web.settingsOf(f)
	view.Invited = web.PublicURL + "/join?token=" + url.QueryEscape(token)
	view.Until = f.now.Add(households.InviteValid)
	w.Header().Set("Cache-Control", "no-store")
	web.Site.Render(w, r, http.StatusOK, "settings.html", view)
	return nil
}

// joinView holds the data of join.html.
type joinView struct {
	frame
	Gone    bool // the invitation does not work
	By      string
	House   string
	Until   time.Time
	Start   string          // the link that confirms in Telegram
	Command string          // what the simulated people write to the bot
	People  []telegram.User // of the simulated chat, who do not belong to the household
}

// showJoin shows an invitation. It is accepted in the chat with the bot, because only the chat
// knows who the person is.
func (web *Web) showJoin(w http.ResponseWriter, r *http.Request) error {
	f, err := web.visit(r)
	if err != nil {
		return err
	}
	token := r.URL.Query().Get("token")
	found, err := web.Domain.Households.LookInvitation(r.Context(), token)
	w.Header().Set("Referrer-Policy", "no-referrer")
	if errors.Is(err, onetime.ErrUsed) {
		web.Site.Render(w, r, http.StatusGone, "join.html", joinView{frame: f, Gone: true})
		return nil
	}
	if err != nil {
		return err
	}
	if f.Me == 0 {
		f.now = f.now.In(found.Home.Zone())
	}
	view := joinView{frame: f, By: found.By, House: found.Home.Name, Until: found.Until.In(found.Home.Zone())}
	if web.Room == nil {
		view.Start = web.StartLink(ingest.InvitationPrefix + token)
	} else {
		view.Command = "/start " + ingest.InvitationPrefix + token
		for _, g := range web.Room.Groups() {
			for _, p := range g.People {
				if _, member := found.Home.Member(p.ID); !member {
					view.People = append(view.People, p)
				}
			}
		}
	}
	web.Site.Render(w, r, http.StatusOK, "join.html", view)
	return nil
}
