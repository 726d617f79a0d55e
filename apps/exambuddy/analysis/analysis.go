// Package analysis has the formulas of item analysis: how hard a question is, how well it tells
// strong candidates from weak ones, and how the whole exam holds together. It computes from sums
// that were added up attempt by attempt, or from the marks of all candidates.
//
// Variances and covariances are of samples, with n-1, as in Moodle's calculator; the point-biserial
// correlation of an option uses the standard deviation of the population. A value that does not
// exist, such as a correlation without variance, is NaN.
//
// The package is pure: it knows no database and no texts. Package results calls it.
package analysis

import (
	"math"
	"slices"
)

// Sums holds what is added up for a question: x is the mark of a candidate in it, and r the mark in
// the rest of the exam, both from 0 to 1 or in any other unit.
type Sums struct {
	N                       int64
	X, XX, R, RR, XR, T, TT float64 // t is the mark in the whole exam
}

// Facility returns the mean mark, of a question whose full mark is 1.
func (s Sums) Facility() float64 { return s.X / float64(s.N) }

// Discrimination returns the correlation of the question with the rest of the exam.
func (s Sums) Discrimination() float64 {
	n := float64(s.N)
	return ratio(s.XR-s.X*s.R/n, math.Sqrt((s.XX-s.X*s.X/n)*(s.RR-s.R*s.R/n)))
}

// An Option holds the statistics of an option of a question.
type Option struct {
	Count       int64
	Share       float64
	MeanTotal   float64 // of those who chose it; NaN if none did
	Biserial    float64 // point-biserial correlation with the mark in the whole exam
	NeverChosen bool
	PossiblyKey bool // it attracts strong candidates more than weak ones
}

// Distractor returns how an option did that was chosen by some candidates, whose marks in the whole
// exam sum up to total. Key is whether it is the right one.
func (s Sums) Distractor(chosen int64, total float64, key bool) Option {
	n := float64(s.N)
	o := Option{Count: chosen, Share: float64(chosen) / n, MeanTotal: ratio(total, float64(chosen)), NeverChosen: chosen == 0}
	deviation := math.Sqrt(s.TT/n - s.T/n*s.T/n)
	p := o.Share
	o.Biserial = ratio((o.MeanTotal-s.T/n)*math.Sqrt(p*(1-p)), deviation*(1-p))
	o.PossiblyKey = !key && o.Biserial > 0
	return o
}

// An Item is a question of a whole exam.
type Item struct {
	Facility     float64
	ItemRest     float64 // correlation with the rest of the exam
	ItemTotal    float64 // correlation with the whole exam
	Efficiency   float64 // discriminative efficiency, from -1 to 1
	UpperLower   float64 // facility of the best 27 % less that of the last 27 %
	AlphaWithout float64 // Cronbach's alpha of the other questions
}

// A Test is a whole exam that all candidates took with the same questions.
type Test struct {
	Candidates int
	Mean       float64
	Median     float64
	Variance   float64
	Deviation  float64
	Alpha      float64 // Cronbach's alpha
	Error      float64 // standard error of measurement, in marks
	Items      []Item
}

// Whole analyses the marks of candidates in the same questions: marks[c][i] is that of candidate c
// in question i.
func Whole(marks [][]float64) Test {
	totals := make([]float64, len(marks))
	for c, row := range marks {
		for _, mark := range row {
			totals[c] += mark
		}
	}
	t := Test{Candidates: len(marks), Mean: mean(totals), Median: median(totals), Variance: covariance(totals, totals)}
	t.Deviation = math.Sqrt(t.Variance)
	if len(marks) == 0 {
		return t
	}
	k := len(marks[0])
	columns := make([][]float64, k)
	variances := 0.0
	for i := range k {
		for _, row := range marks {
			columns[i] = append(columns[i], row[i])
		}
		variances += covariance(columns[i], columns[i])
	}
	t.Alpha = alpha(k, variances, t.Variance)
	t.Error = t.Deviation * math.Sqrt(1-t.Alpha)
	for _, x := range columns {
		t.Items = append(t.Items, item(x, totals, k, variances, t.Variance))
	}
	return t
}

func item(x, totals []float64, k int, variances, variance float64) Item {
	rest := make([]float64, len(x))
	for c := range x {
		rest[c] = totals[c] - x[c]
	}
	own := covariance(x, x)
	upper := upperLower(x, totals)
	return Item{
		Facility: mean(x), ItemRest: correlation(x, rest), ItemTotal: correlation(x, totals),
		Efficiency: ratio(covariance(x, rest), covariance(sorted(x), sorted(rest))), UpperLower: upper,
		AlphaWithout: alpha(k-1, variances-own, covariance(rest, rest)),
	}
}

// upperLower compares the best and the last 27 % of the candidates. Candidates with the same total
// stay in the order in which they are given.
func upperLower(x, totals []float64) float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case totals[a] > totals[b]:
			return -1
		case totals[a] < totals[b]:
			return 1
		}
		return 0
	})
	k := max(1, int(math.Round(0.27*float64(len(x)))))
	best, last := 0.0, 0.0
	for i := range k {
		best += x[order[i]]
		last += x[order[len(order)-1-i]]
	}
	return (best - last) / float64(k)
}

// alpha returns Cronbach's alpha of k questions.
func alpha(k int, variances, variance float64) float64 {
	return ratio(float64(k), float64(k-1)) * (1 - ratio(variances, variance))
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return ratio(sum, float64(len(values)))
}

func median(values []float64) float64 {
	ordered := sorted(values)
	n := len(ordered)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return ordered[n/2]
	}
	return (ordered[n/2-1] + ordered[n/2]) / 2
}

func sorted(values []float64) []float64 {
	ordered := slices.Clone(values)
	slices.Sort(ordered)
	return ordered
}

func covariance(a, b []float64) float64 {
	meanA, meanB := mean(a), mean(b)
	sum := 0.0
	for i := range a {
		sum += (a[i] - meanA) * (b[i] - meanB)
	}
	return ratio(sum, float64(len(a)-1))
}

func correlation(a, b []float64) float64 {
	return ratio(covariance(a, b), math.Sqrt(covariance(a, a)*covariance(b, b)))
}

// ratio returns NaN instead of dividing by zero.
func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}
