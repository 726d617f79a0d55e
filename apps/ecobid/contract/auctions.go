package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of auctions.
var (
	ListAuctions    = operation.Get[operation.Page, List[Auction]]("/v1/auctions", "Running auctions, those that end next first").Open()
	StartAuction    = operation.Post[operation.With[NewAuction], Auction]("/v1/auctions", "Start the auction of an own item").Created()
	GetAuction      = operation.Get[operation.ByID, Auction]("/v1/auctions/{id}", "An auction").Open()
	CancelAuction   = operation.Post[operation.ByID, None]("/v1/auctions/{id}/cancel", "Cancel an auction without bids")
	ListBids        = operation.Get[operation.PageOf, List[Bid]]("/v1/auctions/{id}/bids", "The history of an auction").Open()
	PlaceBid        = operation.Post[Once[Maximum], BidReceipt]("/v1/auctions/{id}/bids", "Place a secret maximum").Created()
	ListOwnBids     = operation.Get[operation.Page, List[Bid]]("/v1/users/me/bids", "Own bids")
	ListOwnAuctions = operation.Get[operation.Page, List[Auction]]("/v1/users/me/auctions", "Own auctions")
	WatchAuction    = operation.Get[operation.ByID, operation.File]("/v1/auctions/{id}/events", "The auction at every change, as server-sent events").Open().Sends("text/event-stream")
)

// A NewAuction starts an auction.
type NewAuction struct {
	ItemID       string `json:"itemId"`
	MinBid       int64  `json:"minBid"`
	ReservePrice int64  `json:"reservePrice,omitempty"`
	Hours        int    `json:"durationHours"`
}

// A Maximum is the secret maximum of a bid, in minor units.
type Maximum struct {
	Maximum int64 `json:"maximum"`
}

// An Auction is an auction as the caller sees it.
type Auction struct {
	ID             string    `json:"id"`
	ItemID         string    `json:"itemId"`
	Title          string    `json:"title"`
	SellerID       string    `json:"sellerId"`
	Currency       string    `json:"currency"`
	MinBid         int64     `json:"minBid"`
	CurrentBid     int64     `json:"currentBid"`
	LeaderID       *string   `json:"leaderId,omitempty"`
	WinnerID       *string   `json:"winnerId,omitempty"`
	BidCount       int64     `json:"bidCount"`
	HasReserve     bool      `json:"hasReserve"`
	ReserveMet     bool      `json:"reserveMet"`
	Status         string    `json:"status" enum:"active ended completed expired cancelled"`
	Ended          bool      `json:"ended"`
	StartsAt       time.Time `json:"startsAt"`
	EndsAt         time.Time `json:"endsAt"`
	OriginalEndsAt time.Time `json:"originalEndsAt"`
	Extensions     int64     `json:"extensions"`
	LeastBid       int64     `json:"leastBid"`
	Leading        bool      `json:"leading"`
	Maximum        int64     `json:"maximum,omitempty"` // the caller's own, while leading
}

// A Bid is an accepted bid of the history.
type Bid struct {
	ID        string    `json:"id"`
	AuctionID string    `json:"auctionId"`
	Title     string    `json:"title"`
	BidderID  string    `json:"bidderId"`
	LeaderID  string    `json:"leaderId"`
	Amount    int64     `json:"amount"`    // the price after the bid
	Automatic bool      `json:"automatic"` // the leader's maximum was higher
	At        time.Time `json:"at"`
}

// A BidReceipt says what a bid led to.
type BidReceipt struct {
	ID         string    `json:"id"`
	At         time.Time `json:"at"`
	Maximum    int64     `json:"maximum"`
	Leading    bool      `json:"leading"`
	Price      int64     `json:"price"`
	LeastNext  int64     `json:"leastNextBid"`
	EndsAt     time.Time `json:"endsAt"`
	Extended   bool      `json:"extended"`
	ReserveMet bool      `json:"reserveMet"`
}
