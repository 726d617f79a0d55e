package diag

import "strings"

// maxName is the maximum length of a name to suggest for; comparing takes quadratic time.
const maxName = 100

// Nearest returns the candidate most similar to name, if it is similar enough for a
// suggestion. A candidate that differs only in case always is.
func Nearest(name string, candidates []string) (string, bool) {
	if len(name) > maxName {
		return "", false
	}
	best, bestDistance := "", len(name)/2+1 // at least half of it is right
	lower := strings.ToLower(name)
	for _, c := range candidates {
		if d := editDistance(lower, strings.ToLower(c), bestDistance); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best, best != ""
}

// DidYouMean returns a suggestion to append to a message about an unknown name: "; did you
// mean X?", or "" if no candidate is near.
func DidYouMean(name string, candidates []string) string {
	if best, ok := Nearest(name, candidates); ok {
		return "; did you mean " + best + "?"
	}
	return ""
}

// editDistance returns the edit distance of a and b, with swaps of adjacent letters, up to
// limit.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var beforeLast []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], beforeLast[j-1]+1)
			}
		}
		beforeLast, last = last, row
	}
	return last[len(b)]
}
