package analysis_test

import (
	"fmt"
	"math"
	"testing"

	"sortkey.dev/apps/exambuddy/analysis"
)

// published is a published example: nine candidates, ten questions.
var published = []string{"1111111101", "1111111010", "1111110100", "1111101010", "1111110100", "1110100000", "1101010000", "1010100000", "0110000000"}

func marks() [][]float64 {
	var all [][]float64
	for _, row := range published {
		var one []float64
		for _, c := range row {
			one = append(one, float64(c-'0'))
		}
		all = append(all, one)
	}
	return all
}

func equal(t *testing.T, what string, got, want float64, digits int) {
	t.Helper()
	if fmt.Sprintf("%.*f", digits, got) != fmt.Sprintf("%.*f", digits, want) {
		t.Errorf("%s is %.*f, want %.*f", what, digits, got, digits, want)
	}
}

func TestPublishedExample(t *testing.T) {
	test := analysis.Whole(marks())
	equal(t, "mean", test.Mean, 5.6667, 4)
	equal(t, "median", test.Median, 7, 4)
	equal(t, "variance", test.Variance, 6, 4)
	equal(t, "deviation", test.Deviation, 2.4495, 4)
	equal(t, "alpha", test.Alpha, 0.7665, 4)
	equal(t, "standard error", test.Error, 1.1837, 4)
	for what, column := range map[string]struct {
		of     func(analysis.Item) float64
		digits int
		want   []float64
	}{
		"facility":      {func(i analysis.Item) float64 { return i.Facility }, 4, []float64{.8889, .8889, .8889, .6667, .7778, .5556, .3333, .3333, .2222, .1111}},
		"item-rest":     {func(i analysis.Item) float64 { return i.ItemRest }, 4, []float64{.4570, .2857, .1222, .7276, .4857, .4909, .5893, .4588, .2605, .3990}},
		"item-total":    {func(i analysis.Item) float64 { return i.ItemTotal }, 4, []float64{.5613, .4082, .2552, .8165, .6172, .6455, .7144, .6124, .4243, .5103}},
		"efficiency":    {func(i analysis.Item) float64 { return 100 * i.Efficiency }, 2, []float64{100, 47.06, 20.59, 85.71, 65.38, 52.63, 83.33, 57.14, 41.30, 100}},
		"upper-lower":   {func(i analysis.Item) float64 { return i.UpperLower }, 1, []float64{.5, .5, 0, 1, .5, 1, 1, .5, .5, .5}},
		"alpha without": {func(i analysis.Item) float64 { return i.AlphaWithout }, 4, []float64{.7460, .7634, .7793, .6985, .7393, .7387, .7222, .7434, .7697, .7520}},
	} {
		for i, want := range column.want {
			equal(t, fmt.Sprintf("%s of question %d", what, i+1), column.of(test.Items[i]), want, column.digits)
		}
	}
}

// TestSumsGiveTheSame: the sums that are added up attempt by attempt give the same values.
func TestSumsGiveTheSame(t *testing.T) {
	test := analysis.Whole(marks())
	for i, want := range test.Items {
		var s analysis.Sums
		for _, row := range marks() {
			x, total := row[i], 0.0
			for _, mark := range row {
				total += mark
			}
			r := total - x
			s.N++
			s.X, s.XX, s.R, s.RR, s.XR = s.X+x, s.XX+x*x, s.R+r, s.RR+r*r, s.XR+x*r
		}
		equal(t, "facility", s.Facility(), want.Facility, 9)
		equal(t, "discrimination", s.Discrimination(), want.ItemRest, 9)
	}
}

func TestDistractors(t *testing.T) {
	totals := []float64{10, 9, 9, 8, 7, 6, 5, 4, 3, 2}
	chosen := "BBBBABCACD"
	var s analysis.Sums
	count, sum := map[byte]int64{}, map[byte]float64{}
	for i, total := range totals {
		s.N++
		s.T, s.TT = s.T+total, s.TT+total*total
		count[chosen[i]]++
		sum[chosen[i]] += total
	}
	for option, want := range map[byte]analysis.Option{
		'A': {Count: 2, Share: .2, MeanTotal: 5.5, Biserial: -.153},
		'B': {Count: 5, Share: .5, MeanTotal: 8.4, Biserial: .805},
		'C': {Count: 2, Share: .2, MeanTotal: 4, Biserial: -.441},
		'D': {Count: 1, Share: .1, MeanTotal: 2, Biserial: -.549},
	} {
		got := s.Distractor(count[option], sum[option], option == 'B')
		equal(t, string(option)+" share", got.Share, want.Share, 3)
		equal(t, string(option)+" mean", got.MeanTotal, want.MeanTotal, 3)
		equal(t, string(option)+" point-biserial", got.Biserial, want.Biserial, 3)
		if got.NeverChosen || got.PossiblyKey {
			t.Errorf("%c is flagged: %+v", option, got)
		}
	}
	if got := s.Distractor(0, 0, false); !got.NeverChosen || !math.IsNaN(got.MeanTotal) || got.PossiblyKey {
		t.Errorf("an option that was never chosen: %+v", got)
	}
	if got := s.Distractor(count['B'], sum['B'], false); !got.PossiblyKey {
		t.Error("a distractor that strong candidates choose is not flagged")
	}
}

func TestNoVarianceIsNoValue(t *testing.T) {
	test := analysis.Whole([][]float64{{1, 0}, {1, 1}})
	if !math.IsNaN(test.Items[0].ItemRest) {
		t.Errorf("the correlation of a question that all have right is %v", test.Items[0].ItemRest)
	}
	if one := analysis.Whole([][]float64{{1, 0}}); !math.IsNaN(one.Alpha) {
		t.Errorf("alpha of one candidate is %v", one.Alpha)
	}
	if none := analysis.Whole(nil); !math.IsNaN(none.Mean) {
		t.Errorf("the mean of no candidates is %v", none.Mean)
	}
}
