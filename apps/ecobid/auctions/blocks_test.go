package auctions_test

import (
	"errors"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
)

// holder returns the reservation of the item of a sale; nil if there is none.
func (s sale) holder(t *testing.T) *ecobiddb.Reservation {
	t.Helper()
	item := s.Stored(t, s.auction.ItemID)
	if item.ActiveReservationID == nil {
		return nil
	}
	r, err := s.DB.GetReservation(t.Context(), item.ItemID, *item.ActiveReservationID)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestABlockedLeaderDoesNotWin ends auctions whose leader the seller has blocked after the bid.
func TestABlockedLeaderDoesNotWin(t *testing.T) {
	for name, test := range map[string]struct {
		reserve int64
		blocked []string
		winner  string
		price   int64
	}{
		"the next bidder wins":                  {0, []string{"C"}, "B", 700},
		"the one after wins":                    {0, []string{"C", "B"}, "A", 500},
		"all are blocked":                       {0, []string{"A", "B", "C"}, "", 0},
		"the next does not reach the reserve":   {1500, []string{"C"}, "", 0},
		"a block of another changes no auction": {0, []string{"A"}, "C", 1100},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, test.reserve)
			s.must(t, "A", 600)
			s.must(t, "B", 1000)
			s.must(t, "C", 2000)
			for _, bidder := range test.blocked {
				if err := s.Trust.Block(t.Context(), s.seller, s.people[bidder]); err != nil {
					t.Fatal(err)
				}
			}
			s.Advance(t, 24*time.Hour)
			r := s.holder(t)
			switch {
			case test.winner == "" && r != nil:
				t.Errorf("the item is reserved: %+v", r)
			case test.winner == "":
				if a := s.stored(t); a.Status != ecobiddb.AuctionStatusExpired || s.Stored(t, a.ItemID).Status != ecobiddb.ItemStatusExpired {
					t.Errorf("the auction is %s", a.Status)
				}
			case r == nil || r.BuyerID != s.people[test.winner] || r.Price != test.price:
				t.Errorf("the reservation is %+v", r)
			}
		})
	}
}

// TestALeaderWhoMayNotBidChangesNothing lets a leader change the own maximum after a block, and when suspended. The answer
// is the same as to a new bid.
func TestALeaderWhoMayNotBidChangesNothing(t *testing.T) {
	for name, test := range map[string]struct {
		happens func(s sale) error
		want    error
	}{
		"blocked by the seller": {func(s sale) error { return s.Trust.Block(t.Context(), s.seller, s.people["A"]) }, ecobid.ErrNoAuction},
		"blocked the seller":    {func(s sale) error { return s.Trust.Block(t.Context(), s.people["A"], s.seller) }, ecobid.ErrNoAuction},
		"suspended":             {func(s sale) error { return s.Trust.Suspend(t.Context(), "moderator", s.people["A"]) }, ecobid.ErrSuspended},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, 0)
			s.must(t, "A", 1000)
			if err := test.happens(s); err != nil {
				t.Fatal(err)
			}
			if _, err := s.bid("A", 2000); !errors.Is(err, test.want) {
				t.Errorf("a change of the maximum: %v", err)
			}
			if sealed, err := s.DB.GetSealed(t.Context(), s.auction.AuctionID); err != nil || sealed.LeaderMax != 1000 {
				t.Errorf("the maximum is %d, %v", sealed.LeaderMax, err)
			}
		})
	}
}
