package geo

import "strings"

// alphabet holds the digits of geohashes in the order of their values.
const alphabet = "0123456789bcdefghjkmnpqrstuvwxyz"

// MaxPrecision is the maximum number of characters of a geohash here. Twelve characters are a
// few centimetres.
const MaxPrecision = 12

// A Box is a rectangle of latitudes and longitudes, such as a geohash cell. It contains its south
// and west edges, and not its north and east edges.
type Box struct{ South, West, North, East float64 }

// Center returns the point in the middle of a box.
func (b Box) Center() Point { return Point{(b.South + b.North) / 2, (b.West + b.East) / 2} }

// Contains reports whether a point is in a box. The poles are in the boxes that end there.
func (b Box) Contains(p Point) bool {
	p = p.Normal()
	return p.Lat >= b.South && (p.Lat < b.North || b.North == 90) && p.Lon >= b.West && p.Lon < b.East
}

// Encode returns the geohash of a point.
func Encode(p Point, precision int) string {
	g := gridOf(precision)
	row, col := g.at(p.Normal())
	return g.name(row, col)
}

// BoxOf returns the box of a geohash. A text that is no geohash has an empty box.
func BoxOf(cell string) Box {
	g := gridOf(len(cell))
	var row, col int64
	bit := 0
	for _, char := range cell {
		value := strings.IndexRune(alphabet, char)
		if value < 0 || len(cell) > MaxPrecision {
			return Box{}
		}
		for shift := 4; shift >= 0; shift-- {
			next := int64(value>>shift) & 1
			if bit%2 == 0 {
				col = col<<1 | next
			} else {
				row = row<<1 | next
			}
			bit++
		}
	}
	return g.box(row, col)
}

// A grid is the grid of all cells of a precision. Rows count from the south pole, columns from
// longitude -180.
type grid struct {
	precision  int
	rows, cols int64
}

func gridOf(precision int) grid {
	bits := 5 * min(max(precision, 0), MaxPrecision)
	return grid{precision, 1 << (bits / 2), 1 << (bits - bits/2)}
}

func (g grid) height() float64 { return 180 / float64(g.rows) }
func (g grid) width() float64  { return 360 / float64(g.cols) }

// at returns the cell of a normal point.
func (g grid) at(p Point) (row, col int64) {
	return g.row(p.Lat), min(int64((p.Lon+180)/g.width()), g.cols-1)
}

// row returns the row of a latitude.
func (g grid) row(lat float64) int64 { return min(max(int64((lat+90)/g.height()), 0), g.rows-1) }

// box returns the box of a cell.
func (g grid) box(row, col int64) Box {
	h, w := g.height(), g.width()
	return Box{
		South: float64(row)*h - 90, North: float64(row+1)*h - 90,
		West: float64(col)*w - 180, East: float64(col+1)*w - 180,
	}
}

// name returns the geohash of a cell: the bits of its column and row, alternating.
func (g grid) name(row, col int64) string {
	text := make([]byte, g.precision)
	bit := 0
	lonBits, latBits := log2(g.cols), log2(g.rows)
	for i := range text {
		value := 0
		for range 5 {
			var next int64
			if bit%2 == 0 {
				next = col >> (lonBits - 1 - bit/2)
			} else {
				next = row >> (latBits - 1 - bit/2)
			}
			value = value<<1 | int(next&1)
			bit++
		}
		text[i] = alphabet[value]
	}
	return string(text)
}

func log2(n int64) int {
	bits := 0
	for ; n > 1; n >>= 1 {
		bits++
	}
	return bits
}
