package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"sortkey.dev/apps/ecobid/events"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webhook"
)

func (a *api) settingsEndpoints() []openapi.Operation {
	return []openapi.Operation{
		on(a, http.MethodGet, "/v1/notifications/preferences", "How the caller is notified", member, http.StatusOK, a.preferences),
		on(a, http.MethodPut, "/v1/notifications/preferences", "Change how the caller is notified", member, http.StatusOK, a.setPreferences),
		on(a, http.MethodGet, "/v1/devices", "Devices that get push messages", member, http.StatusOK, a.devices),
		on(a, http.MethodPost, "/v1/devices", "Add a device, or renew it", member, http.StatusCreated, a.addDevice),
		on(a, http.MethodDelete, "/v1/devices/{id}", "Remove a device", member, http.StatusNoContent, a.removeDevice),
		on(a, http.MethodGet, "/v1/webhooks", "Webhook endpoints", member, http.StatusOK, a.webhooks),
		on(a, http.MethodPost, "/v1/webhooks", "Add a webhook endpoint; its secret is shown once", member, http.StatusCreated, a.addWebhook),
		on(a, http.MethodDelete, "/v1/webhooks/{id}", "Remove a webhook endpoint", member, http.StatusNoContent, a.removeWebhook),
		on(a, http.MethodGet, "/v1/webhooks/{id}/deliveries", "The latest deliveries to a webhook endpoint", member, http.StatusOK, a.deliveries),
		on(a, http.MethodPost, "/v1/webhooks/{id}/ping", "Send a test message", member, http.StatusNoContent, a.pingWebhook),
		on(a, http.MethodPost, "/v1/webhooks/{id}/enable", "Deliver messages again", member, http.StatusNoContent, a.enableWebhook),
		on(a, http.MethodPost, "/v1/webhooks/{id}/disable", "Stop the delivery of messages", member, http.StatusNoContent, a.disableWebhook),
		on(a, http.MethodPost, "/v1/webhooks/{id}/rotate", "Replace the secret; both sign for a day", member, http.StatusOK, a.rotateWebhook),
		on(a, http.MethodGet, "/v1/users/me/blocks", "People whom the caller has blocked", member, http.StatusOK, a.blocks),
		on(a, http.MethodGet, "/v1/users/me/entries", "Queues and lotteries that the caller has joined", member, http.StatusOK, a.entries),
	}
}

// Preferences says how a person is notified. Everything is in the inbox in any case.
type Preferences struct {
	Zone   string      `json:"zone"`                            // a name of the time zone database
	Quiet  *QuietHours `json:"quiet,omitempty"`                 // no push messages
	Digest string      `json:"digest" enum:"none daily weekly"` // mail with what was not read
	Muted  []string    `json:"muted"`                           // kinds that reach the inbox only
	Kinds  []string    `json:"kinds,omitempty"`                 // all kinds; ignored in requests
}

// QuietHours is a time of each day, such as from 22:00 until 07:00.
type QuietHours struct {
	From  string `json:"from"`
	Until string `json:"until"`
}

func (a *api) preferences(ctx context.Context, c *call, _ None) (Preferences, error) {
	p, err := a.Domain.Notifier.Preferences(ctx, c.user())
	if err != nil {
		return Preferences{}, err
	}
	view := Preferences{Zone: p.Zone, Digest: string(p.Digest), Muted: append([]string{}, p.Muted...), Kinds: slices.Clone(events.Kinds)}
	if p.Quiet != nil {
		view.Quiet = &QuietHours{From: clock(p.Quiet.From), Until: clock(p.Quiet.Until)}
	}
	return view, nil
}

// clock formats minutes after midnight.
func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// minutes parses a time of the day.
func minutes(field, text string) (int, error) {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return 0, refusal.OfField(refusal.Field{Name: field, Constraint: "format"}, "Write a time of the day such as 22:00.")
	}
	return at.Hour()*60 + at.Minute(), nil
}

func (a *api) setPreferences(ctx context.Context, c *call, in struct{ Body Preferences }) (Preferences, error) {
	p := notify.Preferences{Zone: in.Body.Zone, Digest: notify.Digest(in.Body.Digest), Muted: in.Body.Muted}
	if q := in.Body.Quiet; q != nil {
		from, err := minutes("quiet_from", q.From)
		if err != nil {
			return Preferences{}, err
		}
		until, err := minutes("quiet_until", q.Until)
		if err != nil {
			return Preferences{}, err
		}
		p.Quiet = &notify.Quiet{From: from, Until: until}
	}
	if err := a.Domain.Notifier.SetPreferences(ctx, c.user(), p); err != nil {
		return Preferences{}, err
	}
	return a.preferences(ctx, c, None{})
}

// Devices lists the devices of a person, with what a program needs to add one.
type Devices struct {
	Items    []Device `json:"items"`
	Channels []string `json:"channels"`          // those that this server can send to
	PushKey  string   `json:"pushKey,omitempty"` // the application server key of web push
}

// A Device gets push messages.
type Device struct {
	ID        string    `json:"id"`
	Channel   string    `json:"channel" enum:"webpush fcm"`
	CreatedAt time.Time `json:"createdAt"`
	Failures  int       `json:"failures"` // messages that failed in a row
}

func deviceOf(d notify.Device) Device { return Device{d.ID, string(d.Channel), d.Created, d.Failures} }

func (a *api) devices(ctx context.Context, c *call, _ None) (Devices, error) {
	all, err := a.Domain.Notifier.Devices(ctx, c.user())
	view := Devices{Items: each(all, deviceOf), Channels: []string{}, PushKey: a.PushKey}
	for _, channel := range a.Domain.Notifier.Channels() {
		view.Channels = append(view.Channels, string(channel))
	}
	return view, err
}

// A NewDevice is the subscription of a browser, or the token of an app.
type NewDevice struct {
	Channel  string `json:"channel" enum:"webpush fcm"`
	Token    string `json:"token,omitempty"`    // of Firebase Cloud Messaging
	Endpoint string `json:"endpoint,omitempty"` // of web push, with its keys
	P256DH   string `json:"p256dh,omitempty"`
	Auth     string `json:"auth,omitempty"`
}

func (a *api) addDevice(ctx context.Context, c *call, in struct{ Body NewDevice }) (Device, error) {
	b := in.Body
	added, err := a.Domain.Notifier.Subscribe(ctx, c.user(), notify.NewDevice{
		Channel: notify.Channel(b.Channel), Target: notify.Target{Token: b.Token, Endpoint: b.Endpoint, P256DH: b.P256DH, Auth: b.Auth},
	})
	return deviceOf(added), err
}

func (a *api) removeDevice(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Notifier.Unsubscribe(ctx, c.user(), in.ID)
}

// A Webhook is an endpoint that gets domain events.
type Webhook struct {
	ID        string    `json:"id"`
	URL       string    `json:"url"`
	Events    []string  `json:"events"` // empty for all
	Enabled   bool      `json:"enabled"`
	Reason    string    `json:"reason,omitempty"` // why it is disabled
	Rotating  bool      `json:"rotating"`         // messages are signed with two secrets
	CreatedAt time.Time `json:"createdAt"`
	Secret    string    `json:"secret,omitempty"` // in the response that adds it
}

func webhookOf(e webhook.Endpoint) Webhook {
	return Webhook{ID: e.ID, URL: e.URL, Events: append([]string{}, e.Events...), Enabled: e.Enabled, Reason: e.Reason, Rotating: e.Rotating, CreatedAt: e.Created}
}

func (a *api) webhooks(ctx context.Context, c *call, _ None) (List[Webhook], error) {
	all, err := a.Domain.Hooks.Endpoints(ctx, c.user())
	return List[Webhook]{Items: each(all, webhookOf)}, err
}

// A NewWebhook is an endpoint to add.
type NewWebhook struct {
	URL    string   `json:"url"`
	Events []string `json:"events,omitempty"` // none for all
	Ping   bool     `json:"ping,omitempty"`   // send a test message at once
}

func (a *api) addWebhook(ctx context.Context, c *call, in struct{ Body NewWebhook }) (Webhook, error) {
	added, secret, err := a.Domain.Hooks.Add(ctx, c.user(), webhook.NewEndpoint{URL: in.Body.URL, Events: in.Body.Events, Ping: in.Body.Ping})
	view := webhookOf(added)
	view.Secret = secret
	return view, err
}

func (a *api) removeWebhook(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Hooks.Remove(ctx, c.user(), in.ID)
}

func (a *api) pingWebhook(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Hooks.Ping(ctx, c.user(), in.ID)
}

func (a *api) enableWebhook(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Hooks.Enable(ctx, c.user(), in.ID)
}

func (a *api) disableWebhook(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Hooks.Disable(ctx, c.user(), in.ID, "stopped by its owner")
}

// A Secret signs the messages to a webhook endpoint.
type Secret struct {
	Secret string `json:"secret"`
}

func (a *api) rotateWebhook(ctx context.Context, c *call, in byID) (Secret, error) {
	secret, err := a.Domain.Hooks.Rotate(ctx, c.user(), in.ID)
	return Secret{secret}, err
}

// A Delivery is an attempt to deliver a message to a webhook endpoint.
type Delivery struct {
	MessageID string    `json:"messageId"`
	Try       int       `json:"try"`
	At        time.Time `json:"at"`
	Status    int       `json:"status"`          // of the response; 0 without one
	Error     string    `json:"error,omitempty"` // absent if the message was accepted
}

func (a *api) deliveries(ctx context.Context, c *call, in struct {
	ID     string `path:"id"`
	Cursor string `query:"cursor"`
}) (List[Delivery], error) {
	all, next, err := a.Domain.Hooks.EndpointDeliveries(ctx, c.user(), in.ID, in.Cursor)
	return List[Delivery]{Items: each(all, func(d webhook.Delivery) Delivery {
		return Delivery{d.MessageID, d.Try, d.At, d.Status, d.Error}
	}), Next: next}, err
}

// A BlockedUser is a person whom the caller has blocked.
type BlockedUser struct {
	UserID   string    `json:"userId"`
	Username string    `json:"username"`
	Since    time.Time `json:"since"`
}

func (a *api) blocks(ctx context.Context, c *call, _ None) (List[BlockedUser], error) {
	blocked, err := a.Domain.Trust.Blocked(ctx, c.user())
	if err != nil {
		return List[BlockedUser]{}, err
	}
	ids := make([]string, len(blocked))
	for i, one := range blocked {
		ids[i] = one.BlockedID
	}
	names, err := a.Domain.People.Several(ctx, ids)
	list := List[BlockedUser]{Items: []BlockedUser{}}
	for _, one := range blocked {
		list.Items = append(list.Items, BlockedUser{one.BlockedID, names[one.BlockedID].Username, one.CreatedAt})
	}
	return list, err
}

// An Entry is a place in a queue, or a ticket of a lottery.
type Entry struct {
	ItemID   string    `json:"itemId"`
	Position int       `json:"position,omitempty"` // in the queue, from 1
	At       time.Time `json:"at"`
}

func (a *api) entries(ctx context.Context, c *call, _ None) (List[Entry], error) {
	joined, err := a.Domain.Giving.Entries(ctx, c.user())
	list := List[Entry]{Items: []Entry{}}
	for _, one := range joined {
		position, err := a.Domain.Giving.Position(ctx, c.user(), one.ItemID)
		switch _, hidden := refusal.As(err, refusal.NotFound); {
		case hidden: // the item is withdrawn, or the caller may not see it
			continue
		case err != nil:
			return List[Entry]{}, err
		}
		list.Items = append(list.Items, Entry{one.ItemID, position, one.CreatedAt})
	}
	return list, err
}
