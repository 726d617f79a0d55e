package giving

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/receipt"
)

// PickedUp records that a person has handed over or taken the item. When both have, the
// reservation is completed.
func (s *Service) PickedUp(ctx context.Context, userID, reservationID string) (ecobiddb.Reservation, error) {
	return s.change(ctx, userID, reservationID, func(r ecobiddb.Reservation) error {
		side := ecobiddb.ReservationFirstMarkByBuyer
		if r.SellerID == userID {
			side = ecobiddb.ReservationFirstMarkBySeller
		}
		switch {
		case r.Status == ecobiddb.ReservationStatusCompleted:
			return nil
		case r.Status != ecobiddb.ReservationStatusConfirmed:
			return ecobid.ErrState
		case r.FirstMarkBy != nil && *r.FirstMarkBy == side:
			return nil
		case r.FirstMarkBy != nil:
			return s.complete(ctx, r)
		}
		now := s.env.Now()
		tx := s.env.DB.Tx()
		tx.MarkPickedUp(r.Key(), ecobiddb.MarkPickedUpParams{FirstMarkBy: &side, FirstMarkAt: &now, UpdatedAt: now, Version: r.Version})
		if err := s.lapseAt(tx, r, now.Add(ecobid.CompleteAfter)); err != nil {
			return err
		}
		return tx.Commit(ctx)
	})
}

// letters are the characters of pickup codes: those that look alike are left out.
const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// Code returns the code of a pickup to the giver, whose phone shows it. The taker enters or scans
// it, which confirms the pickup for both.
func (s *Service) Code(ctx context.Context, userID, reservationID string) (string, error) {
	r, err := s.load(ctx, userID, reservationID)
	switch {
	case err != nil:
		return "", err
	case r.SellerID != userID:
		return "", ecobid.ErrNotYours
	case r.Status != ecobiddb.ReservationStatusConfirmed:
		return "", ecobid.ErrState
	}
	return s.code(reservationID), nil
}

func (s *Service) code(reservationID string) string {
	key := s.env.Box.Key("pickup "+reservationID, 6)
	for i, b := range key {
		key[i] = letters[int(b)%len(letters)]
	}
	return string(key)
}

// redeemLimit bounds the guesses of codes: there are a billion of them.
var redeemLimit = limits.Limit{Name: "pickup-code", Most: 10, Window: time.Hour}

// Redeem completes a pickup with the code on the giver's screen.
func (s *Service) Redeem(ctx context.Context, userID, reservationID, code string) (ecobiddb.Reservation, error) {
	return s.change(ctx, userID, reservationID, func(r ecobiddb.Reservation) error {
		switch {
		case r.BuyerID != userID:
			return ecobid.ErrNotYours
		case r.Status == ecobiddb.ReservationStatusCompleted:
			return nil
		case r.Status != ecobiddb.ReservationStatusConfirmed:
			return ecobid.ErrState
		}
		if _, err := s.env.Limits.Allow(ctx, redeemLimit, userID); err != nil {
			return err
		}
		code = strings.ToUpper(strings.TrimSpace(code))
		if subtle.ConstantTimeCompare([]byte(code), []byte(s.code(reservationID))) != 1 {
			return ecobid.ErrWrongCode
		}
		return s.complete(ctx, r)
	})
}

// complete completes a reservation: the item, both histories and counters, and what follows at
// later times, in one transaction.
func (s *Service) complete(ctx context.Context, r ecobiddb.Reservation) error {
	item, err := s.env.DB.GetItem(ctx, r.ItemID)
	if err != nil {
		return fmt.Errorf("read the item of a reservation: %w", err)
	}
	now := s.env.Now()
	expires, rateUntil := now.Add(ecobid.KeepCompleted), now.Add(ecobid.RateWithin)
	line := ecobiddb.History{ReservationID: r.ReservationID, Title: r.Title, Category: string(item.Category), Price: r.Price, CompletedAt: now}
	gave, received := line, line
	gave.UserID, gave.OtherID, gave.Side = r.SellerID, r.BuyerID, ecobiddb.HistorySideGave
	received.UserID, received.OtherID, received.Side = r.BuyerID, r.SellerID, ecobiddb.HistorySideReceived
	tx := s.env.DB.Tx()
	tx.CompletePickup(ecobiddb.CompletePickupParams{
		Histories: []ecobiddb.History{gave, received}, ReservationID: r.ReservationID, ItemID: r.ItemID, CompletedAt: &now, RateUntil: &rateUntil,
		UpdatedAt: now, ExpiresAt: &expires, Version: r.Version, BuyerID: r.BuyerID, SellerID: r.SellerID,
	})
	tx.ExpirePlace(ecobiddb.PlaceKey{ItemID: r.ItemID}, ecobiddb.ExpirePlaceParams{ExpiresAt: new(now.Add(ecobid.PlaceAfter))})
	if r.AuctionID != nil {
		auction, err := s.env.DB.GetAuction(ctx, *r.AuctionID)
		if err != nil {
			return fmt.Errorf("read the auction of a reservation: %w", err)
		}
		tx.CompleteAuction(auction.Key(), ecobiddb.CompleteAuctionParams{UpdatedAt: now, ExpiresAt: &expires, Version: auction.Version})
	}
	told := detail(r)
	told.Category, told.City, told.Deadline = string(item.Category), item.City, nil
	if item.WeightGrams != nil {
		told.WeightGrams = *item.WeightGrams
	}
	err = errors.Join(
		s.env.Emit(tx, ecobid.ReservationCompleted, told),
		s.listings.PurgeLater(tx, item, now),
		s.env.Timer(tx, ecobid.JobReveal, r.ReservationID, rateUntil, ecobid.ReservationRef{ItemID: r.ItemID, ReservationID: r.ReservationID}),
	)
	if err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Place returns the exact place of an item: to its owner, to the person whose pickup is
// confirmed, and for a week after completion.
func (s *Service) Place(ctx context.Context, userID, itemID string) (listings.Place, error) {
	item, err := s.listings.Get(ctx, userID, itemID)
	switch {
	case err != nil:
		return listings.Place{}, err
	case userID == item.UserID && userID != "":
		return s.listings.ExactPlace(ctx, itemID)
	case userID == "" || item.ActiveReservationID == nil:
		return listings.Place{}, ecobid.ErrNoPlace
	}
	r, err := s.env.DB.GetReservation(ctx, itemID, *item.ActiveReservationID)
	if err != nil {
		return listings.Place{}, ecobid.Instead(err, ecobid.ErrNoPlace)
	}
	if r.BuyerID != userID || r.Status != ecobiddb.ReservationStatusConfirmed && r.Status != ecobiddb.ReservationStatusCompleted || state(r, s.env.Now()) == noShow {
		return listings.Place{}, ecobid.ErrNoPlace
	}
	return s.listings.ExactPlace(ctx, itemID)
}

// Send sends a message to the other party of a confirmed or completed pickup. The same idempotency key, which may be
// "", returns the same message.
func (s *Service) Send(ctx context.Context, userID, reservationID, text, key string) (ecobiddb.Message, error) {
	text, err := ecobid.Text("text", text, 1, ecobid.MaxMessage)
	if err != nil {
		return ecobiddb.Message{}, err
	}
	repeat := receipt.Request{By: userID, Key: key, Action: "message", Content: reservationID + " " + text}
	message, _, err := receipt.Once(ctx, s.env.Receipts, repeat, func() (ecobiddb.Message, error) { return s.send(ctx, userID, reservationID, text, repeat) })
	return message, err
}

func (s *Service) send(ctx context.Context, userID, reservationID, text string, repeat receipt.Request) (ecobiddb.Message, error) {
	r, err := s.load(ctx, userID, reservationID)
	if err == nil {
		err = s.together(ctx, userID, r)
	}
	if err != nil {
		return ecobiddb.Message{}, err
	}
	if err := s.env.Allow(ctx, ecobid.LimitMessages, userID); err != nil {
		return ecobiddb.Message{}, err
	}
	now := s.env.Now()
	message := ecobiddb.Message{
		ReservationID: reservationID, MessageID: access.NewULID(now), SenderID: userID, Text: text, CreatedAt: now, ExpiresAt: now.Add(ecobid.KeepCompleted),
	}
	told := detail(r)
	told.UserID, told.Deadline = userID, nil
	tx := s.env.DB.Tx()
	tx.SendMessage(ecobiddb.SendMessageParams{Message: message, ItemID: r.ItemID, ReceiverID: otherParty(r, userID)})
	if err := errors.Join(s.env.Emit(tx, ecobid.MessageSent, told), s.env.Receipts.Add(tx, repeat, message)); err != nil {
		return ecobiddb.Message{}, err
	}
	err = tx.Commit(ctx)
	switch {
	case ecobid.Changed[ecobiddb.Block](err):
		return ecobiddb.Message{}, ecobid.ErrNoReservation
	case ecobid.Changed[ecobiddb.Reservation](err):
		return ecobiddb.Message{}, ecobid.ErrState
	case err != nil:
		return ecobiddb.Message{}, fmt.Errorf("send a message: %w", err)
	}
	return message, nil
}

// Messages returns a page of the messages of a reservation, oldest first, to one of its parties.
func (s *Service) Messages(ctx context.Context, userID, reservationID string, limit int, cursor string) (access.Page[ecobiddb.Message], error) {
	r, err := s.load(ctx, userID, reservationID)
	if err == nil {
		err = s.together(ctx, userID, r)
	}
	if err != nil {
		return access.Page[ecobiddb.Message]{}, err
	}
	return listings.Page(ctx, s.env.DB.ListMessages(reservationID), limit, cursor)
}
