package auctions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/bidding"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
)

func (s *Service) runEnd(ctx context.Context, job jobs.Job) error {
	auctionID, err := jobs.Payload[string](job)
	if err != nil {
		return err
	}
	return s.End(ctx, auctionID)
}

// End ends an auction whose time is over: the leader gets a reservation, or the item expires. It
// does nothing before the end and after another process has ended the auction.
func (s *Service) End(ctx context.Context, auctionID string) error {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		a, err := s.env.DB.GetAuction(ctx, auctionID)
		switch {
		case errors.Is(err, access.ErrNotFound):
			return false, nil
		case err != nil:
			return false, err
		case a.Status != ecobiddb.AuctionStatusActive || s.env.Now().Before(a.EndsAt):
			return false, nil // a bid that moved the end has queued another job
		}
		err = s.end(ctx, a)
		return ecobid.Changed[ecobiddb.Auction](err), err
	})
	if err != nil {
		return fmt.Errorf("end auction %s: %w", auctionID, err)
	}
	return nil
}

// winner returns the bidder who gets the item of an auction that ends, and the price; "" if there is none. A leader who
// is apart from the seller by a block is passed over, at the price that the auction would have had without
// that leader.
func (s *Service) winner(ctx context.Context, a ecobiddb.Auction) (userID string, price int64, err error) {
	if !a.ReserveMet || a.LeaderID == nil {
		return "", 0, nil
	}
	apart, err := s.env.Apart(ctx, *a.LeaderID, a.SellerID)
	if err != nil || !apart {
		return *a.LeaderID, a.CurrentBid, err
	}
	sealed, err := s.env.DB.GetSealed(ctx, a.AuctionID)
	if err != nil {
		return "", 0, fmt.Errorf("read the sealed part of an auction: %w", err)
	}
	next, err := s.replay(ctx, a, sealed)
	if err != nil || !next.ReserveMet(termsOf(a, sealed)) {
		return "", 0, err
	}
	return next.Leader, next.Price, nil
}

func (s *Service) end(ctx context.Context, a ecobiddb.Auction) error {
	winner, price, err := s.winner(ctx, a)
	if err != nil {
		return err
	}
	now := s.env.Now()
	told := detail(a)
	tx := s.env.DB.Tx()
	if winner != "" {
		item, err := s.env.DB.GetItem(ctx, a.ItemID)
		if err != nil {
			return fmt.Errorf("read the item of an auction: %w", err)
		}
		r, err := s.giving.Begin(tx, giving.Start{
			Item: item, BuyerID: winner, Awaits: ecobiddb.ReservationAwaitsSeller, Within: ecobid.AnswerWithin, AuctionID: &a.AuctionID, Price: price,
		})
		if err != nil {
			return err
		}
		told.WinnerID, told.ReservationID, told.Amount = winner, r.ReservationID, price
		tx.EndAuctionSold(ecobiddb.EndAuctionSoldParams{Reservation: r, AuctionID: a.AuctionID, UpdatedAt: now, Version: a.Version, Now: now})
	} else {
		tx.EndAuctionUnsold(ecobiddb.EndAuctionUnsoldParams{
			AuctionID: a.AuctionID, UpdatedAt: now, ExpiresAt: new(now.Add(ecobid.KeepCompleted)), Version: a.Version, Now: now, ItemID: a.ItemID,
		})
	}
	if err := s.env.Emit(tx, ecobid.AuctionEnded, told); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Sweep ends the auctions whose timers were lost, and returns their number.
func (s *Service) Sweep(ctx context.Context) (ended int, err error) {
	overdue, err := s.env.DB.ListOverdueAuctions(s.env.Now()).Slice(ctx)
	if err != nil {
		return 0, fmt.Errorf("list overdue auctions: %w", err)
	}
	for _, a := range overdue {
		if err := s.End(ctx, a.AuctionID); err != nil {
			return ended, err
		}
		ended++
	}
	return ended, nil
}

// runEndingSoon reminds people that an auction ends.
func (s *Service) runEndingSoon(ctx context.Context, job jobs.Job) error {
	auctionID, err := jobs.Payload[string](job)
	if err != nil {
		return err
	}
	a, err := s.env.DB.GetAuction(ctx, auctionID)
	if errors.Is(err, access.ErrNotFound) || err == nil && a.Status != ecobiddb.AuctionStatusActive {
		return nil
	}
	if err != nil {
		return err
	}
	tx := s.env.DB.Tx()
	err = errors.Join(
		s.env.Emit(tx, ecobid.AuctionEndingSoon, detail(a)),
		s.env.Receipts.Add(tx, ecobid.OfJob(job), auctionID), // once, also if the job runs again
	)
	if err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil && !receipt.Taken(err) {
		return err
	}
	return nil
}

func (s *Service) runOfferNext(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[ecobid.ReservationRef](job)
	if err != nil {
		return err
	}
	r, err := s.env.DB.GetReservation(ctx, ref.ItemID, ref.ReservationID)
	if errors.Is(err, access.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.OfferNext(ctx, r)
}

// OfferNext offers an item to the next bidder after a winner did not take it, at the price that
// the auction would have had without that winner. If the seller was the one who did not answer,
// or if there is no next bidder, the auction is over.
func (s *Service) OfferNext(ctx context.Context, r ecobiddb.Reservation) error {
	if r.AuctionID == nil || r.Status != ecobiddb.ReservationStatusCancelled {
		return nil
	}
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		a, err := s.env.DB.GetAuction(ctx, *r.AuctionID)
		switch {
		case errors.Is(err, access.ErrNotFound):
			return false, nil
		case err != nil:
			return false, err
		case a.Status != ecobiddb.AuctionStatusEnded || a.WinnerID == nil || *a.WinnerID != r.BuyerID:
			return false, nil // offered already, or over
		}
		err = s.offerNext(ctx, a, r)
		return ecobid.Changed[ecobiddb.Auction](err), err
	})
	if err != nil {
		return fmt.Errorf("offer the item of auction %s to the next bidder: %w", *r.AuctionID, err)
	}
	return nil
}

// bySeller reports whether a reservation ended because of the seller.
func bySeller(r ecobiddb.Reservation) bool {
	if r.CancelledBy != nil && *r.CancelledBy == ecobiddb.ReservationCancelledBySeller {
		return true
	}
	return r.CancelReason != nil && *r.CancelReason == ecobiddb.ReservationCancelReasonNoAnswer && r.Awaits == ecobiddb.ReservationAwaitsSeller
}

func (s *Service) offerNext(ctx context.Context, a ecobiddb.Auction, r ecobiddb.Reservation) error {
	now := s.env.Now()
	sealed, err := s.env.DB.GetSealed(ctx, a.AuctionID)
	if err != nil {
		return fmt.Errorf("read the sealed part of an auction: %w", err)
	}
	next, err := s.replay(ctx, a, sealed)
	if err != nil {
		return err
	}
	tx := s.env.DB.Tx()
	if bySeller(r) || next.Leader == "" || !next.ReserveMet(termsOf(a, sealed)) {
		tx.CloseAuctionUnclaimed(a.Key(), ecobiddb.CloseAuctionUnclaimedParams{UpdatedAt: now, ExpiresAt: new(now.Add(ecobid.KeepCompleted)), Version: a.Version})
		if err := s.env.Emit(tx, ecobid.AuctionCancelled, detail(a)); err != nil {
			return err
		}
		return tx.Commit(ctx)
	}
	item, err := s.env.DB.GetItem(ctx, a.ItemID)
	if err != nil {
		return fmt.Errorf("read the item of an auction: %w", err)
	}
	offered, err := s.giving.Begin(tx, giving.Start{
		Item: item, BuyerID: next.Leader, Awaits: ecobiddb.ReservationAwaitsBuyer, Within: ecobid.AnswerWithin, AuctionID: &a.AuctionID, Price: next.Price,
	})
	if err != nil {
		return err
	}
	tx.OfferToNextBidder(ecobiddb.OfferToNextBidderParams{Reservation: offered, UpdatedAt: now, AuctionID: a.AuctionID, Version: a.Version})
	return tx.Commit(ctx)
}

// replay returns the state of an auction without the bidders who were offered the item, and without those who are
// apart from the seller by a block. It reads all maxima: bidders who change theirs often must not hide those of others.
func (s *Service) replay(ctx context.Context, a ecobiddb.Auction, sealed ecobiddb.Sealed) (bidding.State, error) {
	var without []string
	for r, err := range s.env.DB.ListReservationsByItem(a.ItemID).Limit(0).All(ctx) {
		if err != nil {
			return bidding.State{}, fmt.Errorf("read the reservations of an item: %w", err)
		}
		if r.AuctionID != nil && *r.AuctionID == a.AuctionID {
			without = append(without, r.BuyerID)
		}
	}
	hidden, err := s.env.Hidden(ctx, a.SellerID)
	if err != nil {
		return bidding.State{}, err
	}
	without = slices.AppendSeq(without, maps.Keys(hidden))
	var bids []bidding.Bid
	for b, err := range s.env.DB.ListSealedBids(a.AuctionID).Limit(0).All(ctx) {
		if err != nil {
			return bidding.State{}, fmt.Errorf("read the maxima of an auction: %w", err)
		}
		bids = append(bids, bidding.Bid{Bidder: b.UserID, Maximum: b.Maximum})
	}
	return bidding.Replay(termsOf(a, sealed), bids, without...), nil
}
