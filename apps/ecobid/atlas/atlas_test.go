package atlas_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/ecobid/atlas"
	"sortkey.dev/apps/ecobid/geo"
)

func TestEveryCityIsFoundByItsNameAndItsPoint(t *testing.T) {
	for _, city := range atlas.Cities() {
		found := atlas.Find(strings.ToUpper(city.Name), 1)
		if len(found) != 1 || found[0].Name != city.Name {
			t.Errorf("%s: found %v", city.Name, found)
		}
		if nearest, km := atlas.Nearest(city.Center); nearest.Name != city.Name || km > 0.001 {
			t.Errorf("%s: the nearest city is %s, at %g km", city.Name, nearest.Name, km)
		}
		if city.Center.Lat < -90 || city.Center.Lat > 90 || city.Center.Lon < -180 || city.Center.Lon > 180 {
			t.Errorf("%s is at %v", city.Name, city.Center)
		}
	}
}

func TestNamesAreFoundAsPeopleTypeThem(t *testing.T) {
	for typed, want := range map[string]string{
		"lodz": "Łódź", " KRAKOW ": "Kraków", "Köln": "Cologne", "koln": "Cologne", "warsz": "Warsaw", "den haag": "The Hague",
		"goteborg": "Gothenburg", "new  york": "New York",
	} {
		found := atlas.Find(typed, 5)
		if len(found) == 0 || found[0].Name != want {
			t.Errorf("%q: found %v, want %s first", typed, found, want)
		}
	}
	for _, typed := range []string{"", " ", "xyz", "#"} {
		if found := atlas.Find(typed, 5); len(found) != 0 {
			t.Errorf("%q: found %v", typed, found)
		}
	}
	if found := atlas.Find("b", 3); len(found) != 3 {
		t.Errorf("a limit of 3: found %d", len(found))
	}
}

func TestCitiesAroundAPoint(t *testing.T) {
	names := func(km float64) string {
		var names []string
		for _, city := range atlas.Around(geo.Point{Lat: 55.65, Lon: 12.8}, km) {
			names = append(names, city.Name)
		}
		return strings.Join(names, " ")
	}
	if got := names(25); got != "Malmö Copenhagen" {
		t.Errorf("within 25 km: %s", got)
	}
	if got := names(10); got != "" {
		t.Errorf("within 10 km: %s", got)
	}
}

func TestZones(t *testing.T) {
	for _, test := range [][3]string{
		{"Kraków", "PL", "Europe/Warsaw"}, {"cracow", "PL", "Europe/Warsaw"}, {"Zakopane", "PL", "Europe/Warsaw"}, {"", "SE", "Europe/Stockholm"},
		{"seattle", "US", "America/Los_Angeles"}, {"Boston", "US", "America/New_York"}, {"Springfield", "US", "UTC"},
		{"Boston", "GB", "Europe/London"}, {"Atlantis", "XX", "UTC"}, {"", "", "UTC"},
	} {
		if got := atlas.Zone(test[0], test[1]); got.String() != test[2] {
			t.Errorf("%s in %s has the time of %s, want %s", test[0], test[1], got, test[2])
		}
	}
}
