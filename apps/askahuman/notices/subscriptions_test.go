package notices_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

var (
	inbox   = notices.SubscriptionRequest{Channel: askahumandb.SubscriptionChannelInbox}
	browser = notices.SubscriptionRequest{
		Channel: askahumandb.SubscriptionChannelWebpush,
		WebPush: notices.WebPush{
			Endpoint: "https://push.example/abc",
			P256DH:   base64.RawURLEncoding.EncodeToString(make([]byte, 65)),
			Auth:     base64.RawURLEncoding.EncodeToString(make([]byte, 16)),
		},
	}
)

func subscribe(t *testing.T, w *askahumantest.World, p askahuman.Person, request notices.SubscriptionRequest) askahumandb.Subscription {
	t.Helper()
	got, err := w.Notices.Subscribe(t.Context(), p, request)
	if err != nil {
		t.Fatalf("subscribe: %v", err)
	}
	return got
}

func eligible(t *testing.T, w *askahumantest.World) int {
	t.Helper()
	all, err := w.DB.ListEligible(0, w.Clock.Now()).Slice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// notified writes down that a subscription was used now.
func notified(t *testing.T, w *askahumantest.World, s askahumandb.Subscription) {
	t.Helper()
	now := w.Clock.Now()
	_, err := w.DB.ClaimSubscription(t.Context(), s.Key(), askahumandb.ClaimSubscriptionParams{
		LastNotifiedAt: &now, EligibleAt: now.Add(time.Duration(s.MinIntervalMinutes) * time.Minute), Now: now,
	})
	if err != nil {
		t.Fatalf("claim: %v", err)
	}
}

func TestASubscriptionBeginsAtOnce(t *testing.T) {
	w := askahumantest.Open(t)
	got := subscribe(t, w, w.Person(t, 1), inbox)
	if got.MinIntervalMinutes != 30 || !got.Active || !got.EligibleAt.Equal(w.Clock.Now()) || got.LastNotifiedAt != nil {
		t.Errorf("%+v", got)
	}
	if n := eligible(t, w); n != 1 {
		t.Errorf("%d may be notified", n)
	}
}

func TestOneSubscriptionForEachChannel(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	for _, err := range askahumantest.AtOnce(8, func(int) error {
		_, err := w.Notices.Subscribe(t.Context(), p, inbox)
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	first := subscribe(t, w, p, browser)
	changed := browser
	changed.Interval, changed.Audience, changed.WebPush.Endpoint = 10*time.Minute, []string{"ethics"}, "https://push.example/new"
	second := subscribe(t, w, p, changed)
	if second.SubscriptionID != first.SubscriptionID || second.MinIntervalMinutes != 10 || second.Audience[0] != "ethics" || *second.Endpoint != "https://push.example/new" {
		t.Errorf("the second time: %+v", second)
	}
	all, err := w.Notices.Subscriptions(t.Context(), p)
	if err != nil || len(all) != 2 {
		t.Errorf("%d subscriptions, %v", len(all), err)
	}
	if others := subscribe(t, w, w.Person(t, 2), browser); others.SubscriptionID == first.SubscriptionID {
		t.Error("two people share a subscription")
	}
}

func TestAnotherIntervalCountsFromTheLastNotification(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	s := subscribe(t, w, p, inbox)
	notified(t, w, s)
	w.Clock.Advance(10 * time.Minute)
	request := inbox
	request.Interval = 15 * time.Minute
	got := subscribe(t, w, p, request)
	if want := askahumantest.Start.Add(15 * time.Minute); !got.EligibleAt.Equal(want) {
		t.Errorf("eligible at %v, want %v", got.EligibleAt, want)
	}
	if n := eligible(t, w); n != 0 {
		t.Errorf("%d may be notified after 10 minutes", n)
	}
	w.Clock.Advance(5 * time.Minute)
	if n := eligible(t, w); n != 1 {
		t.Errorf("%d may be notified after 15 minutes", n)
	}
}

func TestUnsubscribeAndComeBack(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	s := subscribe(t, w, p, browser)
	notified(t, w, s)
	if err := w.Notices.Unsubscribe(t.Context(), w.Person(t, 2), s.SubscriptionID); !askahumantest.IsKind(err, refusal.NotFound) {
		t.Errorf("another person: %v", err)
	}
	for range 2 {
		if err := w.Notices.Unsubscribe(t.Context(), p, s.SubscriptionID); err != nil {
			t.Errorf("unsubscribe: %v", err)
		}
	}
	w.Clock.Advance(time.Hour)
	if all, err := w.Notices.Subscriptions(t.Context(), p); err != nil || len(all) != 0 || eligible(t, w) != 0 {
		t.Errorf("%d are left, %v", len(all), err)
	}
	got := subscribe(t, w, p, browser)
	if got.SubscriptionID != s.SubscriptionID || !got.Active || got.FailureCount != 0 || !got.EligibleAt.Equal(askahumantest.Start.Add(30*time.Minute)) {
		t.Errorf("back again: %+v", got)
	}
	if n := eligible(t, w); n != 1 {
		t.Errorf("%d may be notified", n)
	}
	for _, id := range []string{"", "sub_nothing"} {
		if err := w.Notices.Unsubscribe(t.Context(), p, id); !askahumantest.IsKind(err, refusal.NotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestRefreshSubscription(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	s := subscribe(t, w, p, notices.SubscriptionRequest{Channel: askahumandb.SubscriptionChannelFCM, FCMToken: "old"})
	got, err := w.Notices.RefreshSubscription(t.Context(), p, s.SubscriptionID, notices.SubscriptionRequest{FCMToken: "new", Interval: time.Hour})
	if err != nil || *got.FCMToken != "new" || got.MinIntervalMinutes != 60 || got.SubscriptionID != s.SubscriptionID {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := w.Notices.RefreshSubscription(t.Context(), w.Person(t, 2), s.SubscriptionID, notices.SubscriptionRequest{FCMToken: "mine"}); !askahumantest.IsKind(err, refusal.NotFound) {
		t.Errorf("another person: %v", err)
	}
	if _, err := w.Notices.RefreshSubscription(t.Context(), p, s.SubscriptionID, inbox); !askahumantest.IsKind(err, refusal.Invalid) {
		t.Errorf("another channel: %v", err)
	}
}

func TestWishesThatAreNotGranted(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	change := func(request notices.SubscriptionRequest, how func(*notices.SubscriptionRequest)) notices.SubscriptionRequest {
		how(&request)
		return request
	}
	for _, test := range []struct {
		field   string
		request notices.SubscriptionRequest
	}{
		{"channel", notices.SubscriptionRequest{}},
		{"channel", notices.SubscriptionRequest{Channel: "mail"}},
		{"min_interval_minutes", change(inbox, func(w *notices.SubscriptionRequest) { w.Interval = 4 * time.Minute })},
		{"min_interval_minutes", change(inbox, func(w *notices.SubscriptionRequest) { w.Interval = 1441 * time.Minute })},
		{"min_interval_minutes", change(inbox, func(w *notices.SubscriptionRequest) { w.Interval = 90 * time.Second * 5 })},
		{"audience", change(inbox, func(w *notices.SubscriptionRequest) { w.Audience = []string{"other"} })},
		{"fcm_token", notices.SubscriptionRequest{Channel: "fcm"}},
		{"fcm_token", notices.SubscriptionRequest{Channel: "fcm", FCMToken: strings.Repeat("a", 4097)}},
		{"endpoint", change(browser, func(w *notices.SubscriptionRequest) { w.WebPush.Endpoint = "" })},
		{"endpoint", change(browser, func(w *notices.SubscriptionRequest) { w.WebPush.Endpoint = "http://push.example/abc" })},
		{"p256dh", change(browser, func(w *notices.SubscriptionRequest) { w.WebPush.P256DH = "" })},
		{"auth", change(browser, func(w *notices.SubscriptionRequest) { w.WebPush.Auth = "short" })},
	} {
		_, err := w.Notices.Subscribe(t.Context(), p, test.request)
		var refused *refusal.Error
		if !errors.As(err, &refused) || refused.Field() != test.field {
			t.Errorf("%+v: %v, want something about %s", test.request, err, test.field)
		}
	}
	for _, interval := range []time.Duration{5 * time.Minute, 1440 * time.Minute} {
		request := inbox
		request.Interval = interval
		subscribe(t, w, p, request)
	}
}

func TestTheInboxShowsWhatCanBeAnswered(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	ask := func(timeout time.Duration) string {
		w.Clock.Advance(time.Second)
		id := w.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Are you awake now?", Type: "text", Required: new(2), Timeout: &timeout}).QuestionID
		askahumantest.RecordPush(t, w, p, id)
		return id
	}
	ended := ask(time.Minute)
	answered, first, second := ask(24*time.Hour), ask(24*time.Hour), ask(24*time.Hour)
	askahumantest.Say(t, w, p, answered)
	read := func() []string {
		entries, err := w.Notices.Inbox(t.Context(), p)
		if err != nil {
			t.Fatalf("read the inbox: %v", err)
		}
		var all []string
		for _, entry := range entries {
			all = append(all, entry.Card.QuestionID)
			if entry.SentAt.IsZero() || !entry.Card.CanAnswer {
				t.Errorf("%+v", entry)
			}
		}
		return all
	}
	if got := strings.Join(read(), " "); got != second+" "+first+" "+ended {
		t.Errorf("at first: %s", got)
	}
	w.Clock.Advance(time.Minute)
	if got := strings.Join(read(), " "); got != second+" "+first {
		t.Errorf("a minute later: %s", got)
	}
	w.Clock.Advance(24 * time.Hour)
	if got := read(); len(got) != 0 {
		t.Errorf("a day later: %v", got)
	}
	if other, err := w.Notices.Inbox(t.Context(), w.Person(t, 2)); err != nil || len(other) != 0 {
		t.Errorf("another person: %v, %v", other, err)
	}
}

// TestSettingsChangeWithoutTheSender: who subscribed while there was a sender finds questions in the
// inbox, and chooses how often.
func TestSettingsChangeWithoutTheSender(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	s := subscribe(t, w, p, browser)
	w.Options.Notices.Senders = nil
	w = w.Through(t, w.Database.DynamoDB)
	request := browser
	request.Interval = 2 * time.Hour
	got, err := w.Notices.RefreshSubscription(t.Context(), p, s.SubscriptionID, request)
	if err != nil || got.MinIntervalMinutes != 120 {
		t.Errorf("another interval: every %d minutes (%v)", got.MinIntervalMinutes, err)
	}
	other := request
	other.WebPush.Endpoint = "https://push.example/def"
	if _, err := w.Notices.RefreshSubscription(t.Context(), p, s.SubscriptionID, other); !askahumantest.IsKind(err, refusal.Invalid) {
		t.Errorf("another browser, which gets nothing: %v", err)
	}
	if err := w.Notices.Unsubscribe(t.Context(), p, s.SubscriptionID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Notices.Subscribe(t.Context(), p, request); !askahumantest.IsKind(err, refusal.Invalid) {
		t.Errorf("a new subscription, which gets nothing: %v", err)
	}
}
