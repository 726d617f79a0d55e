package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/engine"
)

// center is the middle of the city.
var center = geo.Point{Lat: 52.2297, Lon: 21.0122}

// spread is the standard deviation of the distance from the middle in kilometres, in each direction: most
// people live near the middle, and some far outside.
const spread = 6.0

var categories = []ecobiddb.ItemCategory{
	ecobiddb.ItemCategoryFurniture, ecobiddb.ItemCategoryElectronics, ecobiddb.ItemCategoryClothing, ecobiddb.ItemCategoryBooks,
	ecobiddb.ItemCategoryHome, ecobiddb.ItemCategoryKids, ecobiddb.ItemCategorySports, ecobiddb.ItemCategoryOther,
}

// somewhere returns a random place in the city.
func somewhere(chance *rand.Rand) geo.Point {
	const kmPerDegree = 111.195
	return geo.Point{
		Lat: center.Lat + chance.NormFloat64()*spread/kmPerDegree,
		Lon: center.Lon + chance.NormFloat64()*spread/(kmPerDegree*math.Cos(center.Lat*math.Pi/180)),
	}
}

// fill publishes the items of the city, of the last thirty days.
func fill(ctx context.Context, cfg config, database *engine.DB) error {
	sealer, err := access.NewSealer([]byte("a key of a bench, thirty-two long"[:32]))
	if err != nil {
		return err
	}
	db := ecobiddb.New(database.API(), access.WithSealer(sealer), access.WithoutState())
	chance := rand.New(rand.NewPCG(cfg.seed, 1))
	now := time.Now().UTC()
	items := make(chan ecobiddb.Item)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for item := range items {
				if err := publish(ctx, db, item); err != nil {
					stop(err)
					return
				}
			}
		})
	}
	for i := range cfg.items {
		at := now.Add(-30 * 24 * time.Hour * time.Duration(i) / time.Duration(cfg.items)).Truncate(time.Millisecond)
		select {
		case items <- thing(chance, i, at):
		case <-ctx.Done():
		}
	}
	close(items)
	group.Wait()
	return context.Cause(ctx)
}

// thing returns an item at a random place. Its public point is the middle of its cell.
func thing(chance *rand.Rand, number int, at time.Time) ecobiddb.Item {
	geohash := geo.Encode(somewhere(chance), 6)
	public := geo.BoxOf(geohash).Center()
	photo := access.NewULID(at)
	return ecobiddb.Item{
		ItemID: access.NewULID(at), UserID: access.NewULID(at), Title: fmt.Sprintf("Oak table number %d with six chairs", number),
		Description: "Solid, some scratches on the top. To be fetched from the second floor; two people can carry it.",
		Category:    categories[chance.IntN(len(categories))], Condition: ecobiddb.ItemConditionGood, Mode: ecobiddb.ItemModeFree,
		Allocation: ecobiddb.ItemAllocationFirstCome, Photos: []ecobiddb.Photo{{FileID: photo, Width: 1600, Height: 1200}}, PhotoCount: 1, Thumbnail: &photo,
		Lat: public.Lat, Lon: public.Lon, Geohash: geohash, G5: geohash[:5], G4: geohash[:4], City: "Warsaw", Country: "PL", Currency: "PLN",
		CreatedAt: at, PublishedAt: at, UpdatedAt: at,
	}
}

func publish(ctx context.Context, db *ecobiddb.DB, item ecobiddb.Item) error {
	place := ecobiddb.Place{ItemID: item.ItemID, UserID: item.UserID, Point: "52.2297,21.0122", UpdatedAt: item.UpdatedAt}
	if err := db.CreateDraft(ctx, ecobiddb.CreateDraftParams{Item: item, Place: place}); err != nil {
		return err
	}
	_, err := db.PublishItem(ctx, item.Key(), item.PublishedAt, ecobiddb.PublishItemParams{Allocation: item.Allocation, UpdatedAt: item.UpdatedAt, UserID: item.UserID})
	return err
}
