package marshal_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func TestSumsOfItems(t *testing.T) {
	weights := []int64{1, 2, 4}
	double := func(n int64) int64 { return 2 * n }
	if got := marshal.Total(weights, double); got != 14 {
		t.Errorf("the total is %d, want 14", got)
	}
	if got := marshal.Total(nil, double); got != 0 {
		t.Errorf("the total of nothing is %d", got)
	}
	if got := marshal.OfEach(weights, func(n int64) string { return strconv.FormatInt(n, 10) }); strings.Join(got, " ") != "1 2 4" {
		t.Errorf("the values are %q", got)
	}
}

func TestValuesThatMayBeMissing(t *testing.T) {
	if marshal.OnlyIf(true, 7) != 7 || marshal.OnlyIf(false, 7) != 0 {
		t.Error("OnlyIf does not follow its condition")
	}
	if marshal.OrZero(new(7)) != 7 || marshal.OrZero[int](nil) != 0 {
		t.Error("OrZero does not follow its pointer")
	}
	e := marshal.Encode("Attempt")
	if got := marshal.Given(&e, "score", new(7)); got != 7 || e.Err() != nil {
		t.Errorf("a given value is %d, %v", got, e.Err())
	}
	var refused *access.ValueError
	if got := marshal.Given[int](&e, "score", nil); got != 0 || !errors.As(e.Err(), &refused) || refused.Attribute != "score" {
		t.Errorf("a missing value is %d, %v", got, e.Err())
	}
}

func TestSumsOfDecimals(t *testing.T) {
	e := marshal.Encode("Attempt")
	if got := marshal.SumDecimals(&e, "total", "1.5", "-0.25"); got != "1.25" || e.Err() != nil {
		t.Errorf("the sum is %s, %v", got, e.Err())
	}
	if marshal.HasSum("1.5", "-1.5") || marshal.HasSum() || !marshal.HasSum("1.5", "-1") {
		t.Error("HasSum does not report whether the sum is 0")
	}
	// Together these have more digits than DynamoDB stores.
	wide := []access.Decimal{"1E+100", "1E-100"}
	var refused *access.ValueError
	if marshal.SumDecimals(&e, "total", wide...); !errors.As(e.Err(), &refused) || refused.Attribute != "total" {
		t.Errorf("the error of a sum of too many digits is %v", e.Err())
	}
	if !marshal.HasSum(wide...) {
		t.Error("a sum of too many digits is not 0")
	}
}

func TestShardsAreCountedFromTheFirst(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		seen[marshal.AnyShardFrom(1, 3)] = true
	}
	if len(seen) != 3 || !seen["1"] || !seen["2"] || !seen["3"] {
		t.Errorf("the shards are %v, want 1 to 3", seen)
	}
}
