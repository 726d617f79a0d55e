package giving

import "sortkey.dev/apps/ecobid/ecobiddb"

// The types of reservations for doors, which do not import the database.
type (
	Reservation = ecobiddb.Reservation
	Message     = ecobiddb.Message
)
