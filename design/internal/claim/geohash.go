package claim

import (
	"errors"
	"math"
)

// Geometry of geohash cells on a sphere. A cell of precision p is a rectangle in
// degrees: every character adds five bits, alternating between longitude and latitude.
// Floats suffice: the results are counts of cells and kilometres for display.

const (
	earthRadius = 6371.0088 // km, the mean radius
	base32      = "0123456789bcdefghjkmnpqrstuvwxyz"
	maxCells    = 100_000 // limit of counted cells
	rounding    = 1e-9    // tolerance in km
)

var (
	errPrecision = errors.New("a geohash has 1 to 12 characters")
	errLatitude  = errors.New("a latitude lies between -90 and 90")
	errLongitude = errors.New("a longitude lies between -180 and 180")
	errRadius    = errors.New("a radius lies between 0 and 20000 km")
	errManyCells = errors.New("too many cells to count; choose a smaller radius or precision")
)

// A grid is the geohash cells of one precision: rows from south to north, columns
// from west to east.
type grid struct{ rows, columns int64 }

func gridOf(precision int) (grid, error) {
	if precision < 1 || precision > 12 {
		return grid{}, errPrecision
	}
	bits := 5 * precision
	return grid{rows: 1 << (bits / 2), columns: 1 << (bits - bits/2)}, nil
}

func (g grid) height() float64 { return 180 / float64(g.rows) }
func (g grid) width() float64  { return 360 / float64(g.columns) }

func (g grid) row(latitude float64) int64 {
	return min(max(int64((latitude+90)/g.height()), 0), g.rows-1)
}

func (g grid) column(longitude float64) int64 {
	return min(max(int64((longitude+180)/g.width()), 0), g.columns-1)
}

func checkPoint(latitude, longitude float64) error {
	if !(latitude >= -90 && latitude <= 90) {
		return errLatitude
	}
	if !(longitude >= -180 && longitude <= 180) {
		return errLongitude
	}
	return nil
}

// encode returns the geohash of a point.
func encode(latitude, longitude float64, precision int) (string, error) {
	g, err := gridOf(precision)
	if err != nil {
		return "", err
	}
	if err := checkPoint(latitude, longitude); err != nil {
		return "", err
	}
	row, column := g.row(latitude), g.column(longitude)
	bits := 5 * precision
	rowBit, columnBit := bits/2-1, bits-bits/2-1
	hash := make([]byte, 0, precision)
	for at, character := 0, 0; at < bits; at++ {
		if at%2 == 0 {
			character = character<<1 | int(column>>columnBit&1)
			columnBit--
		} else {
			character = character<<1 | int(row>>rowBit&1)
			rowBit--
		}
		if at%5 == 4 {
			hash = append(hash, base32[character])
			character = 0
		}
	}
	return string(hash), nil
}

// A circle is the area of a search: a point and a radius on the sphere.
type circle struct{ latitude, longitude, radius float64 }

func (c circle) check() error {
	if err := checkPoint(c.latitude, c.longitude); err != nil {
		return err
	}
	if !(c.radius >= 0 && c.radius <= 20_000) {
		return errRadius
	}
	return nil
}

// cover counts the cells whose nearest point lies within the circle.
func cover(c circle, precision int) (int64, error) {
	g, err := gridOf(precision)
	if err != nil {
		return 0, err
	}
	if err := c.check(); err != nil {
		return 0, err
	}
	south, north := c.latitudes(g)
	if north-south >= maxCells {
		return 0, errManyCells
	}
	cells := int64(0)
	for row := south; row <= north; row++ {
		low := -90 + float64(row)*g.height()
		cells += c.columns(g, low, low+g.height(), maxCells-cells)
		if cells >= maxCells {
			return 0, errManyCells
		}
	}
	return cells, nil
}

// latitudes returns the southernmost and northernmost row the circle touches.
func (c circle) latitudes(g grid) (south, north int64) {
	reach := degrees(c.radius / earthRadius)
	return g.row(max(c.latitude-reach, -90)), g.row(min(c.latitude+reach, 90))
}

// columns counts the cells of one row that the circle touches. It walks from the circle's
// column in both directions, in which the distance grows.
func (c circle) columns(g grid, low, high float64, limit int64) int64 {
	if !c.touches(low, high, 0) {
		return 0
	}
	home := g.column(c.longitude)
	west := -180 + float64(home)*g.width()
	found := int64(1)
	for found < limit && found < g.columns && c.touches(low, high, west+float64(found)*g.width()-c.longitude) {
		found++
	}
	for step := int64(0); found < limit && found < g.columns; step++ {
		if !c.touches(low, high, c.longitude-west+float64(step)*g.width()) {
			break
		}
		found++
	}
	return found
}

// touches reports whether a meridian segment, apart degrees away, comes within the
// radius. The nearest latitude on a meridian is not the circle's own.
func (c circle) touches(low, high, apart float64) bool {
	if apart > 180 {
		return false // the other direction is shorter and counts it
	}
	sin, cos := math.Sincos(radians(c.latitude))
	nearest := degrees(math.Atan2(sin, cos*math.Cos(radians(apart))))
	return haversine(c.latitude, min(max(nearest, low), high), apart) <= c.radius+rounding
}

// span counts the cells of the rectangle around the circle.
func span(c circle, precision int) (int64, error) {
	g, err := gridOf(precision)
	if err != nil {
		return 0, err
	}
	if err := c.check(); err != nil {
		return 0, err
	}
	south, north := c.latitudes(g)
	columns := g.columns
	if reach, whole := c.longitudes(); !whole {
		west := math.Floor((c.longitude - reach + 180) / g.width())
		east := math.Floor((c.longitude + reach + 180) / g.width())
		columns = min(columns, int64(east-west)+1)
	}
	return (north - south + 1) * columns, nil
}

// longitudes returns the degrees the circle extends east and west; whole means all around.
func (c circle) longitudes() (reach float64, whole bool) {
	angle := c.radius / earthRadius
	if math.Abs(radians(c.latitude))+angle >= math.Pi/2 {
		return 180, true
	}
	return degrees(math.Asin(math.Sin(angle) / math.Cos(radians(c.latitude)))), false
}

// cellSize returns the width and height of a cell in km, at a latitude.
func cellSize(latitude float64, precision int) (width, height float64, err error) {
	g, err := gridOf(precision)
	if err != nil {
		return 0, 0, err
	}
	if err := checkPoint(latitude, 0); err != nil {
		return 0, 0, err
	}
	degree := earthRadius * math.Pi / 180
	return g.width() * degree * math.Cos(radians(latitude)), g.height() * degree, nil
}

// haversine returns the distance in km of two points at two latitudes, some degrees of
// longitude apart.
func haversine(a, b, apart float64) float64 {
	dLat, dLon := math.Sin(radians(b-a)/2), math.Sin(radians(apart)/2)
	h := dLat*dLat + math.Cos(radians(a))*math.Cos(radians(b))*dLon*dLon
	return 2 * earthRadius * math.Asin(math.Sqrt(min(h, 1)))
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
func degrees(radians float64) float64 { return radians * 180 / math.Pi }
