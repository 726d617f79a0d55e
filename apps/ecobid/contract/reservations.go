package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of reservations.
var (
	ListReservations = operation.Get[Past, List[Reservation]]("/v1/users/me/reservations", "Own reservations")
	ListRequests     = operation.Get[Past, List[Reservation]]("/v1/users/me/requests", "Reservations of own items")
	GetReservation   = operation.Get[operation.ByID, Reservation]("/v1/reservations/{id}", "A reservation")
	Accept           = operation.Post[operation.ByID, Reservation]("/v1/reservations/{id}/accept", "Accept an offer")
	Confirm          = operation.Post[operation.ByIDWith[Confirmation], Reservation]("/v1/reservations/{id}/confirm", "Confirm a request with a time")
	Decline          = operation.Post[operation.ByID, Reservation]("/v1/reservations/{id}/decline", "Decline a request")
	Cancel           = operation.Post[operation.ByID, Reservation]("/v1/reservations/{id}/cancel", "Cancel a reservation")
	PickUp           = operation.Post[operation.ByID, Reservation]("/v1/reservations/{id}/picked-up", "Confirm the pickup")
	GetCode          = operation.Get[operation.ByID, Code]("/v1/reservations/{id}/code", "The code of the pickup, for the giver")
	Complete         = operation.Post[operation.ByIDWith[Code], Reservation]("/v1/reservations/{id}/complete", "Complete the pickup with the giver's code")
	ListMessages     = operation.Get[operation.PageOf, List[Message]]("/v1/reservations/{id}/messages", "Messages between the parties")
	SendMessage      = operation.Post[Once[Text], Message]("/v1/reservations/{id}/messages", "Send a message").Created()
	Rate             = operation.Post[Once[NewRating], None]("/v1/reservations/{id}/rating", "Rate the other party").Created()
)

// A Confirmation names the time of a pickup.
type Confirmation struct {
	PickupTime time.Time `json:"pickupTime"`
	Message    string    `json:"message,omitempty"`
}

// A Code is the code of a pickup.
type Code struct {
	Code string `json:"code"`
}

// A Text is a message to send.
type Text struct {
	Text string `json:"text"`
}

// A NewRating rates the other party of a pickup.
type NewRating struct {
	Rating  int    `json:"rating"`
	Comment string `json:"comment,omitempty"`
}

// A Reservation is a reservation as its parties see it.
type Reservation struct {
	ID            string     `json:"id"`
	ItemID        string     `json:"itemId"`
	Title         string     `json:"title"`
	BuyerID       string     `json:"buyerId"`
	SellerID      string     `json:"sellerId"`
	AuctionID     *string    `json:"auctionId,omitempty"`
	Price         int64      `json:"price"`
	Status        string     `json:"status" enum:"pending confirmed completed cancelled"`
	Awaits        string     `json:"awaits" enum:"buyer seller"`
	Message       *string    `json:"message,omitempty"`
	SellerMessage *string    `json:"sellerMessage,omitempty"`
	Deadline      time.Time  `json:"deadline"`
	PickupTime    *time.Time `json:"pickupTime,omitempty"`
	MarkedBy      string     `json:"markedBy,omitempty"`
	CancelReason  string     `json:"cancelReason,omitempty"`
	CompletedAt   *time.Time `json:"completedAt,omitempty"`
	RateUntil     *time.Time `json:"rateUntil,omitempty"`
	CreatedAt     time.Time  `json:"createdAt"`
}

// A Message is a message between the parties of a pickup.
type Message struct {
	ID       string    `json:"id"`
	SenderID string    `json:"senderId"`
	Text     string    `json:"text"`
	At       time.Time `json:"at"`
}

// Past holds the arguments of lists of reservations: the open ones, or those of the past.
type Past struct {
	Past   bool   `query:"past"`
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}
