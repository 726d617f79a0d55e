package docgen

import (
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/design/internal/exact"
)

// TestPicturesComeFirst checks the order of the page: where everything is, what it costs and
// where it is hot, then the rows.
func TestPicturesComeFirst(t *testing.T) {
	for name, in := range examples(t) {
		page := pageOf(t, in)
		last := -1
		for _, section := range []string{"overview", "cost", "heat", "findings", "patterns", "collections", "chart", "details"} {
			at := strings.Index(page, `<section id="`+section+`"`)
			if at <= last {
				t.Errorf("%s: section %s is not after the one before it", name, section)
			}
			last = at
		}
	}
}

func TestOverviewShowsEveryPath(t *testing.T) {
	for name, in := range examples(t) {
		shown := 0
		for _, table := range newOverview(in) {
			for _, path := range table.Paths {
				shown++
				if path.Keys == "" || path.Money.Value == "" || path.Heat.Value == "" {
					t.Errorf("%s: %s.%s has no keys, cost or heat: %+v", name, table.Name, path.Name, path)
				}
			}
		}
		if want := len(paths(in.Estimate)); shown != want {
			t.Errorf("%s: %d paths are shown, the design has %d", name, shown, want)
		}
	}
}

// TestEveryRowCanBeFound chooses every value of every filter: at least one row must have it.
func TestEveryRowCanBeFound(t *testing.T) {
	for name, in := range examples(t) {
		page := pageOf(t, in)
		v := newPatterns(in, newFindings(in))
		for _, filter := range v.Filters {
			for _, value := range filter.Values {
				row := regexp.MustCompile(`data-` + filter.Key + `="[^"]* ` + regexp.QuoteMeta(value) + ` [^"]*"`)
				if !row.MatchString(page) {
					t.Errorf("%s: no row has %s %s", name, filter.Key, value)
				}
			}
		}
	}
}

func TestOneLargeAmountIsCut(t *testing.T) {
	draw := func(sizes ...int64) bars {
		var amounts []amount
		for _, size := range sizes {
			amounts = append(amounts, one("a", "a", exact.Int(size)))
		}
		return drawBars("id", "title", "Bars from zero.", amounts)
	}
	cut := draw(801, 100, 50)
	if !cut.Rows[0].Cut || cut.Rows[1].Cut || cut.Rows[0].Segments[0].Width != "100.00%" || cut.Rows[1].Segments[0].Width != "50.00%" {
		t.Errorf("the outlier squeezes the others: %+v", cut.Rows)
	}
	if !strings.HasSuffix(cut.Desc, "The longest bar is cut.") {
		t.Errorf("the description says %q", cut.Desc)
	}
	for _, sizes := range [][]int64{{800, 100, 50}, {801, 100}, {801, 0, 0}} {
		if whole := draw(sizes...); whole.Rows[0].Cut || whole.Rows[0].Segments[0].Width != "100.00%" {
			t.Errorf("%v: the largest bar is cut", sizes)
		}
	}
}
