package web

import (
	"html/template"
	"math"
	"strconv"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/giving"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/webkit"
)

// funcs returns the functions of EcoBid's templates.
func funcs() template.FuncMap {
	return template.FuncMap{
		"exact":     webkit.Exact,
		"category":  categoryName,
		"condition": conditionName,
		"mode":      modeName,
		"howGiven":  howGiven,
		"status":    statusBadge,
		"stage":     stageName,
		"away":      away,
		"amount":    auctions.Amount,
		"text":      func(text *string) string { return value(text) },
		"stars":     stars,
		"kilos":     func(grams int64) string { return webkit.Decimal(float64(grams)/1000, 1) + " kg" },
		"hours":     func(d time.Duration) int { return int(d.Hours()) },
		"days":      func(d time.Duration) int { return int(d.Hours() / 24) },
		"pastTabs": func(past bool) []webkit.Tab {
			return []webkit.Tab{{Href: "/mine", Text: "Open", Current: !past}, {Href: "/mine?past=1", Text: "Past", Current: past}}
		},
		"starOptions": func() []webkit.Option {
			var options []webkit.Option
			for n := ecobid.MinStars; n <= ecobid.MaxStars; n++ {
				options = append(options, webkit.Option{Value: strconv.Itoa(n), Text: strconv.Itoa(n)})
			}
			return options
		},
		"radiusOptions": func(radii []int) []webkit.Option {
			var options []webkit.Option
			for _, km := range radii {
				options = append(options, webkit.Option{Value: strconv.Itoa(km), Text: strconv.Itoa(km) + " km"})
			}
			return options
		},
	}
}

// categoryName returns the name of a category; "" means all.
func categoryName(c listings.Category) string {
	names := map[listings.Category]string{
		"": "Everything", listings.Furniture: "Furniture", listings.Electronics: "Electronics",
		listings.Clothing: "Clothing", listings.Books: "Books", listings.Home: "Home",
		listings.Kids: "Kids", listings.Sports: "Sports", listings.Other: "Other",
	}
	return names[c]
}

// conditionName returns the name of a condition.
func conditionName(c listings.Condition) string {
	return map[listings.Condition]string{
		listings.AsNew: "As new", listings.Good: "Good", listings.Worn: "Worn",
		listings.Broken: "For parts",
	}[c]
}

// modeName returns the name of a mode; "" means all.
func modeName(m listings.Mode) string {
	return map[listings.Mode]string{"": "All", listings.ModeFree: "To give away", listings.ModeAuction: "Auctions"}[m]
}

// howGiven says how an item finds its taker, in a few words.
func howGiven(mode listings.Mode, allocation listings.Allocation) string {
	if mode == listings.ModeAuction {
		return "Auction"
	}
	return map[listings.Allocation]string{
		listings.FirstCome: "Free", listings.Queue: "Free, queue", listings.Lottery: "Free, draw",
	}[allocation]
}

// statusBadge returns the state of an item for its owner.
func statusBadge(s listings.Status) webkit.Badge {
	return map[listings.Status]webkit.Badge{
		listings.StatusDraft:     {Text: "Draft", Tone: webkit.Warn},
		listings.StatusAvailable: {Text: "Available", Tone: webkit.Good},
		listings.StatusReserved:  {Text: "Reserved", Tone: webkit.Info},
		listings.StatusCompleted: {Text: "Handed over", Tone: webkit.Good},
		listings.StatusExpired:   {Text: "Expired", Tone: webkit.Neutral},
		listings.StatusCancelled: {Text: "Withdrawn", Tone: webkit.Neutral},
		listings.StatusRemoved:   {Text: "Removed by a moderator", Tone: webkit.Bad},
	}[s]
}

// stageName returns the state of a reservation in a word.
func stageName(s giving.Status) string {
	return map[giving.Status]string{
		giving.StatusPending: "Waiting", giving.StatusConfirmed: "Confirmed", giving.StatusCompleted: "Handed over", giving.StatusCancelled: "Cancelled",
	}[s]
}

// away returns a distance in words.
func away(km float64) string {
	if km < 0.5 {
		return "under 0.5 km"
	}
	return strconv.FormatFloat(km, 'f', -1, 64) + " km"
}

// shownDistance returns the distance to a public point as it is shown: in steps of half a
// kilometre, 0 if it is under 0.5.
func shownDistance(from, public geo.Point) float64 {
	return math.Floor(geo.Distance(from, public)*2) / 2
}

// stars returns the mean rating in words.
func stars(sum, count int64) string {
	mean, shown := trust.Mean(sum, count)
	switch {
	case shown:
		return webkit.Decimal(mean, 2) + " of 5 stars from " + webkit.Number(count) + " ratings"
	case count == 1:
		return "1 rating"
	case count > 0:
		return webkit.Number(count) + " ratings"
	}
	return "No ratings yet"
}

// categoryOptions returns the categories of a form.
func categoryOptions() []webkit.Option {
	options := make([]webkit.Option, len(listings.Categories))
	for i, category := range listings.Categories {
		options[i] = webkit.Option{Value: string(category), Text: categoryName(category)}
	}
	return options
}

// conditionOptions returns the conditions of a form.
func conditionOptions() []webkit.Option {
	options := make([]webkit.Option, len(listings.Conditions))
	for i, condition := range listings.Conditions {
		options[i] = webkit.Option{Value: string(condition), Text: conditionName(condition)}
	}
	return options
}

// value returns an optional text; "" if it is absent.
func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
