package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/refusal"
)

// feed shows people the questions, and their inbox.
type feed struct {
	answers *answers.Service
	callers *callers
	notices *notices.Service
	people  *people.Service
}

func (h *feed) operations() []openapi.Operation {
	c := h.callers
	return []openapi.Operation{
		openapi.Handle(contract.NewIdentity, c.anybody(askahuman.LimitIdentity), h.identity),
		openapi.Handle(contract.ListFeed, c.browsingVisitor, h.feed),
		openapi.Handle(contract.GetCard, c.browsingVisitor, h.card),
		openapi.Handle(contract.ReportQuestion, c.acting(askahuman.LimitReportFrom, askahuman.LimitReport), h.report),
		openapi.Handle(contract.GetInbox, c.browsingPerson, h.inbox),
		openapi.Handle(contract.ForgetMe, c.browsingPerson, h.forget),
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

func (h *feed) identity(context.Context, contract.None, contract.None) (contract.Identity, error) {
	return contract.Identity{Fingerprint: h.people.NewIdentity()}, nil
}

func cardOf(c answers.Card) contract.Card {
	return contract.Card{
		QuestionID: c.QuestionID, Prompt: c.Prompt, Context: c.Context, Type: contract.Type(c.Type), Options: c.Options, Audience: c.Audience,
		ResponsesNeeded: c.Needed, ResponsesRequired: c.Required,
		CreatedAt: c.CreatedAt.UTC(), ExpiresAt: c.ExpiresAt.UTC(), CanAnswer: c.CanAnswer,
	}
}

func (h *feed) feed(ctx context.Context, visitor askahuman.Person, in contract.FeedQuery) (contract.Feed, error) {
	page, err := h.answers.Feed(ctx, visitor, answers.FeedQuery{Limit: clamped(in.Limit, 1, 50, 20), Cursor: in.Cursor, Audience: in.Audience})
	if err != nil {
		return contract.Feed{}, err
	}
	out := contract.Feed{Questions: make([]contract.Card, len(page.Cards)), Next: page.Next}
	for i, card := range page.Cards {
		out.Questions[i] = cardOf(card)
	}
	return out, nil
}

func (h *feed) card(ctx context.Context, visitor askahuman.Person, in contract.CardOf) (contract.Card, error) {
	card, err := h.answers.Card(ctx, visitor, in.ID)
	return cardOf(card), err
}

func (h *feed) report(ctx context.Context, person askahuman.Person, in contract.Reporting) (contract.None, error) {
	return contract.None{}, h.answers.Report(ctx, person, in.ID, in.Body.Reason)
}

func (h *feed) forget(ctx context.Context, person askahuman.Person, _ contract.Person) (contract.None, error) {
	return contract.None{}, h.people.Forget(ctx, person)
}

func (h *feed) inbox(ctx context.Context, person askahuman.Person, _ contract.Person) (contract.Inbox, error) {
	entries, err := h.notices.Inbox(ctx, person)
	out := make([]contract.InboxEntry, len(entries))
	for i, entry := range entries {
		out[i] = contract.InboxEntry{Question: cardOf(entry.Card), SentAt: entry.SentAt.UTC()}
	}
	return contract.Inbox{Entries: out}, err
}
