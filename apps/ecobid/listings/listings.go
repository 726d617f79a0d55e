// Package listings holds the items that people give away or sell: drafts, photos, publishing,
// editing, withdrawing and expiry. It is the only package that takes exact points: they go into a
// private row, and everything else about the location of an item is computed from its public
// point.
//
// The package allocates nothing: package giving and package auctions decide who gets an item. The
// doors call it.
package listings

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// The kinds of jobs of this package.
const (
	jobExpire       = "item-expire"
	jobForgetUpload = "upload-forget"
	jobPurge        = "item-purge"
)

// A Service manages items. It is safe for concurrent use.
type Service struct {
	env    *ecobid.Env
	people *people.Service
}

// New returns the service of an environment and registers its jobs.
func New(env *ecobid.Env, people *people.Service) *Service {
	s := &Service{env: env, people: people}
	env.Jobs.Handle(jobExpire, ecobid.LaneTimers, jobs.Policy{}, s.runExpire)
	env.Jobs.Handle(jobForgetUpload, ecobid.LaneTimers, jobs.Policy{}, s.runForgetUpload)
	env.Jobs.Handle(jobPurge, ecobid.LaneTimers, jobs.Policy{}, s.runPurge)
	return s
}

// Coarse and Fine are the precisions of public points. People in lonely places choose Coarse.
const (
	Fine   = 6
	Coarse = 5
)

// A Draft holds what a person says about an item.
type Draft struct {
	Title       string
	Description string
	Category    ecobiddb.ItemCategory
	Condition   ecobiddb.ItemCondition
	Photos      []string // ids of uploads
	WeightGrams int64    // 0 if unknown

	// Exact is where the item is picked up. It is never shown before a pickup is confirmed.
	Exact     geo.Point
	Address   *string // nil keeps the stored one, "" removes it
	Precision int     // Fine by default
	City      string
	Country   string
	// Key is the client's idempotency key for Create; "" if there is none.
	Key string
	// Request is the client's request as text, which Key stands for. With "" Key stands for the draft without its photos:
	// a form without scripts uploads them again.
	Request string
}

// fingerprint returns what a repeated request must have in common with the first one.
func (d Draft) fingerprint() string {
	if d.Request != "" {
		return d.Request
	}
	address := ""
	if d.Address != nil {
		address = *d.Address
	}
	return fmt.Sprintf("%q %q %s %s %v %d %q %q %s %d", d.Title, d.Description, d.Category, d.Condition, d.Exact, d.Precision, address, d.City, d.Country, d.WeightGrams)
}

// checked returns a draft as it is stored, or refuses it.
func checked(d Draft) (Draft, error) {
	var err error
	if d.Title, err = ecobid.Text("title", d.Title, ecobid.MinTitle, ecobid.MaxTitle); err != nil {
		return d, err
	}
	if d.Description, err = ecobid.Text("description", d.Description, 0, ecobid.MaxDescription); err != nil {
		return d, err
	}
	if d.Address != nil {
		address, err := ecobid.Text("address", *d.Address, 0, ecobid.MaxAddress)
		if err != nil {
			return d, err
		}
		d.Address = &address
	}
	if d.City, err = ecobid.Text("city", d.City, 1, ecobid.MaxCity); err != nil {
		return d, err
	}
	if err := ecobid.OneOf("category", d.Category, Categories...); err != nil {
		return d, err
	}
	if err := ecobid.OneOf("condition", d.Condition, Conditions...); err != nil {
		return d, err
	}
	if d.Precision == 0 {
		d.Precision = Fine
	}
	switch {
	case d.Precision != Fine && d.Precision != Coarse:
		return d, refusal.OutOfRange("precision", "range", Coarse, Fine, "Choose the precision %d or %d.", Coarse, Fine)
	case !d.Exact.Valid():
		return d, refusal.OfField(refusal.Field{Name: "location", Constraint: "range"}, "A latitude is from -90 to 90, a longitude from -180 to 180.")
	case d.WeightGrams < 0 || d.WeightGrams > ecobid.MaxWeightGrams:
		return d, refusal.OutOfRange("weightGrams", "range", 0, ecobid.MaxWeightGrams, "The weight is at most %d kg.", ecobid.MaxWeightGrams/1000)
	case len(d.Photos) > ecobid.MaxPhotos:
		return d, refusal.OutOfRange("photos", "count", 0, ecobid.MaxPhotos, "An item has at most %d photos.", ecobid.MaxPhotos)
	case repeated(d.Photos):
		return d, refusal.OfField(refusal.Field{Name: "photos", Constraint: "unique"}, "Each photo is used once.")
	case len(d.Country) != 2:
		return d, refusal.OfField(refusal.Field{Name: "country", Constraint: "format"}, "A country has two letters, such as PL.")
	}
	return d, nil
}

// Categories lists the categories in the order in which pages show them.
var Categories = []ecobiddb.ItemCategory{
	ecobiddb.ItemCategoryFurniture, ecobiddb.ItemCategoryElectronics, ecobiddb.ItemCategoryClothing, ecobiddb.ItemCategoryBooks,
	ecobiddb.ItemCategoryHome, ecobiddb.ItemCategoryKids, ecobiddb.ItemCategorySports, ecobiddb.ItemCategoryOther,
}

// Conditions lists the conditions of items, the best first.
var Conditions = []ecobiddb.ItemCondition{
	ecobiddb.ItemConditionAsNew, ecobiddb.ItemConditionGood, ecobiddb.ItemConditionWorn, ecobiddb.ItemConditionBroken,
}

// Create stores a draft. A repeated request with the same idempotency key returns the same item as it is now.
func (s *Service) Create(ctx context.Context, userID string, d Draft) (ecobiddb.Item, error) {
	d, err := checked(d)
	if err != nil {
		return ecobiddb.Item{}, err
	}
	repeat := receipt.Request{By: userID, Key: d.Key, Action: "create", Content: d.fingerprint()}
	var created ecobiddb.Item
	itemID, repeated, err := receipt.Once(ctx, s.env.Receipts, repeat, func() (string, error) {
		created, err = s.create(ctx, userID, d, repeat)
		return created.ItemID, err
	})
	if err != nil || !repeated {
		return created, err
	}
	return s.Get(ctx, userID, itemID)
}

func (s *Service) create(ctx context.Context, userID string, d Draft, repeat receipt.Request) (ecobiddb.Item, error) {
	user, err := s.people.Get(ctx, userID)
	switch {
	case err != nil:
		return ecobiddb.Item{}, err
	case user.Status != ecobiddb.UserStatusActive:
		return ecobiddb.Item{}, ecobid.ErrSuspended
	}
	if err := s.env.Allow(ctx, ecobid.LimitItems, userID); err != nil {
		return ecobiddb.Item{}, err
	}
	now := s.env.Now()
	item := ecobiddb.Item{
		ItemID: access.NewULID(now), UserID: userID, Status: ecobiddb.ItemStatusDraft, Mode: ecobiddb.ItemModeFree,
		Allocation: ecobiddb.ItemAllocationFirstCome, Currency: user.Currency, CreatedAt: now, PublishedAt: now, UpdatedAt: now,
	}
	place := s.describe(&item, d)
	tx := s.env.DB.Tx()
	if err := s.usePhotos(ctx, tx, &item, d.Photos); err != nil {
		return ecobiddb.Item{}, err
	}
	tx.CreateDraft(ecobiddb.CreateDraftParams{Item: item, Place: place})
	if err := s.env.Receipts.Add(tx, repeat, item.ItemID); err != nil {
		return ecobiddb.Item{}, err
	}
	return item, s.commit(ctx, tx)
}

// describe sets what a draft says in an item, and returns its private place.
func (s *Service) describe(item *ecobiddb.Item, d Draft) ecobiddb.Place {
	public := geo.Public(d.Exact, d.Precision)
	item.Title, item.Description, item.Category, item.Condition = d.Title, d.Description, d.Category, d.Condition
	item.Lat, item.Lon = public.Lat, public.Lon
	item.Geohash, item.G5, item.G4 = geo.IndexCell(public, 6), geo.IndexCell(public, 5), geo.IndexCell(public, 4)
	item.City, item.Country = d.City, d.Country
	item.WeightGrams = nil
	if d.WeightGrams > 0 {
		item.WeightGrams = &d.WeightGrams
	}
	place := ecobiddb.Place{ItemID: item.ItemID, UserID: item.UserID, Point: ecobid.PointText(d.Exact.Normal()), UpdatedAt: s.env.Now()}
	if d.Address != nil {
		place.Address = ecobid.Optional(*d.Address)
	}
	return place
}

// commit commits a transaction that uses photos.
func (s *Service) commit(ctx context.Context, tx *ecobiddb.Tx) error {
	err := tx.Commit(ctx)
	switch {
	case ecobid.Changed[ecobiddb.Upload](err):
		return ecobid.ErrNoPhoto
	case ecobid.Changed[ecobiddb.Item](err):
		return ecobid.ErrState
	case err != nil:
		return fmt.Errorf("write an item: %w", err)
	}
	return nil
}

// changeable returns ErrBidsPlaced for an item on which people have bid: they bid on what they saw.
func (s *Service) changeable(ctx context.Context, item ecobiddb.Item) error {
	if item.LiveAuctionID == nil {
		return nil
	}
	auction, err := s.env.DB.GetAuction(ctx, *item.LiveAuctionID)
	switch {
	case err != nil:
		return fmt.Errorf("read the auction of an item: %w", err)
	case auction.BidCount > 0:
		return ecobid.ErrBidsPlaced
	}
	return nil
}

// keep sets in the place of an edited item what the edit does not change: the address that a draft leaves out, and the
// point of an item that is visible.
func (s *Service) keep(ctx context.Context, place *ecobiddb.Place, d Draft, visible bool) error {
	if d.Address != nil && !visible {
		return nil
	}
	stored, err := s.ExactPlace(ctx, place.ItemID)
	switch {
	case errors.Is(err, ecobid.ErrNoPlace) && !visible:
		return nil
	case err != nil:
		return err
	}
	if d.Address == nil {
		place.Address = ecobid.Optional(stored.Address)
	}
	if visible {
		place.Point = ecobid.PointText(stored.Point)
	}
	return nil
}

// Edit changes an item of a person. An address that the draft leaves out stays. While people can see the item, its location
// stays and only its address changes; an item with bids stays as it is.
func (s *Service) Edit(ctx context.Context, userID, itemID string, d Draft) (ecobiddb.Item, error) {
	d, err := checked(d)
	if err != nil {
		return ecobiddb.Item{}, err
	}
	item, err := s.Own(ctx, userID, itemID)
	if err != nil {
		return ecobiddb.Item{}, err
	}
	if err := s.changeable(ctx, item); err != nil {
		return ecobiddb.Item{}, err
	}
	city := item.City
	place := s.describe(&item, d)
	item.UpdatedAt = s.env.Now()
	tx := s.env.DB.Tx()
	if err := s.usePhotos(ctx, tx, &item, d.Photos); err != nil {
		return ecobiddb.Item{}, err
	}
	visible := item.Status == ecobiddb.ItemStatusAvailable
	switch {
	case !visible && item.Status != ecobiddb.ItemStatusDraft:
		return ecobiddb.Item{}, ecobid.ErrState
	case visible && item.PhotoCount == 0:
		return ecobiddb.Item{}, ecobid.ErrNoPhotos
	}
	if err := s.keep(ctx, &place, d, visible); err != nil {
		return ecobiddb.Item{}, err
	}
	if visible {
		tx.EditItem(ecobiddb.EditItemParams{
			Place: place, Title: item.Title, Description: item.Description, Category: item.Category, City: city, Condition: item.Condition,
			Photos: item.Photos, PhotoCount: item.PhotoCount, Thumbnail: item.Thumbnail, WeightGrams: item.WeightGrams, UpdatedAt: item.UpdatedAt,
		})
	} else {
		tx.EditDraft(ecobiddb.EditDraftParams{
			Place: place, Title: item.Title, Description: item.Description, Category: item.Category, Condition: item.Condition,
			Mode: item.Mode, Allocation: item.Allocation, Photos: item.Photos, PhotoCount: item.PhotoCount, Thumbnail: item.Thumbnail,
			Lat: item.Lat, Lon: item.Lon, G4: item.G4, G5: item.G5, Geohash: item.Geohash, City: item.City, Country: item.Country,
			WeightGrams: item.WeightGrams, UpdatedAt: item.UpdatedAt,
		})
	}
	if err := s.commit(ctx, tx); err != nil {
		return ecobiddb.Item{}, err
	}
	return s.Get(ctx, userID, itemID)
}
