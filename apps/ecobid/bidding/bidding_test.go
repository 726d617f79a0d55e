package bidding_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/bidding"
	"sortkey.dev/internal/effort"
)

var end = time.Date(2026, 2, 13, 18, 0, 0, 0, time.UTC)

// TestPrices has the vectors P1 to P8. A bid is a bidder and a maximum, a result is the leader
// and the price, or the least bid after "least".
func TestPrices(t *testing.T) {
	for _, test := range []struct {
		name    string
		reserve int64
		bids    string
		want    string
	}{
		{"P1", 0, "A 500, B 550, B 600", "A 500, least 600, B 600"},
		{"P2", 0, "A 2000, B 1000, C 2500", "A 500, A 1100, C 2100"},
		{"P3 tie", 0, "A 2000, B 2000, B 2100", "A 500, A 2000, B 2100"},
		{"P4 odd amounts", 0, "A 1050, B 1000, C 1100, C 1150", "A 500, A 1050, least 1150, C 1150"},
		{"P5 own maximum", 0, "A 1000, A 3000, B 1500, A 1400, A 1600, B 1700", "A 500, A 500, A 1600, least 1600, A 1600, B 1700"},
		{"P6 reserve", 2000, "A 1500, B 1550, B 1800, A 3000, C 2500", "A 1500, least 1600, B 1800, A 2000, A 2600"},
		{"P7 reserve", 2000, "A 2600, B 2000, B 2100", "A 2000, least 2100, A 2200"},
		{"P8 reserve", 2000, "A 1500, A 2500", "A 1500, A 2000"},
		{"below the minimum", 0, "A 499, A 500", "least 500, A 500"},
		{"tie and raise", 0, "A 2000, B 2000, A 3000", "A 500, A 2000, A 2000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			terms := bidding.Terms{MinBid: 500, Reserve: test.reserve, OriginalEndsAt: end}
			state := bidding.New(terms)
			var got []string
			for _, bid := range strings.Split(test.bids, ", ") {
				var bidder string
				var maximum int64
				if _, err := fmt.Sscan(bid, &bidder, &maximum); err != nil {
					t.Fatal(err)
				}
				next, outcome, err := state.Place(terms, bidder, maximum, end.Add(-time.Hour))
				if low, ok := errors.AsType[*bidding.TooLowError](err); ok {
					got = append(got, fmt.Sprint("least ", low.Least))
				} else {
					got = append(got, fmt.Sprint(next.Leader, " ", next.Price))
					if outcome.Leading != (next.Leader == bidder) {
						t.Errorf("%s: leading is %v", bid, outcome.Leading)
					}
				}
				if met := next.ReserveMet(terms); met != (next.Price >= max(test.reserve, 1)) {
					t.Errorf("%s: the reserve is met: %v", bid, met)
				}
				state = next
			}
			if text := strings.Join(got, ", "); text != test.want {
				t.Errorf("%s\ngot  %s\nwant %s", test.bids, text, test.want)
			}
		})
	}
}

// TestEndOfAuction has vector X1.
func TestEndOfAuction(t *testing.T) {
	terms := bidding.Terms{MinBid: 500, OriginalEndsAt: end}
	state := bidding.New(terms)
	maximum := int64(500)
	for i, step := range []struct {
		before time.Duration // the end at this time
		want   time.Duration // after the original end
	}{
		{5*time.Minute + time.Second, 0},
		{5 * time.Minute, 10 * time.Minute},
		{5*time.Minute + time.Second, 10 * time.Minute},
		{4*time.Minute + 59*time.Second, 20 * time.Minute},
		{time.Millisecond, 30 * time.Minute},
	} {
		var outcome bidding.Outcome
		var err error
		before := state.EndsAt
		state, outcome, err = state.Place(terms, fmt.Sprint("bidder", i), maximum, state.EndsAt.Add(-step.before))
		if err != nil || state.EndsAt.Sub(end) != step.want || outcome.Extended != state.EndsAt.After(before) {
			t.Errorf("bid %d: %v, %+v, the end is moved by %v, want %v", i, err, outcome, state.EndsAt.Sub(end), step.want)
		}
		maximum += 100
	}
	for _, late := range []time.Duration{0, time.Millisecond} {
		if _, _, err := state.Place(terms, "late", maximum, state.EndsAt.Add(late)); !errors.Is(err, bidding.ErrEnded) {
			t.Errorf("a bid %v after the end: %v", late, err)
		}
	}
}

// TestOwnMaximumDoesNotExtend has vector X2.
func TestOwnMaximumDoesNotExtend(t *testing.T) {
	terms := bidding.Terms{MinBid: 500, OriginalEndsAt: end}
	state, _, _ := bidding.New(terms).Place(terms, "A", 500, end.Add(-time.Hour))
	state, outcome, err := state.Place(terms, "A", 900, end.Add(-time.Minute))
	if err != nil || !outcome.Own || outcome.Extended || state.EndsAt != end || state.Bids != 1 {
		t.Errorf("the raise: %v, %+v, %+v", err, outcome, state)
	}
	state, outcome, err = state.Place(terms, "B", 700, end.Add(-time.Minute))
	if err != nil || outcome.Leading || state.Price != 800 || state.EndsAt != end.Add(10*time.Minute) || state.Bids != 2 {
		t.Errorf("the challenge: %v, %+v, %+v", err, outcome, state)
	}
}

// TestExtensionCap has vector X3.
func TestExtensionCap(t *testing.T) {
	terms := bidding.Terms{MinBid: 500, OriginalEndsAt: end}
	state := bidding.New(terms)
	for i := range 14 {
		var err error
		if state, _, err = state.Place(terms, fmt.Sprint(i), 500+int64(i)*100, state.EndsAt.Add(-time.Minute)); err != nil {
			t.Fatal(err)
		}
		if want := min(time.Duration(i+1)*10*time.Minute, 2*time.Hour); state.EndsAt.Sub(end) != want {
			t.Errorf("after bid %d the end is moved by %v, want %v", i+1, state.EndsAt.Sub(end), want)
		}
	}
	if state.Extensions != 12 || state.Bids != 14 {
		t.Errorf("%d extensions, %d bids", state.Extensions, state.Bids)
	}
}

// TestSecondChance has vector S1.
func TestSecondChance(t *testing.T) {
	terms := bidding.Terms{MinBid: 500, OriginalEndsAt: end}
	bids := []bidding.Bid{{Bidder: "A", Maximum: 1200}, {Bidder: "B", Maximum: 3000}, {Bidder: "C", Maximum: 2000}}
	for _, test := range []struct {
		without []string
		leader  string
		price   int64
	}{{nil, "B", 2100}, {[]string{"B"}, "C", 1300}, {[]string{"B", "C"}, "A", 500}, {[]string{"A", "B", "C"}, "", 0}} {
		state := bidding.Replay(terms, bids, test.without...)
		if state.Leader != test.leader || state.Price != test.price {
			t.Errorf("without %v: %s at %d, want %s at %d", test.without, state.Leader, state.Price, test.leader, test.price)
		}
	}
}

// TestInvariants plays random auctions without lowered maxima.
func TestInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range effort.Rounds(5000) {
		terms := bidding.Terms{MinBid: 500, OriginalEndsAt: end}
		if r.IntN(2) == 0 {
			terms.Reserve = 500 + r.Int64N(40)*50
		}
		state := bidding.New(terms)
		best := map[string]int64{}
		var order []string // bidders by the time of their best maximum
		var accepted []bidding.Bid
		for range 1 + r.IntN(20) {
			bidder, maximum := string(rune('A'+r.IntN(5))), 400+r.Int64N(60)*50
			if maximum < best[bidder] {
				continue
			}
			next, outcome, err := state.Place(terms, bidder, maximum, end.Add(-time.Hour))
			if err != nil {
				continue
			}
			if next.Price < state.Price || next.Price > next.LeaderMax {
				t.Fatalf("the price went from %d to %d with the maximum %d", state.Price, next.Price, next.LeaderMax)
			}
			if !outcome.Own || maximum > best[bidder] {
				if maximum > best[bidder] {
					best[bidder] = maximum
					order = append(remove(order, bidder), bidder)
				}
			}
			accepted = append(accepted, bidding.Bid{Bidder: bidder, Maximum: maximum})
			state = next
		}
		if state.Leader == "" {
			continue
		}
		leader, second := "", int64(0)
		for _, bidder := range order {
			if leader == "" || best[bidder] > best[leader] {
				leader = bidder
			}
		}
		for _, bidder := range order {
			if bidder != leader {
				second = max(second, best[bidder])
			}
		}
		least := max(second, terms.MinBid, min(terms.Reserve, state.LeaderMax))
		most := max(min(second+bidding.Step, state.LeaderMax), terms.MinBid, min(terms.Reserve, state.LeaderMax))
		if state.Leader != leader || state.LeaderMax != best[leader] || state.Price < least || state.Price > most {
			t.Fatalf("%v with the reserve %d: %+v, want %s between %d and %d", accepted, terms.Reserve, state, leader, least, most)
		}
		replayed := bidding.Replay(terms, accepted)
		if replayed.Leader != state.Leader || replayed.Price != state.Price || replayed.Bids != state.Bids {
			t.Fatalf("%v: the replay is %+v, the auction was %+v", accepted, replayed, state)
		}
	}
}

func remove(all []string, one string) []string {
	var rest []string
	for _, s := range all {
		if s != one {
			rest = append(rest, s)
		}
	}
	return rest
}
