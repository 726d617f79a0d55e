package ecobid

// Kinds of jobs that one room queues and another one runs.
const (
	// JobOfferNext offers an item to the next bidder; package auctions runs it for package giving.
	JobOfferNext = "auction-offer-next"
	// JobReveal makes the ratings of a pickup visible; package trust runs it for package giving.
	JobReveal = "rating-reveal"
)

// A ReservationRef is the payload of jobs about a reservation.
type ReservationRef struct {
	ItemID        string `json:"item"`
	ReservationID string `json:"reservation"`
}
