// Package geo holds the geometry of EcoBid: geohash cells, the cells that cover a circle,
// distances, and the public point of an address. All functions are pure.
//
// Everything public about the location of an item is computed from its public point, the centre
// of a geohash cell. Only package listings handles exact points, and stores them in private rows.
// Package nearby searches with Covering. The package knows no items and no database.
package geo

import "math"

// earthRadius is the mean radius of the earth in kilometres.
const earthRadius = 6371.0088

// A Point is a position in degrees. Latitudes are from -90 to 90, longitudes from -180 up to but
// not including 180; Normal brings other values into these ranges.
type Point struct{ Lat, Lon float64 }

// Valid reports whether both coordinates are finite and within the ranges that people write:
// latitudes from -90 to 90, longitudes from -180 to 180.
func (p Point) Valid() bool {
	return p.Lat >= -90 && p.Lat <= 90 && p.Lon >= -180 && p.Lon <= 180
}

// Normal returns the point with its latitude clamped and its longitude wrapped.
func (p Point) Normal() Point {
	p.Lat = min(max(p.Lat, -90), 90)
	if p.Lon >= -180 && p.Lon < 180 {
		return p
	}
	p.Lon = math.Mod(p.Lon+180, 360)
	if p.Lon < 0 {
		p.Lon += 360
	}
	if p.Lon -= 180; p.Lon >= 180 {
		p.Lon = -180
	}
	return p
}

// Distance returns the length of the great circle between two points in kilometres.
func Distance(a, b Point) float64 {
	lat1, lat2 := radians(a.Lat), radians(b.Lat)
	x := math.Sin((lat2 - lat1) / 2)
	y := math.Sin(radians(b.Lon-a.Lon) / 2)
	h := x*x + math.Cos(lat1)*math.Cos(lat2)*y*y
	return 2 * earthRadius * math.Asin(math.Sqrt(min(h, 1)))
}

// Public returns the public point of an exact point: the centre of its geohash cell of a
// precision. All addresses of a cell have the same public point, so that neither searches nor
// averages over many items reveal more than the cell.
func Public(exact Point, precision int) Point {
	return BoxOf(Encode(exact, precision)).Center()
}

// Shown rounds a distance for people to steps of half a kilometre. It returns 0 for distances
// under 0.5 km.
func Shown(km float64) float64 {
	if km < 0.5 {
		return 0
	}
	return math.Round(km*2) / 2
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
