package giving

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/draw"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
)

// A Joined says what a person got by joining: the item itself if no other person waits, or a
// place in the queue or a ticket.
type Joined struct {
	Reservation *ecobiddb.Reservation
	Entry       *ecobiddb.Entry
	// Position is the place in the queue, from 1; 0 for a ticket.
	Position int
}

// Join joins the queue or the lottery of an item. A repeated request with the same idempotency key returns the same
// reservation, or the position in the queue, as they are now.
func (s *Service) Join(ctx context.Context, in Request) (Joined, error) {
	message, err := ecobid.Text("message", in.Message, 0, ecobid.MaxMessage)
	if err != nil {
		return Joined{}, err
	}
	repeat := receipt.Request{By: in.UserID, Key: in.Key, Action: "join", Content: in.ItemID + " " + message}
	joined, repeated, err := receipt.Once(ctx, s.env.Receipts, repeat, func() (Joined, error) { return s.join(ctx, in, ecobid.Optional(message), repeat) })
	switch {
	case err != nil:
		return joined, err
	case joined.Entry != nil:
		joined.Position, err = s.Position(ctx, in.UserID, in.ItemID)
		if errors.Is(err, ecobid.ErrNoItem) { // withdrawn after the first request: there is no position any more
			err = nil
		}
	case repeated:
		*joined.Reservation, err = s.again(ctx, *joined.Reservation)
	}
	return joined, err
}

func (s *Service) join(ctx context.Context, in Request, message *string, repeat receipt.Request) (Joined, error) {
	if err := s.env.Allow(ctx, ecobid.LimitRequests, in.UserID); err != nil {
		return Joined{}, err
	}
	var joined Joined
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		item, err := s.current(ctx, in.UserID, in.ItemID)
		if err == nil {
			err = s.joinable(ctx, item, in.UserID)
		}
		if err != nil {
			return false, err
		}
		if item.Allocation == ecobiddb.ItemAllocationQueue && item.Status == ecobiddb.ItemStatusAvailable && item.EntryCount == 0 {
			r, err := s.reserve(ctx, item, in.UserID, message, repeat, func(r ecobiddb.Reservation) any { return Joined{Reservation: &r} })
			joined = Joined{Reservation: &r}
			return ecobid.Changed[ecobiddb.Item](err), err
		}
		entry, err := s.enter(ctx, item, in.UserID, message, repeat)
		joined = Joined{Entry: &entry}
		return ecobid.Changed[ecobiddb.Item](err), err
	})
	switch {
	case ecobid.Changed[ecobiddb.Item](err):
		return Joined{}, ecobid.ErrUnavailable
	case errors.Is(err, ecobid.ErrBlocked):
		return Joined{}, ecobid.ErrNoItem
	}
	return joined, err
}

// joinable returns the reason why a person cannot join.
func (s *Service) joinable(ctx context.Context, item ecobiddb.Item, userID string) error {
	switch {
	case item.UserID == userID:
		return ecobid.ErrOwnItem
	case item.Mode != ecobiddb.ItemModeFree || item.Allocation == ecobiddb.ItemAllocationFirstCome:
		return ecobid.ErrWrongMode
	case item.EntryCount >= ecobid.MaxEntries:
		return ecobid.ErrUnavailable
	}
	if item.Allocation == ecobiddb.ItemAllocationLottery {
		if item.DrawSecret != nil || item.ClosesAt == nil || !item.ClosesAt.After(s.env.Now()) {
			return ecobid.ErrClosed
		}
	} else if item.Status == ecobiddb.ItemStatusReserved && item.ActiveReservationID != nil {
		r, err := s.env.DB.GetReservation(ctx, item.ItemID, *item.ActiveReservationID)
		if err != nil {
			return fmt.Errorf("read the reservation of an item: %w", err)
		}
		if r.BuyerID == userID {
			return ecobid.ErrJoined
		}
	}
	if item.Status != ecobiddb.ItemStatusAvailable && item.Status != ecobiddb.ItemStatusReserved {
		return ecobid.ErrUnavailable
	}
	return nil
}

func (s *Service) enter(ctx context.Context, item ecobiddb.Item, userID string, message *string, repeat receipt.Request) (ecobiddb.Entry, error) {
	now := s.env.Now()
	entry := ecobiddb.Entry{
		ItemID: item.ItemID, EntryID: access.NewULID(now), UserID: userID, Message: message, CreatedAt: now, ExpiresAt: now.Add(ecobid.KeepCompleted),
	}
	tx := s.env.DB.Tx()
	if item.Allocation == ecobiddb.ItemAllocationLottery {
		tx.JoinLottery(ecobiddb.JoinLotteryParams{Entry: entry, SellerID: item.UserID, Now: now})
	} else {
		tx.JoinQueue(ecobiddb.JoinQueueParams{Entry: entry, SellerID: item.UserID})
	}
	if err := s.env.Receipts.Add(tx, repeat, Joined{Entry: &entry}); err != nil {
		return entry, err
	}
	err := tx.Commit(ctx)
	if ecobid.Changed[ecobiddb.Entry](err) {
		return entry, ecobid.ErrJoined
	}
	return entry, refusedTaker(err)
}

// Leave gives up a place in a queue, or a ticket before the draw.
func (s *Service) Leave(ctx context.Context, userID, itemID string) error {
	tx := s.env.DB.Tx()
	tx.LeaveItem(ecobiddb.LeaveItemParams{ItemID: itemID, UserID: userID})
	err := tx.Commit(ctx)
	item := ecobid.Current[ecobiddb.Item](err)
	switch {
	case item != nil && item.DrawSecret != nil:
		apart, err := s.env.Apart(ctx, userID, item.UserID)
		if err != nil || apart { // to a person who may not see the item there is nothing to leave
			return err
		}
		return ecobid.ErrClosed
	case err != nil && !access.Refused(err): // without a place there is nothing to leave
		return fmt.Errorf("leave an item: %w", err)
	}
	return nil
}

// Position returns a person's place in the queue of an item, from 1; 0 without a place, and for
// lotteries.
func (s *Service) Position(ctx context.Context, userID, itemID string) (int, error) {
	item, err := s.listings.Get(ctx, userID, itemID)
	if err != nil || item.Allocation != ecobiddb.ItemAllocationQueue {
		return 0, err
	}
	position := 0
	for entry, err := range s.env.DB.ListEntries(itemID).All(ctx) {
		if err != nil {
			return 0, fmt.Errorf("read a queue: %w", err)
		}
		position++
		if entry.UserID == userID {
			return position, nil
		}
	}
	return 0, nil
}

// Entries returns a page of the queues and lotteries that a person has joined, newest first.
func (s *Service) Entries(ctx context.Context, userID string) ([]ecobiddb.Entry, error) {
	return s.env.DB.ListEntriesByUser(userID).Slice(ctx)
}

func (s *Service) runAdvance(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[ecobid.ReservationRef](job)
	if err != nil {
		return err
	}
	return s.Advance(ctx, ref.ItemID)
}

// Advance offers an available item to the next person of its queue, or to the next winner of its
// draw. It does nothing if the item has neither.
func (s *Service) Advance(ctx context.Context, itemID string) error {
	item, err := s.env.DB.GetItem(ctx, itemID)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil
	case err != nil:
		return err
	case item.Status != ecobiddb.ItemStatusAvailable || item.Mode != ecobiddb.ItemModeFree:
		return nil
	case item.Allocation == ecobiddb.ItemAllocationQueue:
		return s.advanceQueue(ctx, item)
	case item.Allocation == ecobiddb.ItemAllocationLottery && item.DrawSecret != nil:
		return s.advanceDraw(ctx, item)
	}
	return nil
}

func (s *Service) advanceQueue(ctx context.Context, item ecobiddb.Item) error {
	entries, err := s.env.DB.ListEntries(item.ItemID).Slice(ctx)
	if err != nil {
		return fmt.Errorf("read a queue: %w", err)
	}
	for _, entry := range entries {
		tx := s.env.DB.Tx()
		r, err := s.Begin(tx, Start{Item: item, BuyerID: entry.UserID, Message: entry.Message, Awaits: ecobiddb.ReservationAwaitsBuyer, Within: ecobid.QueueHold})
		if err != nil {
			return err
		}
		tx.ReserveQueued(ecobiddb.ReserveQueuedParams{Reservation: r, UpdatedAt: r.CreatedAt})
		err = refusedTaker(tx.Commit(ctx))
		switch {
		case passedOver(err):
			if err := s.drop(ctx, item.ItemID, entry.UserID); err != nil {
				return err
			}
		case ecobid.Changed[ecobiddb.Entry](err): // left meanwhile
		case ecobid.Changed[ecobiddb.Item](err):
			return nil // given to another person meanwhile
		default:
			return err
		}
	}
	return nil
}

// passedOver reports whether a person may not have an item, so that the next one gets it.
func passedOver(err error) bool {
	return errors.Is(err, ecobid.ErrTooMany) || errors.Is(err, ecobid.ErrSuspended) || errors.Is(err, ecobid.ErrBlocked) || errors.Is(err, ecobid.ErrNoUser)
}

// drop removes a person from a queue.
func (s *Service) drop(ctx context.Context, itemID, userID string) error {
	err := s.env.DB.DropEntry(ctx, ecobiddb.DropEntryParams{ItemID: itemID, UserID: userID})
	if err != nil && !access.Refused(err) && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("remove a person from a queue: %w", err)
	}
	return nil
}

// runDraw draws a lottery whose entry window has closed.
func (s *Service) runDraw(ctx context.Context, job jobs.Job) error {
	itemID, err := jobs.Payload[string](job)
	if err != nil {
		return err
	}
	return s.DrawLottery(ctx, itemID)
}

// DrawLottery draws the winner of a lottery whose entry window has closed, publishes the secret
// of the draw, and offers the item to the winner. Without entrants, the item is given to the
// first who asks.
func (s *Service) DrawLottery(ctx context.Context, itemID string) error {
	item, err := s.env.DB.GetItem(ctx, itemID)
	now := s.env.Now()
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil
	case err != nil:
		return err
	case item.Status != ecobiddb.ItemStatusAvailable || item.Allocation != ecobiddb.ItemAllocationLottery || item.ClosesAt == nil || item.ClosesAt.After(now):
		return nil
	case item.DrawSecret != nil:
		return s.Advance(ctx, itemID)
	case item.EntryCount == 0:
		return s.openToAll(ctx, item)
	}
	secret := s.listings.DrawSecret(itemID, item.PublishedAt)
	if item.DrawCommitment == nil || draw.Commitment(secret) != *item.DrawCommitment {
		return jobs.Final(fmt.Errorf("the secret of the lottery of item %s is not the one that was committed to", itemID))
	}
	entrants, err := s.entrants(ctx, itemID)
	if err != nil {
		return err
	}
	told := ecobid.Detail{ItemID: itemID, Title: item.Title, SellerID: item.UserID}
	if order := draw.Order(secret, itemID, entrants); len(order) > 0 {
		told.WinnerID = order[0]
	}
	tx := s.env.DB.Tx()
	tx.RecordDraw(item.Key(), ecobiddb.RecordDrawParams{DrawSecret: &secret, UpdatedAt: now, Now: now})
	if err := s.env.Emit(tx, ecobid.LotteryDrawn, told); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil && !ecobid.Changed[ecobiddb.Item](err) {
		return err
	}
	return s.Advance(ctx, itemID)
}

func (s *Service) openToAll(ctx context.Context, item ecobiddb.Item) error {
	now := s.env.Now()
	_, err := s.env.DB.OpenToAll(ctx, item.Key(), ecobiddb.OpenToAllParams{UpdatedAt: now, Now: now})
	if err != nil && !ecobid.Changed[ecobiddb.Item](err) {
		return fmt.Errorf("open a lottery to all: %w", err)
	}
	return nil
}

// advanceDraw offers an item to the next person in the order of its draw who has not had the
// offer.
func (s *Service) advanceDraw(ctx context.Context, item ecobiddb.Item) error {
	drawn, err := s.drawn(ctx, item)
	if err != nil {
		return err
	}
	had := map[string]bool{}
	for r, err := range s.env.DB.ListReservationsByItem(item.ItemID).Limit(0).All(ctx) {
		if err != nil {
			return fmt.Errorf("read the reservations of an item: %w", err)
		}
		had[r.BuyerID] = had[r.BuyerID] || !r.CreatedAt.Before(item.PublishedAt)
	}
	for _, userID := range drawn.Order {
		if had[userID] {
			continue
		}
		tx := s.env.DB.Tx()
		r, err := s.Begin(tx, Start{Item: item, BuyerID: userID, Awaits: ecobiddb.ReservationAwaitsBuyer, Within: ecobid.AnswerWithin})
		if err != nil {
			return err
		}
		tx.ReserveDrawn(ecobiddb.ReserveDrawnParams{Reservation: r, UpdatedAt: r.CreatedAt})
		err = refusedTaker(tx.Commit(ctx))
		switch {
		case passedOver(err), ecobid.Changed[ecobiddb.Entry](err):
			continue
		case ecobid.Changed[ecobiddb.Item](err):
			return nil
		}
		return err
	}
	return s.openToAll(ctx, item)
}

// A Drawn is a published draw. Package draw verifies it.
type Drawn struct {
	Commitment string
	Secret     string
	Entrants   []string // ids, sorted
	Order      []string // ids in the order in which they win
}

// Draw returns the draw of a lottery that has closed, for every reader to verify. The error is
// ErrState before the draw.
func (s *Service) Draw(ctx context.Context, viewer, itemID string) (Drawn, error) {
	item, err := s.listings.Get(ctx, viewer, itemID)
	if err != nil {
		return Drawn{}, err
	}
	return s.drawn(ctx, item)
}

func (s *Service) drawn(ctx context.Context, item ecobiddb.Item) (Drawn, error) {
	if item.DrawSecret == nil || item.DrawCommitment == nil {
		return Drawn{}, ecobid.ErrState
	}
	drawn := Drawn{Commitment: *item.DrawCommitment, Secret: *item.DrawSecret}
	var err error
	if drawn.Entrants, err = s.entrants(ctx, item.ItemID); err != nil {
		return Drawn{}, err
	}
	drawn.Order = draw.Order(drawn.Secret, item.ItemID, drawn.Entrants)
	return drawn, nil
}

// entrants returns the ids of those who have joined an item, sorted.
func (s *Service) entrants(ctx context.Context, itemID string) (ids []string, err error) {
	for entry, err := range s.env.DB.ListEntries(itemID).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("read the entrants of a lottery: %w", err)
		}
		ids = append(ids, entry.UserID)
	}
	slices.Sort(ids)
	return ids, nil
}
