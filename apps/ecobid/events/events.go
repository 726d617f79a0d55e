// Package events delivers the domain events of EcoBid to handlers: people are notified, webhooks
// are published, saved searches are matched, and the impact is counted. An event is written with
// the change that it tells about; the stream of the table, or a sweep, queues a job for it, and
// the job runs each handler until it has succeeded.
//
// Delivery is at least once, effects are once: each handler records the event in the transaction
// of its effect. A job that fails is retried with backoff and finally parked as a dead job, which
// an operator replays. The package decides whom an event concerns; the platform's rooms notify and
// webhook send. Package worker feeds it.
package events

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/atlas"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/webhook"
)

// jobEvent is the kind of the job that delivers an event.
const jobEvent = "event"

// policy retries an event for about a day before it is parked. After a crash, another process delivers
// the event within seconds.
var policy = jobs.Policy{Tries: 12, Backoff: jobs.Exponential(5*time.Second, 4*time.Hour), Lease: 10 * time.Second}

// Options configures a Service. All fields are required.
type Options struct {
	Trust    *trust.Service
	Notifier *notify.Notifier
	Hooks    *webhook.Hooks
}

// A Service delivers events. It is safe for concurrent use.
type Service struct {
	env      *ecobid.Env
	o        Options
	handlers []handler
}

// A handler is a consumer of events. Its name is part of the records of what it has handled.
type handler struct {
	name   string
	handle func(ctx context.Context, e event) error
}

// An event is a domain event with its detail.
type event struct {
	ecobiddb.OutboxEvent
	detail  ecobid.Detail
	handler string
}

// New returns the service of an environment and registers its jobs.
func New(env *ecobid.Env, options Options) (*Service, error) {
	if options.Trust == nil || options.Notifier == nil || options.Hooks == nil {
		return nil, errors.New("events: a service needs trust, a notifier and webhooks")
	}
	s := &Service{env: env, o: options}
	s.handlers = []handler{{"notify", s.notify}, {"webhooks", s.publish}, {"impact", s.impact}, {"searches", s.searches}, {"waiting", s.waiting}}
	env.Jobs.Handle(jobEvent, ecobid.LaneEvents, policy, s.run)
	return s, nil
}

// Enqueue queues the delivery of an event. Events that are delivered or queued are not delivered
// again.
func (s *Service) Enqueue(ctx context.Context, eventID string) error {
	_, err := s.env.Jobs.Add(ctx, jobs.Job{ID: jobEvent + "-" + eventID, Kind: jobEvent, Payload: eventID})
	return err
}

// sweepAfter is the age from which an event that is not delivered is queued by the sweep.
const sweepAfter = time.Minute

// Sweep queues the events that the stream did not deliver, and returns their number.
func (s *Service) Sweep(ctx context.Context) (queued int, err error) {
	pending, err := s.env.DB.ListPendingEvents().Slice(ctx)
	if err != nil {
		return 0, fmt.Errorf("list pending events: %w", err)
	}
	for _, e := range pending {
		if s.env.Now().Sub(e.CreatedAt) < sweepAfter {
			continue
		}
		if err := s.Enqueue(ctx, e.EventID); err != nil {
			return queued, err
		}
		queued++
	}
	return queued, nil
}

func (s *Service) run(ctx context.Context, job jobs.Job) error {
	id, err := jobs.Payload[string](job)
	if err != nil {
		return err
	}
	return s.Deliver(ctx, id)
}

// Deliver runs the handlers that have not handled an event.
func (s *Service) Deliver(ctx context.Context, eventID string) error {
	stored, err := s.env.DB.GetEvent(ctx, eventID)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil // it has expired
	case err != nil:
		return fmt.Errorf("read event %s: %w", eventID, err)
	case stored.State == ecobiddb.OutboxEventStateDone:
		return nil
	}
	e := event{OutboxEvent: stored}
	if err := json.Unmarshal(stored.Detail, &e.detail); err != nil {
		return jobs.Final(fmt.Errorf("decode event %s: %w", eventID, err))
	}
	for _, h := range s.handlers {
		e.handler = h.name
		_, err := s.env.DB.GetHandled(ctx, eventID, h.name)
		if err == nil {
			continue
		}
		if errors.Is(err, access.ErrNotFound) {
			err = h.handle(ctx, e)
		}
		if err != nil && !ecobid.Changed[ecobiddb.Handled](err) {
			return fmt.Errorf("%s: event %s of kind %s: %w", h.name, eventID, e.Kind, err)
		}
	}
	if _, err := s.env.DB.MarkDelivered(ctx, stored.Key()); err != nil && !ecobid.Changed[ecobiddb.OutboxEvent](err) {
		return fmt.Errorf("mark event %s as delivered: %w", eventID, err)
	}
	return nil
}

// handled returns the record that a handler has handled an event.
func (s *Service) handled(e event) ecobiddb.Handled {
	now := s.env.Now()
	return ecobiddb.Handled{EventID: e.EventID, Handler: e.handler, At: now, ExpiresAt: now.Add(ecobid.KeepEvent)}
}

// Operators is the owner of the webhook endpoints that get all events.
const Operators = "operators"

// publish publishes an event to the webhooks of the parties and of the operators.
func (s *Service) publish(ctx context.Context, e event) error {
	tx := s.env.DB.Tx()
	tx.MarkHandled(s.handled(e))
	for suffix, owner := range map[string]string{"seller": e.detail.SellerID, "buyer": e.detail.BuyerID, "all": Operators} {
		if owner == "" {
			continue
		}
		err := s.o.Hooks.Publish(tx, owner, webhook.Event{ID: e.EventID + "-" + suffix, Type: e.Kind, At: e.CreatedAt, Data: e.Detail})
		if err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// impact counts a completed pickup.
func (s *Service) impact(ctx context.Context, e event) error {
	if e.Kind != ecobid.ReservationCompleted {
		return nil
	}
	_, err := s.o.Trust.CountImpact(ctx, e.EventID, e.handler, e.CreatedAt, e.detail)
	return err
}

// searches notifies people whose saved search matches a new item. Each notification exists once,
// so that the handler can be repeated at any point.
func (s *Service) searches(ctx context.Context, e event) error {
	if e.Kind != ecobid.ItemCreated {
		return nil
	}
	waiting, err := s.o.Trust.Waiting(ctx, e.detail)
	if err != nil {
		return err
	}
	for _, userID := range waiting {
		if _, err := s.o.Notifier.TellNow(ctx, notify.Notification{
			Recipient: userID, Event: e.EventID, Kind: KindNearby, Title: "New near you: " + e.detail.Title,
			Body: "In " + e.detail.City + ".", Link: "/items/" + e.detail.ItemID,
		}); err != nil {
			return err
		}
	}
	_, err = s.env.DB.MarkHandled(ctx, s.handled(e))
	return err
}

// notify notifies the people whom an event concerns.
func (s *Service) notify(ctx context.Context, e event) error {
	tx := s.env.DB.Tx()
	tx.MarkHandled(s.handled(e))
	var failed error
	all := notifications(e.Kind, e.detail, func(person string, at *time.Time) string {
		text, err := s.clock(ctx, person, at)
		failed = errors.Join(failed, err)
		return text
	})
	if failed != nil {
		return failed
	}
	for _, n := range all {
		n.Event = e.EventID
		if err := s.o.Notifier.Tell(tx, n); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// clock writes a time as it is on the clocks of a person: in the time zone of the person's settings, or else of the
// person's city.
func (s *Service) clock(ctx context.Context, person string, at *time.Time) (string, error) {
	if at == nil {
		return "soon", nil
	}
	preferences, err := s.o.Notifier.Preferences(ctx, person)
	if err != nil {
		return "", err
	}
	zone := preferences.Location()
	if zone == time.UTC { // as it is without settings
		user, err := s.env.DB.GetUser(ctx, person)
		if err != nil && !errors.Is(err, access.ErrNotFound) {
			return "", fmt.Errorf("read a profile: %w", err)
		}
		zone = atlas.Zone(user.City, user.Country)
	}
	return at.In(zone).Format("Mon 2 Jan 15:04 MST"), nil
}
