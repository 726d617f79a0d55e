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

func (web *Web) feed(w http.ResponseWriter, r *http.Request) error {
	person, query := web.person(r), r.URL.Query()
	audience, cursor := query.Get("audience"), query.Get("cursor")
	if !slices.Contains(askahuman.Audiences, audience) {
		audience = ""
	}
	feed, err := web.domain.Answers.Feed(r.Context(), person, answers.FeedQuery{Limit: feedPage, Cursor: cursor, Audience: audience})
	if _, bad := refusal.As(err, refusal.Invalid); bad {
		web.site.Redirect(w, r, "/") // an invalid cursor
		return nil
	}
	if err != nil {
		return err
	}
	number, _ := strconv.Atoi(query.Get("page"))
	number = max(number, 1)
	view := feedView{
		Audience: audience, Filter: audienceTabs(audience),
		Cards: feed.Cards, First: cursor == "", More: moreOf(feed.Next, audience, number+1), Endless: number < endlessPages, Demo: web.options.Demo,
	}
	if view.First {
		_, seen := web.site.Cookie(r, welcomeCookie)
		view.Welcome = !seen
		web.refreshIdentity(w, r)
	}
	if person.Hash != "" {
		if view.Inbox, err = web.domain.Notices.Inbox(r.Context(), person); err != nil {
			return err
		}
		view.leaveOutInbox()
	}
	web.site.Render(w, r, http.StatusOK, "feed.html", view)
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

func (web *Web) dismissWelcome(w http.ResponseWriter, r *http.Request) error {
	web.site.SetCookie(w, welcomeCookie, "1", keepPerson)
	web.site.Redirect(w, r, "/")
	return nil
}

// waitForPlace is the retry delay if an address has too many open pages.
const waitForPlace = 30 * time.Second

// watchFeed streams two events to an open page: "feed" when there may be new questions,
// and "change" when this person was notified of one.
func (web *Web) watchFeed(w http.ResponseWriter, r *http.Request) error {
	topics := []live.Topic{"feed"}
	mine := live.Topic("feed")
	if person := web.person(r); person.Hash != "" {
		mine = live.Topic("person " + person.Hash)
		topics = append(topics, mine)
	}
	leave, ok := web.hub.Enter(web.network(r))
	if !ok {
		web.site.TooMany(w, r, waitForPlace)
		return nil
	}
	defer leave()
	listener := web.hub.Listen(topics...)
	defer listener.Close()
	stream, err := web.site.Stream(w, r)
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

// Skipped questions are not shown again on the way through the feed.
const (
	skippedCookie = "skipped"
	maxSkipped    = 30
	keepSkipped   = 24 * time.Hour
)

func (web *Web) skipped(r *http.Request) []string {
	value, ok := web.site.Cookie(r, skippedCookie)
	if !ok || value == "" {
		return nil
	}
	return strings.Split(value, " ")
}

func (web *Web) skip(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if strings.ContainsRune(id, ' ') || len(id) > 64 {
		return askahuman.ErrNoQuestion
	}
	skipped := append(slices.DeleteFunc(web.skipped(r), func(s string) bool { return s == id }), id)
	skipped = skipped[max(0, len(skipped)-maxSkipped):]
	return web.goOn(w, r, skipped)
}

// next redirects to the next question of a person's feed.
func (web *Web) next(w http.ResponseWriter, r *http.Request) error {
	return web.goOn(w, r, web.skipped(r))
}

// maxNextPages bounds the pages that are searched for a question that was not skipped.
const maxNextPages = 5

func (web *Web) goOn(w http.ResponseWriter, r *http.Request, skipped []string) error {
	seen, cursor := false, ""
	for range maxNextPages {
		feed, err := web.domain.Answers.Feed(r.Context(), web.person(r), answers.FeedQuery{Limit: 50, Cursor: cursor})
		if err != nil {
			return err
		}
		for _, card := range feed.Cards {
			if !slices.Contains(skipped, card.QuestionID) {
				web.site.SetCookie(w, skippedCookie, strings.Join(skipped, " "), keepSkipped)
				web.site.Redirect(w, r, "/q/"+card.QuestionID)
				return nil
			}
			seen = true
		}
		if cursor = feed.Next; cursor == "" {
			break
		}
	}
	web.site.DropCookie(w, skippedCookie) // from here on all are shown again
	text := "There is no other question right now."
	if seen {
		text = "You have seen every open question."
	}
	web.site.Flash(w, r, webkit.Info, text)
	web.site.Redirect(w, r, "/")
	return nil
}
