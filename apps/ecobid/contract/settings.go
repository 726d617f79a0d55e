package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of settings.
var (
	GetPreferences = operation.Get[None, Preferences]("/v1/notifications/preferences", "How the caller is notified")
	SetPreferences = operation.Put[operation.With[Preferences], Preferences]("/v1/notifications/preferences", "Change how the caller is notified")
	ListDevices    = operation.Get[None, Devices]("/v1/devices", "Devices that get push messages")
	AddDevice      = operation.Post[operation.With[NewDevice], Device]("/v1/devices", "Add a device, or renew it").Created()
	RemoveDevice   = operation.Delete[operation.ByID, None]("/v1/devices/{id}", "Remove a device")
	ListWebhooks   = operation.Get[None, List[Webhook]]("/v1/webhooks", "Webhook endpoints")
	AddWebhook     = operation.Post[operation.With[NewWebhook], Webhook]("/v1/webhooks", "Add a webhook endpoint; its secret is shown once").Created()
	RemoveWebhook  = operation.Delete[operation.ByID, None]("/v1/webhooks/{id}", "Remove a webhook endpoint")
	ListDeliveries = operation.Get[DeliveriesOf, List[Delivery]]("/v1/webhooks/{id}/deliveries", "The latest deliveries to a webhook endpoint")
	PingWebhook    = operation.Post[operation.ByID, None]("/v1/webhooks/{id}/ping", "Send a test message")
	EnableWebhook  = operation.Post[operation.ByID, None]("/v1/webhooks/{id}/enable", "Deliver messages again")
	DisableWebhook = operation.Post[operation.ByID, None]("/v1/webhooks/{id}/disable", "Stop the delivery of messages")
	RotateWebhook  = operation.Post[operation.ByID, Secret]("/v1/webhooks/{id}/rotate", "Replace the secret; both sign for a day")
	ListBlocks     = operation.Get[None, List[BlockedUser]]("/v1/users/me/blocks", "People whom the caller has blocked")
	ListEntries    = operation.Get[None, List[Entry]]("/v1/users/me/entries", "Queues and lotteries that the caller has joined")
)

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

// A NewDevice is the subscription of a browser, or the token of an app.
type NewDevice struct {
	Channel  string `json:"channel" enum:"webpush fcm"`
	Token    string `json:"token,omitempty"`    // of Firebase Cloud Messaging
	Endpoint string `json:"endpoint,omitempty"` // of web push, with its keys
	P256DH   string `json:"p256dh,omitempty"`
	Auth     string `json:"auth,omitempty"`
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

// A NewWebhook is an endpoint to add.
type NewWebhook struct {
	URL    string   `json:"url"`
	Events []string `json:"events,omitempty"` // none for all
	Ping   bool     `json:"ping,omitempty"`   // send a test message at once
}

// A Secret signs the messages to a webhook endpoint.
type Secret struct {
	Secret string `json:"secret"`
}

// A Delivery is an attempt to deliver a message to a webhook endpoint.
type Delivery struct {
	MessageID string    `json:"messageId"`
	Try       int       `json:"try"`
	At        time.Time `json:"at"`
	Status    int       `json:"status"`          // of the response; 0 without one
	Error     string    `json:"error,omitempty"` // absent if the message was accepted
}

// A BlockedUser is a person whom the caller has blocked.
type BlockedUser struct {
	UserID   string    `json:"userId"`
	Username string    `json:"username"`
	Since    time.Time `json:"since"`
}

// An Entry is a place in a queue, or a ticket of a lottery.
type Entry struct {
	ItemID   string    `json:"itemId"`
	Position int       `json:"position,omitempty"` // in the queue, from 1
	At       time.Time `json:"at"`
}

// DeliveriesOf holds the arguments of ListDeliveries.
type DeliveriesOf struct {
	ID     string `path:"id"`
	Cursor string `query:"cursor"`
}
