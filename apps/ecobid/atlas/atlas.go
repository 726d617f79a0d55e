// Package atlas holds a small list of cities, so that people can choose a place by its name and
// maps can name one. No other host is asked. A point is the centre of a city, to about a
// kilometre; addresses are not in it.
//
// The package is pure and knows no items. The pages of EcoBid call it.
package atlas

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the machine may have no database of time zones

	"sortkey.dev/apps/ecobid/geo"
)

// A City is a city that can be found by its name.
type City struct {
	Name    string // in English, or the local name
	Country string // two letters
	Center  geo.Point
	Zone    *time.Location

	folded []string // all names, without case and diacritics
}

//go:embed cities.txt
var text string

var load = sync.OnceValue(func() []City {
	cities, err := parse(text)
	if err != nil {
		panic(err) // a test loads them
	}
	return cities
})

// Cities returns all cities.
func Cities() []City { return slices.Clone(load()) }

// parse reads lines of name, country, latitude, longitude, time zone and further names, separated by tabs.
func parse(text string) ([]City, error) {
	var cities []City
	for number, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) < 5 || len(parts[1]) != 2 {
			return nil, fmt.Errorf("atlas: line %d is no city: %q", number+1, line)
		}
		lat, err1 := strconv.ParseFloat(parts[2], 64)
		lon, err2 := strconv.ParseFloat(parts[3], 64)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("atlas: line %d has no point: %q", number+1, line)
		}
		zone, err := time.LoadLocation(parts[4])
		if err != nil || parts[4] == "" {
			return nil, fmt.Errorf("atlas: line %d has no time zone: %q", number+1, line)
		}
		city := City{Name: parts[0], Country: parts[1], Center: geo.Point{Lat: lat, Lon: lon}, Zone: zone}
		for _, name := range append([]string{parts[0]}, parts[5:]...) {
			city.folded = append(city.folded, fold(name))
		}
		cities = append(cities, city)
	}
	return cities, nil
}

// Find returns up to limit cities with a name that begins with a text, exact names first. Case and
// diacritics do not matter: "lodz" finds Łódź.
func Find(text string, limit int) []City {
	wanted := fold(text)
	if wanted == "" {
		return nil
	}
	var exact, begun []City
	for _, city := range load() {
		switch {
		case slices.Contains(city.folded, wanted):
			exact = append(exact, city)
		case slices.ContainsFunc(city.folded, func(name string) bool { return strings.HasPrefix(name, wanted) }):
			begun = append(begun, city)
		}
	}
	found := append(exact, begun...)
	return found[:min(limit, len(found))]
}

// Zone returns the time zone of a city. A city that is not in the list has the zone of the cities of its country, if they
// all have one zone. It is UTC for places that are not known.
func Zone(city, country string) *time.Location {
	wanted, zone, several := fold(city), time.UTC, false
	for _, one := range load() {
		if one.Country != country {
			continue
		}
		if slices.Contains(one.folded, wanted) {
			return one.Zone
		}
		several = several || zone != time.UTC && zone.String() != one.Zone.String()
		zone = one.Zone
	}
	if several {
		return time.UTC
	}
	return zone
}

// Nearest returns the city whose centre is nearest to a point, and the distance in kilometres.
func Nearest(p geo.Point) (City, float64) {
	var nearest City
	least := -1.0
	for _, city := range load() {
		if km := geo.Distance(p, city.Center); least < 0 || km < least {
			nearest, least = city, km
		}
	}
	return nearest, least
}

// Around returns the cities within a distance of a point in kilometres, for a map.
func Around(p geo.Point, km float64) []City {
	var around []City
	for _, city := range load() {
		if geo.Distance(p, city.Center) <= km {
			around = append(around, city)
		}
	}
	return around
}

// letters maps letters with diacritics to those that people type instead.
var letters = strings.NewReplacer(
	"ą", "a", "ć", "c", "ę", "e", "ł", "l", "ń", "n", "ó", "o", "ś", "s", "ź", "z", "ż", "z",
	"ä", "a", "ö", "o", "ü", "u", "å", "a", "ø", "o", "æ", "ae", "ß", "ss",
	"á", "a", "à", "a", "â", "a", "é", "e", "è", "e", "ê", "e", "í", "i", "ī", "i", "î", "i",
	"ñ", "n", "ç", "c", "š", "s", "ș", "s", "ț", "t", "ă", "a", "ž", "z", "č", "c",
)

// fold returns a name as it is compared.
func fold(name string) string {
	return letters.Replace(strings.ToLower(strings.Join(strings.Fields(name), " ")))
}
