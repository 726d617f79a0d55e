package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/refusal"
)

// feed shows people the questions, and their inbox.
type feed struct {
	answers *answers.Service
	callers *callers
	limit   func(ctx context.Context, limit askahuman.Limit, subject string) (askahuman.Allowance, error)
	notices *notices.Service
	people  *people.Service
}

func (h *feed) routes() []jsonapi.Route {
	return []jsonapi.Route{
		{Pattern: "POST /human/identity", Handler: h.identity},
		{Pattern: "GET /human/questions", Handler: h.feed},
		{Pattern: "GET /human/questions/{id}", Handler: h.card},
		{Pattern: "POST /human/questions/{id}/report", Handler: h.report},
		{Pattern: "GET /human/inbox", Handler: h.inbox},
		{Pattern: "DELETE /human/me", Handler: h.forget},
	}
}

// Time zones are between these offsets, in minutes east of UTC.
const (
	minZone = -12 * 60
	maxZone = 14 * 60
)

// errNoFingerprint is the error about a missing identity token.
var errNoFingerprint = refusal.New(refusal.Unauthenticated, "", "Say who you are, in the header X-Fingerprint. POST /human/identity gives you the token for it.")

// errForeignFingerprint is the error about a token that this system did not issue.
var errForeignFingerprint = refusal.New(refusal.Unauthenticated, "", "X-Fingerprint is not a token of this server. POST /human/identity gives you one.")

func zoneOf(r *http.Request) (int, error) {
	text := r.Header.Get(headerZone)
	if text == "" {
		return 0, nil
	}
	minutes, err := strconv.Atoi(text)
	if err != nil {
		return 0, invalid(headerZone, "type", "The time zone is in whole minutes east of UTC.")
	}
	return minutes, checkZone(headerZone, minutes)
}

func checkZone(field string, minutes int) error {
	if minutes < minZone || minutes > maxZone {
		return outside(field, minZone, maxZone, fmt.Sprintf("Time zones are between %d and %d minutes east of UTC.", minZone, maxZone))
	}
	return nil
}

func (h *feed) identity(w http.ResponseWriter, r *http.Request) error {
	if err := h.callers.browsing(w, r, askahuman.LimitIdentity); err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusCreated, map[string]string{"fingerprint": h.people.NewIdentity()})
}

// cardView is a question as people see it.
type cardView struct {
	QuestionID        string         `json:"question_id"`
	Prompt            string         `json:"prompt"`
	Context           string         `json:"context,omitempty"`
	Type              questions.Type `json:"type"`
	Options           []string       `json:"options,omitempty"`
	Audience          []string       `json:"audience"`
	ResponsesNeeded   int            `json:"responses_needed"`
	ResponsesRequired int            `json:"required_responses"`
	CreatedAt         time.Time      `json:"created_at"`
	ExpiresAt         time.Time      `json:"expires_at"`
	CanAnswer         bool           `json:"can_answer"`
}

func cardOf(c answers.Card) cardView {
	return cardView{
		QuestionID: c.QuestionID, Prompt: c.Prompt, Context: c.Context, Type: c.Type, Options: c.Options, Audience: c.Audience,
		ResponsesNeeded: c.Needed, ResponsesRequired: c.Required,
		CreatedAt: c.CreatedAt.UTC(), ExpiresAt: c.ExpiresAt.UTC(), CanAnswer: c.CanAnswer,
	}
}

func (h *feed) feed(w http.ResponseWriter, r *http.Request) error {
	if err := h.callers.browsing(w, r, askahuman.LimitBrowse); err != nil {
		return err
	}
	visitor, err := h.callers.visitor(r)
	if err != nil {
		return err
	}
	limit, err := clamped(r, "limit", 1, 50, 20)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	page, err := h.answers.Feed(r.Context(), visitor, answers.FeedQuery{Limit: limit, Cursor: query.Get("cursor"), Audience: query.Get("audience")})
	if err != nil {
		return err
	}
	out := struct {
		Questions []cardView `json:"questions"`
		Next      string     `json:"next_cursor,omitempty"`
	}{Questions: make([]cardView, len(page.Cards)), Next: page.Next}
	for i, card := range page.Cards {
		out.Questions[i] = cardOf(card)
	}
	return jsonapi.Write(w, http.StatusOK, out)
}

func (h *feed) card(w http.ResponseWriter, r *http.Request) error {
	if err := h.callers.browsing(w, r, askahuman.LimitBrowse); err != nil {
		return err
	}
	visitor, err := h.callers.visitor(r)
	if err != nil {
		return err
	}
	card, err := h.answers.Card(r.Context(), visitor, r.PathValue("id"))
	if err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusOK, cardOf(card))
}

func (h *feed) report(w http.ResponseWriter, r *http.Request) error {
	person, err := h.callers.person(r)
	if err != nil {
		return err
	}
	if _, err := h.limit(r.Context(), askahuman.LimitReportFrom, jsonapi.ClientNetwork(r).String()); err != nil {
		return err
	}
	if err := h.callers.allow(w, r, askahuman.LimitReport, person.Hash); err != nil {
		return err
	}
	var body struct {
		Reason string `json:"reason"`
	}
	if err := jsonapi.Read(r, &body); err != nil {
		return err
	}
	if err := h.answers.Report(r.Context(), person, r.PathValue("id"), body.Reason); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (h *feed) forget(w http.ResponseWriter, r *http.Request) error {
	person, err := h.callers.browsingPerson(w, r)
	if err != nil {
		return err
	}
	if err := h.people.Forget(r.Context(), person); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (h *feed) inbox(w http.ResponseWriter, r *http.Request) error {
	person, err := h.callers.browsingPerson(w, r)
	if err != nil {
		return err
	}
	entries, err := h.notices.Inbox(r.Context(), person)
	if err != nil {
		return err
	}
	type entryView struct {
		Question cardView  `json:"question"`
		SentAt   time.Time `json:"sent_at"`
	}
	out := make([]entryView, len(entries))
	for i, entry := range entries {
		out[i] = entryView{Question: cardOf(entry.Card), SentAt: entry.SentAt.UTC()}
	}
	return jsonapi.Write(w, http.StatusOK, map[string]any{"entries": out})
}
