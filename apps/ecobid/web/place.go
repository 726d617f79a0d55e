package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/atlas"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/internal/webkit"
)

// placePages asks people where they are.
type placePages struct {
	site *webkit.Site
}

func (p *placePages) public() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /place":  p.showPlace,
		"POST /place": p.choosePlace,
	}
}

// placeCookie remembers where a visitor searches. It holds the centre of a cell, never the exact
// position of a device.
const (
	placeCookie = "place"
	keepPlace   = 180 * 24 * time.Hour
)

// A place is the centre of a visitor's searches.
type place struct {
	Point geo.Point
	Name  string
	// Chosen reports that the visitor has chosen it.
	Chosen bool
}

// placeOf returns the place of a request: the chosen one, or the launch city.
func (p *placePages) placeOf(r *http.Request) place {
	if value, ok := p.site.Cookie(r, placeCookie); ok {
		point, name, _ := strings.Cut(value, " ")
		if at, err := ecobid.ParsePoint(point); err == nil {
			return place{Point: at, Name: name, Chosen: true}
		}
	}
	city := atlas.Cities()[0]
	return place{Point: city.Center, Name: city.Name}
}

// placeView holds the data of place.html.
type placeView struct {
	Form   *webkit.Form
	Place  place
	Cities []atlas.City // found for what was typed
	Next   string
}

func (p *placePages) showPlace(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r)
	p.site.Render(w, r, http.StatusOK, "place.html", placeView{Form: form, Place: p.placeOf(r), Next: webkit.LocalPath(form.Value("next"))})
	return nil
}

// maxCities is the number of cities that a search for a name shows.
const maxCities = 12

func (p *placePages) choosePlace(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r).Label("city", "City")
	chosen, ok := devicePlace(form)
	if !ok {
		found := atlas.Find(form.Value("city"), maxCities)
		if country := form.Value("country"); country != "" {
			found = keep(found, func(c atlas.City) bool { return c.Country == country })
		}
		if len(found) != 1 {
			if len(found) == 0 {
				form.Fail("city", "This city is not in the list. Take a larger one nearby, or use the position of your device.")
			}
			p.site.Render(w, r, http.StatusUnprocessableEntity, "place.html", placeView{Form: form, Place: p.placeOf(r), Cities: found, Next: webkit.LocalPath(form.Value("next"))})
			return nil
		}
		chosen = place{Point: found[0].Center, Name: found[0].Name}
	}
	p.site.SetCookie(w, placeCookie, ecobid.PointText(chosen.Point)+" "+chosen.Name, keepPlace)
	p.site.Redirect(w, r, webkit.LocalPath(form.Value("next")))
	return nil
}

// devicePlace returns the place that a device sent: the centre of its cell, with the name of the
// nearest city.
func devicePlace(form *webkit.Form) (place, bool) {
	lat, err1 := strconv.ParseFloat(form.Value("lat"), 64)
	lon, err2 := strconv.ParseFloat(form.Value("lon"), 64)
	if err1 != nil || err2 != nil || lat < -90 || lat > 90 || lon < -180 || lon > 180 {
		return place{}, false
	}
	point := geo.Public(geo.Point{Lat: lat, Lon: lon}, fineCell)
	name := "Your position"
	if city, km := atlas.Nearest(point); km < 30 {
		name = "Near " + city.Name
	}
	return place{Point: point, Name: name}, true
}

// fineCell is the precision of the cells in which visitors search.
const fineCell = 6

// keep returns the elements for which a condition holds.
func keep[T any](all []T, holds func(T) bool) []T {
	var kept []T
	for _, one := range all {
		if holds(one) {
			kept = append(kept, one)
		}
	}
	return kept
}
