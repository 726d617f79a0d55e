package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webkit"
)

// chatPages shows the simulated chat.
type chatPages struct {
	households *households.Service
	hub        *live.Hub
	room       *chatroom.Room
	site       *webkit.Site
	visitors   *visitors
}

func (pages *chatPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /chat":           pages.chat,
		"POST /chat":          pages.say,
		"POST /chat/press":    pages.press,
		"POST /chat/open":     pages.openPages,
		"GET /live/chat/{id}": pages.watchChat,
	}
}

// ChatTopic returns the topic of a chat's changes.
func ChatTopic(id int64) live.Topic { return live.Topic("chat " + strconv.FormatInt(id, 10)) }

// A seat says who speaks in which chat.
type seat struct {
	group   chatroom.Group
	person  telegram.User
	private bool
}

// seatOf returns the seat that a query or a form names, and the first one if it names none.
func (pages *chatPages) seatOf(values url.Values, lang understanding.Locale) seat {
	id, _ := strconv.ParseInt(values.Get("as"), 10, 64)
	groups := pages.room.Groups()
	s := seat{group: groups[0], person: groups[0].People[0], private: values.Get("view") == "private"}
	for _, g := range groups {
		if p, ok := g.Person(id); ok {
			s.group, s.person = g, p
			return s
		}
		if id == 0 && g.Lang == string(lang) {
			s.group, s.person = g, g.People[0]
		}
	}
	return s
}

func (s seat) chatID() int64 {
	if s.private {
		return s.person.ID
	}
	return s.group.ID
}

// path returns the page of the seat, with another person or view if they are given.
func (s seat) path(as int64, private bool) string {
	q := url.Values{"as": {strconv.FormatInt(as, 10)}}
	if private {
		q.Set("view", "private")
	}
	return "/chat?" + q.Encode()
}

func (s seat) own() string { return s.path(s.person.ID, s.private) }

// chatView holds the data of chat.html.
type chatView struct {
	frame
	Group   chatroom.Group
	As      telegram.User
	Private bool
	ChatID  int64
	Days    []logDay[chatroom.Line]
	Older   string         // the path of the page with older messages; "" if all are shown
	Reply   *chatroom.Line // the message that the next one replies to
	Form    *webkit.Form
	People  []webkit.Tab
	Views   []webkit.Tab
	Places  []webkit.Tab
	Hints   []string // texts to try
	Own     string   // the path of this seat
}

// shownLines is the number of messages that the page shows without being asked for more.
const shownLines = 40

// chat shows the simulated chat.
func (pages *chatPages) chat(w http.ResponseWriter, r *http.Request) error {
	return pages.showChat(w, r, http.StatusOK, r.URL.Query(), nil)
}

func (pages *chatPages) showChat(w http.ResponseWriter, r *http.Request, status int, values url.Values, form *webkit.Form) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	s := pages.seatOf(values, f.Lang)
	view := chatView{
		frame: f, Group: s.group, As: s.person, Private: s.private, ChatID: s.chatID(), Form: form, Own: s.own(),
		Hints: hints(s),
		Views: []webkit.Tab{{Href: s.path(s.person.ID, false), Text: f.word("chat.group"), Current: !s.private}, {Href: s.path(s.person.ID, true), Text: f.word("chat.private"), Current: s.private}},
	}
	if f.Me == 0 { // times of the simulated households
		view.now = view.now.In(view.Home.Zone())
	}
	lines := pages.room.Lines(s.chatID(), s.person.ID)
	if n := len(lines) - shownLines; n > 0 && !values.Has("all") {
		lines, view.Older = lines[n:], s.own()+"&all=1"
	}
	view.Days = byDay(view.now.Location(), lines, func(l chatroom.Line) time.Time { return l.Date.Time })
	for _, p := range s.group.People {
		view.People = append(view.People, webkit.Tab{Href: s.path(p.ID, s.private), Text: p.FirstName, Current: p.ID == s.person.ID})
	}
	for _, g := range pages.room.Groups() {
		view.Places = append(view.Places, webkit.Tab{Href: s.path(g.People[0].ID, false), Text: g.Title + " (" + g.Lang + ")", Current: g.ID == s.group.ID})
	}
	if reply, _ := strconv.ParseInt(values.Get("reply"), 10, 64); reply != 0 {
		for _, line := range lines {
			if line.MessageID == reply {
				view.Reply = &line
			}
		}
	}
	pages.site.Render(w, r, status, "chat.html", view)
	return nil
}

// hints returns texts that show what the bot understands.
func hints(s seat) []string {
	switch english := s.group.Lang == string(understanding.English); {
	case s.private && english:
		return []string{"/start", "login", "summary"}
	case s.private:
		return []string{"/start", "logga in", "summering"}
	case english:
		return []string{"I did the dishes and took out the trash", "I'll do the laundry tonight", "@homeops_bot who vacuumed last?", "@homeops_bot undo"}
	}
	return []string{"Jag har diskat och gått ut med soporna", "Jag tar tvätten ikväll", "@homeops_bot vem dammsög senast?", "@homeops_bot ta bort"}
}

// say delivers what was written to the webhook.
func (pages *chatPages) say(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	s := pages.seatOf(form.Values, f.Lang)
	text := strings.TrimSpace(form.Value("text"))
	if text == "" || utf8.RuneCountInString(text) > chatroom.MaxText {
		form.Fail("text", f.word("chat.empty"))
		return pages.showChat(w, r, http.StatusUnprocessableEntity, form.Values, form)
	}
	reply, _ := strconv.ParseInt(form.Value("reply"), 10, 64)
	if err := pages.room.Once(form.Key(), func() error { return pages.room.Say(r.Context(), s.group, s.person, s.private, text, reply) }); err != nil {
		return err
	}
	pages.site.Redirect(w, r, s.own()+"#end")
	return nil
}

// press presses a button of the bot.
func (pages *chatPages) press(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	s := pages.seatOf(form.Values, f.Lang)
	message, _ := strconv.ParseInt(form.Value("message"), 10, 64)
	if err := pages.room.Once(form.Key(), func() error {
		return pages.room.Press(r.Context(), s.group, s.person, s.private, message, form.Value("data"))
	}); err != nil {
		return err
	}
	pages.site.Redirect(w, r, s.own()+"#end")
	return nil
}

// openPages signs a visitor in as a simulated person: a visitor of the simulated chat may
// speak as any of its people, and so ask the bot for a link.
func (pages *chatPages) openPages(w http.ResponseWriter, r *http.Request) error {
	f, err := pages.visitors.visit(r)
	if err != nil {
		return err
	}
	s := pages.seatOf(webkit.ReadForm(r).Values, f.Lang)
	_, err = pages.households.Profile(r.Context(), s.person.ID)
	if errors.Is(err, households.ErrNoMember) {
		pages.site.Flash(w, r, webkit.Info, f.word("chat.writeFirst"))
		pages.site.Redirect(w, r, s.path(s.person.ID, false))
		return nil
	}
	if err != nil {
		return err
	}
	pages.site.SetCookie(w, memberCookie, strconv.FormatInt(s.person.ID, 10), keepSignedIn)
	pages.site.DropCookie(w, homeCookie)
	pages.site.Redirect(w, r, "/week")
	return nil
}

// watchChat tells a page when the chat changes.
func (pages *chatPages) watchChat(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		pages.site.NotFound(w, r)
		return nil
	}
	pages.site.Watch(w, r, pages.hub, ChatTopic(id))
	return nil
}

// A part is a piece of a text; Href is set for links.
type part struct{ Text, Href string }

// partsOf splits a text of the bot into words and links.
func partsOf(text string) []part {
	var parts []part
	for text != "" {
		at := strings.Index(text, "http")
		if at < 0 || !strings.HasPrefix(text[at:], "http://") && !strings.HasPrefix(text[at:], "https://") {
			return append(parts, part{Text: text})
		}
		if at > 0 {
			parts = append(parts, part{Text: text[:at]})
		}
		end := strings.IndexAny(text[at:]+" ", " \n")
		link := text[at : at+end]
		parts, text = append(parts, part{Text: link, Href: link}), text[at+end:]
	}
	return parts
}
