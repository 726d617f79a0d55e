// Package giving decides who gets an item that is given away, and leads a pickup to its end: it is
// the state machine of reservations. An item is given to the first who asks, to a queue, or to
// the winner of a lottery. The giver has 24 hours to answer; the exact address and the messages
// are open only after the giver has confirmed a time.
//
// Deadlines hold when data is read, so that a late background job changes nothing for people.
// Package auctions creates the reservations of winners through this package. The doors call it.
package giving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
)

// The kinds of jobs of this package.
const (
	jobLapse    = "reservation-lapse" // a deadline, a no-show or a pickup that one side confirmed
	jobReminder = "pickup-reminder"
	jobAdvance  = "reservation-advance" // the next person of a queue or a draw
)

// A Service manages reservations. It is safe for concurrent use.
type Service struct {
	env      *ecobid.Env
	listings *listings.Service
}

// New returns the service of an environment and registers its jobs.
func New(env *ecobid.Env, items *listings.Service) *Service {
	s := &Service{env: env, listings: items}
	env.Jobs.Handle(jobLapse, ecobid.LaneTimers, jobs.Policy{}, s.runLapse)
	env.Jobs.Handle(jobReminder, ecobid.LaneTimers, jobs.Policy{}, s.runReminder)
	env.Jobs.Handle(jobAdvance, ecobid.LaneTimers, jobs.Policy{}, s.runAdvance)
	env.Jobs.Handle(listings.JobDraw, ecobid.LaneTimers, jobs.Policy{}, s.runDraw)
	return s
}

// A Request holds the arguments of Reserve and Join.
type Request struct {
	UserID  string
	ItemID  string
	Message string
	// Key is the client's idempotency key; "" if there is none.
	Key string
}

// A Start describes a new reservation.
type Start struct {
	Item    ecobiddb.Item
	BuyerID string
	Message *string
	// Awaits is the side that has to act within the time.
	Awaits ecobiddb.ReservationAwaits
	Within time.Duration
	// AuctionID and Price are set for what was won in an auction.
	AuctionID *string
	Price     int64
}

// Begin returns a new reservation, and adds its deadline and its event to a transaction. The
// caller adds the write of the reservation itself.
func (s *Service) Begin(tx *ecobiddb.Tx, start Start) (ecobiddb.Reservation, error) {
	now := s.env.Now()
	r := ecobiddb.Reservation{
		ReservationID: access.NewULID(now), ItemID: start.Item.ItemID, Title: start.Item.Title, BuyerID: start.BuyerID, SellerID: start.Item.UserID,
		AuctionID: start.AuctionID, Price: start.Price, Status: ecobiddb.ReservationStatusPending, Awaits: start.Awaits, Message: start.Message,
		DeadlineAt: now.Add(start.Within), CreatedAt: now, UpdatedAt: now,
	}
	kind := ecobid.ReservationCreated
	if r.Awaits == ecobiddb.ReservationAwaitsBuyer {
		kind = ecobid.ReservationOffered
	}
	if err := s.lapseAt(tx, r, r.DeadlineAt); err != nil {
		return r, err
	}
	return r, s.env.Emit(tx, kind, detail(r))
}

// lapseAt adds a timer to a transaction that applies the passing of time to a reservation. A reservation
// has several timers, which may be due at the same time: the version that the transaction changes
// tells them apart, and no two transactions change the same one.
func (s *Service) lapseAt(tx *ecobiddb.Tx, r ecobiddb.Reservation, at time.Time) error {
	return s.env.Timer(tx, jobLapse, fmt.Sprint(r.ReservationID, "-", r.Version), at, ecobid.ReservationRef{ItemID: r.ItemID, ReservationID: r.ReservationID})
}

// detail returns what events tell about a reservation.
func detail(r ecobiddb.Reservation) ecobid.Detail {
	d := ecobid.Detail{
		ItemID: r.ItemID, Title: r.Title, ReservationID: r.ReservationID, BuyerID: r.BuyerID, SellerID: r.SellerID, Amount: r.Price, PickupTime: r.PickupTime,
	}
	if r.Status == ecobiddb.ReservationStatusPending {
		d.Deadline = &r.DeadlineAt
	}
	if r.AuctionID != nil {
		d.AuctionID = *r.AuctionID
	}
	return d
}

// Reserve reserves an item for the person who asks first. A repeated request with the same idempotency key returns the
// same reservation as it is now.
func (s *Service) Reserve(ctx context.Context, in Request) (ecobiddb.Reservation, error) {
	message, err := ecobid.Text("message", in.Message, 0, ecobid.MaxMessage)
	if err != nil {
		return ecobiddb.Reservation{}, err
	}
	repeat := receipt.Request{By: in.UserID, Key: in.Key, Action: "reserve", Content: in.ItemID + " " + message}
	r, repeated, err := receipt.Once(ctx, s.env.Receipts, repeat, func() (ecobiddb.Reservation, error) { return s.ask(ctx, in, ecobid.Optional(message), repeat) })
	if err != nil || !repeated {
		return r, err
	}
	return s.again(ctx, r)
}

// again returns the reservation of an earlier request as it is now. It reads by the primary key: the index may not have
// a reservation of a moment ago.
func (s *Service) again(ctx context.Context, r ecobiddb.Reservation) (ecobiddb.Reservation, error) {
	stored, err := s.env.DB.GetReservation(ctx, r.ItemID, r.ReservationID)
	if err != nil {
		return ecobiddb.Reservation{}, ecobid.Instead(err, ecobid.ErrNoReservation)
	}
	return s.View(stored), nil
}

// ask reserves an item, unless another person is faster.
func (s *Service) ask(ctx context.Context, in Request, message *string, repeat receipt.Request) (r ecobiddb.Reservation, err error) {
	if err := s.env.Allow(ctx, ecobid.LimitRequests, in.UserID); err != nil {
		return r, err
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		item, err := s.current(ctx, in.UserID, in.ItemID)
		if err == nil {
			err = reservable(item, in.UserID)
		}
		if err != nil {
			return false, err
		}
		r, err = s.reserve(ctx, item, in.UserID, message, repeat, func(r ecobiddb.Reservation) any { return r })
		return ecobid.Changed[ecobiddb.Item](err), err // read the item again to tell why
	})
	switch {
	case access.Contended(err) || ecobid.Changed[ecobiddb.Item](err):
		return ecobiddb.Reservation{}, ecobid.ErrReserved
	case errors.Is(err, ecobid.ErrBlocked):
		return ecobiddb.Reservation{}, ecobid.ErrNoItem
	}
	return r, err
}

// reservable returns the reason why a person cannot reserve an item.
func reservable(item ecobiddb.Item, userID string) error {
	switch {
	case item.UserID == userID:
		return ecobid.ErrOwnItem
	case item.Mode != ecobiddb.ItemModeFree || item.Allocation == ecobiddb.ItemAllocationLottery:
		return ecobid.ErrWrongMode
	case item.Status == ecobiddb.ItemStatusReserved || item.Allocation == ecobiddb.ItemAllocationQueue && item.EntryCount > 0:
		return ecobid.ErrReserved
	case item.Status != ecobiddb.ItemStatusAvailable:
		return ecobid.ErrUnavailable
	}
	return nil
}

// reserve writes a reservation, with the answer that is remembered for the request.
func (s *Service) reserve(ctx context.Context, item ecobiddb.Item, buyer string, message *string, repeat receipt.Request, answer func(ecobiddb.Reservation) any) (ecobiddb.Reservation, error) {
	tx := s.env.DB.Tx()
	r, err := s.Begin(tx, Start{Item: item, BuyerID: buyer, Message: message, Awaits: ecobiddb.ReservationAwaitsSeller, Within: ecobid.AnswerWithin})
	if err != nil {
		return r, err
	}
	tx.Reserve(ecobiddb.ReserveParams{Reservation: r, UpdatedAt: r.CreatedAt})
	if err := s.env.Receipts.Add(tx, repeat, answer(r)); err != nil {
		return r, err
	}
	return r, refusedTaker(tx.Commit(ctx))
}

// refusedTaker returns the refusal of a person who may not take an item; other errors as they are.
func refusedTaker(err error) error {
	if user := ecobid.Current[ecobiddb.User](err); user != nil {
		if user.Status != ecobiddb.UserStatusActive {
			return ecobid.ErrSuspended
		}
		return ecobid.ErrTooMany
	}
	if ecobid.Changed[ecobiddb.User](err) {
		return ecobid.ErrNoUser
	}
	if ecobid.Changed[ecobiddb.Block](err) {
		return ecobid.ErrBlocked
	}
	return err
}

// current returns an item as it is now: a reservation whose deadline has passed is ended first.
func (s *Service) current(ctx context.Context, viewer, itemID string) (ecobiddb.Item, error) {
	item, err := s.listings.Get(ctx, viewer, itemID)
	if err != nil || item.Status != ecobiddb.ItemStatusReserved || item.ActiveReservationID == nil {
		return item, err
	}
	r, err := s.env.DB.GetReservation(ctx, itemID, *item.ActiveReservationID)
	if err != nil {
		return item, fmt.Errorf("read the reservation of an item: %w", err)
	}
	lapsed, err := s.lapse(ctx, r)
	if err != nil || !lapsed {
		return item, err
	}
	return s.listings.Get(ctx, viewer, itemID)
}
