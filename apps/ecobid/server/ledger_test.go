package server_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/bidding"
	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/engine"
)

// A ledger compares what is stored with what the server has acknowledged.
type ledger struct {
	t  *testing.T
	db *ecobiddb.DB
}

func newLedger(t *testing.T, database *engine.DB) *ledger {
	return &ledger{t, ecobiddb.New(database.API(), access.WithoutState())}
}

func (l *ledger) compare(s *street, base string) {
	l.t.Helper()
	events := l.delivered()
	completed := l.reservations(s, events)
	l.bids(s, events)
	l.handled(events)
	l.impact(completed)
	l.inboxes(s, events, base)
}

// An emitted is a stored event with its detail.
type emitted struct {
	ecobiddb.OutboxEvent
	detail ecobid.Detail
}

// delivered waits until no event is pending, and returns all of them.
func (l *ledger) delivered() (events []emitted) {
	l.t.Helper()
	ctx, stop := context.WithTimeout(l.t.Context(), 2*time.Minute)
	defer stop()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for ; ; <-poll.C {
		pending, err := l.db.ListPendingEvents().Slice(ctx)
		if err != nil {
			l.t.Fatal(err)
		}
		if len(pending) == 0 {
			break
		}
	}
	for e, err := range l.db.ScanOutboxEvent().All(ctx) {
		if err != nil {
			l.t.Fatal(err)
		}
		full := emitted{OutboxEvent: e}
		if err := json.Unmarshal(e.Detail, &full.detail); err != nil {
			l.t.Fatal(err)
		}
		events = append(events, full)
	}
	return events
}

// count returns the number of events of a kind by what a function returns for them.
func count(events []emitted, kind string, by func(ecobid.Detail) string) map[string]int {
	counts := map[string]int{}
	for _, e := range events {
		if e.Kind == kind {
			counts[by(e.detail)]++
		}
	}
	return counts
}

// reservations compares the reservations, and returns the number of completed pickups.
func (l *ledger) reservations(s *street, events []emitted) (completed int) {
	l.t.Helper()
	acknowledged := map[string]string{} // the reservation, by item
	for i, n := range s.takers {
		for _, a := range n.actions {
			if a.maximum == 0 && a.id != "" {
				if acknowledged[a.target] != "" {
					l.t.Errorf("item %s was reserved twice, also by taker %d", a.target, i)
				}
				acknowledged[a.target] = a.id
				if a.collect {
					completed++
				}
			}
		}
	}
	created := count(events, ecobid.ReservationCreated, func(d ecobid.Detail) string { return d.ReservationID })
	ended := count(events, ecobid.ReservationCompleted, func(d ecobid.Detail) string { return d.ReservationID })
	stored := 0
	for r, err := range l.db.ScanReservation().All(l.t.Context()) {
		if err != nil {
			l.t.Fatal(err)
		}
		stored++
		if acknowledged[r.ItemID] != r.ReservationID {
			l.t.Errorf("item %s has reservation %s, acknowledged was %q", r.ItemID, r.ReservationID, acknowledged[r.ItemID])
		}
		want := 0
		if r.Status == ecobiddb.ReservationStatusCompleted {
			want = 1
		}
		if created[r.ReservationID] != 1 || ended[r.ReservationID] != want {
			l.t.Errorf("reservation %s is %s and has %d events of its creation and %d of its end", r.ReservationID, r.Status, created[r.ReservationID], ended[r.ReservationID])
		}
	}
	if stored != len(acknowledged) || len(created) != stored || len(ended) != completed || stored == 0 || completed == 0 {
		l.t.Errorf("%d reservations are stored, %d were acknowledged, %d completed; there are events of %d and %d", stored, len(acknowledged), completed, len(created), len(ended))
	}
	return completed
}

// bids compares the bids, and plays each auction again.
func (l *ledger) bids(s *street, events []emitted) {
	l.t.Helper()
	acknowledged := map[string]map[string]int64{} // the maximum, by auction and bid
	for _, n := range s.takers {
		for _, a := range n.actions {
			if a.maximum > 0 && a.id != "" {
				if acknowledged[a.target] == nil {
					acknowledged[a.target] = map[string]int64{}
				}
				acknowledged[a.target][a.id] = a.maximum
			}
		}
	}
	for _, id := range s.auctions {
		auction, err := l.db.GetAuction(l.t.Context(), id)
		if err != nil {
			l.t.Fatal(err)
		}
		sealed, err := l.db.ListSealedBids(id).Limit(0).Slice(l.t.Context())
		if err != nil {
			l.t.Fatal(err)
		}
		public, err := l.db.ListBids(id).Limit(0).Slice(l.t.Context())
		if err != nil {
			l.t.Fatal(err)
		}
		slices.SortFunc(sealed, func(a, b ecobiddb.SealedBid) int { return strings.Compare(a.BidID, b.BidID) })
		terms := bidding.Terms{MinBid: auction.MinBid, OriginalEndsAt: auction.OriginalEndsAt}
		state := bidding.New(terms)
		for _, b := range sealed {
			if acknowledged[id][b.BidID] != b.Maximum {
				l.t.Errorf("auction %s has bid %s of %d, acknowledged was %d", id, b.BidID, b.Maximum, acknowledged[id][b.BidID])
			}
			if state, _, err = state.Place(terms, b.UserID, b.Maximum, b.CreatedAt); err != nil {
				l.t.Errorf("bid %s: %v", b.BidID, err)
			}
		}
		if len(sealed) != len(acknowledged[id]) {
			l.t.Errorf("auction %s has %d bids, %d were acknowledged", id, len(sealed), len(acknowledged[id]))
		}
		if auction.LeaderID == nil || *auction.LeaderID != state.Leader || auction.CurrentBid != state.Price || int(auction.BidCount) != state.Bids || len(public) != state.Bids {
			l.t.Errorf("auction %s is %+v with %d public bids, played again it is %+v", id, auction, len(public), state)
		}
		told := map[int64]int{}
		for _, e := range events {
			if e.Kind == ecobid.BidPlaced && e.detail.AuctionID == id {
				told[e.detail.Bids]++
			}
		}
		for i := range auction.BidCount {
			if told[i+1] != 1 {
				l.t.Errorf("bid %d of auction %s has %d events", i+1, id, told[i+1])
			}
		}
		if len(told) != int(auction.BidCount) {
			l.t.Errorf("auction %s has events of %d bids, want %d", id, len(told), auction.BidCount)
		}
	}
}

// handled compares the records of the handlers with the events.
func (l *ledger) handled(events []emitted) {
	l.t.Helper()
	records := map[string]bool{}
	for h, err := range l.db.ScanHandled().All(l.t.Context()) {
		if err != nil {
			l.t.Fatal(err)
		}
		records[h.EventID+" "+h.Handler] = true
	}
	for _, e := range events {
		handlers := []string{"notify", "webhooks"}
		switch e.Kind {
		case ecobid.ReservationCompleted:
			handlers = append(handlers, "impact", "waiting")
		case ecobid.ItemCreated:
			handlers = append(handlers, "searches")
		}
		for _, handler := range handlers {
			if !records[e.EventID+" "+handler] {
				l.t.Errorf("handler %s has not handled event %s of kind %s", handler, e.EventID, e.Kind)
			}
		}
	}
}

// impact compares the counters with the completed pickups.
func (l *ledger) impact(completed int) {
	l.t.Helper()
	given, received, items := int64(0), int64(0), int64(0)
	for u, err := range l.db.ScanUser().All(l.t.Context()) {
		if err != nil {
			l.t.Fatal(err)
		}
		given, received = given+u.ItemsGiven, received+u.ItemsReceived
	}
	for i, err := range l.db.ListImpact("Warsaw").All(l.t.Context()) {
		if err != nil {
			l.t.Fatal(err)
		}
		items += i.Items
	}
	if want := int64(completed); given != want || received != want || items != want {
		l.t.Errorf("%d given, %d received, %d in the impact; want %d", given, received, items, want)
	}
}

// inboxes compares the notifications of requests and of lost leads with the events.
func (l *ledger) inboxes(s *street, events []emitted, base string) {
	l.t.Helper()
	requests, outbid := map[string]int{}, map[string]int{}
	people := slices.Clone(s.givers)
	for _, n := range s.takers {
		people = append(people, n.tokens)
	}
	for _, tokens := range people {
		c := client.New(base, client.WithTokens(tokens))
		for cursor, first := "", true; first || cursor != ""; first = false {
			page, err := c.Inbox(l.t.Context(), cursor)
			if err != nil {
				l.t.Fatal(err)
			}
			for _, n := range page.Items {
				switch {
				case strings.HasPrefix(n.Title, "Request for "):
					requests[strings.TrimPrefix(n.Link, "/pickups/")]++
				case strings.HasPrefix(n.Title, "You were outbid"):
					outbid[tokens.UserID]++
				}
			}
			cursor = page.Next
		}
	}
	created := count(events, ecobid.ReservationCreated, func(d ecobid.Detail) string { return d.ReservationID })
	lost := count(events, ecobid.BidPlaced, func(d ecobid.Detail) string { return d.OutbidID })
	delete(lost, "")
	for name, pair := range map[string][2]map[string]int{"requests": {requests, created}, "lost leads": {outbid, lost}} {
		if len(pair[0]) != len(pair[1]) || len(pair[0]) == 0 {
			l.t.Errorf("%s: %d are notified, want %d", name, len(pair[0]), len(pair[1]))
		}
		for id, want := range pair[1] {
			if pair[0][id] != want {
				l.t.Errorf("%s of %s: %d notifications, want %d", name, id, pair[0][id], want)
			}
		}
	}
}
