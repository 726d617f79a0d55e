package main

import "slices"

// quartiles returns the ends of the middle half of values; 0 if there are none.
func quartiles(values []float64) (lower, upper float64) {
	if len(values) == 0 {
		return 0, 0
	}
	sorted := slices.Sorted(slices.Values(values))
	outside := len(sorted) / 4
	return sorted[outside], sorted[len(sorted)-1-outside]
}

// pairedRatios returns a[i]/b[i]. The machine's speed drifts; slices of one round were
// measured next to each other, so their ratio drifts less than the ratio of two medians
// would.
func pairedRatios(a, b []float64) []float64 {
	ratios := make([]float64, 0, len(a))
	for i := range min(len(a), len(b)) {
		if b[i] > 0 {
			ratios = append(ratios, a[i]/b[i])
		}
	}
	return ratios
}
