package auctions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/bidding"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// A Bid holds the arguments of Bid.
type Bid struct {
	UserID    string
	AuctionID string
	Maximum   int64 // minor units
	// Key is the client's idempotency key; "" if there is none.
	Key string
}

// A Receipt says what a bid led to. The same idempotency key returns the same receipt.
type Receipt struct {
	BidID      string
	At         time.Time // of the server
	Maximum    int64
	Leading    bool
	Price      int64
	LeastNext  int64 // the least maximum of the next bid of this person
	EndsAt     time.Time
	Extended   bool
	ReserveMet bool
}

// CodeTooLow is the code of the refusal of a bid below the least one. Its field has the least
// maximum as Min.
const CodeTooLow = "BID_TOO_LOW"

// errBusy refuses a bid that conflicted with others at every attempt.
var errBusy = func() *refusal.Error {
	e := refusal.New(refusal.TooMany, "AUCTION_BUSY", "Many people are bidding at this moment. Try again.")
	e.Wait = time.Second
	return e
}()

// Bid places a maximum of a person, or changes it if the person leads.
func (s *Service) Bid(ctx context.Context, in Bid) (Receipt, error) {
	if in.Maximum < 1 || in.Maximum > ecobid.MaxAmount {
		return Receipt{}, refusal.OutOfRange("maximum", "range", 1, ecobid.MaxAmount, "This amount cannot be bid.")
	}
	repeat := receipt.Request{By: in.UserID, Key: in.Key, Action: "bid", Content: fmt.Sprint(in.AuctionID, " ", in.Maximum)}
	placed, _, err := receipt.Once(ctx, s.env.Receipts, repeat, func() (Receipt, error) { return s.place(ctx, in, repeat) })
	return placed, err
}

// place places a bid, again if others bid at the same time.
func (s *Service) place(ctx context.Context, in Bid, repeat receipt.Request) (placed Receipt, err error) {
	if err := s.env.Allow(ctx, ecobid.LimitBids, in.UserID); err != nil {
		return Receipt{}, err
	}
	turn := s.turn(in.AuctionID)
	turn.Lock()
	defer turn.Unlock()
	err = access.RetryOnConflict(ctx, func() (retry bool, err error) {
		placed, err = s.bid(ctx, in, repeat)
		return ecobid.Changed[ecobiddb.Auction](err), err
	})
	switch {
	case access.Contended(err), ecobid.Changed[ecobiddb.Auction](err):
		return Receipt{}, errBusy
	case ecobid.Changed[ecobiddb.User](err):
		return Receipt{}, ecobid.ErrSuspended
	case ecobid.Changed[ecobiddb.Block](err):
		return Receipt{}, ecobid.ErrNoAuction
	}
	if _, refused := refusal.As(err); refused { // a refusal tells about an auction, which the person may not see
		if _, hidden := s.Get(ctx, in.UserID, in.AuctionID); hidden != nil {
			return Receipt{}, hidden
		}
	}
	return placed, err
}

// bid reads an auction, computes what a maximum leads to, and writes it if neither the auction
// nor its sealed part has changed.
func (s *Service) bid(ctx context.Context, in Bid, repeat receipt.Request) (Receipt, error) {
	auction, err := s.env.DB.GetAuction(ctx, in.AuctionID)
	if err != nil {
		return Receipt{}, ecobid.Instead(err, ecobid.ErrNoAuction)
	}
	sealed, err := s.env.DB.GetSealed(ctx, in.AuctionID)
	now := s.env.Now()
	switch {
	case err != nil:
		return Receipt{}, fmt.Errorf("read the sealed part of an auction: %w", err)
	case auction.SellerID == in.UserID:
		return Receipt{}, ecobid.ErrOwnAuction
	case auction.Status != ecobiddb.AuctionStatusActive:
		return Receipt{}, ecobid.ErrEnded
	}
	terms := termsOf(auction, sealed)
	next, outcome, err := stateOf(auction, sealed).Place(terms, in.UserID, in.Maximum, now)
	if low, ok := errors.AsType[*bidding.TooLowError](err); ok {
		refused := refusal.OutOfRange("maximum", "range", int(low.Least), ecobid.MaxAmount, "Bid at least %s.", Amount(low.Least, auction.Currency))
		refused.Code = CodeTooLow
		return Receipt{}, refused
	} else if err != nil {
		return Receipt{}, ecobid.ErrEnded
	}
	// Ids grow with the order in which bids are committed, also if clocks differ.
	at := now
	if !at.After(auction.UpdatedAt) {
		at = auction.UpdatedAt.Add(time.Millisecond)
	}
	id := access.NewULID(at)
	placed := Receipt{
		BidID: id, At: now, Maximum: in.Maximum, Leading: outcome.Leading, Price: next.Price, LeastNext: next.LeastBid(terms, in.UserID),
		EndsAt: next.EndsAt, Extended: outcome.Extended, ReserveMet: next.ReserveMet(terms),
	}
	expires := at.Add(ecobid.KeepCompleted)
	secret := ecobiddb.SealedBid{AuctionID: in.AuctionID, BidID: id, UserID: in.UserID, Maximum: in.Maximum, CreatedAt: at, ExpiresAt: expires}
	tx := s.env.DB.Tx()
	if outcome.Own {
		tx.ChangeMaximum(ecobiddb.ChangeMaximumParams{
			SealedBid: secret, CurrentBid: next.Price, ReserveMet: placed.ReserveMet, UpdatedAt: at, AuctionVersion: auction.Version,
			SellerID: auction.SellerID, Now: now, LeaderMax: next.LeaderMax, SealedVersion: sealed.Version,
		})
	} else {
		public := ecobiddb.Bid{
			AuctionID: in.AuctionID, BidID: id, ItemID: auction.ItemID, Title: auction.Title, UserID: in.UserID, LeaderID: next.Leader,
			Amount: next.Price, CreatedAt: at, ExpiresAt: expires,
		}
		tx.PlaceBid(ecobiddb.PlaceBidParams{
			Bid: public, SealedBid: secret, EndsAt: next.EndsAt, ReserveMet: placed.ReserveMet, Extensions: int64(next.Extensions), UpdatedAt: at,
			AuctionVersion: auction.Version, SellerID: auction.SellerID, Now: now, LeaderMax: next.LeaderMax, SealedVersion: sealed.Version,
		})
		if err := s.announce(tx, auction, next, outcome, in.UserID); err != nil {
			return Receipt{}, err
		}
	}
	if err := s.env.Receipts.Add(tx, repeat, placed); err != nil {
		return Receipt{}, err
	}
	return placed, tx.Commit(ctx)
}

// announce adds the event of a bid to a transaction, and the timer of a new end.
func (s *Service) announce(tx *ecobiddb.Tx, auction ecobiddb.Auction, next bidding.State, outcome bidding.Outcome, bidder string) error {
	told := detail(auction)
	told.UserID, told.Amount, told.LeaderID, told.OutbidID, told.Bids, told.EndsAt = bidder, next.Price, next.Leader, outcome.Outbid, int64(next.Bids), &next.EndsAt
	if err := s.env.Emit(tx, ecobid.BidPlaced, told); err != nil || !outcome.Extended {
		return err
	}
	return s.env.Timer(tx, jobEnd, fmt.Sprint(auction.AuctionID, "-", next.Extensions), next.EndsAt, auction.AuctionID)
}

// Amount formats minor units for people.
func Amount(minor int64, currency string) string {
	return fmt.Sprintf("%d.%02d %s", minor/100, minor%100, currency)
}
