package auctions_test

import (
	"testing"
	"time"
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
