// Package nearby searches for items around a point: it covers the circle with index cells,
// queries the cells in parallel, merges the answers, and drops what is outside the circle by the
// distance between the searcher and the public point of an item. A page is continued by one
// cursor.
//
// The package sees public points only, so that no search, order or distance can reveal an exact
// address. The doors call it; package trust finds saved searches in another way.
package nearby

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/refusal"
)

// A Service searches. It is safe for concurrent use.
type Service struct{ env *ecobid.Env }

// New returns the service of an environment.
func New(env *ecobid.Env) *Service { return &Service{env: env} }

// A Sort is the order of a search.
type Sort string

// The orders.
const (
	Newest   Sort = "newest"
	Distance Sort = "distance"
)

// A Query describes a search. The zero values of Radius, Sort and Limit stand for the defaults.
type Query struct {
	Center   geo.Point
	Radius   int // kilometres, one of ecobid.Radii
	Category ecobiddb.ItemCategory
	Mode     ecobiddb.ItemMode
	Sort     Sort
	Limit    int
	Cursor   string
	// Viewer is the person who searches, who does not see the items of people who have blocked them or whom they have blocked; "" if unknown.
	Viewer string
}

// A Found is an item with its distance.
type Found struct {
	ecobiddb.ItemCard
	// Km is the distance to the public point in steps of half a kilometre; 0 is under 0.5 km.
	Km float64
}

// A Page is a page of a search.
type Page struct {
	Items []Found
	Next  string // "" on the last page
	// Approximate reports that there are more items than were compared.
	Approximate bool
}

// Search returns a page of the available items around a point.
func (s *Service) Search(ctx context.Context, q Query) (Page, error) {
	q, err := checked(q)
	if err != nil {
		return Page{}, err
	}
	keep, err := s.filter(ctx, q)
	if err != nil {
		return Page{}, err
	}
	if q.Sort == Distance {
		return s.byDistance(ctx, q, keep)
	}
	return s.byTime(ctx, q, keep)
}

func checked(q Query) (Query, error) {
	q.Radius, q.Limit, q.Sort = cmp.Or(q.Radius, ecobid.DefaultRadius), cmp.Or(q.Limit, ecobid.DefaultPage), cmp.Or(q.Sort, Newest)
	switch {
	case !q.Center.Valid():
		return q, refusal.OfField(refusal.Field{Name: "location", Constraint: "range"}, "A latitude is from -90 to 90, a longitude from -180 to 180.")
	case !slices.Contains(ecobid.Radii, q.Radius):
		return q, refusal.OfField(refusal.Field{Name: "radius", Constraint: "allowed", Allowed: []string{"1", "5", "10", "25"}}, "Choose a radius of 1, 5, 10 or 25 km.")
	case q.Limit < 1 || q.Limit > ecobid.MaxPage:
		return q, refusal.OutOfRange("limit", "range", 1, ecobid.MaxPage, "A page has 1 to %d entries.", ecobid.MaxPage)
	}
	if q.Category != "" {
		if err := ecobid.OneOf("category", q.Category, listings.Categories...); err != nil {
			return q, err
		}
	}
	if q.Mode != "" {
		if err := ecobid.OneOf("mode", q.Mode, ecobiddb.ItemModeFree, ecobiddb.ItemModeAuction); err != nil {
			return q, err
		}
	}
	q.Center = q.Center.Normal()
	return q, ecobid.OneOf("sort", q.Sort, Newest, Distance)
}

// filter returns the function that decides which cards are shown.
func (s *Service) filter(ctx context.Context, q Query) (func(ecobiddb.ItemCard) bool, error) {
	hidden, err := s.env.Hidden(ctx, q.Viewer)
	if err != nil {
		return nil, err
	}
	return func(card ecobiddb.ItemCard) bool {
		return (q.Mode == "" || card.Mode == q.Mode) && !hidden[card.UserID]
	}, nil
}

// list returns the list of the items in the cells of a circle.
func (s *Service) list(center geo.Point, km int, category ecobiddb.ItemCategory) access.List[ecobiddb.ItemCard] {
	if category != "" {
		cover := geo.CoveringFrom(center, float64(km), 5)
		if cover.Precision == 5 {
			return s.env.DB.ListNearbyInCategory(category, cover.Cells)
		}
		return s.env.DB.ListWideInCategory(category, cover.Cells)
	}
	switch cover := geo.Covering(center, float64(km)); cover.Precision {
	case 6:
		return s.env.DB.ListNearby1km(cover.Cells)
	case 5:
		return s.env.DB.ListNearby5km(cover.Cells)
	default:
		return s.env.DB.ListNearby25km(cover.Cells)
	}
}

// A position is the content of a cursor: where a page of the database begins, and the last item
// that was shown of it.
type position struct {
	Page string    `json:"p,omitempty"`
	At   time.Time `json:"a,omitzero"`
	Km   float64   `json:"k,omitempty"`
	ID   string    `json:"i,omitempty"`
}

// cursorFor is the lifetime of a cursor.
const cursorFor = 24 * time.Hour

func (s *Service) open(q Query) (position, error) {
	var p position
	if q.Cursor == "" {
		return p, nil
	}
	text, err := s.env.Box.Unseal("nearby", q.Cursor, s.env.Now())
	if err == nil {
		err = json.Unmarshal([]byte(text), &p)
	}
	if err != nil {
		return p, refusal.BadCursor()
	}
	return p, nil
}

func (s *Service) seal(p position) (string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("encode a cursor: %w", err)
	}
	return s.env.Box.Seal("nearby", string(text), s.env.Now().Add(cursorFor)), nil
}

const (
	// readAtOnce is the maximum number of cards that one read of the cells returns.
	readAtOnce = 100
	// maxReads bounds the reads of one search. A page that is not full by then is returned with a
	// cursor.
	maxReads = 10
)

// atOnce returns how many cards a read of the cells returns, so that a page is usually full after one: every
// cell is read that far. About half of what is in the cells is within the circle; at ten kilometres, whose
// cells are large, a sixth.
func atOnce(q Query) int {
	if q.Radius == 10 {
		return min(6*q.Limit, readAtOnce)
	}
	return min(5*q.Limit/2+1, readAtOnce)
}

// byTime returns the newest items first, as the index has them.
func (s *Service) byTime(ctx context.Context, q Query, keep func(ecobiddb.ItemCard) bool) (Page, error) {
	at, err := s.open(q)
	if err != nil {
		return Page{}, err
	}
	list := s.list(q.Center, q.Radius, q.Category).PageSize(atOnce(q))
	var result Page
	for range maxReads {
		page, err := list.Page(ctx, at.Page)
		switch {
		case errors.Is(err, access.ErrBadCursor):
			return Page{}, refusal.BadCursor()
		case err != nil:
			return Page{}, fmt.Errorf("search: %w", err)
		}
		for _, card := range page.Items {
			if at.ID != "" && !after(card, at) {
				continue
			}
			km := geo.Distance(q.Center, geo.Point{Lat: card.Lat, Lon: card.Lon})
			if km > float64(q.Radius) || !keep(card) {
				continue
			}
			if len(result.Items) == q.Limit {
				last := result.Items[len(result.Items)-1]
				result.Next, err = s.seal(position{Page: at.Page, At: last.PublishedAt, ID: last.ItemID})
				return result, err
			}
			result.Items = append(result.Items, Found{card, geo.Shown(km)})
		}
		if page.Next == "" {
			return result, nil
		}
		at = position{Page: page.Next}
	}
	result.Next, err = s.seal(at)
	return result, err
}

// after reports whether a card comes after a position, newest first.
func after(card ecobiddb.ItemCard, at position) bool {
	return card.PublishedAt.Before(at.At) || card.PublishedAt.Equal(at.At) && card.ItemID < at.ID
}

// maxCompared bounds the items that are compared by distance.
const maxCompared = 1000

// byDistance returns the nearest items first. It searches in rings, from the smallest radius
// outward, until the page is full.
func (s *Service) byDistance(ctx context.Context, q Query, keep func(ecobiddb.ItemCard) bool) (Page, error) {
	at, err := s.open(q)
	if err != nil {
		return Page{}, err
	}
	var result Page
	inner := -1.0 // items up to this distance are in the result, or were on earlier pages
	for _, radius := range ecobid.Radii {
		if radius > q.Radius || len(result.Items) > q.Limit {
			break
		}
		if at.Km > float64(radius) {
			continue
		}
		ring, capped, err := s.ring(ctx, q, radius, inner, at, keep)
		if err != nil {
			return Page{}, err
		}
		result.Items, result.Approximate = append(result.Items, ring...), result.Approximate || capped
		inner = float64(radius)
	}
	if len(result.Items) > q.Limit {
		result.Items = result.Items[:q.Limit]
		last := result.Items[q.Limit-1]
		km := geo.Distance(q.Center, geo.Point{Lat: last.Lat, Lon: last.Lon})
		result.Next, err = s.seal(position{Km: km, ID: last.ItemID})
	}
	return result, err
}

// ring returns the items farther than inner and within the radius that come after a position,
// nearest first.
func (s *Service) ring(ctx context.Context, q Query, radius int, inner float64, at position, keep func(ecobiddb.ItemCard) bool) (found []Found, capped bool, err error) {
	type measured struct {
		Found
		exactly float64
	}
	var all []measured
	compared := 0
	for card, err := range s.list(q.Center, radius, q.Category).PageSize(readAtOnce).Limit(maxCompared).All(ctx) {
		if err != nil {
			return nil, false, fmt.Errorf("search: %w", err)
		}
		compared++
		km := geo.Distance(q.Center, geo.Point{Lat: card.Lat, Lon: card.Lon})
		later := at.ID == "" || km > at.Km || km == at.Km && card.ItemID > at.ID
		if km > inner && km <= float64(radius) && later && keep(card) {
			all = append(all, measured{Found{card, geo.Shown(km)}, km})
		}
	}
	slices.SortFunc(all, func(a, b measured) int {
		return cmp.Or(cmp.Compare(a.exactly, b.exactly), strings.Compare(a.ItemID, b.ItemID))
	})
	for _, m := range all {
		found = append(found, m.Found)
	}
	return found, compared == maxCompared, nil
}
