package geo_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/internal/effort"
)

var warsaw = geo.Point{Lat: 52.2297, Lon: 21.0122}

func TestEncode(t *testing.T) {
	for want, p := range map[string]geo.Point{
		"u3qcnh": warsaw, "u3qcn": warsaw, "u3qcnhh": warsaw, "u3qcn5": {Lat: 52.2290, Lon: 21.0122},
		"gcpvj0": {Lat: 51.5074, Lon: -0.1278}, "u33dc0": {Lat: 52.52, Lon: 13.405}, "r3gx2f": {Lat: -33.8688, Lon: 151.2093},
		"rvpbrv": {Lat: -16.8, Lon: 179.9999}, "2j002j": {Lat: -16.8, Lon: -179.9999}, "upbp": {Lat: 90, Lon: 0}, "8000": {Lat: 0, Lon: 180},
	} {
		if got := geo.Encode(p, len(want)); got != want {
			t.Errorf("Encode(%v) is %s, want %s", p, got, want)
		}
	}
}

func TestBoxOf(t *testing.T) {
	box := geo.BoxOf("u3qcnm")
	got := []float64{box.South, box.North, box.West, box.East}
	for i, want := range []float64{52.23450, 52.23999, 21.01685, 21.02783} {
		if math.Abs(got[i]-want) > 0.00001 {
			t.Errorf("edge %d is %f, want %f", i, got[i], want)
		}
	}
	if box := geo.BoxOf("u3a"); box != (geo.Box{}) {
		t.Errorf("a text that is no geohash has the box %v", box)
	}
}

// TestPublicPoint has the vectors L1 to L4: the shift of an address to its public point.
func TestPublicPoint(t *testing.T) {
	for _, test := range []struct {
		exact  geo.Point
		meters float64
	}{
		{warsaw, 235},
		{geo.Point{Lat: 52.2290, Lon: 21.0122}, 310},
		{geo.Point{Lat: 51.5074, Lon: -0.1278}, 131},
		{geo.Point{Lat: 52.52, Lon: 13.405}, 388},
		{geo.Point{Lat: -33.8688, Lon: 151.2093}, 122},
		{geo.Point{Lat: -16.8, Lon: 179.9999}, 582},
		{geo.Point{Lat: -16.8, Lon: -179.9999}, 582},
	} {
		public := geo.Public(test.exact, 6)
		if got := geo.Distance(test.exact, public) * 1000; math.Abs(got-test.meters) > 1 {
			t.Errorf("%v is shifted by %.1f m, want %.0f", test.exact, got, test.meters)
		}
		if again := geo.Public(public, 6); again != public {
			t.Errorf("the public point of %v is %v", public, again)
		}
	}
	public := geo.Public(warsaw, 6)
	if math.Abs(public.Lat-52.231750) > 0.000001 || math.Abs(public.Lon-21.011353) > 0.000001 {
		t.Errorf("the public point of Warsaw is %v", public)
	}
}

// east returns the point at a distance due east of the vectors' centre.
func east(km float64) geo.Point {
	return geo.Point{Lat: warsaw.Lat, Lon: warsaw.Lon + km/(6371.0088*math.Cos(warsaw.Lat*math.Pi/180))*180/math.Pi}
}

func north(km float64) geo.Point {
	return geo.Point{Lat: warsaw.Lat + km/6371.0088*180/math.Pi, Lon: warsaw.Lon}
}

// TestPublicDistance has the vectors L5 to L7.
func TestPublicDistance(t *testing.T) {
	for _, test := range []struct {
		exact geo.Point
		cell  string
		km    float64
	}{
		{east(4.2), "u3qcps", 4.437}, {east(4.5), "u3qcps", 4.437},
		{east(4.9), "u3qcpu", 5.185}, {east(5.1), "u3qcpu", 5.185}, {east(5.4), "u3qcpu", 5.185},
		{north(4.6), "u3qcq5", 4.504}, {north(4.9), "u3qcqh", 5.115},
	} {
		if cell := geo.Encode(test.exact, 6); cell != test.cell {
			t.Errorf("%v is in %s, want %s", test.exact, cell, test.cell)
		}
		if got := geo.Distance(warsaw, geo.Public(test.exact, 6)); math.Abs(got-test.km) > 0.0005 {
			t.Errorf("%s is %.4f km away, want %.3f", test.cell, got, test.km)
		}
	}
}

func TestShown(t *testing.T) {
	for km, want := range map[float64]float64{0: 0, 0.499: 0, 0.5: 0.5, 0.74: 0.5, 0.75: 1, 5.185: 5, 5.25: 5.5, 24.9: 25} {
		if got := geo.Shown(km); got != want {
			t.Errorf("Shown(%v) is %v, want %v", km, got, want)
		}
	}
}

func TestCoverSizes(t *testing.T) {
	for precision, want := range map[int][4]int{6: {12, 207, 746, 4442}, 5: {2, 12, 36, 164}, 4: {1, 2, 4, 10}} {
		for i, km := range []float64{1, 5, 10, 25} {
			if got := len(geo.Cells(warsaw, km, precision)); got != want[i] {
				t.Errorf("%v km have %d cells of precision %d, want %d", km, got, precision, want[i])
			}
		}
	}
}

func TestCoverSets(t *testing.T) {
	for _, test := range []struct {
		km        float64
		precision int
		cells     string
	}{
		{1, 6, "u3qcjf u3qcjg u3qcju u3qcjv u3qcn4 u3qcn5 u3qcn6 u3qcn7 u3qcnh u3qcnj u3qcnk u3qcnm"},
		{5, 5, "u3qbu u3qbv u3qby u3qbz u3qch u3qcj u3qck u3qcm u3qcn u3qcp u3qcq u3qcr"},
		{10, 4, "u3qb u3qc u3r0 u3r1"},
		{25, 4, "u3nz u3pp u3q8 u3q9 u3qb u3qc u3qf u3r0 u3r1 u3r4"},
	} {
		want := geo.Cover{Precision: test.precision, Cells: strings.Fields(test.cells)}
		if diff := cmp.Diff(want, geo.Covering(warsaw, test.km)); diff != "" {
			t.Errorf("%v km (-want +got):\n%s", test.km, diff)
		}
	}
}

func TestCoverCountsElsewhere(t *testing.T) {
	if got := geo.Covering(geo.Point{Lat: 78.2232, Lon: 15.6267}, 1); got.Precision != 6 || len(got.Cells) != 32 {
		t.Errorf("1 km in Longyearbyen is %d cells of precision %d", len(got.Cells), got.Precision)
	}
	if got := geo.Covering(geo.Point{Lat: -0.1807, Lon: -78.4678}, 10); got.Precision != 5 {
		t.Errorf("10 km in Quito is of precision %d", got.Precision)
	}
}

// places are where grids are difficult: cities, the date line, the edge of the polar rows, the
// poles.
var places = []geo.Point{
	{Lat: -0.18, Lon: -78.47}, warsaw, {Lat: -33.87, Lon: 151.21}, {Lat: 78.22, Lon: 15.63},
	{Lat: -16.8, Lon: 179.9999}, {Lat: -16.8, Lon: -179.9999}, {Lat: 83.95, Lon: -179.5}, {Lat: 84.02, Lon: 10},
	{Lat: -84.03, Lon: 180}, {Lat: 89.9, Lon: 0}, {Lat: -90, Lon: 77}, {Lat: 90, Lon: -180},
}

// random returns a point within the distance, spread over the area, and now and then on its edge.
func random(r *rand.Rand, center geo.Point, km float64) geo.Point {
	d := km * math.Sqrt(r.Float64())
	if r.IntN(4) == 0 {
		d = km * 0.999999
	}
	bearing, angle, lat := r.Float64()*2*math.Pi, d/6371.0088, center.Lat*math.Pi/180
	lat2 := math.Asin(math.Sin(lat)*math.Cos(angle) + math.Cos(lat)*math.Sin(angle)*math.Cos(bearing))
	lon := math.Atan2(math.Sin(bearing)*math.Sin(angle)*math.Cos(lat), math.Cos(angle)-math.Sin(lat)*math.Sin(lat2))
	return geo.Point{Lat: lat2 * 180 / math.Pi, Lon: center.Lon + lon*180/math.Pi}.Normal()
}

func TestEveryPointOfTheCircleIsInTheCover(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, center := range places {
		for _, km := range []float64{1, 5, 10, 25} {
			cover := geo.Covering(center, km)
			if len(cover.Cells) > geo.MaxCells || !slices.IsSorted(cover.Cells) {
				t.Errorf("%v km around %v has %d cells: %v", km, center, len(cover.Cells), cover.Cells)
			}
			for range effort.Rounds(1000) {
				p := random(r, center, km)
				if _, ok := slices.BinarySearch(cover.Cells, geo.IndexCell(p, cover.Precision)); !ok {
					t.Fatalf("%v is %.6f km from %v and not in the cover of %v km", p, geo.Distance(center, p), center, km)
				}
			}
		}
	}
}

// TestCoverHasNoOtherCells compares a cover with a grid of points in each of its cells: the
// nearest of them must not be much farther than the radius.
func TestCoverHasNoOtherCells(t *testing.T) {
	for _, center := range places[:7] {
		for _, km := range []float64{1, 5, 25} {
			cover := geo.Covering(center, km)
			for _, cell := range cover.Cells {
				box, nearest := geo.BoxOf(cell), math.Inf(1)
				if box.South > 84 { // one cell for the whole row
					continue
				}
				const n = 40
				for i := range n + 1 {
					for j := range n + 1 {
						p := geo.Point{Lat: box.South + (box.North-box.South)*float64(i)/n, Lon: box.West + (box.East-box.West)*float64(j)/n}
						nearest = min(nearest, geo.Distance(center, p))
					}
				}
				diagonal := geo.Distance(geo.Point{Lat: box.South, Lon: box.West}, geo.Point{Lat: box.North, Lon: box.East})
				if nearest > km+diagonal/n {
					t.Errorf("%s is %.3f km from %v and in the cover of %v km", cell, nearest, center, km)
				}
			}
		}
	}
}

func TestEncodeAndBoxAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range effort.Rounds(20000) {
		p := geo.Point{Lat: r.Float64()*180 - 90, Lon: r.Float64()*360 - 180}
		precision := 1 + r.IntN(9)
		cell := geo.Encode(p, precision)
		if box := geo.BoxOf(cell); !box.Contains(p) || geo.Encode(box.Center(), precision) != cell {
			t.Fatalf("%v has the cell %s, which is %v", p, cell, box)
		}
		if !strings.HasPrefix(geo.Encode(p, 9), cell) {
			t.Fatalf("%s is no prefix of %s", cell, geo.Encode(p, 9))
		}
	}
}

func TestNormal(t *testing.T) {
	for _, test := range []struct{ in, want geo.Point }{
		{geo.Point{Lat: 91, Lon: 180}, geo.Point{Lat: 90, Lon: -180}},
		{geo.Point{Lat: -91, Lon: 540}, geo.Point{Lat: -90, Lon: -180}},
		{geo.Point{Lat: 1, Lon: -181}, geo.Point{Lat: 1, Lon: 179}},
		{geo.Point{Lat: 1, Lon: math.Nextafter(180, 0)}, geo.Point{Lat: 1, Lon: math.Nextafter(180, 0)}},
	} {
		if got := test.in.Normal(); math.Abs(got.Lon-test.want.Lon) > 1e-9 || got.Lat != test.want.Lat {
			t.Errorf("%v is %v, want %v", test.in, got, test.want)
		}
	}
	for _, p := range []geo.Point{{Lat: 90.1}, {Lon: 180.1}, {Lat: math.NaN()}, {Lon: math.Inf(1)}} {
		if p.Valid() {
			t.Errorf("%v is valid", p)
		}
	}
}
