package listings

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/internal/refusal"
)

// Get returns an item as a viewer may see it. Drafts, withdrawn and removed items are visible to
// their owner only, and no item is visible if the owner or the viewer has blocked the other; viewer
// is "" for people who are not signed in.
func (s *Service) Get(ctx context.Context, viewer, itemID string) (ecobiddb.Item, error) {
	item, err := s.env.DB.GetItem(ctx, itemID)
	if err != nil {
		return ecobiddb.Item{}, ecobid.Instead(err, ecobid.ErrNoItem)
	}
	switch item.Status {
	case ecobiddb.ItemStatusDraft, ecobiddb.ItemStatusCancelled, ecobiddb.ItemStatusRemoved:
		if item.UserID != viewer {
			return ecobiddb.Item{}, ecobid.ErrNoItem
		}
	}
	if item.ExpiresAt != nil && !item.ExpiresAt.After(s.env.Now()) {
		return ecobiddb.Item{}, ecobid.ErrNoItem // the database deletes it soon
	}
	apart, err := s.env.Apart(ctx, viewer, item.UserID)
	switch {
	case err != nil:
		return ecobiddb.Item{}, err
	case apart:
		return ecobiddb.Item{}, ecobid.ErrNoItem
	}
	return item, nil
}

// Own returns an item of a person.
func (s *Service) Own(ctx context.Context, userID, itemID string) (ecobiddb.Item, error) {
	item, err := s.Get(ctx, userID, itemID)
	switch {
	case err != nil:
		return ecobiddb.Item{}, err
	case item.UserID != userID:
		return ecobiddb.Item{}, ecobid.ErrNotYours
	}
	return item, nil
}

// Mine returns a page of a person's items in all states, newest first.
func (s *Service) Mine(ctx context.Context, userID string, limit int, cursor string) (access.Page[ecobiddb.Item], error) {
	return Page(ctx, s.env.DB.ListItemsByUser(userID), limit, cursor)
}

// Offered returns the latest items of a person that others can have, newest first, to a viewer who may see the person.
func (s *Service) Offered(ctx context.Context, viewer, userID string) ([]ecobiddb.Item, error) {
	if _, err := s.people.Public(ctx, viewer, userID); err != nil {
		return nil, err
	}
	page, err := Page(ctx, s.env.DB.ListItemsByUser(userID), ecobid.MaxPage, "")
	return slices.DeleteFunc(page.Items, func(i ecobiddb.Item) bool { return i.Status != ecobiddb.ItemStatusAvailable }), err
}

// InCity returns a page of the available items of a category in a city, newest first. It leaves out the
// items of people whom the viewer does not see, so that a page may be short.
func (s *Service) InCity(ctx context.Context, viewer string, category ecobiddb.ItemCategory, city string, limit int, cursor string) (access.Page[ecobiddb.ItemCard], error) {
	if err := ecobid.OneOf("category", category, Categories...); err != nil {
		return access.Page[ecobiddb.ItemCard]{}, err
	}
	city, err := ecobid.Text("city", city, 1, ecobid.MaxCity)
	if err != nil {
		return access.Page[ecobiddb.ItemCard]{}, err
	}
	hidden, err := s.env.Hidden(ctx, viewer)
	if err != nil {
		return access.Page[ecobiddb.ItemCard]{}, err
	}
	page, err := Page(ctx, s.env.DB.ListCategoryInCity(category, city), limit, cursor)
	page.Items = slices.DeleteFunc(page.Items, func(i ecobiddb.ItemCard) bool { return hidden[i.UserID] })
	return page, err
}

// Page reads a page of a list. A limit of 0 means the default.
func Page[T any](ctx context.Context, list access.List[T], limit int, cursor string) (access.Page[T], error) {
	if limit == 0 {
		limit = ecobid.DefaultPage
	}
	if limit < 1 || limit > ecobid.MaxPage {
		return access.Page[T]{}, refusal.OutOfRange("limit", "range", 1, ecobid.MaxPage, "A page has 1 to %d entries.", ecobid.MaxPage)
	}
	page, err := list.PageSize(limit).Page(ctx, cursor)
	switch {
	case errors.Is(err, access.ErrBadCursor):
		return access.Page[T]{}, refusal.BadCursor()
	case err != nil:
		return access.Page[T]{}, fmt.Errorf("read a page: %w", err)
	}
	return page, nil
}

// A Place is the exact place of an item.
type Place struct {
	Point   geo.Point
	Address string
}

// ExactPlace returns the exact place of an item. Callers decide who may see it: package giving
// for the counterpart of a pickup, and OwnPlace for the owner.
func (s *Service) ExactPlace(ctx context.Context, itemID string) (Place, error) {
	stored, err := s.env.DB.GetPlace(ctx, itemID)
	if errors.Is(err, access.ErrNotFound) || err == nil && stored.ExpiresAt != nil && !stored.ExpiresAt.After(s.env.Now()) {
		return Place{}, ecobid.ErrNoPlace
	}
	if err != nil {
		return Place{}, fmt.Errorf("read a place: %w", err)
	}
	point, err := ecobid.ParsePoint(stored.Point)
	if err != nil {
		return Place{}, err
	}
	place := Place{Point: point}
	if stored.Address != nil {
		place.Address = *stored.Address
	}
	return place, nil
}

// OwnPlace returns the exact place of an item to its owner.
func (s *Service) OwnPlace(ctx context.Context, userID, itemID string) (Place, error) {
	if _, err := s.Own(ctx, userID, itemID); err != nil {
		return Place{}, err
	}
	return s.ExactPlace(ctx, itemID)
}
