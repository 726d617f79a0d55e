package notices

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
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// A SubscriptionRequest says how and how often a person wants to be notified.
type SubscriptionRequest struct {
	Channel  askahumandb.SubscriptionChannel
	Interval time.Duration // at most one notification within it; DefaultInterval if 0
	Audience []string      // nil for every question
	FCMToken string        // of channel fcm
	WebPush  WebPush       // of channel webpush
}

// WebPush is a browser's subscription to a push service.
type WebPush struct{ Endpoint, P256DH, Auth string }

// errNoSubscription reports that this person has no such subscription; another person may have
// it.
var errNoSubscription = refusal.New(refusal.NotFound, "", "There is no such subscription.")

// Subscribe creates the person's subscription on a channel, or changes it. Banned people
// cannot subscribe.
func (s *Service) Subscribe(ctx context.Context, p askahuman.Person, r SubscriptionRequest) (askahumandb.Subscription, error) {
	if r.Channel.Valid() && !s.hasSender(r.Channel) {
		return askahumandb.Subscription{}, s.notConfigured(r.Channel)
	}
	return s.subscribe(ctx, p, r, func(askahumandb.Subscription, bool) error { return nil })
}

// hasSender reports whether notifications on a channel arrive.
func (s *Service) hasSender(channel Channel) bool {
	return channel == ChannelInbox || s.senders[channel] != nil
}

// subscribe stores a subscription if allowed accepts the existing one.
func (s *Service) subscribe(ctx context.Context, p askahuman.Person, r SubscriptionRequest, allowed func(have askahumandb.Subscription, known bool) error) (askahumandb.Subscription, error) {
	r, err := r.checked()
	if err != nil {
		return askahumandb.Subscription{}, err
	}
	if p.Hash == "" {
		return askahumandb.Subscription{}, askahuman.ErrNobody
	}
	var subscription askahumandb.Subscription
	err = access.RetryOnConflict(ctx, func() (again bool, err error) {
		// The transaction checks the moderation status, so the statistics must exist.
		stats, err := s.people.Ensure(ctx, p.Hash)
		switch {
		case err != nil:
			return false, err
		case stats.Standing == askahumandb.UserStatsStandingBanned:
			return false, askahuman.ErrBanned
		}
		subscription, err = s.grant(ctx, p, r, allowed)
		return access.Refused(err), err // a conflicting write changed the item
	})
	var refused *refusal.Error
	if err != nil && !errors.As(err, &refused) {
		err = fmt.Errorf("subscribe a person: %w", err)
	}
	if err != nil {
		return askahumandb.Subscription{}, err
	}
	return subscription, nil
}

// notConfigured refuses a channel without a sender: nothing would ever arrive.
func (s *Service) notConfigured(channel Channel) error {
	allowed := []string{string(ChannelInbox)}
	for _, other := range []Channel{ChannelWebpush, ChannelFCM} {
		if s.senders[other] != nil {
			allowed = append(allowed, string(other))
		}
	}
	name := "Web push"
	if channel == ChannelFCM {
		name = "Firebase Cloud Messaging"
	}
	return refusal.OfField(refusal.Field{Name: "channel", Constraint: "allowed", Allowed: allowed}, "%s is not set up here. The inbox works without it.", name)
}

// grant creates or changes a subscription in one transaction and returns it.
func (s *Service) grant(ctx context.Context, p askahuman.Person, r SubscriptionRequest, allowed func(have askahumandb.Subscription, known bool) error) (askahumandb.Subscription, error) {
	now := s.env.Now().Truncate(time.Millisecond)
	fresh := r.subscription(s.env.SubscriptionID(p, r.Channel), p, now)
	fresh.Part = s.env.Part(fresh.SubscriptionID)
	have, err := s.env.DB.GetSubscription(ctx, fresh.SubscriptionID)
	known := !errors.Is(err, access.ErrNotFound)
	if known && err != nil {
		return have, err
	}
	if err := allowed(have, known); err != nil {
		return have, err
	}
	if !known {
		fresh.Active = true
		return fresh, s.env.DB.Subscribe(ctx, askahumandb.SubscribeParams{Subscription: fresh})
	}
	fresh.Part, fresh.CreatedAt, fresh.LastNotifiedAt, fresh.Active = have.Part, have.CreatedAt, have.LastNotifiedAt, true
	if have.LastNotifiedAt != nil {
		fresh.EligibleAt = have.LastNotifiedAt.Add(r.Interval)
	}
	return fresh, s.env.DB.Resubscribe(ctx, askahumandb.ResubscribeParams{
		SubscriptionID: fresh.SubscriptionID, FingerprintHash: p.Hash, OldEligibleAt: have.EligibleAt, Part: have.Part,
		FCMToken: fresh.FCMToken, Endpoint: fresh.Endpoint, P256dh: fresh.P256dh, Auth: fresh.Auth,
		Audience: fresh.Audience, MinIntervalMinutes: fresh.MinIntervalMinutes,
		EligibleAt: fresh.EligibleAt, UpdatedAt: now,
	})
}

// subscription returns a new subscription.
func (r SubscriptionRequest) subscription(id string, p askahuman.Person, now time.Time) askahumandb.Subscription {
	return askahumandb.Subscription{
		SubscriptionID:     id,
		FingerprintHash:    p.Hash,
		Channel:            r.Channel,
		FCMToken:           askahuman.UnlessEmpty(r.FCMToken),
		Endpoint:           askahuman.UnlessEmpty(r.WebPush.Endpoint),
		P256dh:             askahuman.UnlessEmpty(r.WebPush.P256DH),
		Auth:               askahuman.UnlessEmpty(r.WebPush.Auth),
		Audience:           r.Audience,
		MinIntervalMinutes: int64(r.Interval / time.Minute),
		EligibleAt:         now,
		CreatedAt:          now,
		UpdatedAt:          now,
	}
}

// RefreshSubscription changes the token, interval or audience of a person's subscription. The
// channel cannot change and may be omitted. Browsers refresh subscriptions by themselves, so a
// subscription that the person ended stays ended. A subscription whose token died can be
// restarted only with a new token. Without a sender of the channel the token cannot change.
func (s *Service) RefreshSubscription(ctx context.Context, p askahuman.Person, id string, r SubscriptionRequest) (askahumandb.Subscription, error) {
	have, err := s.ownSubscription(ctx, p, id)
	if err != nil {
		return askahumandb.Subscription{}, err
	}
	if r.Channel == "" {
		r.Channel = have.Channel
	}
	if r.Channel != have.Channel {
		return askahumandb.Subscription{}, refusal.OfField(refusal.Field{Name: "channel", Constraint: "allowed", Allowed: []string{string(have.Channel)}}, "A subscription keeps its channel.")
	}
	if unchanged := have.Active && r.hasTokenOf(have); !unchanged && !s.hasSender(r.Channel) {
		return askahumandb.Subscription{}, s.notConfigured(r.Channel)
	}
	return s.subscribe(ctx, p, r, func(have askahumandb.Subscription, known bool) error {
		switch {
		case known && have.Active:
			return nil
		case !known || have.Ended == nil || *have.Ended != askahumandb.SubscriptionEndedDead:
			return errNoSubscription
		case r.hasTokenOf(have):
			return r.deadToken()
		}
		return nil
	})
}

// RenewWebPush stores the subscription that a browser made by itself, with the wishes of the one that it replaces. A person has
// one subscription of web push: if it ended, or is of another browser by now, it stays as it is. Browsers that do not know
// their old endpoint leave it out.
func (s *Service) RenewWebPush(ctx context.Context, p askahuman.Person, replaces string, renewed WebPush) error {
	have, err := s.ownSubscription(ctx, p, s.env.SubscriptionID(p, ChannelWebpush))
	if err != nil {
		return err
	}
	endpoint := ""
	if have.Endpoint != nil {
		endpoint = *have.Endpoint
	}
	if replaces != "" && endpoint != replaces && endpoint != renewed.Endpoint {
		return errNoSubscription
	}
	_, err = s.RefreshSubscription(ctx, p, have.SubscriptionID, SubscriptionRequest{
		Interval: time.Duration(have.MinIntervalMinutes) * time.Minute, Audience: have.Audience, WebPush: renewed,
	})
	return err
}

// hasTokenOf reports whether the request has the same token as a subscription.
func (r SubscriptionRequest) hasTokenOf(have askahumandb.Subscription) bool {
	token := have.Endpoint
	if have.Channel == askahumandb.SubscriptionChannelFCM {
		token = have.FCMToken
	}
	return token != nil && (*token == r.FCMToken || *token == r.WebPush.Endpoint)
}

// deadToken returns the error about a token that its push service has invalidated.
func (r SubscriptionRequest) deadToken() error {
	field := "endpoint"
	if r.Channel == askahumandb.SubscriptionChannelFCM {
		field = "fcm_token"
	}
	return refusal.OfField(refusal.Field{Name: field, Constraint: "unique"}, "The push service has given this one up. Ask the browser for a new one.")
}

// Unsubscribe ends a subscription of the person. Ending it again is no error.
func (s *Service) Unsubscribe(ctx context.Context, p askahuman.Person, id string) error {
	have, err := s.ownSubscription(ctx, p, id)
	if err != nil {
		return err
	}
	return s.EndSubscription(ctx, have.Key(), askahumandb.SubscriptionEndedLeft)
}

// EndSubscription ends a subscription if it exists and is active.
func (s *Service) EndSubscription(ctx context.Context, key askahumandb.SubscriptionKey, why askahumandb.SubscriptionEnded) error {
	_, err := s.env.DB.DeactivateSubscription(ctx, key, askahumandb.DeactivateSubscriptionParams{Ended: &why, UpdatedAt: s.env.Now()})
	if err != nil && !askahuman.Changed[askahumandb.Subscription](err) {
		return fmt.Errorf("end a subscription: %w", err)
	}
	return nil
}

// ownSubscription returns a person's subscription. Subscriptions of other people do not exist
// for them.
func (s *Service) ownSubscription(ctx context.Context, p askahuman.Person, id string) (askahumandb.Subscription, error) {
	if p.Hash == "" {
		return askahumandb.Subscription{}, askahuman.ErrNobody
	}
	if id == "" {
		return askahumandb.Subscription{}, errNoSubscription
	}
	have, err := s.env.DB.GetSubscription(ctx, id)
	if errors.Is(err, access.ErrNotFound) || err == nil && have.FingerprintHash != p.Hash {
		return askahumandb.Subscription{}, errNoSubscription
	}
	if err != nil {
		return askahumandb.Subscription{}, fmt.Errorf("read a subscription: %w", err)
	}
	return have, nil
}

// Subscriptions returns a person's active subscriptions.
func (s *Service) Subscriptions(ctx context.Context, p askahuman.Person) ([]askahumandb.Subscription, error) {
	if p.Hash == "" {
		return nil, askahuman.ErrNobody
	}
	all, err := s.env.DB.ListSubscriptionsByPerson(p.Hash).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the subscriptions of a person: %w", err)
	}
	return slices.DeleteFunc(all, func(subscription askahumandb.Subscription) bool {
		return !subscription.Active
	}), nil
}

// Lengths that push services accept.
const (
	maxFCMToken   = 4096 // characters
	maxEndpoint   = 1000
	p256dhLength  = 65 // bytes: an uncompressed point of the curve
	pushAuthBytes = 16
)

// checked returns a valid request with defaults, without the fields its channel does not use.
func (r SubscriptionRequest) checked() (SubscriptionRequest, error) {
	if r.Interval == 0 {
		r.Interval = askahuman.DefaultInterval
	}
	if r.Interval < askahuman.MinInterval || r.Interval > askahuman.MaxInterval || r.Interval%time.Minute != 0 {
		least, most := int(askahuman.MinInterval/time.Minute), int(askahuman.MaxInterval/time.Minute)
		return r, refusal.OutOfRange("min_interval_minutes", "range", least, most, "We can notify you every %d to %d minutes.", least, most)
	}
	for _, tag := range r.Audience {
		if !slices.Contains(askahuman.Audiences, tag) {
			return r, refusal.OfField(refusal.Field{Name: "audience", Constraint: "allowed", Allowed: slices.Clone(askahuman.Audiences)}, "An audience is one of %s.", strings.Join(askahuman.Audiences, ", "))
		}
	}
	if len(r.Audience) == 0 {
		r.Audience = nil
	}
	switch r.Channel {
	case askahumandb.SubscriptionChannelInbox:
		r.FCMToken, r.WebPush = "", WebPush{}
		return r, nil
	case askahumandb.SubscriptionChannelFCM:
		r.WebPush = WebPush{}
		if n := len(r.FCMToken); n == 0 || n > maxFCMToken {
			return r, refusal.OutOfRange("fcm_token", "length", 1, maxFCMToken, "Firebase needs the token of this browser.")
		}
		return r, askahuman.CheckText("fcm_token", r.FCMToken, false)
	case askahumandb.SubscriptionChannelWebpush:
		r.FCMToken = ""
		return r, r.WebPush.check()
	}
	return r, refusal.OfField(refusal.Field{Name: "channel", Constraint: "allowed", Allowed: []string{"inbox", "webpush", "fcm"}}, "The channel is inbox, webpush or fcm.")
}

func (p WebPush) check() error {
	endpoint, err := url.Parse(p.Endpoint)
	if err != nil || endpoint.Scheme != "https" || endpoint.Hostname() == "" || endpoint.User != nil || len(p.Endpoint) > maxEndpoint {
		return refusal.OfField(refusal.Field{Name: "endpoint", Constraint: "format"}, "The endpoint is the https address that the browser's push service gave.")
	}
	for _, key := range []struct {
		name, text string
		bytes      int
	}{{"p256dh", p.P256DH, p256dhLength}, {"auth", p.Auth, pushAuthBytes}} {
		decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(key.text, "="))
		if err != nil || len(decoded) != key.bytes {
			return refusal.OfField(refusal.Field{Name: key.name, Constraint: "format"}, "%s is %d bytes in URL-safe base64, as the browser gives them.", key.name, key.bytes)
		}
	}
	return nil
}
