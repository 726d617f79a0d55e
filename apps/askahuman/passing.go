package askahuman

import (
	"sortkey.dev/access"
)

// Passing reports whether a call failed because the database is unavailable or busy, so that
// the same call may succeed later.
func Passing(err error) bool {
	return access.Contended(err) || access.Unavailable(err)
}
