package trust

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
)

// An Export holds the data about a person in this system. The platform's rooms export their own.
type Export struct {
	Profile      ecobiddb.User
	Items        []ecobiddb.Item
	Places       []ecobiddb.Place
	Taken        []ecobiddb.Reservation
	Given        []ecobiddb.Reservation // with contact data hidden until the pickup is confirmed
	Messages     []ecobiddb.Message     // that the person has sent
	Bids         []ecobiddb.Bid
	Entries      []ecobiddb.Entry
	Favourites   []ecobiddb.Favourite
	Searches     []ecobiddb.SavedSearch
	Blocks       []ecobiddb.Block
	Ratings      []ecobiddb.Rating // about the person, as far as they are visible
	RatingsGiven []ecobiddb.Rating
	Reports      []ecobiddb.Report // by the person
	History      []ecobiddb.History
}

var allStatuses = []ecobiddb.ReservationStatus{
	ecobiddb.ReservationStatusPending, ecobiddb.ReservationStatusConfirmed, ecobiddb.ReservationStatusCompleted, ecobiddb.ReservationStatusCancelled,
}

// Export returns all data about a person.
func (s *Service) Export(ctx context.Context, userID string) (Export, error) {
	var e Export
	kept, err := s.env.DB.LoadUserData(ctx, userID)
	if err != nil {
		return e, fmt.Errorf("read the data of a person: %w", err)
	}
	if len(kept.Users) == 0 {
		return e, ecobid.ErrNoUser
	}
	e.Profile, e.Favourites, e.Searches, e.Blocks, e.History = kept.Users[0], kept.Favourites, kept.SavedSearches, kept.Blocks, kept.Histories
	for _, rating := range kept.Ratings {
		if rating.Visible {
			e.Ratings = append(e.Ratings, rating)
		}
	}
	err = errors.Join(
		read(ctx, s.env.DB.ListItemsByUser(userID), &e.Items),
		read(ctx, s.env.DB.ListReservationsByBuyer(userID, allStatuses), &e.Taken),
		read(ctx, s.env.DB.ListReservationsBySeller(userID, allStatuses), &e.Given),
		read(ctx, s.env.DB.ListBidsByUser(userID), &e.Bids),
		read(ctx, s.env.DB.ListEntriesByUser(userID), &e.Entries),
		read(ctx, s.env.DB.ListRatingsByRater(userID), &e.RatingsGiven),
		read(ctx, s.env.DB.ListReportsByReporter(userID), &e.Reports),
	)
	if err != nil {
		return e, fmt.Errorf("read the data of a person: %w", err)
	}
	for i, r := range e.Given {
		e.Given[i].Message = s.giving.View(r).Message // which another person wrote
	}
	if e.Places, err = s.places(ctx, e.Items); err != nil {
		return e, err
	}
	e.Messages, err = s.sent(ctx, userID, append(e.Taken[:len(e.Taken):len(e.Taken)], e.Given...))
	return e, err
}

// places returns the exact places of items.
func (s *Service) places(ctx context.Context, items []ecobiddb.Item) (places []ecobiddb.Place, err error) {
	for _, item := range items {
		place, err := s.env.DB.GetPlace(ctx, item.ItemID)
		if errors.Is(err, access.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read a place: %w", err)
		}
		places = append(places, place)
	}
	return places, nil
}

// sent returns the messages that a person has sent about reservations.
func (s *Service) sent(ctx context.Context, userID string, reservations []ecobiddb.Reservation) (messages []ecobiddb.Message, err error) {
	for _, r := range reservations {
		for m, err := range s.env.DB.ListMessages(r.ReservationID).Limit(0).All(ctx) {
			if err != nil {
				return nil, fmt.Errorf("read messages: %w", err)
			}
			if m.SenderID == userID {
				messages = append(messages, m)
			}
		}
	}
	return messages, nil
}

// read appends all items of a list.
func read[T any](ctx context.Context, list access.List[T], into *[]T) error {
	for item, err := range list.Limit(0).All(ctx) {
		if err != nil {
			return err
		}
		*into = append(*into, item)
	}
	return nil
}

// Erase deletes the data of a person: open reservations are cancelled, items withdrawn, and what
// only the person needs is deleted. Of ratings and histories of others an empty name stays. It is
// refused while an auction of the person has bids, and can be repeated. The doors erase the
// account afterwards.
func (s *Service) Erase(ctx context.Context, userID string) error {
	e, err := s.Export(ctx, userID)
	if errors.Is(err, ecobid.ErrNoUser) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.noBids(ctx, e.Items); err != nil {
		return err
	}
	for _, r := range append(e.Taken[:len(e.Taken):len(e.Taken)], e.Given...) {
		if r.Status == ecobiddb.ReservationStatusPending || r.Status == ecobiddb.ReservationStatusConfirmed {
			if _, err := s.giving.Cancel(ctx, userID, r.ReservationID); err != nil && !errors.Is(err, ecobid.ErrLate) && !errors.Is(err, ecobid.ErrState) {
				return err
			}
		}
	}
	for _, item := range e.Items {
		if err := s.eraseItem(ctx, userID, item.ItemID); err != nil {
			return err
		}
	}
	for _, entry := range e.Entries {
		if err := s.giving.Leave(ctx, userID, entry.ItemID); err != nil && !errors.Is(err, ecobid.ErrClosed) {
			return err
		}
	}
	for _, f := range e.Favourites {
		err = errors.Join(err, s.RemoveFavourite(ctx, userID, f.ItemID))
	}
	for _, search := range e.Searches {
		err = errors.Join(err, s.DeleteSearch(ctx, userID, search.SearchID))
	}
	for _, b := range e.Blocks {
		err = errors.Join(err, s.Unblock(ctx, userID, b.BlockedID))
	}
	for _, m := range e.Messages {
		if gone := s.env.DB.DeleteMessage(ctx, m.Key()); gone != nil && !errors.Is(gone, access.ErrNotFound) {
			err = errors.Join(err, gone)
		}
	}
	if err != nil {
		return fmt.Errorf("erase the data of a person: %w", err)
	}
	return s.people.Erase(ctx, userID)
}

// noBids refuses if the auction of an item has bids, before anything is deleted.
func (s *Service) noBids(ctx context.Context, items []ecobiddb.Item) error {
	for _, item := range items {
		if item.LiveAuctionID == nil {
			continue
		}
		auction, err := s.env.DB.GetAuction(ctx, *item.LiveAuctionID)
		switch {
		case errors.Is(err, access.ErrNotFound):
		case err != nil:
			return fmt.Errorf("read an auction: %w", err)
		case auction.Status == ecobiddb.AuctionStatusActive && auction.BidCount > 0:
			return ecobid.ErrHasBids
		}
	}
	return nil
}

// eraseItem withdraws an item, with its auction if that has no bids, and deletes the photos of a withdrawn one.
func (s *Service) eraseItem(ctx context.Context, userID, itemID string) error {
	item, err := s.listings.Get(ctx, userID, itemID)
	if errors.Is(err, ecobid.ErrNoItem) {
		return nil
	}
	if err != nil {
		return err
	}
	if item.LiveAuctionID != nil {
		if err := s.auctions.Cancel(ctx, userID, *item.LiveAuctionID); err != nil {
			return err
		}
	}
	switch item.Status {
	case ecobiddb.ItemStatusDraft, ecobiddb.ItemStatusAvailable, ecobiddb.ItemStatusExpired:
		if err := s.listings.Withdraw(ctx, userID, itemID); err != nil {
			return err
		}
		return s.listings.DeletePhotos(ctx, item)
	case ecobiddb.ItemStatusCancelled:
		return s.listings.DeletePhotos(ctx, item)
	}
	return nil
}
