package access_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
)

func TestMeterComparesEstimatesWithUnits(t *testing.T) {
	var m access.Meter
	observe := func(c access.Call) { m.Observe(t.Context(), c) }
	for i := range 100 {
		observe(access.Call{Pattern: "ListSold", Table: "Shop", Index: "GSI1", Operation: "Query", Estimated: 2, Units: 3, Requests: 2, Items: 10,
			Duration: time.Duration(i+1) * time.Millisecond})
	}
	observe(access.Call{Pattern: "CreateProduct", Table: "Shop", Estimated: 1, Units: 1, Requests: 1, Items: 1, Retries: 2, Duration: 5 * time.Microsecond})
	observe(access.Call{Pattern: "CreateProduct", Table: "Shop", Estimated: 1, Requests: 1, Duration: 5 * time.Microsecond, Err: access.ErrNotFound})
	observe(access.Call{Pattern: "CreateProduct", Table: "Shop", Estimated: 1, Requests: 1, Duration: 5 * time.Microsecond, Err: errors.New("broken")})

	got := m.Report()
	for i := range got {
		got[i].P50, got[i].P99 = 0, 0
	}
	want := []access.PatternReport{
		{Pattern: "CreateProduct", Table: "Shop", Calls: 3, Refused: 1, Errors: 1, Requests: 3, Items: 1, Retries: 2, Units: 1, Estimated: 1, UnitsPerCall: 1, Ratio: 1},
		{Pattern: "ListSold", Table: "Shop", Index: "GSI1", Calls: 100, Requests: 200, Items: 1000, Units: 300, Estimated: 2, UnitsPerCall: 3, Ratio: 1.5},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var text strings.Builder
	if err := m.Text(&text); err != nil {
		t.Fatal(err)
	}
	table := `
pattern        path       calls  refused  errors  retries  estimated  actual  ratio     p50     p99
CreateProduct  Shop           3        1       1        2       1.00    1.00   1.00  4.99µs  4.99µs
ListSold       Shop.GSI1    100        0       0        0       2.00    3.00   1.50  49.3ms  98.6ms
`
	if diff := cmp.Diff(table, "\n"+text.String()); diff != "" {
		t.Error(diff)
	}
}

func TestMeterIsWithinFourPercent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var m access.Meter
		d := time.Duration(float64(3*time.Microsecond) * float64(uint64(1)<<random.IntN(35)) * (1 + random.Float64()))
		m.Observe(t.Context(), access.Call{Pattern: "P", Duration: d})
		r := m.Report()[0]
		for _, got := range []time.Duration{r.P50, r.P99} {
			if off := float64(got-d) / float64(d); off > 0.04 || off < -0.04 {
				t.Fatalf("%v was measured as %v", d, got)
			}
		}
	}
}

func TestMeterTakesAnyDuration(t *testing.T) {
	var m access.Meter
	for _, d := range []time.Duration{-time.Second, 0, 1, 1<<63 - 1} {
		m.Observe(t.Context(), access.Call{Pattern: "P", Duration: d})
	}
	if r := m.Report()[0]; r.Calls != 4 || r.P50 > time.Microsecond || r.P50 < 0 {
		t.Errorf("got %+v", r)
	}
}

func TestMeterPassesOnTheErrorOfItsWriter(t *testing.T) {
	_, w := io.Pipe()
	broken := errors.New("broken")
	_ = w.CloseWithError(broken)
	if err := new(access.Meter).Text(w); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}
