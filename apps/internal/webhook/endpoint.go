package webhook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/refusal"
)

// Overlap is the time for which messages are signed with the former secret too.
const Overlap = 24 * time.Hour

// ErrNoEndpoint refuses a request for an endpoint that the owner does not have.
var ErrNoEndpoint = refusal.New(refusal.NotFound, "ENDPOINT_NOT_FOUND", "There is no such webhook endpoint.")

// An Endpoint is a URL of a program that is told about events of its owner.
type Endpoint struct {
	ID       string
	URL      string
	Events   []string // types; empty for all
	Enabled  bool
	Reason   string // why it is disabled
	Created  time.Time
	Rotating bool // messages are signed with two secrets
}

// A NewEndpoint describes an endpoint to add.
type NewEndpoint struct {
	URL    string
	Events []string // types; empty for all
	Ping   bool     // send a message of type PingType at once
}

// Add adds an endpoint of an owner and returns the secret with which its receiver verifies
// messages. The secret is not shown again.
func (h *Hooks) Add(ctx context.Context, owner string, n NewEndpoint) (Endpoint, string, error) {
	if err := h.check(n); err != nil {
		return Endpoint{}, "", err
	}
	has, err := h.p.DB.ListEndpoints(owner).Limit(0).Count(ctx)
	switch {
	case err != nil:
		return Endpoint{}, "", fmt.Errorf("count endpoints: %w", err)
	case int(has) >= h.options.MaxEndpoints:
		return Endpoint{}, "", refusal.New(refusal.Conflict, "TOO_MANY_ENDPOINTS",
			"There can be %d webhook endpoints; remove one first.", h.options.MaxEndpoints)
	}
	now := h.p.Now()
	e := platformdb.Endpoint{
		EndpointID: access.NewULID(now), Owner: owner, URL: n.URL, Secret: NewSecret(), Events: distinct(n.Events),
		Standing: platformdb.EndpointStandingActive, CreatedAt: now, UpdatedAt: now,
	}
	tx := h.p.DB.Tx()
	tx.AddEndpoint(e)
	if n.Ping {
		if err := h.options.Queue.AddTo(tx, deliverJob(e, pingOf(now))); err != nil {
			return Endpoint{}, "", err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return Endpoint{}, "", fmt.Errorf("add an endpoint: %w", err)
	}
	return h.shown(e), e.Secret, nil
}

// check validates a new endpoint.
func (h *Hooks) check(n NewEndpoint) error {
	if err := publichttp.Check(n.URL, h.options.HTTP); err != nil {
		reason := err.Error()
		if refused, ok := errors.AsType[*publichttp.URLError](err); ok {
			reason = refused.Reason
		}
		return refusal.OfField(refusal.Field{Name: "url", Constraint: "format"}, "%s", reason)
	}
	for _, name := range n.Events {
		known := len(h.options.Events) == 0 && eventType.MatchString(name) || slices.Contains(h.options.Events, name)
		if !known {
			return refusal.OfField(refusal.Field{Name: "events", Constraint: "allowed", Allowed: h.options.Events},
				"There is no event %q.", name)
		}
	}
	return nil
}

// Endpoints returns the endpoints of an owner, the newest first.
func (h *Hooks) Endpoints(ctx context.Context, owner string) ([]Endpoint, error) {
	all, err := h.p.DB.ListEndpoints(owner).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list endpoints: %w", err)
	}
	shown := make([]Endpoint, len(all))
	for i, e := range all {
		shown[i] = h.shown(e)
	}
	return shown, nil
}

func (h *Hooks) shown(e platformdb.Endpoint) Endpoint {
	s := Endpoint{
		ID: e.EndpointID, URL: e.URL, Events: e.Events, Enabled: e.Standing == platformdb.EndpointStandingActive, Created: e.CreatedAt,
		Rotating: len(h.secretsOf(e)) > 1,
	}
	if e.Reason != nil {
		s.Reason = *e.Reason
	}
	return s
}

// get returns an endpoint of an owner.
func (h *Hooks) get(ctx context.Context, owner, id string) (platformdb.Endpoint, error) {
	e, err := h.p.DB.GetEndpoint(ctx, id)
	switch {
	case errors.Is(err, access.ErrNotFound) || err == nil && e.Owner != owner:
		return platformdb.Endpoint{}, ErrNoEndpoint
	case err != nil:
		return platformdb.Endpoint{}, fmt.Errorf("read endpoint %s: %w", id, err)
	}
	return e, nil
}

// Disable stops deliveries to an endpoint. Events that happen meanwhile are not delivered later.
func (h *Hooks) Disable(ctx context.Context, owner, id, reason string) error {
	e, err := h.get(ctx, owner, id)
	if err != nil {
		return err
	}
	return h.disable(ctx, e, reason)
}

func (h *Hooks) disable(ctx context.Context, e platformdb.Endpoint, reason string) error {
	_, err := h.p.DB.DisableEndpoint(ctx, e.Key(), platformdb.DisableEndpointParams{Reason: &reason, UpdatedAt: h.p.Now()})
	if err != nil && !access.Refused(err) { // refused: it is disabled or removed
		return fmt.Errorf("disable endpoint %s: %w", e.EndpointID, err)
	}
	return nil
}

// Enable starts deliveries to an endpoint again.
func (h *Hooks) Enable(ctx context.Context, owner, id string) error {
	e, err := h.get(ctx, owner, id)
	if err != nil {
		return err
	}
	_, err = h.p.DB.EnableEndpoint(ctx, e.Key(), platformdb.EnableEndpointParams{UpdatedAt: h.p.Now()})
	if err != nil && !access.Refused(err) { // refused: it is enabled or removed
		return fmt.Errorf("enable endpoint %s: %w", id, err)
	}
	return nil
}

// Remove removes an endpoint. Its deliveries stay visible until they expire.
func (h *Hooks) Remove(ctx context.Context, owner, id string) error {
	e, err := h.get(ctx, owner, id)
	if err != nil {
		return err
	}
	if err := h.p.DB.RemoveEndpoint(ctx, e.Key()); err != nil && !access.Refused(err) {
		return fmt.Errorf("remove endpoint %s: %w", id, err)
	}
	return nil
}

// RemoveAll removes the endpoints of an owner.
func (h *Hooks) RemoveAll(ctx context.Context, owner string) error {
	for e, err := range h.p.DB.ListEndpoints(owner).Limit(0).All(ctx) {
		if err == nil {
			err = h.p.DB.RemoveEndpoint(ctx, e.Key())
		}
		if err != nil && !access.Refused(err) {
			return fmt.Errorf("remove the endpoints of %s: %w", owner, err)
		}
	}
	return nil
}

// Rotate replaces the secret of an endpoint and returns the new one. For the time of Overlap,
// messages are signed with both.
func (h *Hooks) Rotate(ctx context.Context, owner, id string) (secret string, err error) {
	e, err := h.get(ctx, owner, id)
	if err != nil {
		return "", err
	}
	now := h.p.Now()
	secret = NewSecret()
	_, err = h.p.DB.RotateEndpointSecret(ctx, e.Key(), platformdb.RotateEndpointSecretParams{
		Secret: secret, OldSecret: &e.Secret, OldSecretUntil: new(now.Add(Overlap)), UpdatedAt: now,
	})
	switch {
	case errors.Is(err, access.ErrNotFound):
		return "", ErrNoEndpoint
	case err != nil:
		return "", fmt.Errorf("rotate the secret of endpoint %s: %w", id, err)
	}
	return secret, nil
}

// secretsOf returns the secrets with which messages to an endpoint are signed now.
func (h *Hooks) secretsOf(e platformdb.Endpoint) []string {
	if e.OldSecret != nil && e.OldSecretUntil != nil && h.p.Now().Before(*e.OldSecretUntil) {
		return []string{e.Secret, *e.OldSecret}
	}
	return []string{e.Secret}
}

// distinct returns the sorted names without duplicates.
func distinct(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}
