package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// feedPages shows the open questions.
type feedPages struct {
	answers  *answers.Service
	demo     bool
	hub      *live.Hub
	notices  *notices.Service
	site     *webkit.Site
	visitors *visitors
}

func (p *feedPages) pages() map[string]page {
	return map[string]page{
		"GET /{$}":       p.feed,
		"GET /live/feed": p.watchFeed,
		"POST /welcome":  p.dismissWelcome,
	}
}

const (
	welcomeCookie = "welcomed"
	feedPage      = 12
	// endlessPages is the number of pages that load automatically; then a button follows,
	// so that the footer can be reached.
	endlessPages = 5
)

// feedView holds the data of feed.html.
type feedView struct {
	Welcome  bool
	Inbox    []notices.InboxEntry
	Audience string
	Filter   []webkit.Tab
	Cards    []answers.Card
	First    bool // the first page
	More     string
	Endless  bool
	Demo     bool // the other people are invented
}

func (p *feedPages) feed(w http.ResponseWriter, r *http.Request) error {
	person, query := p.visitors.person(r), r.URL.Query()
	audience, cursor := query.Get("audience"), query.Get("cursor")
	if !slices.Contains(askahuman.Audiences, audience) {
		audience = ""
	}
	feed, err := p.answers.Feed(r.Context(), person, answers.FeedQuery{Limit: feedPage, Cursor: cursor, Audience: audience})
	if _, bad := refusal.As(err, refusal.Invalid); bad {
		p.site.Redirect(w, r, "/") // an invalid cursor
		return nil
	}
	if err != nil {
		return err
	}
	number, _ := strconv.Atoi(query.Get("page"))
	number = max(number, 1)
	view := feedView{
		Audience: audience, Filter: audienceTabs(audience),
		Cards: feed.Cards, First: cursor == "", More: moreOf(feed.Next, audience, number+1), Endless: number < endlessPages, Demo: p.demo,
	}
	if view.First {
		_, seen := p.site.Cookie(r, welcomeCookie)
		view.Welcome = !seen
		p.visitors.refreshIdentity(w, r)
	}
	if person.Hash != "" {
		if view.Inbox, err = p.notices.Inbox(r.Context(), person); err != nil {
			return err
		}
		view.leaveOutInbox()
	}
	p.site.Render(w, r, http.StatusOK, "feed.html", view)
	return nil
}

// leaveOutInbox removes questions of the inbox from the list below it.
func (view *feedView) leaveOutInbox() {
	view.Cards = slices.DeleteFunc(view.Cards, func(card answers.Card) bool {
		return slices.ContainsFunc(view.Inbox, func(entry notices.InboxEntry) bool { return entry.Card.QuestionID == card.QuestionID })
	})
}

func moreOf(cursor, audience string, number int) string {
	if cursor == "" {
		return ""
	}
	query := url.Values{"cursor": {cursor}, "page": {strconv.Itoa(number)}}
	if audience != "" {
		query.Set("audience", audience)
	}
	return "/?" + query.Encode()
}

func audienceTabs(current string) []webkit.Tab {
	tabs := []webkit.Tab{{Href: "/", Text: "All", Current: current == ""}}
	for _, audience := range askahuman.Audiences {
		tabs = append(tabs, webkit.Tab{Href: "/?audience=" + audience, Text: capital(audience), Current: audience == current})
	}
	return tabs
}

func capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

func (p *feedPages) dismissWelcome(w http.ResponseWriter, r *http.Request) error {
	p.site.SetCookie(w, welcomeCookie, "1", keepPerson)
	p.site.Redirect(w, r, "/")
	return nil
}

// waitForPlace is the retry delay if an address has too many open pages.
const waitForPlace = 30 * time.Second

// watchFeed streams two events to an open page: "feed" when there may be new questions,
// and "change" when this person was notified of one.
func (p *feedPages) watchFeed(w http.ResponseWriter, r *http.Request) error {
	topics := []live.Topic{"feed"}
	mine := live.Topic("feed")
	if person := p.visitors.person(r); person.Hash != "" {
		mine = live.Topic("person " + person.Hash)
		topics = append(topics, mine)
	}
	leave, ok := p.hub.Enter(p.visitors.network(r))
	if !ok {
		p.site.TooMany(w, r, waitForPlace)
		return nil
	}
	defer leave()
	listener := p.hub.Listen(topics...)
	defer listener.Close()
	stream, err := p.site.Stream(w, r)
	if err != nil {
		return nil // the viewer left before the first byte
	}
	defer stream.Close()
	for {
		select {
		case <-stream.Done():
			return nil
		case <-listener.C():
			for _, topic := range listener.Changed() {
				event := "change"
				if topic == "feed" {
					event = "feed"
				}
				if stream.Send(event, "1", "look again") != nil {
					return nil
				}
			}
		}
	}
}
