package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Preferences says how a person is notified. Everything is in the inbox in any case.
type Preferences struct {
	Zone   string      `json:"zone"`            // a name of the time zone database
	Quiet  *QuietHours `json:"quiet,omitempty"` // no push messages
	Digest string      `json:"digest"`          // none, daily or weekly: mail with what was not read
	Muted  []string    `json:"muted"`           // kinds that reach the inbox only
	Kinds  []string    `json:"kinds,omitempty"` // all kinds; ignored in requests
}

// QuietHours is a time of each day, such as from 22:00 until 07:00.
type QuietHours struct {
	From  string `json:"from"`
	Until string `json:"until"`
}

// Preferences returns how the caller is notified.
func (c *Client) Preferences(ctx context.Context) (Preferences, error) {
	return get[Preferences](ctx, c, "/v1/notifications/preferences")
}

// SetPreferences changes how the caller is notified.
func (c *Client) SetPreferences(ctx context.Context, in Preferences) (Preferences, error) {
	if in.Muted == nil {
		in.Muted = []string{}
	}
	return put[Preferences](ctx, c, "/v1/notifications/preferences", in)
}

// Devices lists the devices of a person, with what a program needs to add one.
type Devices struct {
	Items    []Device `json:"items"`
	Channels []string `json:"channels"`          // those that the server can send to
	PushKey  string   `json:"pushKey,omitempty"` // the application server key of web push
}

// A Device gets push messages.
type Device struct {
	ID        string    `json:"id"`
	Channel   string    `json:"channel"` // webpush or fcm
	CreatedAt time.Time `json:"createdAt"`
	Failures  int       `json:"failures"` // messages that failed in a row
}

// A NewDevice is the subscription of a browser, or the token of an app.
type NewDevice struct {
	Channel  string `json:"channel"`            // webpush or fcm
	Token    string `json:"token,omitempty"`    // of Firebase Cloud Messaging
	Endpoint string `json:"endpoint,omitempty"` // of web push, with its keys
	P256DH   string `json:"p256dh,omitempty"`
	Auth     string `json:"auth,omitempty"`
}

// Devices returns the devices of the caller.
func (c *Client) Devices(ctx context.Context) (Devices, error) {
	return get[Devices](ctx, c, "/v1/devices")
}

// AddDevice adds a device, or renews it.
func (c *Client) AddDevice(ctx context.Context, in NewDevice) (Device, error) {
	return post[Device](ctx, c, "/v1/devices", in, "")
}

// RemoveDevice removes a device.
func (c *Client) RemoveDevice(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodDelete, path: path("devices", id, "")})
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
	Secret    string    `json:"secret,omitempty"` // in the answer of AddWebhook
}

// A NewWebhook is an endpoint to add.
type NewWebhook struct {
	URL    string   `json:"url"`
	Events []string `json:"events,omitempty"` // none for all
	Ping   bool     `json:"ping,omitempty"`   // send a test message at once
}

// A Delivery is an attempt to deliver a message to a webhook endpoint.
type Delivery struct {
	MessageID string    `json:"messageId"`
	Try       int       `json:"try"`
	At        time.Time `json:"at"`
	Status    int       `json:"status"`          // of the response; 0 without one
	Error     string    `json:"error,omitempty"` // "" if the message was accepted
}

// Webhooks returns the webhook endpoints of the caller.
func (c *Client) Webhooks(ctx context.Context) (List[Webhook], error) {
	return get[List[Webhook]](ctx, c, "/v1/webhooks")
}

// AddWebhook adds a webhook endpoint. Its secret is shown once.
func (c *Client) AddWebhook(ctx context.Context, in NewWebhook) (Webhook, error) {
	return post[Webhook](ctx, c, "/v1/webhooks", in, "")
}

// RemoveWebhook removes a webhook endpoint.
func (c *Client) RemoveWebhook(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodDelete, path: path("webhooks", id, "")})
}

// PingWebhook sends a test message.
func (c *Client) PingWebhook(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodPost, path: path("webhooks", id, "/ping")})
}

// EnableWebhook delivers messages again.
func (c *Client) EnableWebhook(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodPost, path: path("webhooks", id, "/enable")})
}

// DisableWebhook stops the delivery of messages.
func (c *Client) DisableWebhook(ctx context.Context, id string) error {
	return c.send(ctx, request{method: http.MethodPost, path: path("webhooks", id, "/disable")})
}

// RotateWebhook replaces the secret of a webhook endpoint and returns the new one. Messages are signed with both for
// a day.
func (c *Client) RotateWebhook(ctx context.Context, id string) (string, error) {
	rotated, err := post[struct {
		Secret string `json:"secret"`
	}](ctx, c, path("webhooks", id, "/rotate"), nil, "")
	return rotated.Secret, err
}

// Deliveries returns a page of the deliveries to a webhook endpoint, newest first.
func (c *Client) Deliveries(ctx context.Context, id, cursor string) (List[Delivery], error) {
	return get[List[Delivery]](ctx, c, path("webhooks", id, "/deliveries?cursor="+url.QueryEscape(cursor)))
}

// A BlockedUser is a person whom the caller has blocked.
type BlockedUser struct {
	UserID   string    `json:"userId"`
	Username string    `json:"username"`
	Since    time.Time `json:"since"`
}

// Blocks returns the people whom the caller has blocked.
func (c *Client) Blocks(ctx context.Context) (List[BlockedUser], error) {
	return get[List[BlockedUser]](ctx, c, "/v1/users/me/blocks")
}

// An Entry is a place in a queue, or a ticket of a lottery.
type Entry struct {
	ItemID   string    `json:"itemId"`
	Position int       `json:"position,omitempty"` // in the queue, from 1
	At       time.Time `json:"at"`
}

// Entries returns the queues and lotteries that the caller has joined.
func (c *Client) Entries(ctx context.Context) (List[Entry], error) {
	return get[List[Entry]](ctx, c, "/v1/users/me/entries")
}
