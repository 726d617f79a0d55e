package askahuman

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// A Wish is how a person wants to be woken.
type Wish struct {
	Channel  askahumandb.SubscriptionChannel
	Interval time.Duration // at most one notification within it; DefaultInterval if 0
	Audience []string      // nil for every question
	FCMToken string        // of channel fcm
	WebPush  WebPush       // of channel webpush
}

// WebPush is a browser's subscription to a push service.
type WebPush struct{ Endpoint, P256DH, Auth string }

// errNoSubscription says that a person has no such subscription; another may have.
var errNoSubscription = &Error{Code: CodeNotFound, Message: "There is no such subscription."}

// Subscribe makes a subscription, or changes the one this person has on the channel.
func (s *Service) Subscribe(ctx context.Context, p Person, w Wish) (askahumandb.Subscription, error) {
	w, err := w.checked()
	if err != nil {
		return askahumandb.Subscription{}, err
	}
	if p.Hash == "" {
		return askahumandb.Subscription{}, errNobody
	}
	id := s.subscriptionID(p, w.Channel)
	var subscription askahumandb.Subscription
	err = s.untilSettled(ctx, func() (again bool, err error) {
		now := s.Now().Truncate(time.Millisecond)
		have, err := s.db.GetSubscription(ctx, id)
		switch {
		case errors.Is(err, access.ErrNotFound):
			subscription, err = s.db.Subscribe(ctx, w.subscription(id, p, now))
		case err == nil:
			subscription, err = s.resubscribe(ctx, have, w, now)
		}
		return errors.Is(err, access.ErrExists) || changedMeanwhile[askahumandb.Subscription](err), err
	})
	if err != nil {
		return askahumandb.Subscription{}, fmt.Errorf("subscribe a person: %w", err)
	}
	return subscription, nil
}

// subscriptionID is the same for a person and a channel always, so that nobody has two.
func (s *Service) subscriptionID(p Person, channel askahumandb.SubscriptionChannel) string {
	return "sub_" + s.box.Hash("subscription", p.Hash, string(channel))
}

// subscription is a new one.
func (w Wish) subscription(id string, p Person, now time.Time) askahumandb.Subscription {
	return askahumandb.Subscription{
		SubscriptionID:     id,
		FingerprintHash:    p.Hash,
		Channel:            w.Channel,
		FCMToken:           unlessEmpty(w.FCMToken),
		Endpoint:           unlessEmpty(w.WebPush.Endpoint),
		P256dh:             unlessEmpty(w.WebPush.P256DH),
		Auth:               unlessEmpty(w.WebPush.Auth),
		Audience:           w.Audience,
		MinIntervalMinutes: int64(w.Interval / time.Minute),
		EligibleAt:         now,
		CreatedAt:          now,
		UpdatedAt:          now,
	}
}

// resubscribe gives a subscription what its person wants now, and wakes it up if it slept.
func (s *Service) resubscribe(ctx context.Context, have askahumandb.Subscription, w Wish, now time.Time) (askahumandb.Subscription, error) {
	key, eligible := have.Key(), now
	if have.LastNotifiedAt != nil {
		eligible = have.LastNotifiedAt.Add(w.Interval)
	}
	if _, err := s.db.RefreshSubscription(ctx, key, askahumandb.RefreshSubscriptionParams{
		FCMToken: unlessEmpty(w.FCMToken), Endpoint: unlessEmpty(w.WebPush.Endpoint),
		P256dh: unlessEmpty(w.WebPush.P256DH), Auth: unlessEmpty(w.WebPush.Auth), UpdatedAt: now,
	}); err != nil {
		return have, err
	}
	if have.Status == askahumandb.SubscriptionStatusInactive {
		if _, err := s.db.ActivateSubscription(ctx, key, askahumandb.ActivateSubscriptionParams{EligibleAt: eligible, UpdatedAt: now}); err != nil {
			return have, err
		}
	}
	return s.db.ChangeSubscription(ctx, key, askahumandb.ChangeSubscriptionParams{
		MinIntervalMinutes: int64(w.Interval / time.Minute), Audience: w.Audience, EligibleAt: eligible, UpdatedAt: now,
	})
}

// RefreshSubscription gives a subscription of the person a new token, interval or audience.
// Its channel stays; a wish may leave it out.
func (s *Service) RefreshSubscription(ctx context.Context, p Person, id string, w Wish) (askahumandb.Subscription, error) {
	have, err := s.ownSubscription(ctx, p, id)
	if err != nil {
		return askahumandb.Subscription{}, err
	}
	if w.Channel == "" {
		w.Channel = have.Channel
	}
	if w.Channel != have.Channel {
		return askahumandb.Subscription{}, invalid(FieldError{Field: "channel", Constraint: "allowed", Allowed: []string{string(have.Channel)}}, "A subscription keeps its channel.")
	}
	return s.Subscribe(ctx, p, w)
}

// Unsubscribe ends a subscription of the person. Ending it again is no error.
func (s *Service) Unsubscribe(ctx context.Context, p Person, id string) error {
	have, err := s.ownSubscription(ctx, p, id)
	if err != nil || have.Status == askahumandb.SubscriptionStatusInactive {
		return err
	}
	_, err = s.db.DeactivateSubscription(ctx, have.Key(), askahumandb.DeactivateSubscriptionParams{UpdatedAt: s.Now()})
	if err != nil && !changedMeanwhile[askahumandb.Subscription](err) {
		return fmt.Errorf("end a subscription: %w", err)
	}
	return nil // or somebody else ended it
}

// ownSubscription is one of a person, who does not learn of those of others.
func (s *Service) ownSubscription(ctx context.Context, p Person, id string) (askahumandb.Subscription, error) {
	if p.Hash == "" {
		return askahumandb.Subscription{}, errNobody
	}
	if id == "" {
		return askahumandb.Subscription{}, errNoSubscription
	}
	have, err := s.db.GetSubscription(ctx, id)
	if errors.Is(err, access.ErrNotFound) || err == nil && have.FingerprintHash != p.Hash {
		return askahumandb.Subscription{}, errNoSubscription
	}
	if err != nil {
		return askahumandb.Subscription{}, fmt.Errorf("read a subscription: %w", err)
	}
	return have, nil
}

// Subscriptions are those of a person that are active.
func (s *Service) Subscriptions(ctx context.Context, p Person) ([]askahumandb.Subscription, error) {
	if p.Hash == "" {
		return nil, errNobody
	}
	all, err := s.db.ListSubscriptionsByPerson(p.Hash).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the subscriptions of a person: %w", err)
	}
	return slices.DeleteFunc(all, func(subscription askahumandb.Subscription) bool {
		return subscription.Status != askahumandb.SubscriptionStatusActive
	}), nil
}

// What a push service needs to be told has these lengths.
const (
	maxFCMToken   = 4096 // characters
	maxEndpoint   = 1000
	p256dhLength  = 65 // bytes: an uncompressed point of the curve
	pushAuthBytes = 16
)

// checked is a wish that can be granted, with what it leaves out and without what its
// channel has no use for.
func (w Wish) checked() (Wish, error) {
	if w.Interval == 0 {
		w.Interval = DefaultInterval
	}
	if w.Interval < MinInterval || w.Interval > MaxInterval || w.Interval%time.Minute != 0 {
		least, most := int(MinInterval/time.Minute), int(MaxInterval/time.Minute)
		return w, outside("min_interval_minutes", "range", least, most, "We can wake you every %d to %d minutes.", least, most)
	}
	for _, tag := range w.Audience {
		if !slices.Contains(Audiences, tag) {
			return w, invalid(FieldError{Field: "audience", Constraint: "allowed", Allowed: slices.Clone(Audiences)}, "An audience is one of %s.", strings.Join(Audiences, ", "))
		}
	}
	if len(w.Audience) == 0 {
		w.Audience = nil
	}
	switch w.Channel {
	case askahumandb.SubscriptionChannelInbox:
		w.FCMToken, w.WebPush = "", WebPush{}
		return w, nil
	case askahumandb.SubscriptionChannelFCM:
		w.WebPush = WebPush{}
		if n := len(w.FCMToken); n == 0 || n > maxFCMToken {
			return w, outside("fcm_token", "length", 1, maxFCMToken, "Firebase needs the token of this browser.")
		}
		return w, checkText("fcm_token", w.FCMToken, false)
	case askahumandb.SubscriptionChannelWebpush:
		w.FCMToken = ""
		return w, w.WebPush.check()
	}
	return w, invalid(FieldError{Field: "channel", Constraint: "allowed", Allowed: []string{"inbox", "webpush", "fcm"}}, "The channel is inbox, webpush or fcm.")
}

func (p WebPush) check() error {
	endpoint, err := url.Parse(p.Endpoint)
	if err != nil || endpoint.Scheme != "https" || endpoint.Hostname() == "" || endpoint.User != nil || len(p.Endpoint) > maxEndpoint {
		return invalid(FieldError{Field: "endpoint", Constraint: "format"}, "The endpoint is the https address that the browser's push service gave.")
	}
	for _, key := range []struct {
		name, text string
		bytes      int
	}{{"p256dh", p.P256DH, p256dhLength}, {"auth", p.Auth, pushAuthBytes}} {
		decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(key.text, "="))
		if err != nil || len(decoded) != key.bytes {
			return invalid(FieldError{Field: key.name, Constraint: "format"}, "%s is %d bytes in URL-safe base64, as the browser gives them.", key.name, key.bytes)
		}
	}
	return nil
}
