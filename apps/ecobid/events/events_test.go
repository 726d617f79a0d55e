package events_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/events"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/webhook"
)

// TestEventIsHandledOnce has vector 16.
func TestEventIsHandledOnce(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	w.Confirmed(t, anna, bert)
	other := w.Through(t, w.Database.DynamoDB)
	var ids []string
	for e, err := range w.DB.ScanOutboxEvent().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.EventID)
	}
	var group sync.WaitGroup
	for _, id := range ids {
		for _, world := range []*ecobidtest.World{w, other, w} {
			group.Go(func() {
				for {
					err := world.Events.Deliver(t.Context(), id)
					if !access.Contended(err) { // a job is retried
						if err != nil {
							t.Error(err)
						}
						return
					}
				}
			})
		}
	}
	group.Wait()
	if got := w.Inbox(t, anna); !slices.Equal(got, []string{"Request for Oak table"}) {
		t.Errorf("Anna was told %q", got)
	}
	if got := w.Inbox(t, bert); !slices.Equal(got, []string{"Confirmed: Oak table"}) {
		t.Errorf("Bert was told %q", got)
	}
}

// TestTimesAreThoseOfTheReader: Anna has the time of her city, Bert that of his settings.
func TestTimesAreThoseOfTheReader(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	if err := w.Notifier.SetPreferences(t.Context(), bert, notify.Preferences{Zone: "Asia/Tokyo"}); err != nil {
		t.Fatal(err)
	}
	r := w.Confirmed(t, anna, bert)
	w.Deliver(t)
	for id, want := range map[string]string{
		anna: "Answer by " + inZone(t, r.CreatedAt.Add(ecobid.AnswerWithin), "Europe/Warsaw"),
		bert: "Pick it up on " + inZone(t, *r.PickupTime, "Asia/Tokyo"),
	} {
		entries, _, err := w.Notifier.Inbox(t.Context(), id, "")
		if err != nil || len(entries) != 1 || !strings.HasPrefix(entries[0].Body, want+".") {
			t.Errorf("told %+v (%v), want %s", entries, err, want)
		}
	}
}

func inZone(t *testing.T, at time.Time, name string) string {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return at.In(zone).Format("Mon 2 Jan 15:04 MST")
}

func TestNotificationsOfAnAuction(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert, cleo := w.Person(t, "Anna"), w.Person(t, "Bert"), w.Person(t, "Cleo")
	a, err := w.Auctions.Start(t.Context(), anna, w.Draft(t, anna).ItemID, auctions.Start{MinBid: 500, Hours: 24})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []auctions.Bid{{UserID: bert, Maximum: 900}, {UserID: cleo, Maximum: 1200}} {
		b.AuctionID = a.AuctionID
		if _, err := w.Auctions.Bid(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	w.Advance(t, 24*time.Hour-ecobid.EndingSoon)
	w.Advance(t, ecobid.EndingSoon)
	w.Deliver(t)
	for id, want := range map[string][]string{
		anna: {"Oak table is sold"}, bert: {"You were outbid: Oak table"}, cleo: {"You won Oak table", "Ends soon: Oak table"},
	} {
		got := w.Inbox(t, id)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}

// TestWebhooksAreSigned receives the events of a seller and checks that no secret is in them.
func TestWebhooksAreSigned(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	var mu sync.Mutex
	received := map[string]string{}
	var secret string
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		id, err := webhook.Verify(r.Header, body, w.Clock.Now(), secret)
		if err != nil {
			t.Error(err)
		}
		var message struct{ Type string }
		if err := json.Unmarshal(body, &message); err != nil {
			t.Error(err)
		}
		if received[id] != "" {
			t.Errorf("message %s was delivered twice", id)
		}
		received[id] = message.Type
		if strings.Contains(string(body), "52.2297") || strings.Contains(string(body), "Marsz") {
			t.Errorf("a webhook tells %s", body)
		}
	}))
	defer server.Close()
	var err error
	if _, secret, err = w.Hooks.Add(t.Context(), anna, webhook.NewEndpoint{URL: server.URL}); err != nil {
		t.Fatal(err)
	}
	w.Completed(t, anna, bert)
	w.Deliver(t)
	w.Deliver(t)
	var kinds []string
	for _, kind := range received {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	want := []string{ecobid.ItemCreated, ecobid.ReservationCompleted, ecobid.ReservationConfirmed, ecobid.ReservationCreated}
	if !slices.Equal(kinds, want) {
		t.Errorf("received %q, want %q", kinds, want)
	}
}

func TestSweepFindsWhatTheStreamMissed(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	w.Confirmed(t, anna, bert)
	if queued, err := w.Events.Sweep(t.Context()); err != nil || queued != 0 {
		t.Errorf("at once %d were queued, %v", queued, err)
	}
	w.Clock.Advance(time.Minute)
	if queued, err := w.Events.Sweep(t.Context()); err != nil || queued != 3 {
		t.Errorf("after a minute %d were queued, %v", queued, err)
	}
	w.Step(t)
	if pending, err := w.DB.ListPendingEvents().Slice(t.Context()); err != nil || len(pending) != 0 {
		t.Errorf("%d events are pending, %v", len(pending), err)
	}
}

// TestPoisonEventIsParkedAndReplayed: a damaged event does not stop the others.
func TestPoisonEventIsParkedAndReplayed(t *testing.T) {
	w := ecobidtest.Open(t)
	now := w.Clock.Now()
	bad, err := w.DB.EmitEvent(t.Context(), ecobiddb.OutboxEvent{
		EventID: access.NewULID(now), Source: ecobiddb.OutboxEventSourceItems, Kind: ecobid.ItemCreated, Detail: json.RawMessage(`{"itemId":7}`),
		State: ecobiddb.OutboxEventStatePending, CreatedAt: now, ExpiresAt: now.Add(ecobid.KeepEvent),
	})
	if err != nil {
		t.Fatal(err)
	}
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	w.Confirmed(t, anna, bert)
	for e, err := range w.DB.ListPendingEvents().All(t.Context()) {
		if err == nil {
			err = w.Events.Enqueue(t.Context(), e.EventID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Env.Jobs.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	dead, err := w.Env.Jobs.Dead(t.Context(), 0, "")
	if err != nil || len(dead.Items) != 1 || !strings.Contains(dead.Items[0].ID, bad.EventID) {
		t.Fatalf("parked: %+v, %v", dead.Items, err)
	}
	if len(w.Inbox(t, anna)) != 1 {
		t.Error("the other events were not delivered")
	}
	if err := w.Env.Jobs.Replay(t.Context(), "operator", dead.Items[0].ID); err != nil {
		t.Error(err)
	}
}

func TestKindsOfNotificationsAreDeclared(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	preferences, err := w.Notifier.Preferences(t.Context(), anna)
	if err != nil {
		t.Fatal(err)
	}
	preferences.Muted = events.Kinds
	if err := w.Notifier.SetPreferences(t.Context(), anna, preferences); err != nil {
		t.Error(err)
	}
}

// TestEveryoneWhoWaitsIsTold draws a lottery and completes its pickup.
func TestEveryoneWhoWaitsIsTold(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	item := w.Item(t, anna, ecobiddb.ItemAllocationLottery)
	people := []string{w.Person(t, "Bert"), w.Person(t, "Cleo"), w.Person(t, "Dora")}
	for _, id := range people {
		if _, err := w.Giving.Join(t.Context(), giving.Request{UserID: id, ItemID: item.ItemID}); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Set(*item.ClosesAt)
	w.Step(t)
	w.Deliver(t)
	drawn, err := w.Giving.Draw(t.Context(), "", item.ItemID)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range drawn.Order {
		want := "Not drawn: Oak table"
		if i == 0 {
			want = "Oak table is yours if you still want it"
		}
		if got := w.Inbox(t, id); !slices.Equal(got, []string{want}) {
			t.Errorf("number %d was told %q, want %q", i, got, want)
		}
	}
	taking, err := w.Giving.Taking(t.Context(), drawn.Order[0], false, 0, "")
	if err != nil || len(taking.Items) != 1 {
		t.Fatalf("%+v, %v", taking, err)
	}
	id := taking.Items[0].ReservationID
	w.Clock.Advance(time.Minute)
	if _, err := w.Giving.Accept(t.Context(), drawn.Order[0], id); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Giving.Confirm(t.Context(), anna, id, w.Clock.Now().Add(time.Hour), ""); err != nil {
		t.Fatal(err)
	}
	for _, person := range []string{anna, drawn.Order[0]} {
		if _, err := w.Giving.PickedUp(t.Context(), person, id); err != nil {
			t.Fatal(err)
		}
	}
	w.Deliver(t)
	for i, person := range drawn.Order {
		if got := slices.Contains(w.Inbox(t, person), "Gone: Oak table"); got != (i > 0) {
			t.Errorf("number %d was told that it is gone: %v", i, got)
		}
	}
}
