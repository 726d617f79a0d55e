package auctions_test

import (
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/internal/effort"
)

// TestLateBidsOfTwoProcesses bids through two processes in the last minutes, so that both move the end.
func TestLateBidsOfTwoProcesses(t *testing.T) {
	for range effort.Rounds(10) {
		s := open(t, 0)
		other := s.Through(t, s.Database.DynamoDB)
		s.Clock.Set(s.auction.EndsAt.Add(-time.Minute))
		var bids sync.WaitGroup
		for i, process := range []*auctions.Service{s.Auctions, other.Auctions} {
			bids.Go(func() {
				_, err := process.Bid(t.Context(), auctions.Bid{UserID: s.people[[]string{"A", "B"}[i]], AuctionID: s.auction.AuctionID, Maximum: int64(1000 + i*500)})
				if err != nil {
					t.Error(err)
				}
			})
		}
		bids.Wait()
		a := s.stored(t)
		if a.BidCount != 2 || *a.LeaderID != s.people["B"] || a.EndsAt.Before(s.auction.EndsAt.Add(10*time.Minute)) {
			t.Errorf("the auction is %+v", a)
		}
	}
}
