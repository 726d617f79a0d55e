// Package bidding holds the rules of EcoBid's auctions: proxy bidding with a secret maximum, the
// step, the reserve price, the extension of the end by late bids, and the replay that finds the
// price for the next bidder. All functions are pure; money is in integer minor units.
//
// The package knows no database and no people. Package auctions reads a State, calls Place and
// writes the result in one transaction.
package bidding

import (
	"errors"
	"fmt"
	"time"
)

// Step is the smallest difference between two prices, in minor units.
const Step = 100

// Rules of the end of an auction.
const (
	// ExtendWithin is the time before the end in which a bid extends the auction.
	ExtendWithin = 5 * time.Minute
	// Extension is the time that a late bid adds.
	Extension = 10 * time.Minute
	// MaxExtension is the maximum total extension.
	MaxExtension = 2 * time.Hour
)

// Terms holds what the seller fixed when the auction started.
type Terms struct {
	MinBid  int64
	Reserve int64 // 0 if there is none
	// OriginalEndsAt is the end without extensions.
	OriginalEndsAt time.Time
}

// A State is the state of an auction. LeaderMax is secret.
type State struct {
	Price     int64  // 0 before the first bid
	Leader    string // "" before the first bid
	LeaderMax int64
	Bids      int // accepted bids, without changes of the leader's own maximum
	EndsAt    time.Time
	// Extensions counts the bids that moved the end.
	Extensions int
}

// New returns the state of an auction without bids.
func New(terms Terms) State { return State{EndsAt: terms.OriginalEndsAt} }

// LeastBid returns the least maximum that a bidder can place now.
func (s State) LeastBid(terms Terms, bidder string) int64 {
	switch s.Leader {
	case "":
		return terms.MinBid
	case bidder:
		return s.Price
	}
	return s.Price + Step
}

// ReserveMet reports whether the price has reached the reserve. It is true if there is none and
// a bid exists.
func (s State) ReserveMet(terms Terms) bool { return s.Leader != "" && s.Price >= terms.Reserve }

// ErrEnded reports a bid at or after the end.
var ErrEnded = errors.New("bidding: the auction has ended")

// A TooLowError reports a maximum below the least that is accepted.
type TooLowError struct{ Least int64 }

func (e *TooLowError) Error() string {
	return fmt.Sprintf("bidding: the maximum is below %d", e.Least)
}

// An Outcome describes what an accepted bid changed.
type Outcome struct {
	Leading bool // whether the bidder leads now
	// Own reports that the leader changed their own maximum, which is no new bid.
	Own      bool
	Extended bool
	Outbid   string // the former leader, if the bidder took the lead; "" otherwise
}

// Place returns the state after a bidder placed a maximum. The errors are ErrEnded and a
// *TooLowError; the state does not change then.
func (s State) Place(terms Terms, bidder string, maximum int64, now time.Time) (State, Outcome, error) {
	if !now.Before(s.EndsAt) {
		return s, Outcome{}, ErrEnded
	}
	if least := s.LeastBid(terms, bidder); maximum < least {
		return s, Outcome{}, &TooLowError{Least: least}
	}
	next, outcome := s.apply(terms, bidder, maximum)
	changed := next.Price != s.Price || next.Leader != s.Leader
	if changed && !outcome.Own && s.EndsAt.Sub(now) <= ExtendWithin {
		end := s.EndsAt.Add(Extension)
		if last := terms.OriginalEndsAt.Add(MaxExtension); end.After(last) {
			end = last
		}
		if outcome.Extended = end.After(s.EndsAt); outcome.Extended {
			next.EndsAt, next.Extensions = end, s.Extensions+1
		}
	}
	return next, outcome, nil
}

// apply returns the price and the leader after a maximum that is high enough.
func (s State) apply(terms Terms, bidder string, maximum int64) (State, Outcome) {
	next, outcome := s, Outcome{Leading: true}
	switch {
	case s.Leader == "":
		next.Leader, next.LeaderMax, next.Price = bidder, maximum, terms.MinBid
	case s.Leader == bidder:
		outcome.Own = true
		next.LeaderMax = maximum
		if s.Price < terms.Reserve {
			next.Price = min(maximum, terms.Reserve)
		}
		return next, outcome
	case maximum > s.LeaderMax:
		outcome.Outbid = s.Leader
		next.Leader, next.LeaderMax, next.Price = bidder, maximum, min(maximum, s.LeaderMax+Step)
	default: // the earlier of two equal maxima leads
		outcome.Leading = false
		next.Price = min(s.LeaderMax, maximum+Step)
	}
	next.Bids++
	if terms.Reserve > 0 {
		if next.LeaderMax >= terms.Reserve {
			next.Price = max(next.Price, terms.Reserve)
		} else {
			next.Price = next.LeaderMax
		}
	}
	return next, outcome
}

// A Bid is an accepted maximum.
type Bid struct {
	Bidder  string
	Maximum int64
}

// Replay returns the state that the bids would have led to without some bidders. Bids that are
// too low then are left out. It finds the price at which an item is offered to the next bidder
// when a winner does not come: the price does not depend on the maximum of that winner.
func Replay(terms Terms, bids []Bid, without ...string) State {
	absent := make(map[string]bool, len(without))
	for _, bidder := range without {
		absent[bidder] = true
	}
	state := New(terms)
	for _, bid := range bids {
		if absent[bid.Bidder] || bid.Maximum < state.LeastBid(terms, bid.Bidder) {
			continue
		}
		state, _ = state.apply(terms, bid.Bidder, bid.Maximum)
	}
	return state
}
