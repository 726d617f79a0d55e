package ledger

import "sortkey.dev/apps/homeops/homeopsdb"

// The words of entries, for doors, which do not know the database.
type (
	Effort   = homeopsdb.EventEffort
	Category = homeopsdb.EventCategory
)
