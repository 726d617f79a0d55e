package trust

import "sortkey.dev/apps/ecobid/ecobiddb"

// The types of this package for doors, which do not import the database.
type (
	Rating         = ecobiddb.Rating
	Favourite      = ecobiddb.Favourite
	SavedSearch    = ecobiddb.SavedSearch
	SearchCategory = ecobiddb.SavedSearchCategory
	StoredReport   = ecobiddb.Report
	ReportKey      = ecobiddb.ReportKey
	Month          = ecobiddb.Impact // the figures of a month
)

// AnyCategory is the category of a search for everything.
const AnyCategory = ecobiddb.SavedSearchCategoryAny
