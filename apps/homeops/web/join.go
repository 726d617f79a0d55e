package web

import (
	"errors"
	"net/http"
	"time"

	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ingest"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/webkit"
)

// joinPages shows an invitation to a household.
type joinPages struct {
	households *households.Service
	room       *chatroom.Room
	site       *webkit.Site
	startLink  func(argument string) string
	visitors   *visitors
}

func (pages *joinPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /join": pages.showJoin,
	}
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
func (pages *joinPages) showJoin(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	token := r.URL.Query().Get("token")
	found, err := pages.households.LookInvitation(r.Context(), token)
	w.Header().Set("Referrer-Policy", "no-referrer")
	if errors.Is(err, onetime.ErrUsed) {
		pages.site.Render(w, r, http.StatusGone, "join.html", joinView{frame: f, Gone: true})
		return nil
	}
	if err != nil {
		return err
	}
	if f.Me == 0 {
		f.now = f.now.In(found.Home.Zone())
	}
	view := joinView{frame: f, By: found.By, House: found.Home.Name, Until: found.Until.In(found.Home.Zone())}
	if pages.room == nil {
		view.Start = pages.startLink(ingest.InvitationPrefix + token)
	} else {
		view.Command = "/start " + ingest.InvitationPrefix + token
		for _, g := range pages.room.Groups() {
			for _, p := range g.People {
				if _, member := found.Home.Member(p.ID); !member {
					view.People = append(view.People, p)
				}
			}
		}
	}
	pages.site.Render(w, r, http.StatusOK, "join.html", view)
	return nil
}
