package api

import (
	"context"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/refusal"
)

// subscriptions serves the operations on notifications.
type subscriptions struct {
	callers *callers
	notices *notices.Service
	pushKey string
}

func (h *subscriptions) operations() []openapi.Operation {
	c := h.callers
	subscribing := c.acting(askahuman.LimitSubscribeFrom, askahuman.LimitSubscribe)
	return []openapi.Operation{
		openapi.Handle(contract.GetPushKey, c.anybody(askahuman.LimitBrowse), h.vapidKey),
		openapi.Handle(contract.Subscribe, subscribing, h.subscribe),
		openapi.Handle(contract.ChangeSubscription, subscribing, h.resubscribe),
		openapi.Handle(contract.Unsubscribe, c.browsingPerson, h.unsubscribe),
	}
}

// requestOf returns the subscription request of a body.
func requestOf(b contract.NewSubscription) notices.SubscriptionRequest {
	request := notices.SubscriptionRequest{
		Channel:  notices.Channel(b.Channel),
		Audience: b.Audience,
		FCMToken: b.FCMToken,
		WebPush:  notices.WebPush{Endpoint: b.Endpoint, P256DH: b.P256DH, Auth: b.Auth},
	}
	if b.MinInterval != nil {
		request.Interval = times(*b.MinInterval, time.Minute)
		if request.Interval == 0 { // zero would mean the default
			request.Interval = -time.Minute
		}
	}
	return request
}

// newRequestOf returns the request for a subscription that may not exist yet. A missing
// channel is derived from the other fields.
func newRequestOf(b contract.NewSubscription) notices.SubscriptionRequest {
	request := requestOf(b)
	switch {
	case request.Channel != "":
	case b.FCMToken != "":
		request.Channel = notices.ChannelFCM
	case b.Endpoint != "":
		request.Channel = notices.ChannelWebpush
	default:
		request.Channel = notices.ChannelInbox
	}
	return request
}

func subscriptionOf(s notices.Subscription) contract.Subscription {
	status := "inactive"
	if s.Active {
		status = "active"
	}
	return contract.Subscription{
		SubscriptionID: s.SubscriptionID, Status: status, Channel: string(s.Channel),
		MinInterval: int(s.MinIntervalMinutes), Audience: s.Audience,
	}
}

func (h *subscriptions) subscribe(ctx context.Context, person askahuman.Person, in contract.PersonWith[contract.NewSubscription]) (contract.Subscription, error) {
	subscription, err := h.notices.Subscribe(ctx, person, newRequestOf(in.Body))
	return subscriptionOf(subscription), err
}

// resubscribe changes the subscription with an id, or else the one of the channel.
func (h *subscriptions) resubscribe(ctx context.Context, person askahuman.Person, in contract.PersonWith[contract.SubscriptionChange]) (contract.Subscription, error) {
	if in.Body.SubscriptionID == "" {
		return h.subscribe(ctx, person, contract.PersonWith[contract.NewSubscription]{Body: in.Body.NewSubscription})
	}
	subscription, err := h.notices.RefreshSubscription(ctx, person, in.Body.SubscriptionID, requestOf(in.Body.NewSubscription))
	return subscriptionOf(subscription), err
}

func (h *subscriptions) unsubscribe(ctx context.Context, person askahuman.Person, in contract.OfSubscription) (contract.None, error) {
	return contract.None{}, h.notices.Unsubscribe(ctx, person, in.ID)
}

func (h *subscriptions) vapidKey(context.Context, contract.None, contract.None) (contract.PushKey, error) {
	if h.pushKey == "" {
		return contract.PushKey{}, refusal.New(refusal.NotFound, "", "Web push is not set up here. The inbox works without it.")
	}
	return contract.PushKey{PublicKey: h.pushKey}, nil
}
