package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/refusal"
)

// subscriptions serves the operations on notifications.
type subscriptions struct {
	callers *callers
	limit   func(ctx context.Context, limit askahuman.Limit, subject string) (askahuman.Allowance, error)
	notices *notices.Service
	pushKey string
}

func (h *subscriptions) routes() []jsonapi.Route {
	return []jsonapi.Route{
		{Pattern: "GET /human/push/key", Handler: h.vapidKey},
		{Pattern: "POST /human/push/subscribe", Handler: h.subscribe},
		{Pattern: "PUT /human/push/subscribe", Handler: h.resubscribe},
		{Pattern: "DELETE /human/push/subscribe/{id}", Handler: h.unsubscribe},
	}
}

// subscriptionBody is the request body of a subscription.
type subscriptionBody struct {
	SubscriptionID string   `json:"subscription_id"` // of PUT only
	Channel        string   `json:"channel"`
	FCMToken       string   `json:"fcm_token"`
	Endpoint       string   `json:"endpoint"`
	P256DH         string   `json:"p256dh"`
	Auth           string   `json:"auth"`
	MinInterval    *int     `json:"min_interval_minutes"`
	Audience       []string `json:"audience"`
}

// request returns the subscription request of the body.
func (b subscriptionBody) request() notices.SubscriptionRequest {
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

// newRequest returns the request for a subscription that may not exist yet. A missing
// channel is derived from the other fields.
func (b subscriptionBody) newRequest() notices.SubscriptionRequest {
	request := b.request()
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

type subscriptionView struct {
	SubscriptionID     string          `json:"subscription_id"`
	Status             string          `json:"status"` // active or inactive
	Channel            notices.Channel `json:"channel"`
	MinIntervalMinutes int64           `json:"min_interval_minutes"`
	Audience           []string        `json:"audience,omitempty"`
}

func subscriptionOf(s notices.Subscription) subscriptionView {
	status := "inactive"
	if s.Active {
		status = "active"
	}
	return subscriptionView{
		SubscriptionID: s.SubscriptionID, Status: status, Channel: s.Channel,
		MinIntervalMinutes: s.MinIntervalMinutes, Audience: s.Audience,
	}
}

// subscribing reads the person and the request body.
func (h *subscriptions) subscribing(w http.ResponseWriter, r *http.Request) (askahuman.Person, subscriptionBody, error) {
	var body subscriptionBody
	person, err := h.callers.person(r)
	if err != nil {
		return askahuman.Person{}, body, err
	}
	if _, err := h.limit(r.Context(), askahuman.LimitSubscribeFrom, jsonapi.ClientNetwork(r).String()); err != nil {
		return askahuman.Person{}, body, err
	}
	if err := h.callers.allow(w, r, askahuman.LimitSubscribe, person.Hash); err != nil {
		return askahuman.Person{}, body, err
	}
	return person, body, jsonapi.Read(r, &body)
}

func (h *subscriptions) subscribe(w http.ResponseWriter, r *http.Request) error {
	person, body, err := h.subscribing(w, r)
	if err != nil {
		return err
	}
	if body.SubscriptionID != "" {
		return invalid("subscription_id", "unknown", "A new subscription gets its id here. PUT changes one that is there.")
	}
	subscription, err := h.notices.Subscribe(r.Context(), person, body.newRequest())
	if err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusCreated, subscriptionOf(subscription))
}

// resubscribe changes the subscription with an id, or else the one of the channel.
func (h *subscriptions) resubscribe(w http.ResponseWriter, r *http.Request) error {
	person, body, err := h.subscribing(w, r)
	if err != nil {
		return err
	}
	var subscription notices.Subscription
	if body.SubscriptionID == "" {
		subscription, err = h.notices.Subscribe(r.Context(), person, body.newRequest())
	} else {
		subscription, err = h.notices.RefreshSubscription(r.Context(), person, body.SubscriptionID, body.request())
	}
	if err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusOK, subscriptionOf(subscription))
}

func (h *subscriptions) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	person, err := h.callers.browsingPerson(w, r)
	if err != nil {
		return err
	}
	if err := h.notices.Unsubscribe(r.Context(), person, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (h *subscriptions) vapidKey(w http.ResponseWriter, r *http.Request) error {
	if err := h.callers.browsing(w, r, askahuman.LimitBrowse); err != nil {
		return err
	}
	if h.pushKey == "" {
		return refusal.New(refusal.NotFound, "", "Web push is not set up here. The inbox works without it.")
	}
	return jsonapi.Write(w, http.StatusOK, map[string]string{"public_key": h.pushKey})
}
