package trust

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/refusal"
)

// AddFavourite remembers an item for a person.
func (s *Service) AddFavourite(ctx context.Context, userID, itemID string) error {
	item, err := s.listings.Get(ctx, userID, itemID)
	if err != nil {
		return err
	}
	count, err := s.env.DB.ListFavourites(userID).Count(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("count favourites: %w", err)
	case count >= ecobid.MaxFavourites:
		return refusal.New(refusal.Conflict, "", "You have %d favourites. Remove one first.", ecobid.MaxFavourites)
	}
	if _, err := s.env.DB.AddFavourite(ctx, ecobiddb.Favourite{UserID: userID, ItemID: itemID, Title: item.Title, CreatedAt: s.env.Now()}); err != nil {
		return fmt.Errorf("store a favourite: %w", err)
	}
	return nil
}

// RemoveFavourite forgets an item for a person.
func (s *Service) RemoveFavourite(ctx context.Context, userID, itemID string) error {
	err := s.env.DB.RemoveFavourite(ctx, ecobiddb.FavouriteKey{UserID: userID, ItemID: itemID})
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("remove a favourite: %w", err)
	}
	return nil
}

// IsFavourite reports whether a person has remembered an item.
func (s *Service) IsFavourite(ctx context.Context, userID, itemID string) (bool, error) {
	_, err := s.env.DB.GetFavourite(ctx, userID, itemID)
	if errors.Is(err, access.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Favourites returns the favourites of a person. Those whose item is over stay, with the title.
func (s *Service) Favourites(ctx context.Context, userID string) ([]ecobiddb.Favourite, error) {
	return s.env.DB.ListFavourites(userID).Slice(ctx)
}

// A Search is a saved search.
type Search struct {
	Words    string
	Category ecobiddb.SavedSearchCategory // any by default
	// Around is the centre of the search. Only the centre of its cell is stored.
	Around geo.Point
	Radius int // kilometres, one of ecobid.Radii
	Paused bool
}

var searchCategories = func() []ecobiddb.SavedSearchCategory {
	all := []ecobiddb.SavedSearchCategory{ecobiddb.SavedSearchCategoryAny}
	for _, c := range listings.Categories {
		all = append(all, ecobiddb.SavedSearchCategory(c))
	}
	return all
}()

// SaveSearch stores a search of a person, who is told about new items that match it. An id of ""
// is a new search.
func (s *Service) SaveSearch(ctx context.Context, userID, searchID string, in Search) (ecobiddb.SavedSearch, error) {
	words, err := ecobid.Text("words", in.Words, 0, ecobid.MaxWords)
	if err != nil {
		return ecobiddb.SavedSearch{}, err
	}
	if in.Category == "" {
		in.Category = ecobiddb.SavedSearchCategoryAny
	}
	if err := ecobid.OneOf("category", in.Category, searchCategories...); err != nil {
		return ecobiddb.SavedSearch{}, err
	}
	switch {
	case !in.Around.Valid():
		return ecobiddb.SavedSearch{}, refusal.OfField(refusal.Field{Name: "location", Constraint: "range"}, "A latitude is from -90 to 90, a longitude from -180 to 180.")
	case !slices.Contains(ecobid.Radii, in.Radius):
		return ecobiddb.SavedSearch{}, refusal.OfField(refusal.Field{Name: "radius", Constraint: "allowed", Allowed: []string{"1", "5", "10", "25"}}, "Choose a radius of 1, 5, 10 or 25 km.")
	}
	now := s.env.Now()
	around := geo.Public(in.Around, listings.Fine)
	search := ecobiddb.SavedSearch{
		UserID: userID, SearchID: searchID, Words: ecobid.Optional(words), Category: in.Category, Lat: around.Lat, Lon: around.Lon, RadiusKm: int64(in.Radius),
		G4: geo.IndexCell(around, 4), Active: !in.Paused, CreatedAt: now, UpdatedAt: now,
	}
	if searchID != "" {
		changed, err := s.env.DB.ChangeSearch(ctx, search.Key(), search.Category, search.G4, search.Active, ecobiddb.ChangeSearchParams{
			Words: search.Words, Lat: search.Lat, Lon: search.Lon, RadiusKm: search.RadiusKm, UpdatedAt: now,
		})
		return changed, ecobid.Instead(err, refusal.New(refusal.NotFound, "SEARCH_NOT_FOUND", "There is no such saved search."))
	}
	count, err := s.env.DB.ListSearches(userID).Count(ctx)
	switch {
	case err != nil:
		return ecobiddb.SavedSearch{}, fmt.Errorf("count searches: %w", err)
	case count >= ecobid.MaxSearches:
		return ecobiddb.SavedSearch{}, refusal.New(refusal.Conflict, "", "You have %d saved searches. Delete one first.", ecobid.MaxSearches)
	}
	search.SearchID = access.NewULID(now)
	return s.env.DB.SaveSearch(ctx, search)
}

// Searches returns the saved searches of a person.
func (s *Service) Searches(ctx context.Context, userID string) ([]ecobiddb.SavedSearch, error) {
	return s.env.DB.ListSearches(userID).Slice(ctx)
}

// DeleteSearch deletes a saved search of a person.
func (s *Service) DeleteSearch(ctx context.Context, userID, searchID string) error {
	err := s.env.DB.DeleteSearch(ctx, ecobiddb.SavedSearchKey{UserID: userID, SearchID: searchID})
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("delete a search: %w", err)
	}
	return nil
}

// Waiting returns the people whose saved searches match a new item, without its owner.
func (s *Service) Waiting(ctx context.Context, d ecobid.Detail) ([]string, error) {
	if d.Lat == nil || d.Lon == nil {
		return nil, nil
	}
	at := geo.Point{Lat: *d.Lat, Lon: *d.Lon}
	found := map[string]bool{}
	for search, err := range s.env.DB.ListSearchesNear(geo.Cells(at, float64(slices.Max(ecobid.Radii)), 4)).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list saved searches: %w", err)
		}
		near := geo.Distance(at, geo.Point{Lat: search.Lat, Lon: search.Lon}) <= float64(search.RadiusKm)
		category := search.Category == ecobiddb.SavedSearchCategoryAny || string(search.Category) == d.Category
		if near && category && search.UserID != d.SellerID && matches(d.Title, search.Words) {
			found[search.UserID] = true
		}
	}
	hidden, err := s.env.Hidden(ctx, d.SellerID)
	if err != nil {
		return nil, err
	}
	var ids []string
	for id := range found {
		if hidden[id] {
			continue
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

// matches reports whether a title contains all words, in any case.
func matches(title string, words *string) bool {
	if words == nil {
		return true
	}
	title = strings.ToLower(title)
	for word := range strings.FieldsSeq(strings.ToLower(*words)) {
		if !strings.Contains(title, word) {
			return false
		}
	}
	return true
}
