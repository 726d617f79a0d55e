package giving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/refusal"
)

// load returns a reservation to one of its two parties. To others it does not exist, and an open one does
// not exist to two people of whom one has blocked the other: those of the past stay, to be rated.
func (s *Service) load(ctx context.Context, userID, reservationID string) (ecobiddb.Reservation, error) {
	found, err := s.env.DB.GetReservationByID(ctx, reservationID)
	if err != nil {
		return ecobiddb.Reservation{}, ecobid.Instead(err, ecobid.ErrNoReservation)
	}
	r, err := s.env.DB.GetReservation(ctx, found.ItemID, reservationID)
	switch {
	case err != nil:
		return ecobiddb.Reservation{}, ecobid.Instead(err, ecobid.ErrNoReservation)
	case userID != r.BuyerID && userID != r.SellerID:
		return ecobiddb.Reservation{}, ecobid.ErrNoReservation
	case r.Status != ecobiddb.ReservationStatusPending && r.Status != ecobiddb.ReservationStatusConfirmed:
		return r, nil
	}
	return r, s.together(ctx, userID, r)
}

// together returns ErrNoReservation if one party of a reservation has blocked the other.
func (s *Service) together(ctx context.Context, userID string, r ecobiddb.Reservation) error {
	apart, err := s.env.Apart(ctx, userID, otherParty(r, userID))
	switch {
	case err != nil:
		return err
	case apart:
		return ecobid.ErrNoReservation
	}
	return nil
}

// otherParty returns the other party of a reservation.
func otherParty(r ecobiddb.Reservation, userID string) string {
	if r.BuyerID == userID {
		return r.SellerID
	}
	return r.BuyerID
}

// change reads a reservation of a person, ends it if its deadline has passed, and calls do; again
// if others changed it meanwhile.
func (s *Service) change(ctx context.Context, userID, reservationID string, do func(r ecobiddb.Reservation) error) (ecobiddb.Reservation, error) {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		r, err := s.load(ctx, userID, reservationID)
		if err != nil {
			return false, err
		}
		if lapsed, err := s.lapse(ctx, r); err != nil || lapsed {
			return false, errors.Join(err, ecobid.ErrLate)
		}
		err = do(r)
		return ecobid.Changed[ecobiddb.Reservation](err) || ecobid.Changed[ecobiddb.Item](err), err
	})
	switch {
	case access.Contended(err) || ecobid.Changed[ecobiddb.Reservation](err) || ecobid.Changed[ecobiddb.Item](err):
		return ecobiddb.Reservation{}, ecobid.ErrState
	case err != nil:
		return ecobiddb.Reservation{}, err
	}
	return s.Get(ctx, userID, reservationID)
}

// Accept accepts an offer: the next person of a queue, the winner of a draw or the next bidder
// wants the item. Then the giver has to answer.
func (s *Service) Accept(ctx context.Context, userID, reservationID string) (ecobiddb.Reservation, error) {
	return s.change(ctx, userID, reservationID, func(r ecobiddb.Reservation) error {
		now := s.env.Now()
		switch {
		case r.BuyerID != userID:
			return ecobid.ErrNotYours
		case r.Status != ecobiddb.ReservationStatusPending:
			return ecobid.ErrState
		case r.Awaits == ecobiddb.ReservationAwaitsSeller:
			return nil
		}
		tx := s.env.DB.Tx()
		deadline := now.Add(ecobid.AnswerWithin)
		tx.AcceptOffer(r.Key(), ecobiddb.AcceptOfferParams{DeadlineAt: deadline, UpdatedAt: now, Version: r.Version, Now: now})
		r.DeadlineAt = deadline
		if err := errors.Join(s.lapseAt(tx, r, deadline), s.env.Emit(tx, ecobid.ReservationAccepted, detail(r))); err != nil {
			return err
		}
		return tx.Commit(ctx)
	})
}

// Confirm confirms a reservation with a time for the pickup. From now on the counterpart can read
// the exact address, and both can write messages.
func (s *Service) Confirm(ctx context.Context, userID, reservationID string, pickup time.Time, message string) (ecobiddb.Reservation, error) {
	message, err := ecobid.Text("message", message, 0, ecobid.MaxMessage)
	if err != nil {
		return ecobiddb.Reservation{}, err
	}
	pickup = pickup.UTC().Truncate(time.Millisecond)
	if now := s.env.Now(); !pickup.After(now) || pickup.After(now.Add(ecobid.MaxPickupAhead)) {
		return ecobiddb.Reservation{}, refusal.OfField(refusal.Field{Name: "pickupTime", Constraint: "range"}, "Choose a time within the next 30 days.")
	}
	return s.change(ctx, userID, reservationID, func(r ecobiddb.Reservation) error {
		now := s.env.Now()
		switch {
		case r.SellerID != userID:
			return ecobid.ErrNotYours
		case r.Status == ecobiddb.ReservationStatusConfirmed && r.PickupTime != nil && r.PickupTime.Equal(pickup):
			return nil
		case r.Status != ecobiddb.ReservationStatusPending || r.Awaits != ecobiddb.ReservationAwaitsSeller:
			return ecobid.ErrState
		}
		tx := s.env.DB.Tx()
		tx.ConfirmReservation(r.Key(), ecobiddb.ConfirmReservationParams{
			PickupTime: &pickup, SellerMessage: ecobid.Optional(message), UpdatedAt: now, Version: r.Version, BuyerID: r.BuyerID, SellerID: r.SellerID, Now: now,
		})
		r.Status, r.PickupTime = ecobiddb.ReservationStatusConfirmed, &pickup
		err := errors.Join(s.lapseAt(tx, r, pickup.Add(ecobid.PickupGrace)), s.env.Emit(tx, ecobid.ReservationConfirmed, detail(r)))
		if remind := pickup.Add(-ecobid.PickupReminder); remind.After(now) {
			err = errors.Join(err, s.env.Timer(tx, jobReminder, r.ReservationID, remind, ecobid.ReservationRef{ItemID: r.ItemID, ReservationID: r.ReservationID}))
		}
		if err != nil {
			return err
		}
		return tx.Commit(ctx)
	})
}

// Decline refuses a request of another person. The item is available again.
func (s *Service) Decline(ctx context.Context, userID, reservationID string) (ecobiddb.Reservation, error) {
	return s.change(ctx, userID, reservationID, func(r ecobiddb.Reservation) error {
		switch {
		case r.SellerID != userID:
			return ecobid.ErrNotYours
		case r.CancelReason != nil && *r.CancelReason == ecobiddb.ReservationCancelReasonDeclined:
			return nil
		case r.Status != ecobiddb.ReservationStatusPending:
			return ecobid.ErrState
		}
		return s.release(ctx, r, ecobiddb.ReservationCancelReasonDeclined, ecobiddb.ReservationCancelledBySeller)
	})
}

// Cancel ends a reservation that is not completed, by either side.
func (s *Service) Cancel(ctx context.Context, userID, reservationID string) (ecobiddb.Reservation, error) {
	return s.change(ctx, userID, reservationID, func(r ecobiddb.Reservation) error {
		by := ecobiddb.ReservationCancelledByBuyer
		switch {
		case r.Status == ecobiddb.ReservationStatusCancelled:
			return nil
		case r.Status == ecobiddb.ReservationStatusCompleted || r.FirstMarkBy != nil:
			return ecobid.ErrState
		case r.SellerID == userID:
			by = ecobiddb.ReservationCancelledBySeller
		}
		return s.release(ctx, r, ecobiddb.ReservationCancelReasonWithdrawn, by)
	})
}

// Part ends the open reservations between a person and another whom the person has blocked, as if the person
// had cancelled them. A pickup that one side has confirmed stays.
func (s *Service) Part(ctx context.Context, userID, otherID string) error {
	selling, err := s.env.DB.ListReservationsBySeller(userID, activeStatuses).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list the requests of a person: %w", err)
	}
	taking, err := s.env.DB.ListReservationsByBuyer(userID, activeStatuses).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list the reservations of a person: %w", err)
	}
	for _, found := range append(selling, taking...) {
		by := ecobiddb.ReservationCancelledByBuyer
		switch otherID {
		case found.BuyerID:
			by = ecobiddb.ReservationCancelledBySeller
		case found.SellerID:
		default:
			continue
		}
		err := access.RetryOnConflict(ctx, func() (bool, error) {
			r, err := s.env.DB.GetReservation(ctx, found.ItemID, found.ReservationID)
			if err != nil || r.Status == ecobiddb.ReservationStatusCancelled || r.Status == ecobiddb.ReservationStatusCompleted || r.FirstMarkBy != nil {
				return false, ecobid.Instead(err, ecobid.ErrNoReservation)
			}
			err = s.release(ctx, r, ecobiddb.ReservationCancelReasonWithdrawn, by)
			return ecobid.Changed[ecobiddb.Reservation](err), err
		})
		if err != nil && !errors.Is(err, ecobid.ErrNoReservation) {
			return fmt.Errorf("cancel a reservation between people who are apart: %w", err)
		}
	}
	return nil
}

// CancelByModerator ends the reservation of an item, if there is one that is not completed. The
// item is not offered to others.
func (s *Service) CancelByModerator(ctx context.Context, item ecobiddb.Item) error {
	if item.Status != ecobiddb.ItemStatusReserved || item.ActiveReservationID == nil {
		return nil
	}
	r, err := s.env.DB.GetReservation(ctx, item.ItemID, *item.ActiveReservationID)
	if err != nil {
		return fmt.Errorf("read the reservation of an item: %w", err)
	}
	return s.release(ctx, r, ecobiddb.ReservationCancelReasonModerated, ecobiddb.ReservationCancelledBySystem)
}

// release cancels a reservation and makes its item available, or offers it to the next person.
func (s *Service) release(ctx context.Context, r ecobiddb.Reservation, reason ecobiddb.ReservationCancelReason, by ecobiddb.ReservationCancelledBy) error {
	item, err := s.env.DB.GetItem(ctx, r.ItemID)
	if err != nil {
		return fmt.Errorf("read the item of a reservation: %w", err)
	}
	now := s.env.Now()
	expires := now.Add(ecobid.KeepCompleted)
	strikes := int64(0)
	if reason == ecobiddb.ReservationCancelReasonNoShow {
		strikes = 1
	}
	tx := s.env.DB.Tx()
	if r.AuctionID == nil {
		tx.CancelReservation(ecobiddb.CancelReservationParams{
			ReservationID: r.ReservationID, PublishedAt: item.PublishedAt, ItemID: r.ItemID, CancelReason: &reason, CancelledBy: &by,
			UpdatedAt: now, ExpiresAt: &expires, Version: r.Version, BuyerID: r.BuyerID, SellerID: r.SellerID, Strikes: strikes,
		})
	} else {
		tx.ReleaseWonItem(ecobiddb.ReleaseWonItemParams{
			ReservationID: r.ReservationID, ItemID: r.ItemID, CancelReason: &reason, CancelledBy: &by,
			UpdatedAt: now, ExpiresAt: &expires, Version: r.Version, BuyerID: r.BuyerID, SellerID: r.SellerID, Strikes: strikes,
		})
	}
	told := detail(r)
	told.Reason, told.By, told.Deadline = string(reason), string(by), nil
	err = s.env.Emit(tx, ecobid.ReservationCancelled, told)
	ref := ecobid.ReservationRef{ItemID: r.ItemID, ReservationID: r.ReservationID}
	advance := reason != ecobiddb.ReservationCancelReasonModerated
	switch {
	case !advance:
	case r.AuctionID != nil:
		err = errors.Join(err, s.env.Timer(tx, ecobid.JobOfferNext, r.ReservationID, now, ref))
	case item.Allocation != ecobiddb.ItemAllocationFirstCome:
		err = errors.Join(err, s.env.Timer(tx, jobAdvance, r.ReservationID, now, ref))
	}
	if err != nil {
		return err
	}
	return tx.Commit(ctx)
}
