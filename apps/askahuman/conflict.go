package askahuman

import (
	"errors"

	"sortkey.dev/access"
)

// Changed reports whether a conditional write failed because an item of type T has
// changed since it was read.
func Changed[T any](err error) bool {
	var unmet *access.ConditionError[T]
	return errors.As(err, &unmet)
}
