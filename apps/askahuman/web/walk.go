package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/internal/webkit"
)

// walk leads a person from question to question, and leaves out what the person skipped.
type walk struct {
	answers  *answers.Service
	site     *webkit.Site
	visitors *visitors
}

func (p *walk) pages() map[string]page {
	return map[string]page{
		"GET /next":         p.next,
		"POST /q/{id}/skip": p.skip,
	}
}

// Skipped questions are not shown again on the way through the feed.
const (
	skippedCookie = "skipped"
	maxSkipped    = 30
	keepSkipped   = 24 * time.Hour
)

func (p *walk) skipped(r *http.Request) []string {
	value, ok := p.site.Cookie(r, skippedCookie)
	if !ok || value == "" {
		return nil
	}
	return strings.Split(value, " ")
}

func (p *walk) skip(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if strings.ContainsRune(id, ' ') || len(id) > 64 {
		return askahuman.ErrNoQuestion
	}
	skipped := append(slices.DeleteFunc(p.skipped(r), func(s string) bool { return s == id }), id)
	skipped = skipped[max(0, len(skipped)-maxSkipped):]
	return p.goOn(w, r, skipped)
}

// next redirects to the next question of a person's feed.
func (p *walk) next(w http.ResponseWriter, r *http.Request) error {
	return p.goOn(w, r, p.skipped(r))
}

// maxNextPages bounds the pages that are searched for a question that was not skipped.
const maxNextPages = 5

func (p *walk) goOn(w http.ResponseWriter, r *http.Request, skipped []string) error {
	seen, cursor := false, ""
	for range maxNextPages {
		feed, err := p.answers.Feed(r.Context(), p.visitors.person(r), answers.FeedQuery{Limit: 50, Cursor: cursor})
		if err != nil {
			return err
		}
		for _, card := range feed.Cards {
			if !slices.Contains(skipped, card.QuestionID) {
				p.site.SetCookie(w, skippedCookie, strings.Join(skipped, " "), keepSkipped)
				p.site.Redirect(w, r, "/q/"+card.QuestionID)
				return nil
			}
			seen = true
		}
		if cursor = feed.Next; cursor == "" {
			break
		}
	}
	p.site.DropCookie(w, skippedCookie) // from here on all are shown again
	text := "There is no other question right now."
	if seen {
		text = "You have seen every open question."
	}
	p.site.Flash(w, r, webkit.Info, text)
	p.site.Redirect(w, r, "/")
	return nil
}
