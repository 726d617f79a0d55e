package notices_test

import (
	"errors"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/internal/refusal"
)

func TestBannedPeopleAreNotNotified(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	s := subscribe(t, w, p, browser)
	subscribe(t, w, p, inbox)
	if err := w.Operators.SetModerationStatus(t.Context(), "op", p.Hash, askahumandb.UserStatsStandingBanned); err != nil {
		t.Fatal(err)
	}
	if n := eligible(t, w); n != 0 {
		t.Errorf("%d subscriptions of a banned person are active", n)
	}
	_, again := w.Notices.Subscribe(t.Context(), p, browser)
	_, another := w.Notices.Subscribe(t.Context(), p, notices.SubscriptionRequest{Channel: askahumandb.SubscriptionChannelFCM, FCMToken: "t"})
	_, refresh := w.Notices.RefreshSubscription(t.Context(), p, s.SubscriptionID, browser)
	for _, err := range []error{again, another, refresh} {
		if !errors.Is(err, askahuman.ErrBanned) {
			t.Errorf("a banned person: %v", err)
		}
	}
	if err := w.Operators.SetModerationStatus(t.Context(), "op", p.Hash, askahumandb.UserStatsStandingGood); err != nil {
		t.Fatal(err)
	}
	subscribe(t, w, p, browser)
	if n := eligible(t, w); n != 1 {
		t.Errorf("%d subscriptions are active after the pardon", n)
	}
}

func TestSubscribingAtOnceWithABan(t *testing.T) {
	w := askahumantest.Open(t)
	for round := range 10 {
		p := w.Person(t, round)
		for _, err := range askahumantest.AtOnce(2, func(i int) error {
			if i == 0 {
				return w.Operators.SetModerationStatus(t.Context(), "op", p.Hash, askahumandb.UserStatsStandingBanned)
			}
			_, err := w.Notices.Subscribe(t.Context(), p, inbox)
			return err
		}) {
			if err != nil && !errors.Is(err, askahuman.ErrBanned) {
				t.Error(err)
			}
		}
	}
	if n := eligible(t, w); n != 0 {
		t.Errorf("%d banned people may be notified", n)
	}
}

func TestSubscriptionChangesAtomicallyDuringNotifications(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	s := subscribe(t, w, p, inbox)
	hourly := notices.SubscriptionRequest{Channel: inbox.Channel, Interval: time.Hour, Audience: []string{"ethics"}}
	now := w.Clock.Now()
	errs := askahumantest.AtOnce(2, func(i int) error {
		if i == 0 {
			_, err := w.Notices.Subscribe(t.Context(), p, hourly)
			return err
		}
		_, err := w.DB.ClaimSubscription(t.Context(), s.Key(), askahumandb.ClaimSubscriptionParams{LastNotifiedAt: &now, EligibleAt: now.Add(30 * time.Minute), Now: now})
		return err
	})
	if errs[0] != nil {
		t.Fatal(errs[0])
	}
	got, err := w.DB.GetSubscription(t.Context(), s.SubscriptionID)
	if err != nil || got.MinIntervalMinutes != 60 || len(got.Audience) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	// A dispatcher that read the old interval and claims after the change uses it once.
	if eligible := got.EligibleAt.Sub(now); got.LastNotifiedAt != nil && eligible < 30*time.Minute {
		t.Errorf("notified now, and again after %v", eligible)
	}
}

func TestADeadTokenIsReplaced(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	fcm := func(token string) notices.SubscriptionRequest {
		return notices.SubscriptionRequest{Channel: askahumandb.SubscriptionChannelFCM, FCMToken: token}
	}
	s := subscribe(t, w, p, fcm("old"))
	dead := func(seen askahumandb.Subscription) error {
		w.Clock.Advance(time.Second)
		_, err := w.DB.EndDeadSubscription(t.Context(), seen.Key(), askahumandb.EndDeadSubscriptionParams{UpdatedAt: w.Clock.Now(), Seen: seen.UpdatedAt})
		return err
	}
	if err := dead(s); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Notices.RefreshSubscription(t.Context(), p, s.SubscriptionID, fcm("old")); !askahumantest.IsKind(err, refusal.Invalid) {
		t.Errorf("the same token: %v", err)
	}
	got, err := w.Notices.RefreshSubscription(t.Context(), p, s.SubscriptionID, fcm("new"))
	if err != nil || *got.FCMToken != "new" || !got.Active || got.Ended != nil || eligible(t, w) != 1 {
		t.Errorf("another token: %+v, %v", got, err)
	}
	// The push service's word about the old token comes late.
	if err := dead(s); err == nil || eligible(t, w) != 1 {
		t.Errorf("the new token died with the old one: %v", err)
	}
	if err := w.Notices.Unsubscribe(t.Context(), p, s.SubscriptionID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Notices.RefreshSubscription(t.Context(), p, s.SubscriptionID, fcm("newer")); !askahumantest.IsKind(err, refusal.NotFound) || eligible(t, w) != 0 {
		t.Errorf("a browser brought back what its person ended: %v", err)
	}
	if stored, err := w.DB.GetSubscription(t.Context(), s.SubscriptionID); err != nil || *stored.Ended != "left" {
		t.Errorf("%+v, %v", stored, err)
	}
}
