package client

import (
	"context"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/internal/apiclient"
	"sortkey.dev/apps/internal/operation"
)

// Preferences returns how the caller is notified.
func (c *Client) Preferences(ctx context.Context) (Preferences, error) {
	return apiclient.Call(ctx, &c.session, contract.GetPreferences, contract.None{})
}

// SetPreferences changes how the caller is notified.
func (c *Client) SetPreferences(ctx context.Context, in Preferences) (Preferences, error) {
	if in.Muted == nil {
		in.Muted = []string{}
	}
	return apiclient.Call(ctx, &c.session, contract.SetPreferences, operation.With[Preferences]{Body: in})
}

// Devices returns the devices of the caller.
func (c *Client) Devices(ctx context.Context) (Devices, error) {
	return apiclient.Call(ctx, &c.session, contract.ListDevices, contract.None{})
}

// AddDevice adds a device, or renews it.
func (c *Client) AddDevice(ctx context.Context, in NewDevice) (Device, error) {
	return apiclient.Call(ctx, &c.session, contract.AddDevice, operation.With[NewDevice]{Body: in})
}

// RemoveDevice removes a device.
func (c *Client) RemoveDevice(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.RemoveDevice, operation.ByID{ID: id})
}

// Webhooks returns the webhook endpoints of the caller.
func (c *Client) Webhooks(ctx context.Context) (List[Webhook], error) {
	return apiclient.Call(ctx, &c.session, contract.ListWebhooks, contract.None{})
}

// AddWebhook adds a webhook endpoint. Its secret is shown once.
func (c *Client) AddWebhook(ctx context.Context, in NewWebhook) (Webhook, error) {
	return apiclient.Call(ctx, &c.session, contract.AddWebhook, operation.With[NewWebhook]{Body: in})
}

// RemoveWebhook removes a webhook endpoint.
func (c *Client) RemoveWebhook(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.RemoveWebhook, operation.ByID{ID: id})
}

// PingWebhook sends a test message.
func (c *Client) PingWebhook(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.PingWebhook, operation.ByID{ID: id})
}

// EnableWebhook delivers messages again.
func (c *Client) EnableWebhook(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.EnableWebhook, operation.ByID{ID: id})
}

// DisableWebhook stops the delivery of messages.
func (c *Client) DisableWebhook(ctx context.Context, id string) error {
	return apiclient.Do(ctx, &c.session, contract.DisableWebhook, operation.ByID{ID: id})
}

// RotateWebhook replaces the secret of a webhook endpoint and returns the new one. Messages are signed with both for
// a day.
func (c *Client) RotateWebhook(ctx context.Context, id string) (string, error) {
	rotated, err := apiclient.Call(ctx, &c.session, contract.RotateWebhook, operation.ByID{ID: id})
	return rotated.Secret, err
}

// Deliveries returns a page of the deliveries to a webhook endpoint, newest first.
func (c *Client) Deliveries(ctx context.Context, id, cursor string) (List[Delivery], error) {
	return apiclient.Call(ctx, &c.session, contract.ListDeliveries, contract.DeliveriesOf{ID: id, Cursor: cursor})
}

// Blocks returns the people whom the caller has blocked.
func (c *Client) Blocks(ctx context.Context) (List[BlockedUser], error) {
	return apiclient.Call(ctx, &c.session, contract.ListBlocks, contract.None{})
}

// Entries returns the queues and lotteries that the caller has joined.
func (c *Client) Entries(ctx context.Context) (List[Entry], error) {
	return apiclient.Call(ctx, &c.session, contract.ListEntries, contract.None{})
}
