package geo

import (
	"math"
	"slices"
)

// polar is the latitude from which index cells have no longitude: rows of cells are short there,
// and a circle crosses hundreds of them. It is an edge of cells of precision 4, 5 and 6.
const polar = 990*180.0/1024 - 90

// IndexCell returns the cell under which a point is indexed. It is the geohash of the point,
// except within six degrees of a pole, where it is the geohash at longitude 0: all points of a
// row of cells are then in one cell.
func IndexCell(p Point, precision int) string {
	p = p.Normal()
	if isPolar(p.Lat) {
		p.Lon = 0
	}
	return Encode(p, precision)
}

func isPolar(lat float64) bool { return lat >= polar || lat < -polar }

// Bounds of the number of cells that Covering returns.
const (
	// Budget is the number of cells up to which a finer precision is chosen.
	Budget = 32
	// MaxCells is the maximum number of cells of precision 4 for radii up to 25 km. Only circles
	// near the polar latitude need more than Budget.
	MaxCells = 64
)

// A Cover is a set of index cells of one precision that contains every point of a circle.
type Cover struct {
	Precision int
	Cells     []string // sorted
}

// Covering returns the cover of a circle of the finest precision of 6, 5 and 4 that has at most
// Budget cells. If none has, it returns that of precision 4.
func Covering(center Point, km float64) Cover { return CoveringFrom(center, km, 6) }

// CoveringFrom is like Covering with a finest precision of 6 or 5.
func CoveringFrom(center Point, km float64, finest int) Cover {
	for precision := finest; precision > 4; precision-- {
		if cells, ok := cover(center, km, precision, Budget); ok {
			return Cover{precision, cells}
		}
	}
	return Cover{4, Cells(center, km, 4)}
}

// Cells returns the index cells of a precision that a circle touches, sorted.
func Cells(center Point, km float64, precision int) []string {
	cells, _ := cover(center, km, precision, math.MaxInt)
	return cells
}

// cover collects the cells whose nearest point is within the radius. It gives up if there are
// more than most.
func cover(center Point, km float64, precision, most int) (cells []string, ok bool) {
	center = center.Normal()
	g := gridOf(precision)
	angle := km / earthRadius * 180 / math.Pi
	for row := g.row(center.Lat - angle); row <= g.row(center.Lat+angle); row++ {
		if box := g.box(row, 0); isPolar(box.South) {
			_, col := g.at(Point{Lat: box.South})
			cells = append(cells, g.name(row, col))
			continue
		}
		from, count := g.columns(center, angle)
		for i := range count {
			col := (from + i) % g.cols
			if g.box(row, col).distance(center) <= km {
				cells = append(cells, g.name(row, col))
			}
		}
		if len(cells) > most {
			return nil, false
		}
	}
	slices.Sort(cells)
	return cells, len(cells) <= most
}

// columns returns the first column and the number of columns that a circle can touch.
func (g grid) columns(center Point, angle float64) (from, count int64) {
	if math.Abs(center.Lat)+angle >= 90 {
		return 0, g.cols
	}
	half := math.Asin(math.Sin(radians(angle))/math.Cos(radians(center.Lat))) * 180 / math.Pi
	west := math.Floor((center.Lon - half + 180) / g.width())
	east := math.Floor((center.Lon + half + 180) / g.width())
	if count = int64(east-west) + 1; count >= g.cols {
		return 0, g.cols
	}
	return (int64(west)%g.cols + g.cols) % g.cols, count
}

// distance returns the distance from a point to the nearest point of a box, in kilometres.
func (b Box) distance(p Point) float64 {
	if p.Lon >= b.West && p.Lon <= b.East {
		return Distance(p, Point{min(max(p.Lat, b.South), b.North), p.Lon})
	}
	return min(b.toMeridian(p, b.West), b.toMeridian(p, b.East))
}

// toMeridian returns the distance from a point to the edge of a box on a meridian. The nearest
// point of the whole meridian is where a great circle meets it at a right angle.
func (b Box) toMeridian(p Point, lon float64) float64 {
	lat, diff := radians(p.Lat), radians(lon-p.Lon)
	foot := math.Atan2(math.Sin(lat), math.Cos(lat)*math.Cos(diff)) * 180 / math.Pi
	near := min(Distance(p, Point{b.South, lon}), Distance(p, Point{b.North, lon}))
	if foot > b.South && foot < b.North {
		near = min(near, Distance(p, Point{foot, lon}))
	}
	return near
}
