package auctions_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/internal/refusal"
)

// A sale is a running auction.
type sale struct {
	*ecobidtest.World
	seller  string
	auction ecobiddb.Auction
	people  map[string]string
}

func open(t *testing.T, reserve int64) sale {
	t.Helper()
	w := ecobidtest.Open(t)
	s := sale{World: w, seller: w.Person(t, "Seller"), people: map[string]string{}}
	for _, name := range []string{"A", "B", "C"} {
		s.people[name] = w.Person(t, "Bidder "+name)
	}
	var err error
	if s.auction, err = w.Auctions.Start(t.Context(), s.seller, w.Draft(t, s.seller).ItemID, auctions.Start{MinBid: 500, Reserve: reserve, Hours: 24}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s sale) bid(name string, maximum int64) (auctions.Receipt, error) {
	return s.Auctions.Bid(ctx, auctions.Bid{UserID: s.people[name], AuctionID: s.auction.AuctionID, Maximum: maximum})
}

func (s sale) must(t *testing.T, name string, maximum int64) auctions.Receipt {
	t.Helper()
	receipt, err := s.bid(name, maximum)
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

func (s sale) stored(t *testing.T) ecobiddb.Auction {
	t.Helper()
	a, err := s.DB.GetAuction(t.Context(), s.auction.AuctionID)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestStart has the first half of vector 7.
func TestStart(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	item := w.Draft(t, anna)
	for field, start := range map[string]auctions.Start{
		"minBid": {MinBid: 499, Hours: 24}, "minBid ": {MinBid: 5001, Hours: 24}, "hours": {MinBid: 500, Hours: 36}, "reservePrice": {MinBid: 500, Reserve: 499, Hours: 24},
	} {
		_, err := w.Auctions.Start(t.Context(), anna, item.ItemID, start)
		if refused, ok := refusal.As(err, refusal.Invalid); !ok || refused.Field() != strings.TrimSpace(field) {
			t.Errorf("%+v: %v", start, err)
		}
	}
	a, err := w.Auctions.Start(t.Context(), anna, item.ItemID, auctions.Start{MinBid: 5000, Reserve: 5000, Hours: 48})
	if err != nil || a.EndsAt != w.Clock.Now().Add(48*time.Hour) || !a.HasReserve || a.ReserveMet {
		t.Errorf("%+v, %v", a, err)
	}
	if got := w.Stored(t, item.ItemID); got.Status != ecobiddb.ItemStatusAvailable || got.Mode != ecobiddb.ItemModeAuction || *got.LiveAuctionID != a.AuctionID {
		t.Errorf("the item is %+v", got)
	}
	if _, err := w.Auctions.Start(t.Context(), anna, item.ItemID, auctions.Start{MinBid: 500, Hours: 24}); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("twice: %v", err)
	}
	if err := w.Listings.Withdraw(t.Context(), anna, item.ItemID); !errors.Is(err, ecobid.ErrState) {
		t.Errorf("withdrawn: %v", err)
	}
}

// TestVectorsOfPrices plays vectors P1, P2, P6 and P8 through the database.
func TestVectorsOfPrices(t *testing.T) {
	for name, test := range map[string]struct {
		reserve int64
		bids    string // bidder, maximum, then the leader and the price, or the least bid
	}{
		"P1": {0, "A 500 A 500, B 550 least 600, B 600 B 600"},
		"P2": {0, "A 2000 A 500, B 1000 A 1100, C 2500 C 2100"},
		"P5": {0, "A 1000 A 500, A 3000 A 500, B 1500 A 1600, A 1400 least 1600, A 1600 A 1600, B 1700 B 1700"},
		"P6": {2000, "A 1500 A 1500, B 1550 least 1600, B 1800 B 1800, A 3000 A 2000, C 2500 A 2600"},
		"P8": {2000, "A 1500 A 1500, A 2500 A 2000"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, test.reserve)
			for _, step := range strings.Split(test.bids, ", ") {
				var bidder, leader string
				var maximum, price int64
				if _, err := fmt.Sscan(step, &bidder, &maximum, &leader, &price); err != nil {
					t.Fatal(err)
				}
				receipt, err := s.bid(bidder, maximum)
				if leader == "least" {
					refused, ok := refusal.As(err, refusal.Invalid)
					if !ok || refused.Code != auctions.CodeTooLow || *refused.Fields[0].Min != int(price) {
						t.Errorf("%s: %v", step, err)
					}
					continue
				}
				a := s.stored(t)
				if err != nil || receipt.Price != price || receipt.Leading != (leader == bidder) || *a.LeaderID != s.people[leader] || a.CurrentBid != price {
					t.Errorf("%s: %+v, %v; the auction is at %d", step, receipt, err, a.CurrentBid)
				}
				if met := price >= test.reserve; a.ReserveMet != met || receipt.ReserveMet != met {
					t.Errorf("%s: reserve met: %v, %v", step, a.ReserveMet, receipt.ReserveMet)
				}
			}
		})
	}
}

// TestExtension has vector 8.
func TestExtension(t *testing.T) {
	s := open(t, 0)
	end := s.auction.EndsAt
	s.Clock.Set(end.Add(-5*time.Minute - time.Second))
	if r := s.must(t, "A", 500); r.Extended || r.EndsAt != end {
		t.Errorf("early: %+v", r)
	}
	s.Clock.Set(end.Add(-4*time.Minute - 59*time.Second))
	if r := s.must(t, "B", 600); !r.Extended || r.EndsAt != end.Add(10*time.Minute) {
		t.Errorf("late: %+v", r)
	}
	s.Clock.Set(end)
	s.Step(t) // the timer of the first end
	if a := s.stored(t); a.Status != ecobiddb.AuctionStatusActive {
		t.Fatalf("at the first end it is %s", a.Status)
	}
	s.Clock.Set(end.Add(8 * time.Minute))
	if r := s.must(t, "C", 700); r.EndsAt != end.Add(20*time.Minute) {
		t.Errorf("later: %+v", r)
	}
	s.Clock.Set(end.Add(20*time.Minute - time.Millisecond))
	s.Step(t)
	if a := s.stored(t); a.Status != ecobiddb.AuctionStatusActive || a.Extensions != 2 {
		t.Errorf("before the end it is %s with %d extensions", a.Status, a.Extensions)
	}
	s.Clock.Advance(time.Millisecond)
	if _, err := s.bid("A", 5000); !errors.Is(err, ecobid.ErrEnded) {
		t.Errorf("at the end: %v", err)
	}
	s.Step(t)
	a := s.stored(t)
	if a.Status != ecobiddb.AuctionStatusEnded || *a.WinnerID != s.people["C"] {
		t.Errorf("ended: %+v", a)
	}
	r, err := s.Giving.Taking(t.Context(), s.people["C"], false, 0, "")
	if err != nil || len(r.Items) != 1 || r.Items[0].Price != 700 || r.Items[0].Status != ecobiddb.ReservationStatusPending {
		t.Errorf("the winner has %+v, %v", r.Items, err)
	}
}

// TestUnsold has vector 9.
func TestUnsold(t *testing.T) {
	s := open(t, 2000)
	s.must(t, "A", 1500)
	s.Advance(t, 24*time.Hour)
	a := s.stored(t)
	if a.Status != ecobiddb.AuctionStatusExpired || a.WinnerID != nil {
		t.Errorf("ended: %+v", a)
	}
	if _, err := s.Auctions.Start(t.Context(), s.seller, a.ItemID, auctions.Start{MinBid: 500, Hours: 48}); err != nil {
		t.Errorf("listed again: %v", err)
	}
}

// TestWhoMayBid has vector 10.
func TestWhoMayBid(t *testing.T) {
	s := open(t, 0)
	s.people["S"] = s.seller
	if _, err := s.bid("S", 500); !errors.Is(err, ecobid.ErrOwnAuction) {
		t.Errorf("the seller: %v", err)
	}
	for name, block := range map[string]ecobiddb.Block{"A": {UserID: s.seller, BlockedID: s.people["A"]}, "B": {UserID: s.people["B"], BlockedID: s.seller}} {
		block.CreatedAt = s.Clock.Now()
		if _, err := s.DB.BlockUser(t.Context(), block); err != nil {
			t.Fatal(err)
		}
		if _, err := s.bid(name, 500); !errors.Is(err, ecobid.ErrNoAuction) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.must(t, "C", 500)
	if err := s.Auctions.Cancel(t.Context(), s.seller, s.auction.AuctionID); !errors.Is(err, ecobid.ErrHasBids) {
		t.Errorf("cancelled with bids: %v", err)
	}
}

func TestCancel(t *testing.T) {
	s := open(t, 0)
	if err := s.Auctions.Cancel(t.Context(), s.people["A"], s.auction.AuctionID); !errors.Is(err, ecobid.ErrNotYours) {
		t.Errorf("by another person: %v", err)
	}
	for range 2 {
		if err := s.Auctions.Cancel(t.Context(), s.seller, s.auction.AuctionID); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.bid("A", 500); !errors.Is(err, ecobid.ErrEnded) {
		t.Errorf("a bid afterwards: %v", err)
	}
	s.Advance(t, 24*time.Hour)
	if a := s.stored(t); a.Status != ecobiddb.AuctionStatusCancelled {
		t.Errorf("it is %s", a.Status)
	}
}

// TestMaximumAndReserveStaySecret looks at what others can read.
func TestMaximumAndReserveStaySecret(t *testing.T) {
	s := open(t, 1234)
	s.must(t, "A", 4321)
	for viewer, want := range map[string]int64{"": 0, s.seller: 0, s.people["B"]: 0, s.people["A"]: 4321} {
		view, err := s.Auctions.Get(t.Context(), viewer, s.auction.AuctionID)
		if err != nil || view.Maximum != want {
			t.Errorf("%q sees the maximum %d, %v", viewer, view.Maximum, err)
		}
	}
	for event, err := range s.DB.ScanOutboxEvent().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(event.Detail), "4321") {
			t.Errorf("an event tells %s", event.Detail)
		}
	}
	history, err := s.Auctions.History(t.Context(), auctions.View{Auction: s.auction}, 0, "")
	if err != nil || len(history.Items) != 1 || history.Items[0].Amount != 1234 {
		t.Errorf("the history is %+v, %v", history.Items, err)
	}
}

func TestHundredBidders(t *testing.T) {
	s := open(t, 0)
	other := s.Through(t, s.Database.DynamoDB)
	const bidders = 100
	ids := make([]string, bidders)
	for i := range ids {
		ids[i] = s.Person(t, fmt.Sprint("Person ", i))
	}
	var mu sync.Mutex
	accepted := map[string]int64{}
	var group sync.WaitGroup
	for i, id := range ids {
		service := s.Auctions
		if i%2 == 1 {
			service = other.Auctions
		}
		maximum := 500 + int64(i)*100
		group.Go(func() {
			for {
				_, err := service.Bid(ctx, auctions.Bid{UserID: id, AuctionID: s.auction.AuctionID, Maximum: maximum})
				refused, ok := refusal.As(err)
				switch {
				case err == nil:
					mu.Lock()
					accepted[id] = maximum
					mu.Unlock()
				case ok && refused.Code == "AUCTION_BUSY":
					continue
				case !ok || refused.Code != auctions.CodeTooLow:
					t.Error(err)
				}
				return
			}
		})
	}
	group.Wait()
	a := s.stored(t)
	history, err := s.DB.ListBids(a.AuctionID).Limit(0).Slice(t.Context())
	if err != nil || len(history) != len(accepted) || a.BidCount != int64(len(accepted)) {
		t.Errorf("%d accepted, %d in the history, %d counted, %v", len(accepted), len(history), a.BidCount, err)
	}
	if *a.LeaderID != ids[bidders-1] || history[0].Amount != a.CurrentBid {
		t.Errorf("the leader is %s at %d", *a.LeaderID, a.CurrentBid)
	}
	second := int64(0)
	for id, maximum := range accepted {
		if id != *a.LeaderID {
			second = max(second, maximum)
		}
	}
	if a.CurrentBid < max(second, 500) || a.CurrentBid > second+100 {
		t.Errorf("the price is %d, the second maximum %d", a.CurrentBid, second)
	}
	for i := 1; i < len(history); i++ {
		if history[i].Amount > history[i-1].Amount {
			t.Errorf("the price fell from %d to %d", history[i].Amount, history[i-1].Amount)
		}
	}
	events := 0
	for event, err := range s.DB.ScanOutboxEvent().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind == ecobid.BidPlaced {
			events++
		}
	}
	if events != len(accepted) {
		t.Errorf("%d events for %d bids", events, len(accepted))
	}
}

func TestSweepEndsWhatTheTimerMissed(t *testing.T) {
	s := open(t, 0)
	s.must(t, "A", 500)
	s.Clock.Advance(24 * time.Hour)
	for want := range []int{1, 0} {
		if ended, err := s.Auctions.Sweep(t.Context()); err != nil || ended != 1-want {
			t.Errorf("ended %d, %v", ended, err)
		}
	}
	s.Step(t) // the timer finds the auction ended
	if a := s.stored(t); a.Status != ecobiddb.AuctionStatusEnded {
		t.Errorf("it is %s", a.Status)
	}
}

// TestSecondChance has vector S1.
func TestSecondChance(t *testing.T) {
	s := open(t, 0)
	for _, b := range []struct {
		name    string
		maximum int64
	}{{"A", 1200}, {"B", 3000}, {"C", 2000}} {
		s.must(t, b.name, b.maximum)
		s.Clock.Advance(time.Second)
	}
	s.Advance(t, 24*time.Hour)
	for i, want := range []struct {
		name  string
		price int64
	}{{"B", 2100}, {"C", 1300}, {"A", 500}} {
		page, err := s.Giving.Taking(t.Context(), s.people[want.name], false, 0, "")
		if err != nil || len(page.Items) != 1 || page.Items[0].Price != want.price {
			t.Fatalf("%s has %+v, %v", want.name, page.Items, err)
		}
		if awaits := page.Items[0].Awaits; (awaits == ecobiddb.ReservationAwaitsBuyer) != (i > 0) {
			t.Errorf("%s: it awaits the %s", want.name, awaits)
		}
		if _, err := s.Giving.Cancel(t.Context(), s.people[want.name], page.Items[0].ReservationID); err != nil {
			t.Fatal(err)
		}
		s.Step(t)
	}
	if a := s.stored(t); a.Status != ecobiddb.AuctionStatusExpired {
		t.Errorf("without takers it is %s", a.Status)
	}
}

func TestSilentSellerEndsTheAuction(t *testing.T) {
	s := open(t, 0)
	s.must(t, "A", 1200)
	s.must(t, "B", 3000)
	s.Advance(t, 24*time.Hour)
	s.Advance(t, 24*time.Hour) // the seller does not answer
	if a := s.stored(t); a.Status != ecobiddb.AuctionStatusExpired {
		t.Errorf("it is %s", a.Status)
	}
}

func TestIdempotencyKeyReturnsTheReceipt(t *testing.T) {
	s := open(t, 0)
	in := auctions.Bid{UserID: s.people["A"], AuctionID: s.auction.AuctionID, Maximum: 900, Key: "once"}
	first, err := s.Auctions.Bid(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Auctions.Bid(t.Context(), in)
	if err != nil || again != first || s.stored(t).BidCount != 1 {
		t.Errorf("%+v, %v, want %+v", again, err, first)
	}
}

func TestWonItemIsPickedUp(t *testing.T) {
	s := open(t, 0)
	s.must(t, "A", 1200)
	s.Advance(t, 24*time.Hour)
	page, err := s.Giving.Requests(t.Context(), s.seller, false, 0, "")
	if err != nil || len(page.Items) != 1 {
		t.Fatal(page.Items, err)
	}
	id := page.Items[0].ReservationID
	if _, err := s.Giving.Confirm(t.Context(), s.seller, id, s.Clock.Now().Add(time.Hour), ""); err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{s.seller, s.people["A"]} {
		if _, err := s.Giving.PickedUp(t.Context(), user, id); err != nil {
			t.Fatal(err)
		}
	}
	if a := s.stored(t); a.Status != ecobiddb.AuctionStatusCompleted {
		t.Errorf("it is %s", a.Status)
	}
}

// TestExtensionHasACap has vector X3: fourteen bids, each a minute before the end of that moment.
func TestExtensionHasACap(t *testing.T) {
	s := open(t, 0)
	end := s.auction.EndsAt
	for i := range 14 {
		s.Clock.Set(s.stored(t).EndsAt.Add(-time.Minute))
		r := s.must(t, []string{"A", "B"}[i%2], 500+100*int64(i))
		want := end.Add(time.Duration(min(i+1, 12)) * 10 * time.Minute)
		if r.EndsAt != want || r.Extended != (i < 12) || !r.Leading {
			t.Errorf("bid %d: %+v, want the end at %s", i+1, r, want)
		}
	}
	if a := s.stored(t); a.Extensions != 12 || a.EndsAt != end.Add(2*time.Hour) {
		t.Errorf("the auction is %+v", a)
	}
	s.Clock.Set(end.Add(2 * time.Hour))
	if _, err := s.bid("C", 5000); !errors.Is(err, ecobid.ErrEnded) {
		t.Errorf("at the latest end: %v", err)
	}
}

// TestRunningLeavesOutBlockedPeople checks both directions of a block.
func TestRunningLeavesOutBlockedPeople(t *testing.T) {
	s := open(t, 0)
	if err := s.Trust.Block(t.Context(), s.seller, s.people["A"]); err != nil {
		t.Fatal(err)
	}
	if err := s.Trust.Block(t.Context(), s.people["B"], s.seller); err != nil {
		t.Fatal(err)
	}
	for viewer, want := range map[string]int{"": 1, s.seller: 1, s.people["A"]: 0, s.people["B"]: 0, s.people["C"]: 1} {
		page, err := s.Auctions.Running(t.Context(), viewer, 0, "")
		if err != nil || len(page.Items) != want {
			t.Errorf("%q sees %d auctions, want %d; %v", viewer, len(page.Items), want, err)
		}
	}
}
