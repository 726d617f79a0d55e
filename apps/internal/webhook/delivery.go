package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// keepDelivery is the time for which attempts are visible.
const keepDelivery = 8 * 24 * time.Hour

// A Delivery is one attempt to deliver a message, as its owner sees it.
type Delivery struct {
	MessageID string
	Try       int
	At        time.Time
	URL       string // without query, which can contain secrets
	Status    int    // of the HTTP response; 0 without one
	Error     string // "" if the receiver accepted the message
}

// Deliver makes one attempt and records it among the deliveries of a subject: an endpoint, or
// the thing whose callback it is. A message that the subject's receiver has accepted is not sent
// again. try counts from 1.
//
// The error is ErrGone if the receiver wants no more messages, else the outcome of a job: final
// for an address that is never reached, with a delay if the receiver asked for one.
func (h *Hooks) Deliver(ctx context.Context, subject string, m Message, try int) error {
	past, err := h.p.DB.ListDeliveries(subject).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list deliveries: %w", err)
	}
	for _, d := range past {
		if d.MessageID == m.ID && d.HTTPStatus != nil {
			switch status := *d.HTTPStatus; {
			case status/100 == 2:
				return nil
			case status == http.StatusGone:
				return ErrGone
			}
		}
	}
	// A worker that stops finishes what it began: another one would send the message again. The
	// client has a timeout of its own.
	ctx = context.WithoutCancel(ctx)
	status, outcome := h.send(ctx, m)
	if err := h.record(ctx, subject, m, try, status, outcome); err != nil {
		return err
	}
	return outcome
}

// record stores the outcome of an attempt.
func (h *Hooks) record(ctx context.Context, subject string, m Message, try, status int, outcome error) error {
	now := h.p.Now()
	d := platformdb.Delivery{
		Subject: subject, DeliveryID: access.NewULID(now), MessageID: m.ID, Try: int64(try), URL: shownURL(m.URL), At: now,
		TTL: now.Add(keepDelivery),
	}
	if status != 0 {
		d.HTTPStatus = new(int64(status))
	}
	if outcome != nil {
		d.Error = new(jobs.ErrorText(outcome))
	}
	if _, err := h.p.DB.RecordDelivery(ctx, d); err != nil {
		return fmt.Errorf("record a delivery: %w", err)
	}
	return nil
}

// shownURL removes the parts of a URL in which people keep secrets.
func shownURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// EndpointDeliveries returns a page of the attempts to an owner's endpoint, as Deliveries does.
func (h *Hooks) EndpointDeliveries(ctx context.Context, owner, id, cursor string) (deliveries []Delivery, next string, err error) {
	if _, err := h.get(ctx, owner, id); err != nil {
		return nil, "", err
	}
	return h.Deliveries(ctx, id, cursor)
}

// Deliveries returns a page of the attempts of a subject, the newest first. The cursor is "" for
// the first page; the returned one is "" after the last. The caller knows that a person may read them.
func (h *Hooks) Deliveries(ctx context.Context, subject, cursor string) (deliveries []Delivery, next string, err error) {
	page, err := h.p.DB.ListDeliveries(subject).Page(ctx, cursor)
	switch {
	case errors.Is(err, access.ErrBadCursor):
		return nil, "", refusal.OfField(refusal.Field{Name: "cursor", Constraint: "format"}, "This cursor is not one of this list.")
	case err != nil:
		return nil, "", fmt.Errorf("list deliveries: %w", err)
	}
	for _, d := range page.Items {
		shown := Delivery{MessageID: d.MessageID, Try: int(d.Try), At: d.At, URL: d.URL}
		if d.HTTPStatus != nil {
			shown.Status = int(*d.HTTPStatus)
		}
		if d.Error != nil {
			shown.Error = *d.Error
		}
		deliveries = append(deliveries, shown)
	}
	return deliveries, page.Next, nil
}
