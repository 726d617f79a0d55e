package auctions_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/internal/refusal"
)

// TestManyChangesHideNoBid lets a leader change the own maximum more often than a page of maxima holds, and not take
// the item. The next bidder gets it, not an earlier one at the least price.
func TestManyChangesHideNoBid(t *testing.T) {
	s := open(t, 0)
	s.must(t, "B", 500)
	for i := range int64(1001) {
		s.Clock.Advance(15 * time.Second)
		s.must(t, "A", 900_000+i)
	}
	s.Clock.Advance(15 * time.Second)
	s.must(t, "C", 30_000)
	s.Advance(t, 24*time.Hour)
	won := s.holder(t)
	if won == nil || won.BuyerID != s.people["A"] {
		t.Fatalf("the winner's reservation is %+v", won)
	}
	if _, err := s.Giving.Cancel(t.Context(), won.BuyerID, won.ReservationID); err != nil {
		t.Fatal(err)
	}
	s.Step(t)
	if next := s.holder(t); next == nil || next.BuyerID != s.people["C"] || next.Price != 600 {
		t.Errorf("the item is offered to %+v", next)
	}
}

// TestAFloodOfBidsEnds lets a leader change the own maximum without end. Others still bid, and the leader does later.
func TestAFloodOfBidsEnds(t *testing.T) {
	s := open(t, 0)
	for i := range ecobid.LimitBids.Most {
		s.must(t, "A", int64(10_000+i))
	}
	_, err := s.bid("A", 20_000)
	if refused, ok := refusal.As(err, refusal.TooMany); !ok || refused.Wait <= 0 {
		t.Errorf("one more: %v", err)
	}
	s.must(t, "B", 5000)
	s.Clock.Advance(ecobid.LimitBids.Window + time.Minute)
	s.must(t, "A", 20_000)
}

// TestARepeatedBidIsNoNewOne sends a bid again with its idempotency key more often than a person may bid.
func TestARepeatedBidIsNoNewOne(t *testing.T) {
	s := open(t, 0)
	in := auctions.Bid{UserID: s.people["A"], AuctionID: s.auction.AuctionID, Maximum: 900, Key: "once"}
	for range ecobid.LimitBids.Most + 1 {
		if _, err := s.Auctions.Bid(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
}
