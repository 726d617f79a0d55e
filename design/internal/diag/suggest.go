package diag

import "sortkey.dev/internal/suggest"

// DidYouMean is the end of a message about an unknown name: "; did you mean X?", or
// nothing if no candidate is near.
func DidYouMean(name string, candidates []string) string {
	if best, ok := suggest.Nearest(name, candidates); ok {
		return "; did you mean " + best + "?"
	}
	return ""
}
