package giving

import "sortkey.dev/apps/ecobid/ecobiddb"

// The types of reservations for doors, which do not import the database.
type (
	Reservation = ecobiddb.Reservation
	Message     = ecobiddb.Message
	Status      = ecobiddb.ReservationStatus
)

// The states of a reservation, and the side that has to act.
const (
	StatusPending   = ecobiddb.ReservationStatusPending
	StatusConfirmed = ecobiddb.ReservationStatusConfirmed
	StatusCompleted = ecobiddb.ReservationStatusCompleted
	StatusCancelled = ecobiddb.ReservationStatusCancelled

	AwaitsBuyer  = ecobiddb.ReservationAwaitsBuyer
	AwaitsSeller = ecobiddb.ReservationAwaitsSeller
	MarkedSeller = ecobiddb.ReservationFirstMarkBySeller
)
