package trust

import (
	"context"
	"fmt"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
)

// Everywhere is the scope of the figures of all cities. No city has this name.
const Everywhere = "*"

// A Factor says what a category weighs when the giver gives no weight, and what making a new
// thing of it would emit.
type Factor struct {
	Category    ecobiddb.ItemCategory
	UsualGrams  int64
	CO2GramsPer int64 // grams of CO2 for each kilogram
}

// Factors is the formula of the impact page: grams of CO2 = grams × factor / 1000. The factors
// are rough figures for new goods, rounded down; the page shows them.
var Factors = []Factor{
	{ecobiddb.ItemCategoryFurniture, 20_000, 2_000},
	{ecobiddb.ItemCategoryElectronics, 3_000, 20_000},
	{ecobiddb.ItemCategoryClothing, 1_000, 15_000},
	{ecobiddb.ItemCategoryBooks, 500, 2_000},
	{ecobiddb.ItemCategoryHome, 3_000, 3_000},
	{ecobiddb.ItemCategoryKids, 2_000, 4_000},
	{ecobiddb.ItemCategorySports, 4_000, 5_000},
	{ecobiddb.ItemCategoryOther, 1_000, 2_000},
}

// Saved returns the grams that were kept out of the bin, and the grams of CO2 that a new thing
// would have emitted. A weight of 0 stands for the usual weight of the category.
func Saved(category ecobiddb.ItemCategory, grams int64) (kept, co2 int64) {
	for _, f := range Factors {
		if f.Category == category {
			if grams <= 0 {
				grams = f.UsualGrams
			}
			return grams, grams * f.CO2GramsPer / 1000
		}
	}
	return grams, 0
}

// CountImpact adds a completed pickup to the figures of its city and of everywhere, once for each
// event. It reports false if the event was counted.
func (s *Service) CountImpact(ctx context.Context, eventID, handler string, at time.Time, d ecobid.Detail) (bool, error) {
	grams, co2 := Saved(ecobiddb.ItemCategory(d.Category), d.WeightGrams)
	now := s.env.Now()
	city := d.City
	if city == "" || city == Everywhere {
		city = "unknown"
	}
	err := s.env.DB.AddImpact(ctx, ecobiddb.AddImpactParams{
		Handled: ecobiddb.Handled{EventID: eventID, Handler: handler, At: now, ExpiresAt: now.Add(ecobid.KeepEvent)},
		City:    city, Everywhere: Everywhere, Month: at.UTC().Format("2006-01"), UpdatedAt: now, Grams: grams, Co2Grams: co2,
	})
	if ecobid.Changed[ecobiddb.Handled](err) {
		return false, nil
	}
	return err == nil, err
}

// Impact returns the figures of a city by month, newest first; of everywhere if it is "".
func (s *Service) Impact(ctx context.Context, city string) ([]ecobiddb.Impact, error) {
	city, err := ecobid.Text("city", city, 0, ecobid.MaxCity)
	if err != nil {
		return nil, err
	}
	if city == "" {
		city = Everywhere
	}
	figures, err := s.env.DB.ListImpact(city).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the impact: %w", err)
	}
	return figures, nil
}
