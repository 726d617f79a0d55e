package answers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

// A Card is a question as a person sees it.
type Card struct {
	QuestionID string
	Prompt     string
	Context    string // "" on the cards of the feed
	Type       askahumandb.QuestionType
	Options    []string
	Audience   []string
	Needed     int // answers that are still missing
	Required   int
	CreatedAt  time.Time
	ExpiresAt  time.Time
	CanAnswer  bool // false if this person has answered it, or is barred
	Barred     bool // this person is banned
}

// A FeedQuery says which part of the feed a person wants.
type FeedQuery struct {
	Limit    int    // 20 if 0; at most 50
	Cursor   string // of the page before
	Audience string // "" for all
}

// A FeedPage is a part of the feed. It may be short, or even empty, and still not the last.
type FeedPage struct {
	Cards []Card
	Next  string // "" on the last page
}

// A page whose rows are nearly all filtered out reads more and more at a time: with
// maxFeedReads reads nearly two thousand questions. Then it ends, and its cursor goes on.
const (
	maxFeedReads = 12
	maxFeedRows  = 200 // of one read
)

// Feed returns the questions a person may answer now: open and partly answered questions,
// except those the person has answered and those that have expired. A page holds the newest
// questions that were not on earlier pages; within a page, questions that need the fewest
// answers come first, so that questions get finished.
func (s *Service) Feed(ctx context.Context, p askahuman.Person, q FeedQuery) (FeedPage, error) {
	filter, err := s.feedFilter(ctx, p, q)
	if err != nil {
		return FeedPage{}, err
	}
	limit := cmp.Or(q.Limit, askahuman.DefaultPage)
	limit = min(max(limit, 1), askahuman.MaxPage)
	place, err := s.openFeedCursor(q.Cursor)
	if err != nil {
		return FeedPage{}, err
	}
	var page FeedPage
	size := limit
	for more, reads := true, 0; more && len(page.Cards) < limit && reads < maxFeedReads; reads++ {
		var rows []feedRow
		if rows, more, err = s.feedRows(ctx, s.env.PartsFor(cmp.Or(p.Hash, p.IPHash)), place, size); err != nil {
			return FeedPage{}, fmt.Errorf("read the feed: %w", err)
		}
		for i, row := range rows {
			place = positionOf(row)
			if filter.keeps(row) {
				page.Cards = append(page.Cards, feedCard(row))
			}
			if len(page.Cards) == limit {
				more = more || i < len(rows)-1
				break
			}
		}
		size = min(2*size, maxFeedRows)
		page.Next = ""
		if more {
			page.Next = s.feedCursor(place)
		}
	}
	slices.SortStableFunc(page.Cards, func(a, b Card) int { return cmp.Compare(a.Needed, b.Needed) })
	return page, nil
}

// A feedFilter decides which questions a person does not see.
type feedFilter struct {
	now      time.Time
	audience string
	answered map[string]bool
}

func (s *Service) feedFilter(ctx context.Context, p askahuman.Person, q FeedQuery) (feedFilter, error) {
	filter := feedFilter{now: s.env.Now(), audience: q.Audience, answered: make(map[string]bool)}
	if q.Audience != "" && !slices.Contains(askahuman.Audiences, q.Audience) {
		return filter, refusal.OfField(refusal.Field{Name: "audience", Constraint: "allowed", Allowed: slices.Clone(askahuman.Audiences)}, "An audience is one of %s.", strings.Join(askahuman.Audiences, ", "))
	}
	if p.Hash == "" {
		return filter, nil
	}
	for response, err := range s.env.DB.ListOwnResponses(p.Hash).Limit(0).PageSize(50).All(ctx) {
		if err != nil {
			return filter, fmt.Errorf("read what a person has answered: %w", err)
		}
		if filter.now.Sub(response.CreatedAt) > askahuman.MaxTimeout {
			break // older answers belong to expired questions
		}
		filter.answered[response.QuestionID] = true
	}
	return filter, nil
}

func (f feedFilter) keeps(row feedRow) bool {
	return f.now.Before(row.ExpiresAt) && !f.answered[row.QuestionID] &&
		(f.audience == "" || slices.Contains(row.Audience, f.audience))
}

func feedCard(row feedRow) Card {
	return Card{
		QuestionID: row.QuestionID,
		Prompt:     row.Prompt,
		Type:       row.Type,
		Options:    row.Options,
		Audience:   row.Audience,
		Needed:     int(max(0, row.RequiredResponses-row.CurrentResponses)),
		Required:   int(row.RequiredResponses),
		CreatedAt:  row.CreatedAt,
		ExpiresAt:  row.ExpiresAt,
		CanAnswer:  true,
	}
}

// Card returns one question for a person. The error is ErrClosed when the question accepts
// no more answers, unless this person has answered it.
func (s *Service) Card(ctx context.Context, p askahuman.Person, id string) (Card, error) {
	q, err := s.questions.Visible(ctx, id)
	if err != nil {
		return Card{}, err
	}
	answered, err := s.hasAnswered(ctx, p, id)
	if err != nil {
		return Card{}, err
	}
	if !answered && !questions.IsOpen(q.Status) {
		return Card{}, askahuman.ErrClosed
	}
	if answered {
		return CardOf(q, false), nil
	}
	barred, err := s.people.IsBanned(ctx, p)
	card := CardOf(q, !barred)
	card.Barred = barred
	return card, err
}

func CardOf(q askahumandb.Question, canAnswer bool) Card {
	card := Card{
		QuestionID: q.QuestionID,
		Prompt:     q.Prompt,
		Type:       q.Type,
		Options:    q.Options,
		Audience:   q.Audience,
		Needed:     int(max(0, q.RequiredResponses-q.CurrentResponses)),
		Required:   int(q.RequiredResponses),
		CreatedAt:  q.CreatedAt,
		ExpiresAt:  q.ExpiresAt,
		CanAnswer:  canAnswer,
	}
	if q.Context != nil {
		card.Context = *q.Context
	}
	return card
}
