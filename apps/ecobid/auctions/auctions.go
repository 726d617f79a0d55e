// Package auctions holds the auctions of EcoBid: a seller starts one for 24 or 48 hours, bidders
// place a secret maximum, late bids extend the end, and the item goes to the leader, or to the
// next bidder if the winner does not come. The rules of prices and ends are in package bidding;
// this package reads, asks it, and writes everything in one transaction.
//
// Secret maxima and reserve prices are in rows of their own and never leave the package, except
// that a leader sees the own maximum. Package giving leads the pickup of what was won. The doors
// call the package.
package auctions

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/bidding"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
)

// The kinds of jobs of this package.
const (
	jobEnd        = "auction-end"
	jobEndingSoon = "auction-ending-soon"
)

// endLease is short, so that after a crash another process ends an auction within seconds.
const endLease = 10 * time.Second

// A Service manages auctions. It is safe for concurrent use.
type Service struct {
	env      *ecobid.Env
	listings *listings.Service
	giving   *giving.Service

	// turns lets the bids of this process on one auction take turns, so that they do not conflict
	// with each other. Bids of other processes conflict and are retried.
	turns [64]sync.Mutex
	seed  maphash.Seed
}

// New returns the service of an environment and registers its jobs.
func New(env *ecobid.Env, items *listings.Service, pickups *giving.Service) *Service {
	s := &Service{env: env, listings: items, giving: pickups, seed: maphash.MakeSeed()}
	env.Jobs.Handle(jobEnd, ecobid.LaneTimers, jobs.Policy{Lease: endLease}, s.runEnd)
	env.Jobs.Handle(jobEndingSoon, ecobid.LaneTimers, jobs.Policy{}, s.runEndingSoon)
	env.Jobs.Handle(ecobid.JobOfferNext, ecobid.LaneTimers, jobs.Policy{}, s.runOfferNext)
	return s
}

func (s *Service) turn(auctionID string) *sync.Mutex {
	return &s.turns[maphash.String(s.seed, auctionID)%uint64(len(s.turns))]
}

// A Start holds what a seller fixes when an auction begins.
type Start struct {
	MinBid  int64 // minor units
	Reserve int64 // 0 if there is none
	Hours   int   // 24 or 48
}

// Check refuses terms with which no auction can start.
func (t Start) Check() error {
	switch {
	case t.MinBid < ecobid.MinMinBid || t.MinBid > ecobid.MaxMinBid:
		return refusal.OutOfRange("minBid", "range", ecobid.MinMinBid, ecobid.MaxMinBid, "The minimum bid is from 5 to 50.")
	case t.Hours != ecobid.ShortAuction && t.Hours != ecobid.LongAuction:
		return refusal.OfField(refusal.Field{Name: "hours", Constraint: "allowed", Allowed: []string{"24", "48"}}, "An auction runs for 24 or 48 hours.")
	case t.Reserve != 0 && (t.Reserve < t.MinBid || t.Reserve > ecobid.MaxAmount):
		return refusal.OutOfRange("reservePrice", "range", int(t.MinBid), ecobid.MaxAmount, "The reserve price is at least the minimum bid.")
	}
	return nil
}

// Start starts the auction of an item of a person, which is in the feeds from now on.
func (s *Service) Start(ctx context.Context, userID, itemID string, start Start) (ecobiddb.Auction, error) {
	if err := start.Check(); err != nil {
		return ecobiddb.Auction{}, err
	}
	item, err := s.listings.Publishable(ctx, userID, itemID)
	if err != nil {
		return ecobiddb.Auction{}, err
	}
	now := s.env.Now()
	ends := now.Add(time.Duration(start.Hours) * time.Hour)
	auction := ecobiddb.Auction{
		AuctionID: access.NewULID(now), ItemID: itemID, Title: item.Title, SellerID: userID, Currency: item.Currency, MinBid: start.MinBid,
		HasReserve: start.Reserve > 0, Status: ecobiddb.AuctionStatusActive, StartsAt: now, EndsAt: ends, OriginalEndsAt: ends, UpdatedAt: now,
	}
	sealed := ecobiddb.Sealed{AuctionID: auction.AuctionID, ReservePrice: start.Reserve, UpdatedAt: now, ExpiresAt: ends.Add(ecobid.KeepCompleted)}
	tx := s.env.DB.Tx()
	tx.StartAuction(ecobiddb.StartAuctionParams{Auction: auction, Sealed: sealed, PublishedAt: now, MinBid: &start.MinBid, UpdatedAt: now})
	item.Mode = ecobiddb.ItemModeAuction
	err = errors.Join(
		s.listings.Announce(tx, item, now),
		s.env.Emit(tx, ecobid.AuctionCreated, detail(auction)),
		s.env.Timer(tx, jobEnd, auction.AuctionID+"-0", ends, auction.AuctionID),
		s.env.Timer(tx, jobEndingSoon, auction.AuctionID, ends.Add(-ecobid.EndingSoon), auction.AuctionID),
	)
	if err != nil {
		return ecobiddb.Auction{}, err
	}
	err = tx.Commit(ctx)
	switch {
	case ecobid.Changed[ecobiddb.Item](err):
		return ecobiddb.Auction{}, ecobid.ErrState
	case err != nil:
		return ecobiddb.Auction{}, fmt.Errorf("start an auction: %w", err)
	}
	return s.env.DB.GetAuction(ctx, auction.AuctionID)
}

// detail returns what events tell about an auction.
func detail(a ecobiddb.Auction) ecobid.Detail {
	d := ecobid.Detail{
		ItemID: a.ItemID, Title: a.Title, AuctionID: a.AuctionID, SellerID: a.SellerID, Amount: a.CurrentBid, Currency: a.Currency, Bids: a.BidCount, EndsAt: &a.EndsAt,
	}
	if a.LeaderID != nil {
		d.LeaderID = *a.LeaderID
	}
	return d
}

// A View is an auction as a person sees it.
type View struct {
	ecobiddb.Auction
	// Ended reports that no more bids are accepted.
	Ended bool
	// LeastBid is the least maximum that the viewer can place.
	LeastBid int64
	Leading  bool
	// Maximum is the viewer's own maximum while the viewer leads; 0 otherwise.
	Maximum int64
}

// LatestEnd returns the end that late bids cannot pass.
func (v View) LatestEnd() time.Time { return v.OriginalEndsAt.Add(bidding.MaxExtension) }

// Get returns an auction to a viewer; viewer is "" for people who are not signed in. It does not exist if
// the seller or the viewer has blocked the other.
func (s *Service) Get(ctx context.Context, viewer, auctionID string) (View, error) {
	auction, err := s.env.DB.GetAuction(ctx, auctionID)
	if err != nil {
		return View{}, ecobid.Instead(err, ecobid.ErrNoAuction)
	}
	apart, err := s.env.Apart(ctx, viewer, auction.SellerID)
	switch {
	case err != nil:
		return View{}, err
	case apart:
		return View{}, ecobid.ErrNoAuction
	}
	return s.whole(ctx, viewer, auction)
}

// OfItem returns the auction of an item that listings.Service.Get has shown to the viewer. Not to ask again
// whom the viewer may see matters in the last minute of an auction.
func (s *Service) OfItem(ctx context.Context, viewer string, item ecobiddb.Item) (View, error) {
	if item.LiveAuctionID == nil {
		return View{}, ecobid.ErrNoAuction
	}
	auction, err := s.env.DB.GetAuction(ctx, *item.LiveAuctionID)
	if err != nil {
		return View{}, ecobid.Instead(err, ecobid.ErrNoAuction)
	}
	return s.whole(ctx, viewer, auction)
}

// whole returns an auction with the maximum of the viewer.
func (s *Service) whole(ctx context.Context, viewer string, auction ecobiddb.Auction) (View, error) {
	view := s.view(viewer, auction)
	if view.Leading {
		sealed, err := s.env.DB.GetSealed(ctx, auction.AuctionID)
		if err != nil {
			return View{}, fmt.Errorf("read the sealed part of an auction: %w", err)
		}
		view.Maximum = sealed.LeaderMax
	}
	return view, nil
}

func (s *Service) view(viewer string, a ecobiddb.Auction) View {
	state := stateOf(a, ecobiddb.Sealed{})
	return View{
		Auction: a, Ended: a.Status != ecobiddb.AuctionStatusActive || !s.env.Now().Before(a.EndsAt),
		LeastBid: state.LeastBid(bidding.Terms{MinBid: a.MinBid}, viewer), Leading: viewer != "" && state.Leader == viewer,
	}
}

// stateOf returns an auction as package bidding knows it.
func stateOf(a ecobiddb.Auction, sealed ecobiddb.Sealed) bidding.State {
	state := bidding.State{Price: a.CurrentBid, LeaderMax: sealed.LeaderMax, Bids: int(a.BidCount), EndsAt: a.EndsAt, Extensions: int(a.Extensions)}
	if a.LeaderID != nil {
		state.Leader = *a.LeaderID
	}
	return state
}

func termsOf(a ecobiddb.Auction, sealed ecobiddb.Sealed) bidding.Terms {
	return bidding.Terms{MinBid: a.MinBid, Reserve: sealed.ReservePrice, OriginalEndsAt: a.OriginalEndsAt}
}

// Several returns auctions by their ids, for the cards of a page. Those whose seller the viewer does not see are
// missing.
func (s *Service) Several(ctx context.Context, viewer string, ids []string) (map[string]View, error) {
	hidden, err := s.env.Hidden(ctx, viewer)
	if err != nil {
		return nil, err
	}
	found, err := s.env.DB.GetAuctions(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read auctions: %w", err)
	}
	result := make(map[string]View, len(found))
	for _, a := range found {
		if a != nil && !hidden[a.SellerID] {
			result[a.AuctionID] = s.view(viewer, *a)
		}
	}
	return result, nil
}

// History returns a page of the accepted bids of an auction that the viewer was shown, newest first.
func (s *Service) History(ctx context.Context, shown View, limit int, cursor string) (access.Page[ecobiddb.Bid], error) {
	return listings.Page(ctx, s.env.DB.ListBids(shown.AuctionID), limit, cursor)
}

// Mine returns a page of a person's bids, newest first.
func (s *Service) Mine(ctx context.Context, userID string, limit int, cursor string) (access.Page[ecobiddb.Bid], error) {
	return listings.Page(ctx, s.env.DB.ListBidsByUser(userID), limit, cursor)
}

// Selling returns a page of a person's auctions, newest first.
func (s *Service) Selling(ctx context.Context, userID string, limit int, cursor string) (access.Page[ecobiddb.Auction], error) {
	return listings.Page(ctx, s.env.DB.ListAuctionsBySeller(userID), limit, cursor)
}

// Running returns a page of the running auctions, those that end next first. It leaves out the auctions of
// people whom the viewer does not see, so that a page may be short.
func (s *Service) Running(ctx context.Context, viewer string, limit int, cursor string) (access.Page[ecobiddb.Auction], error) {
	hidden, err := s.env.Hidden(ctx, viewer)
	if err != nil {
		return access.Page[ecobiddb.Auction]{}, err
	}
	now := s.env.Now()
	page, err := listings.Page(ctx, s.env.DB.ListRunningAuctions(now, now.Add((ecobid.LongAuction+3)*time.Hour)), limit, cursor)
	page.Items = slices.DeleteFunc(page.Items, func(a ecobiddb.Auction) bool { return hidden[a.SellerID] })
	return page, err
}

// Cancel cancels an auction of a person that has no bids.
func (s *Service) Cancel(ctx context.Context, userID, auctionID string) error {
	return access.RetryOnConflict(ctx, func() (bool, error) {
		a, err := s.Get(ctx, userID, auctionID)
		switch {
		case err != nil:
			return false, err
		case a.SellerID != userID:
			return false, ecobid.ErrNotYours
		case a.Status == ecobiddb.AuctionStatusCancelled:
			return false, nil
		case a.Status != ecobiddb.AuctionStatusActive:
			return false, ecobid.ErrState
		case a.BidCount > 0:
			return false, ecobid.ErrHasBids
		}
		now := s.env.Now()
		tx := s.env.DB.Tx()
		tx.CancelAuction(ecobiddb.CancelAuctionParams{
			AuctionID: auctionID, UpdatedAt: now, ExpiresAt: new(now.Add(ecobid.KeepCompleted)), Version: a.Version, SellerID: userID, ItemID: a.ItemID,
		})
		if err := s.env.Emit(tx, ecobid.AuctionCancelled, detail(a.Auction)); err != nil {
			return false, err
		}
		err = tx.Commit(ctx)
		return ecobid.Changed[ecobiddb.Auction](err), err
	})
}
