package claim

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestEncode(t *testing.T) {
	for _, test := range []struct {
		latitude, longitude float64
		precision           int
		want                string
	}{
		{52.2297, 21.0122, 6, "u3qcnh"},
		{52.2297, 21.0122, 5, "u3qcn"},
		{52.2297, 21.0122, 7, "u3qcnhh"},
		{52.2372, 21.0223, 6, "u3qcnm"},
		{0, 0, 1, "s"},
		{-90, -180, 3, "000"},
		{90, 180, 3, "zzz"},
		{57.64911, 10.40744, 11, "u4pruydqqvj"},
	} {
		got, err := encode(test.latitude, test.longitude, test.precision)
		if err != nil || got != test.want {
			t.Errorf("encode(%v, %v, %d) = %q, %v; want %q", test.latitude, test.longitude, test.precision, got, err, test.want)
		}
	}
}

func TestCover(t *testing.T) {
	radii := []float64{1, 5, 10, 25}
	for precision, want := range map[int][]int64{
		6: {12, 207, 746, 4442},
		5: {2, 12, 36, 164},
		4: {1, 2, 4, 10},
	} {
		for i, radius := range radii {
			got, err := cover(circle{52.2297, 21.0122, radius}, precision)
			if err != nil || got != want[i] {
				t.Errorf("cover of %v km with precision %d = %d, %v; want %d", radius, precision, got, err, want[i])
			}
		}
	}
}

func TestSpan(t *testing.T) {
	got, err := span(circle{52.2297, 21.0122, 5}, 6)
	if err != nil || got != 270 {
		t.Errorf("span = %d, %v; want 270", got, err)
	}
}

// At the edges of the map the cover neither loses nor repeats cells.
func TestCoverAtTheEdges(t *testing.T) {
	for _, test := range []struct {
		name      string
		c         circle
		precision int
		want      int64
	}{
		{"the whole earth", circle{12, 34, 20_000}, 1, 32},
		{"north pole, one row of cells", circle{90, 0, 1}, 1, 8},
		{"a point in one cell", circle{10, 10, 0}, 5, 1},
		{"at the antimeridian, one cell each side", circle{0.966, 180, 5}, 4, 2},
	} {
		got, err := cover(test.c, test.precision)
		if err != nil || got != test.want {
			t.Errorf("%s: %d, %v; want %d", test.name, got, err, test.want)
		}
	}
}

// The count equals that of checking every cell of the grid.
func TestCoverAgreesWithBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := circle{random.Float64()*180 - 90, random.Float64()*360 - 180, math.Pow(10, random.Float64()*4.3)}
		g, _ := gridOf(2)
		want := int64(0)
		for row := range g.rows {
			for column := range g.columns {
				if c.distanceTo(g, row, column) <= c.radius {
					want++
				}
			}
		}
		if got, err := cover(c, 2); err != nil || got != want {
			t.Errorf("cover of %+v = %d, %v; want %d", c, got, err, want)
		}
		if box, err := span(c, 2); err != nil || box < want {
			t.Errorf("span of %+v = %d, %v; smaller than the cover %d", c, box, err, want)
		}
	}
}

// distanceTo returns the distance to the nearest point of a cell: on one of its meridians, or
// on the circle's meridian if it crosses the cell.
func (c circle) distanceTo(g grid, row, column int64) float64 {
	low := -90 + float64(row)*g.height()
	west := -180 + float64(column)*g.width()
	best := math.Inf(1)
	for _, longitude := range []float64{west, west + g.width(), min(max(c.longitude, west), west+g.width())} {
		apart := math.Mod(math.Abs(longitude-c.longitude), 360)
		apart = min(apart, 360-apart)
		sin, cos := math.Sincos(radians(c.latitude))
		nearest := degrees(math.Atan2(sin, cos*math.Cos(radians(apart))))
		best = min(best, haversine(c.latitude, min(max(nearest, low), low+g.height()), apart))
	}
	return best
}

func TestCellSize(t *testing.T) {
	for _, test := range []struct{ latitude, width, height float64 }{
		{0, 1.2216, 0.6108},
		{52.2297, 0.7482, 0.6108},
	} {
		width, height, err := cellSize(test.latitude, 6)
		if err != nil || math.Abs(width-test.width) > 0.0001 || math.Abs(height-test.height) > 0.0001 {
			t.Errorf("cell at %v: %.4f x %.4f km, %v; want %v x %v", test.latitude, width, height, err, test.width, test.height)
		}
	}
}

func TestGeometryRejectsInvalidArguments(t *testing.T) {
	for name, err := range map[string]error{
		"precision 0":   second(cover(circle{0, 0, 1}, 0)),
		"precision 13":  second(cover(circle{0, 0, 1}, 13)),
		"latitude 91":   second(cover(circle{91, 0, 1}, 6)),
		"NaN":           second(cover(circle{math.NaN(), 0, 1}, 6)),
		"radius -1":     second(cover(circle{0, 0, -1}, 6)),
		"million cells": second(cover(circle{0, 0, 20_000}, 12)),
		"many columns":  second(cover(circle{0, 0, 20_000}, 8)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second(_ int64, err error) error { return err }
