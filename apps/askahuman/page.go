package askahuman

import (
	"errors"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/refusal"
)

// IsID reports whether text has the form of an id. Other texts are not looked up.
func IsID(id string) bool {
	_, err := access.TimeOfID(id)
	return err == nil
}

// Bounds of the pages of lists.
const (
	DefaultPage = 20
	MaxPage     = 50
	// MaxPageReads bounds the reads for a page whose rows are nearly all filtered out. Such a
	// page is short and still has a cursor.
	MaxPageReads = 20
)

// BadCursor turns an invalid cursor into a validation error and returns other errors
// unchanged.
func BadCursor(err error) error {
	if errors.Is(err, access.ErrBadCursor) {
		return refusal.OfField(refusal.Field{Name: "cursor", Constraint: "format"}, "This is not a cursor of this list.")
	}
	return err
}

// Distinct returns the keys without duplicates, in order: a batch must not contain a key
// twice.
func Distinct[K comparable](keys []K) []K {
	seen := make(map[K]bool, len(keys))
	var once []K
	for _, key := range keys {
		if !seen[key] {
			seen[key] = true
			once = append(once, key)
		}
	}
	return once
}

// PageSize returns the number of rows of an operator's page.
func PageSize(limit int) int {
	if limit == 0 {
		return MaxPage
	}
	return min(max(limit, 1), MaxPage)
}
