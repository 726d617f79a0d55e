package nearby_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/nearby"
	"sortkey.dev/apps/internal/refusal"
)

var center = ecobidtest.Warsaw

// move returns the point at a distance and a bearing in degrees.
func move(from geo.Point, km, bearing float64) geo.Point {
	lat, angle, b := from.Lat*math.Pi/180, km/6371.0088, bearing*math.Pi/180
	to := math.Asin(math.Sin(lat)*math.Cos(angle) + math.Cos(lat)*math.Sin(angle)*math.Cos(b))
	lon := math.Atan2(math.Sin(b)*math.Sin(angle)*math.Cos(lat), math.Cos(angle)-math.Sin(lat)*math.Sin(to))
	return geo.Point{Lat: to * 180 / math.Pi, Lon: from.Lon + lon*180/math.Pi}
}

// put stores an available item at a place, as a published one is stored.
func put(t *testing.T, w *ecobidtest.World, id int, at geo.Point, category ecobiddb.ItemCategory, mode ecobiddb.ItemMode, published time.Time) ecobiddb.Item {
	t.Helper()
	public := geo.Public(at, 6)
	item := ecobiddb.Item{
		ItemID: access.NewULID(published), UserID: access.NewULID(published), Title: fmt.Sprint("item ", id), Category: category,
		Condition: ecobiddb.ItemConditionGood, Mode: ecobiddb.ItemModeFree, Allocation: ecobiddb.ItemAllocationFirstCome, Status: ecobiddb.ItemStatusDraft,
		Photos: []ecobiddb.Photo{{FileID: "x", Width: 1, Height: 1}}, PhotoCount: 1, Lat: public.Lat, Lon: public.Lon,
		Geohash: geo.IndexCell(public, 6), G5: geo.IndexCell(public, 5), G4: geo.IndexCell(public, 4), City: "Warsaw", Country: "PL", Currency: "PLN",
		CreatedAt: published, PublishedAt: published, UpdatedAt: published,
	}
	place := ecobiddb.Place{ItemID: item.ItemID, UserID: item.UserID, Point: "0,0", UpdatedAt: published}
	if err := w.DB.CreateDraft(t.Context(), ecobiddb.CreateDraftParams{Item: item, Place: place}); err != nil {
		t.Fatal(err)
	}
	var err error
	if mode == ecobiddb.ItemModeAuction {
		auction := ecobiddb.Auction{
			AuctionID: access.NewULID(published), ItemID: item.ItemID, SellerID: item.UserID, Title: item.Title, Currency: "PLN", MinBid: 500,
			Status: ecobiddb.AuctionStatusActive, StartsAt: published, EndsAt: published.Add(time.Hour), OriginalEndsAt: published.Add(time.Hour), UpdatedAt: published,
		}
		err = w.DB.StartAuction(t.Context(), ecobiddb.StartAuctionParams{
			Auction: auction, Sealed: ecobiddb.Sealed{AuctionID: auction.AuctionID, UpdatedAt: published, ExpiresAt: published}, PublishedAt: published, UpdatedAt: published,
		})
	} else {
		_, err = w.DB.PublishItem(t.Context(), item.Key(), published, ecobiddb.PublishItemParams{Allocation: item.Allocation, UpdatedAt: published, UserID: item.UserID})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.Stored(t, item.ItemID)
}

func all(t *testing.T, w *ecobidtest.World, q nearby.Query) (found []nearby.Found) {
	t.Helper()
	for range 1000 {
		page, err := w.Nearby.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Items) > q.Limit {
			t.Fatalf("a page of %d has %d items", q.Limit, len(page.Items))
		}
		found = append(found, page.Items...)
		if q.Cursor = page.Next; page.Next == "" {
			return found
		}
	}
	t.Fatal("the pages do not end")
	return nil
}

// TestPublicDistanceDecides has the vectors L5 to L7.
func TestPublicDistanceDecides(t *testing.T) {
	w := ecobidtest.Open(t)
	for i, at := range []geo.Point{move(center, 4.2, 90), move(center, 4.5, 90), move(center, 4.9, 90), move(center, 5.1, 90), move(center, 5.4, 90), move(center, 4.6, 0), move(center, 4.9, 0)} {
		put(t, w, i, at, ecobiddb.ItemCategoryBooks, ecobiddb.ItemModeFree, w.Clock.Now().Add(time.Duration(i)*time.Second))
	}
	titles := func(radius int) map[string]float64 {
		result := map[string]float64{}
		for _, f := range all(t, w, nearby.Query{Center: center, Radius: radius, Limit: 20}) {
			result[f.Title] = f.Km
		}
		return result
	}
	if diff := cmp.Diff(map[string]float64{"item 0": 4.5, "item 1": 4.5, "item 5": 4.5}, titles(5)); diff != "" {
		t.Errorf("5 km (-want +got):\n%s", diff)
	}
	if got := titles(10); len(got) != 7 || got["item 2"] != got["item 4"] {
		t.Errorf("10 km: %v", got)
	}
}

func TestSearchAgreesWithAScan(t *testing.T) {
	w := ecobidtest.Open(t)
	r := rand.New(rand.NewPCG(11, 12))
	var items []ecobiddb.Item
	for i := range 250 {
		category, mode := listings.Categories[r.IntN(3)], ecobiddb.ItemModeFree
		if r.IntN(4) == 0 {
			mode = ecobiddb.ItemModeAuction
		}
		at := move(center, 30*math.Sqrt(r.Float64())*r.Float64(), r.Float64()*360)
		items = append(items, put(t, w, i, at, category, mode, w.Clock.Now().Add(time.Duration(r.IntN(500))*time.Second)))
	}
	for range 40 {
		q := nearby.Query{Center: move(center, 8*r.Float64(), r.Float64()*360), Radius: []int{1, 5, 10, 25}[r.IntN(4)], Limit: 1 + r.IntN(40)}
		if r.IntN(2) == 0 {
			q.Category = listings.Categories[r.IntN(3)]
		}
		if r.IntN(3) == 0 {
			q.Mode = ecobiddb.ItemModeAuction
		}
		if r.IntN(2) == 0 {
			q.Sort = nearby.Distance
		}
		var want []ecobiddb.Item
		distance := func(i ecobiddb.Item) float64 { return geo.Distance(q.Center, geo.Point{Lat: i.Lat, Lon: i.Lon}) }
		for _, item := range items {
			if distance(item) <= float64(q.Radius) && (q.Category == "" || item.Category == q.Category) && (q.Mode == "" || item.Mode == q.Mode) {
				want = append(want, item)
			}
		}
		slices.SortFunc(want, func(a, b ecobiddb.Item) int {
			if q.Sort == nearby.Distance {
				if d := distance(a) - distance(b); d != 0 {
					return int(math.Copysign(1, d))
				}
				return cmpText(a.ItemID, b.ItemID)
			}
			if !a.PublishedAt.Equal(b.PublishedAt) {
				return b.PublishedAt.Compare(a.PublishedAt)
			}
			return cmpText(b.ItemID, a.ItemID)
		})
		got := all(t, w, q)
		if len(got) != len(want) {
			t.Fatalf("%+v: found %d, want %d", q, len(got), len(want))
		}
		for i := range got {
			if got[i].ItemID != want[i].ItemID {
				t.Fatalf("%+v: place %d is %s, want %s", q, i, got[i].Title, want[i].Title)
			}
		}
	}
}

func cmpText(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

// TestNewItemsDoNotRepeatOldOnes adds an item between two pages.
func TestNewItemsDoNotRepeatOldOnes(t *testing.T) {
	w := ecobidtest.Open(t)
	for i := range 5 {
		put(t, w, i, center, ecobiddb.ItemCategoryBooks, ecobiddb.ItemModeFree, w.Clock.Now().Add(time.Duration(i)*time.Second))
	}
	first, err := w.Nearby.Search(t.Context(), nearby.Query{Center: center, Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	put(t, w, 9, center, ecobiddb.ItemCategoryBooks, ecobiddb.ItemModeFree, w.Clock.Now().Add(time.Minute))
	rest := all(t, w, nearby.Query{Center: center, Limit: 3, Cursor: first.Next})
	if len(first.Items) != 3 || len(rest) != 2 || rest[0].Title != "item 1" || rest[1].Title != "item 0" {
		t.Errorf("%d items, then %v", len(first.Items), rest)
	}
}

func TestRefusedQueries(t *testing.T) {
	w := ecobidtest.Open(t)
	for field, q := range map[string]nearby.Query{
		"radius":   {Center: center, Radius: 3},
		"location": {Center: geo.Point{Lat: 91}},
		"limit":    {Center: center, Limit: 101},
		"category": {Center: center, Category: "weapons"},
		"mode":     {Center: center, Mode: "loan"},
		"sort":     {Center: center, Sort: "price"},
		"cursor":   {Center: center, Cursor: "x"},
	} {
		_, err := w.Nearby.Search(t.Context(), q)
		if refused, ok := refusal.As(err, refusal.Invalid); !ok || refused.Field() != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := w.Nearby.Search(t.Context(), nearby.Query{Center: center, Limit: 100}); err != nil {
		t.Error(err)
	}
}

// TestTrilaterationFindsThePublicPointOnly walks the edge of the searchable area of an item with
// hundreds of searches, and looks for the point that explains them.
func TestTrilaterationFindsThePublicPointOnly(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	item := w.Item(t, anna, "")
	exact, public := ecobidtest.Warsaw, geo.Public(ecobidtest.Warsaw, 6)
	searches := 0
	sees := func(from geo.Point) bool {
		searches++
		page, err := w.Nearby.Search(t.Context(), nearby.Query{Center: from, Radius: 1})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Items) == 1 && page.Items[0].ItemID == item.ItemID
	}
	// In 16 directions, halve the distance at which the item disappears.
	var edges []geo.Point
	for i := range 16 {
		near, far := 0.0, 3.0
		for range 26 {
			if middle := (near + far) / 2; sees(move(exact, middle, float64(i)*22.5)) {
				near = middle
			} else {
				far = middle
			}
		}
		edges = append(edges, move(exact, near, float64(i)*22.5))
	}
	// The point that is one kilometre from all edges, by repeated correction.
	guess := exact
	for range 2000 {
		for _, e := range edges {
			km := geo.Distance(guess, e)
			guess.Lat += (guess.Lat - e.Lat) * (1 - km) / km * 0.1
			guess.Lon += (guess.Lon - e.Lon) * (1 - km) / km * 0.1
		}
	}
	if off := geo.Distance(guess, public) * 1000; off > 1 {
		t.Errorf("the walk ends %.1f m from the public point", off)
	}
	if off := geo.Distance(guess, exact) * 1000; off < 200 {
		t.Errorf("%d searches found the address to %.1f m", searches, off)
	}
	if searches < 400 {
		t.Errorf("only %d searches", searches)
	}
}

// TestItemsOfOneCellLookTheSame: two addresses of a cell are indistinguishable.
func TestItemsOfOneCellLookTheSame(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	for _, at := range []geo.Point{center, move(center, 0.2, 300)} {
		item, err := w.Listings.Create(t.Context(), anna, ecobidtest.Table(at, w.Photo(t, anna)))
		if err == nil {
			_, err = w.Listings.Publish(t.Context(), anna, item.ItemID, listings.Offer{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	found := all(t, w, nearby.Query{Center: move(center, 2, 10), Limit: 10})
	if len(found) != 2 || found[0].Lat != found[1].Lat || found[0].Lon != found[1].Lon || found[0].Km != found[1].Km {
		t.Errorf("found %+v", found)
	}
}

// TestItemsOfBlockedPeopleAreLeftOut checks both directions of a block.
func TestItemsOfBlockedPeopleAreLeftOut(t *testing.T) {
	w := ecobidtest.Open(t)
	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	w.Item(t, anna, "")
	w.Item(t, bert, "")
	if _, err := w.DB.BlockUser(t.Context(), ecobiddb.Block{UserID: bert, BlockedID: anna, CreatedAt: w.Clock.Now()}); err != nil {
		t.Fatal(err)
	}
	for viewer, want := range map[string]int{"": 2, w.Person(t, "Cleo"): 2, anna: 1, bert: 1} {
		if got := all(t, w, nearby.Query{Center: center, Limit: 5, Viewer: viewer}); len(got) != want {
			t.Errorf("%q sees %d items, want %d", viewer, len(got), want)
		} else if want == 1 && got[0].UserID != viewer {
			t.Errorf("%q sees the item of %q", viewer, got[0].UserID)
		}
	}
}
