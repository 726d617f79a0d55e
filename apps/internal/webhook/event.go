package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// PingType is the type of the message that tries an endpoint.
const PingType = "webhook.ping"

// MaxData is the maximum size of the data of an event in bytes. Events carry what receivers need
// to decide, and ids of what they can read through the API.
const MaxData = 6000

// An Event is something that happened to the things of an owner.
type Event struct {
	ID   string          // becomes the id of its messages; the same event has the same ID
	Type string          // such as order.paid
	At   time.Time       // when it happened
	Data json.RawMessage // an object, at most MaxData bytes
}

// publication is the payload of a jobPublish.
type publication struct {
	Owner string `json:"owner"`
	Event Event  `json:"event"`
}

// order is the payload of a jobDeliver.
type order struct {
	Endpoint string `json:"endpoint"`
	Event    Event  `json:"event"`
}

// body is the JSON that receivers get, as the specification recommends.
type body struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// Publish adds an event to a transaction. When the transaction is committed, the event is
// delivered at least once to each enabled endpoint of the owner that has chosen its type. The
// transaction fails with access.ErrExists if the event is already waiting for delivery.
func (h *Hooks) Publish(tx access.Tx, owner string, e Event) error {
	switch {
	case e.ID == "" || owner == "":
		return errors.New("webhook: an event needs an id and an owner")
	case !eventType.MatchString(e.Type):
		return fmt.Errorf("webhook: %q is no type of an event", e.Type)
	case len(e.Data) > MaxData:
		return fmt.Errorf("webhook: the data of event %s has %d bytes, at most %d are delivered", e.ID, len(e.Data), MaxData)
	case len(e.Data) > 0 && !json.Valid(e.Data):
		return fmt.Errorf("webhook: the data of event %s is not JSON", e.ID)
	case len(e.Data) == 0:
		e.Data = json.RawMessage("{}")
	}
	return h.options.Queue.AddTo(tx, jobs.Job{
		ID: "webhook-publish-" + e.ID, Kind: jobPublish, Payload: publication{Owner: owner, Event: e},
	})
}

// Ping sends a message of type PingType to an endpoint, whether or not it is enabled.
func (h *Hooks) Ping(ctx context.Context, owner, id string) error {
	e, err := h.get(ctx, owner, id)
	if err != nil {
		return err
	}
	_, err = h.options.Queue.Add(ctx, deliverJob(e, pingOf(h.p.Now())))
	return err
}

func pingOf(now time.Time) Event {
	return Event{ID: "ping_" + access.NewULID(now), Type: PingType, At: now, Data: json.RawMessage("{}")}
}

// runPublish queues a delivery for each endpoint that wants an event. It can be repeated: Deliver
// does not send a message again that was accepted.
func (h *Hooks) runPublish(ctx context.Context, job jobs.Job) error {
	p, err := jobs.Payload[publication](job)
	if err != nil {
		return err
	}
	for e, err := range h.p.DB.ListEndpoints(p.Owner).Limit(0).All(ctx) {
		if err != nil {
			return fmt.Errorf("list endpoints: %w", err)
		}
		if e.Standing != platformdb.EndpointStandingActive || len(e.Events) > 0 && !slices.Contains(e.Events, p.Event.Type) {
			continue
		}
		if _, err := h.options.Queue.Add(ctx, deliverJob(e, p.Event)); err != nil {
			return err
		}
	}
	return nil
}

// deliverJob returns the job that delivers an event to an endpoint. Deliveries to a host take
// turns, so that a slow host delays only its own.
func deliverJob(e platformdb.Endpoint, event Event) jobs.Job {
	host := ""
	if u, err := url.Parse(e.URL); err == nil {
		host = u.Host
	}
	return jobs.Job{
		ID: "webhook-" + event.ID + "-" + e.EndpointID, Kind: jobDeliver, Group: host, Payload: order{Endpoint: e.EndpointID, Event: event},
	}
}

// runDeliver makes an attempt to deliver an event to an endpoint.
func (h *Hooks) runDeliver(ctx context.Context, job jobs.Job) error {
	o, err := jobs.Payload[order](job)
	if err != nil {
		return err
	}
	e, err := h.p.DB.GetEndpoint(ctx, o.Endpoint)
	switch {
	case errors.Is(err, access.ErrNotFound): // removed
		return nil
	case err != nil:
		return fmt.Errorf("read endpoint %s: %w", o.Endpoint, err)
	case e.Standing != platformdb.EndpointStandingActive && o.Event.Type != PingType:
		return nil
	}
	text, err := json.Marshal(body{Type: o.Event.Type, Timestamp: o.Event.At.UTC(), Data: o.Event.Data})
	if err != nil {
		return jobs.Final(fmt.Errorf("encode event %s: %w", o.Event.ID, err))
	}
	err = h.Deliver(ctx, e.EndpointID, Message{ID: o.Event.ID, URL: e.URL, Secrets: h.secretsOf(e), Body: text}, job.Tries)
	if errors.Is(err, ErrGone) {
		return h.disable(ctx, e, "The receiver answered 410 Gone.")
	}
	return err
}
