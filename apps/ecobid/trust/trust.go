// Package trust holds what makes strangers reliable: ratings that are revealed together, blocks,
// reports and what moderators decide about them, favourites and saved searches, the export and
// the erasure of a person's data, and the figures of what was reused.
//
// The package allocates nothing and sends nothing: package events notifies. The doors call it.
package trust

import (
	"context"
	"errors"
	"fmt"
	"math"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// A Service keeps trust. It is safe for concurrent use.
type Service struct {
	env      *ecobid.Env
	people   *people.Service
	listings *listings.Service
	giving   *giving.Service
	auctions *auctions.Service
}

// New returns the service of an environment and registers its jobs.
func New(env *ecobid.Env, profiles *people.Service, items *listings.Service, pickups *giving.Service, sales *auctions.Service) *Service {
	s := &Service{env: env, people: profiles, listings: items, giving: pickups, auctions: sales}
	env.Jobs.Handle(ecobid.JobReveal, ecobid.LaneTimers, jobs.Policy{}, s.runReveal)
	return s
}

// ErrNotCompleted refuses the rating of a pickup that has not happened.
var ErrNotCompleted = refusal.New(refusal.Invalid, "NOT_COMPLETED", "A pickup can be rated after it is completed.")

// Rate stores what one party of a completed pickup says about the other. It is visible when both
// have rated, or after 14 days. A second call with the same idempotency key, which may be "", does nothing.
func (s *Service) Rate(ctx context.Context, userID, reservationID string, stars int, comment, key string) error {
	comment, err := ecobid.Text("comment", comment, 0, ecobid.MaxComment)
	if err != nil {
		return err
	}
	if stars < ecobid.MinStars || stars > ecobid.MaxStars {
		return refusal.OutOfRange("rating", "range", ecobid.MinStars, ecobid.MaxStars, "Give 1 to 5 stars.")
	}
	repeat := receipt.Request{By: userID, Key: key, Action: "rate", Content: fmt.Sprint(reservationID, " ", stars, " ", comment)}
	_, _, err = receipt.Once(ctx, s.env.Receipts, repeat, func() (bool, error) {
		return true, s.rate(ctx, userID, reservationID, stars, comment, repeat)
	})
	return err
}

func (s *Service) rate(ctx context.Context, userID, reservationID string, stars int, comment string, repeat receipt.Request) error {
	r, err := s.giving.Get(ctx, userID, reservationID)
	now := s.env.Now()
	switch {
	case err != nil:
		return err
	case r.Status != ecobiddb.ReservationStatusCompleted || r.RateUntil == nil:
		return ErrNotCompleted
	case !r.RateUntil.After(now):
		return ecobid.ErrLate
	}
	rating := ecobiddb.Rating{
		TransactionID: reservationID, RaterID: userID, UserID: other(r, userID), Stars: int64(stars), Comment: ecobid.Optional(comment), CreatedAt: now,
	}
	tx := s.env.DB.Tx()
	tx.Rate(ecobiddb.RateParams{Rating: rating, ItemID: r.ItemID, Now: now})
	if err := s.env.Receipts.Add(tx, repeat, true); err != nil {
		return err
	}
	err = tx.Commit(ctx)
	switch {
	case ecobid.Changed[ecobiddb.Rating](err):
		return ecobid.ErrRated
	case ecobid.Changed[ecobiddb.Reservation](err):
		return ErrNotCompleted
	case err != nil:
		return fmt.Errorf("store a rating: %w", err)
	}
	_, err = s.env.DB.GetRating(ctx, userID, reservationID, rating.UserID)
	if errors.Is(err, access.ErrNotFound) {
		return nil // the other party has not rated
	}
	if err != nil {
		return fmt.Errorf("read a rating: %w", err)
	}
	return s.reveal(ctx, r)
}

// CanRate reports whether a party of a reservation can rate the other one now.
func (s *Service) CanRate(ctx context.Context, userID string, r giving.Reservation) (bool, error) {
	if r.Status != ecobiddb.ReservationStatusCompleted || r.RateUntil == nil || !r.RateUntil.After(s.env.Now()) {
		return false, nil
	}
	_, err := s.env.DB.GetRating(ctx, other(r, userID), r.ReservationID, userID)
	if errors.Is(err, access.ErrNotFound) {
		return true, nil
	}
	return false, err
}

// other returns the other party of a reservation.
func other(r ecobiddb.Reservation, userID string) string {
	if r.BuyerID == userID {
		return r.SellerID
	}
	return r.BuyerID
}

func (s *Service) runReveal(ctx context.Context, job jobs.Job) error {
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
	return s.reveal(ctx, r)
}

// reveal makes the ratings of a pickup visible. Ratings that are visible stay so and count once.
func (s *Service) reveal(ctx context.Context, r ecobiddb.Reservation) error {
	for _, rated := range []string{r.SellerID, r.BuyerID} {
		rating, err := s.env.DB.GetRating(ctx, rated, r.ReservationID, other(r, rated))
		if errors.Is(err, access.ErrNotFound) || err == nil && rating.Visible {
			continue
		}
		if err != nil {
			return fmt.Errorf("read a rating: %w", err)
		}
		tx := s.env.DB.Tx()
		tx.RevealRating(ecobiddb.RevealRatingParams{UserID: rated, TransactionID: r.ReservationID, RaterID: rating.RaterID, Stars: rating.Stars})
		if err := s.env.Emit(tx, ecobid.UserRated, ecobid.Detail{UserID: rated, ReservationID: r.ReservationID, ItemID: r.ItemID, Title: r.Title}); err != nil {
			return err
		}
		if err := tx.Commit(ctx); err != nil && !ecobid.Changed[ecobiddb.Rating](err) {
			return fmt.Errorf("reveal a rating: %w", err)
		}
	}
	return nil
}

// Ratings returns a page of the visible ratings of a person whose profile the viewer may see, newest first.
func (s *Service) Ratings(ctx context.Context, viewer, userID string, limit int, cursor string) (access.Page[ecobiddb.Rating], error) {
	if _, err := s.people.Public(ctx, viewer, userID); err != nil {
		return access.Page[ecobiddb.Rating]{}, err
	}
	return listings.Page(ctx, s.env.DB.ListRatings(userID), limit, cursor)
}

// MinRatings is the number of ratings from which a mean is shown.
const MinRatings = 3

// Mean returns the mean of ratings with two decimals, and whether there are enough to show it.
func Mean(sum, count int64) (mean float64, shown bool) {
	if count == 0 {
		return 0, false
	}
	return math.Round(float64(sum)*100/float64(count)) / 100, count >= MinRatings
}

// History returns a page of what a person has given and received, newest first.
func (s *Service) History(ctx context.Context, userID string, limit int, cursor string) (access.Page[ecobiddb.History], error) {
	return listings.Page(ctx, s.env.DB.ListHistory(userID), limit, cursor)
}

// Block makes a person invisible to another and keeps both from dealing with each other. Open reservations
// between them are cancelled. A person who has blocked the caller does not exist to the caller.
func (s *Service) Block(ctx context.Context, userID, blockedID string) error {
	if userID == blockedID {
		return refusal.New(refusal.Invalid, "", "You cannot block yourself.")
	}
	if err := s.known(ctx, userID, blockedID); err != nil {
		return err
	}
	count, err := s.env.DB.ListBlocks(userID).Count(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("count blocked people: %w", err)
	case count >= ecobid.MaxBlocks:
		return refusal.New(refusal.Conflict, "", "You have blocked %d people.", ecobid.MaxBlocks)
	}
	if _, err := s.env.DB.BlockUser(ctx, ecobiddb.Block{UserID: userID, BlockedID: blockedID, CreatedAt: s.env.Now()}); err != nil {
		return fmt.Errorf("block a person: %w", err)
	}
	return s.giving.Part(ctx, userID, blockedID)
}

// known returns ErrNoUser for a person who does not exist, or who has blocked the caller. A person whom the caller
// has blocked is known.
func (s *Service) known(ctx context.Context, userID, otherID string) error {
	if _, err := s.people.Get(ctx, otherID); err != nil {
		return err
	}
	_, err := s.env.DB.GetBlock(ctx, otherID, userID)
	switch {
	case err == nil:
		return ecobid.ErrNoUser
	case !errors.Is(err, access.ErrNotFound):
		return fmt.Errorf("read a block: %w", err)
	}
	return nil
}

// Unblock takes a block back.
func (s *Service) Unblock(ctx context.Context, userID, blockedID string) error {
	if err := s.env.DB.UnblockUser(ctx, ecobiddb.BlockKey{UserID: userID, BlockedID: blockedID}); err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("unblock a person: %w", err)
	}
	return nil
}

// Blocked returns the people whom a person has blocked.
func (s *Service) Blocked(ctx context.Context, userID string) ([]ecobiddb.Block, error) {
	return s.env.DB.ListBlocks(userID).Slice(ctx)
}
