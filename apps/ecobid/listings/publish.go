package listings

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/draw"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
)

// An Offer says how an item is given away.
type Offer struct {
	Allocation ecobiddb.ItemAllocation // first come by default
	// EntryHours is the time in which people can enter a lottery; 6 by default.
	EntryHours int
}

// Check refuses an offer with which no item can be published.
func (o Offer) Check() error {
	_, err := o.checked()
	return err
}

// checked returns an offer with its defaults, or refuses it.
func (o Offer) checked() (Offer, error) {
	if o.Allocation == "" {
		o.Allocation = ecobiddb.ItemAllocationFirstCome
	}
	if err := ecobid.OneOf("allocation", o.Allocation, ecobiddb.ItemAllocationFirstCome, ecobiddb.ItemAllocationQueue, ecobiddb.ItemAllocationLottery); err != nil {
		return o, err
	}
	if o.EntryHours == 0 {
		o.EntryHours = ecobid.UsualEntry
	}
	if o.Allocation == ecobiddb.ItemAllocationLottery && (o.EntryHours < ecobid.MinEntryHours || o.EntryHours > ecobid.MaxEntryHours) {
		return o, refusal.OutOfRange("entryHours", "range", ecobid.MinEntryHours, ecobid.MaxEntryHours, "People can enter a lottery for %d to %d hours.", ecobid.MinEntryHours, ecobid.MaxEntryHours)
	}
	return o, nil
}

// JobDraw is the kind of the job that draws a lottery; package giving runs it.
const JobDraw = "lottery-draw"

// Publish brings a draft, or an item that has expired, into the feeds. Auctions begin in package
// auctions.
func (s *Service) Publish(ctx context.Context, userID, itemID string, offer Offer) (ecobiddb.Item, error) {
	offer, err := offer.checked()
	if err != nil {
		return ecobiddb.Item{}, err
	}
	item, err := s.Publishable(ctx, userID, itemID)
	if err != nil {
		return ecobiddb.Item{}, err
	}
	now := s.env.Now()
	tx := s.env.DB.Tx()
	params := ecobiddb.PublishItemParams{Allocation: offer.Allocation, UpdatedAt: now, UserID: userID}
	if offer.Allocation == ecobiddb.ItemAllocationLottery {
		closes := now.Add(time.Duration(offer.EntryHours) * time.Hour)
		params.ClosesAt, params.DrawCommitment = &closes, new(draw.Commitment(s.DrawSecret(itemID, now)))
		if err := s.env.Timer(tx, JobDraw, itemID+"-"+now.Format(time.RFC3339Nano), closes, itemID); err != nil {
			return ecobiddb.Item{}, err
		}
	}
	tx.PublishItem(item.Key(), now, params)
	item.Mode = ecobiddb.ItemModeFree
	if err := s.Announce(tx, item, now); err != nil {
		return ecobiddb.Item{}, err
	}
	if err := s.commit(ctx, tx); err != nil {
		return ecobiddb.Item{}, err
	}
	return s.Get(ctx, userID, itemID)
}

// Published returns an item of a person that a concurrent request has published. The error is ErrState if the item is
// still a draft. Callers that create and publish an item in one request ask it after ErrState, because the same request
// may have been sent twice.
func (s *Service) Published(ctx context.Context, userID, itemID string) (ecobiddb.Item, error) {
	item, err := s.Own(ctx, userID, itemID)
	switch {
	case err != nil:
		return ecobiddb.Item{}, err
	case item.Status == ecobiddb.ItemStatusDraft:
		return ecobiddb.Item{}, ecobid.ErrState
	}
	return item, nil
}

// dropEntries removes the places and tickets of an earlier time in the feeds.
func (s *Service) dropEntries(ctx context.Context, item ecobiddb.Item) error {
	if item.EntryCount == 0 {
		return nil
	}
	for entry, err := range s.env.DB.ListEntries(item.ItemID).All(ctx) {
		if err == nil {
			err = s.env.DB.DropEntry(ctx, ecobiddb.DropEntryParams{ItemID: item.ItemID, UserID: entry.UserID})
		}
		if err != nil && !access.Refused(err) {
			return fmt.Errorf("remove the entries of an item: %w", err)
		}
	}
	return nil
}

// DrawSecret returns the secret of a lottery that was published at a time. It is derived and not
// stored, so that it cannot be read before the draw.
func (s *Service) DrawSecret(itemID string, published time.Time) string {
	return s.env.Box.Hash("draw", itemID, published.UTC().Format(time.RFC3339Nano))
}

// Publishable returns an item of a person that can be published: a draft or an expired item with
// a photo, of a person who is not suspended.
func (s *Service) Publishable(ctx context.Context, userID, itemID string) (ecobiddb.Item, error) {
	item, err := s.Own(ctx, userID, itemID)
	if err != nil {
		return ecobiddb.Item{}, err
	}
	user, err := s.people.Get(ctx, userID)
	switch {
	case err != nil:
		return ecobiddb.Item{}, err
	case user.Status != ecobiddb.UserStatusActive:
		return ecobiddb.Item{}, ecobid.ErrSuspended
	case item.PhotoCount == 0:
		return ecobiddb.Item{}, ecobid.ErrNoPhotos
	case item.Status != ecobiddb.ItemStatusDraft && item.Status != ecobiddb.ItemStatusExpired:
		return ecobiddb.Item{}, ecobid.ErrState
	}
	return item, s.dropEntries(ctx, item)
}

// Announce adds the event of a published item to a transaction, and the end of its time in the
// feeds.
func (s *Service) Announce(tx *ecobiddb.Tx, item ecobiddb.Item, now time.Time) error {
	if item.Mode == ecobiddb.ItemModeFree {
		if err := s.expireLater(tx, item.ItemID, item.UserID, now); err != nil {
			return err
		}
	}
	return s.env.Emit(tx, ecobid.ItemCreated, ecobid.Detail{
		ItemID: item.ItemID, UserID: item.UserID, SellerID: item.UserID, Title: item.Title, Category: string(item.Category), Mode: string(item.Mode),
		City: item.City, Lat: &item.Lat, Lon: &item.Lon,
	})
}

// An expiry is the payload of the job that ends the time of an item in the feeds.
type expiry struct {
	ItemID, UserID string
	PublishedAt    time.Time
}

func (s *Service) expireLater(tx *ecobiddb.Tx, itemID, userID string, published time.Time) error {
	return s.env.Timer(tx, jobExpire, itemID+"-"+published.Format(time.RFC3339Nano), published.Add(ecobid.ListedFor), expiry{itemID, userID, published})
}

// runExpire takes an item out of the feeds that was published a month ago and not since.
func (s *Service) runExpire(ctx context.Context, job jobs.Job) error {
	e, err := jobs.Payload[expiry](job)
	if err != nil {
		return err
	}
	tx := s.env.DB.Tx()
	tx.ExpireItem(ecobiddb.ItemKey{ItemID: e.ItemID}, ecobiddb.ExpireItemParams{UpdatedAt: s.env.Now(), UserID: e.UserID, PublishedAt: e.PublishedAt})
	if err := s.env.Emit(tx, ecobid.ItemExpired, ecobid.Detail{ItemID: e.ItemID, UserID: e.UserID, SellerID: e.UserID}); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil && !ecobid.Changed[ecobiddb.Item](err) {
		return err
	}
	return nil // reserved, withdrawn or published again
}

// CanBump reports whether the owner can bring an item to the top of the feeds now.
func (s *Service) CanBump(item ecobiddb.Item) bool { return bumpable(item, s.env.Now()) == nil }

// bumpable returns the reason why an item cannot be brought to the top of the feeds.
func bumpable(item ecobiddb.Item, now time.Time) error {
	switch {
	case item.Status != ecobiddb.ItemStatusAvailable || item.Allocation == ecobiddb.ItemAllocationLottery || item.Mode != ecobiddb.ItemModeFree:
		return ecobid.ErrState // the secret of a lottery depends on the time
	case now.Sub(item.PublishedAt) < 24*time.Hour:
		refused := refusal.New(refusal.TooMany, "", "An item can be moved to the top once a day.")
		refused.Wait = item.PublishedAt.Add(24 * time.Hour).Sub(now)
		return refused
	}
	return nil
}

// Bump brings an item of a person to the top of the feeds, at most once a day.
func (s *Service) Bump(ctx context.Context, userID, itemID string) (ecobiddb.Item, error) {
	item, err := s.Own(ctx, userID, itemID)
	now := s.env.Now()
	if err == nil {
		err = bumpable(item, now)
	}
	if err != nil {
		return ecobiddb.Item{}, err
	}
	tx := s.env.DB.Tx()
	tx.BumpItem(item.Key(), now, ecobiddb.BumpItemParams{UpdatedAt: now, UserID: userID})
	if err := s.expireLater(tx, itemID, userID, now); err != nil {
		return ecobiddb.Item{}, err
	}
	if err := s.commit(ctx, tx); err != nil {
		return ecobiddb.Item{}, err
	}
	return s.Get(ctx, userID, itemID)
}

// Withdraw takes an item of a person back. It is refused while the item is reserved or in an
// auction.
func (s *Service) Withdraw(ctx context.Context, userID, itemID string) error {
	item, err := s.Own(ctx, userID, itemID)
	switch {
	case err != nil:
		return err
	case item.Status == ecobiddb.ItemStatusCancelled:
		return nil
	}
	now := s.env.Now()
	tx := s.env.DB.Tx()
	tx.WithdrawItem(item.Key(), ecobiddb.WithdrawItemParams{UpdatedAt: now, ExpiresAt: new(now.Add(ecobid.KeepCompleted)), UserID: userID})
	tx.DeletePlace(ecobiddb.PlaceKey{ItemID: itemID})
	err = errors.Join(
		s.env.Emit(tx, ecobid.ItemWithdrawn, ecobid.Detail{ItemID: itemID, UserID: userID, SellerID: userID, Title: item.Title}),
		s.PurgeLater(tx, item, now),
	)
	if err != nil {
		return err
	}
	return s.commit(ctx, tx)
}

// PurgeLater adds to a transaction that the photos of an item are deleted when the item is. The
// database deletes the item itself.
func (s *Service) PurgeLater(tx *ecobiddb.Tx, item ecobiddb.Item, now time.Time) error {
	ids := make([]string, len(item.Photos))
	for i, p := range item.Photos {
		ids[i] = p.FileID
	}
	return s.env.Timer(tx, jobPurge, item.ItemID, now.Add(ecobid.KeepCompleted), purge{item.ItemID, ids})
}

// A purge is the payload of the job that deletes the photos of an item.
type purge struct {
	ItemID string
	Photos []string
}

func (s *Service) runPurge(ctx context.Context, job jobs.Job) error {
	p, err := jobs.Payload[purge](job)
	if err != nil {
		return err
	}
	for _, id := range p.Photos {
		if err := s.deletePhoto(ctx, id); err != nil {
			return err
		}
	}
	if err := s.env.DB.DeletePlace(ctx, ecobiddb.PlaceKey{ItemID: p.ItemID}); err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("delete a place: %w", err)
	}
	return nil
}
