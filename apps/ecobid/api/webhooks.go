package api

import (
	"context"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/webhook"
)

// webhooks serves the operations on webhook endpoints.
type webhooks struct {
	hooks *webhook.Hooks
}

func (h *webhooks) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListWebhooks, c.member, h.webhooks),
		openapi.Handle(contract.AddWebhook, c.member, h.addWebhook),
		openapi.Handle(contract.RemoveWebhook, c.member, h.removeWebhook),
		openapi.Handle(contract.ListDeliveries, c.member, h.deliveries),
		openapi.Handle(contract.PingWebhook, c.member, h.pingWebhook),
		openapi.Handle(contract.EnableWebhook, c.member, h.enableWebhook),
		openapi.Handle(contract.DisableWebhook, c.member, h.disableWebhook),
		openapi.Handle(contract.RotateWebhook, c.member, h.rotateWebhook),
	}
}

func webhookOf(e webhook.Endpoint) contract.Webhook {
	return contract.Webhook{ID: e.ID, URL: e.URL, Events: append([]string{}, e.Events...), Enabled: e.Enabled, Reason: e.Reason, Rotating: e.Rotating, CreatedAt: e.Created}
}

func (h *webhooks) webhooks(ctx context.Context, c *call, _ contract.None) (contract.List[contract.Webhook], error) {
	all, err := h.hooks.Endpoints(ctx, c.user())
	return contract.List[contract.Webhook]{Items: each(all, webhookOf)}, err
}

func (h *webhooks) addWebhook(ctx context.Context, c *call, in operation.With[contract.NewWebhook]) (contract.Webhook, error) {
	added, secret, err := h.hooks.Add(ctx, c.user(), webhook.NewEndpoint{URL: in.Body.URL, Events: in.Body.Events, Ping: in.Body.Ping})
	view := webhookOf(added)
	view.Secret = secret
	return view, err
}

func (h *webhooks) removeWebhook(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.hooks.Remove(ctx, c.user(), in.ID)
}

func (h *webhooks) pingWebhook(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.hooks.Ping(ctx, c.user(), in.ID)
}

func (h *webhooks) enableWebhook(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.hooks.Enable(ctx, c.user(), in.ID)
}

func (h *webhooks) disableWebhook(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.hooks.Disable(ctx, c.user(), in.ID, "stopped by its owner")
}

func (h *webhooks) rotateWebhook(ctx context.Context, c *call, in operation.ByID) (contract.Secret, error) {
	secret, err := h.hooks.Rotate(ctx, c.user(), in.ID)
	return contract.Secret{Secret: secret}, err
}

func (h *webhooks) deliveries(ctx context.Context, c *call, in contract.DeliveriesOf) (contract.List[contract.Delivery], error) {
	all, next, err := h.hooks.EndpointDeliveries(ctx, c.user(), in.ID, in.Cursor)
	return contract.List[contract.Delivery]{Items: each(all, func(d webhook.Delivery) contract.Delivery {
		return contract.Delivery{MessageID: d.MessageID, Try: d.Try, At: d.At, Status: d.Status, Error: d.Error}
	}), Next: next}, err
}
