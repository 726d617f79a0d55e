package ecobid

import (
	"encoding/json"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/ecobiddb"
)

// The kinds of domain events. They are also the types that webhooks choose.
const (
	ItemCreated          = "item.created" // an item is in the feeds
	ItemWithdrawn        = "item.withdrawn"
	ItemExpired          = "item.expired"
	ItemRemoved          = "item.removed"
	LotteryDrawn         = "lottery.drawn"
	ReservationCreated   = "reservation.created"
	ReservationOffered   = "reservation.offered"
	ReservationAccepted  = "reservation.accepted"
	ReservationConfirmed = "reservation.confirmed"
	ReservationCancelled = "reservation.cancelled"
	ReservationCompleted = "reservation.completed"
	PickupDue            = "pickup.due"
	MessageSent          = "message.sent"
	AuctionCreated       = "auction.created"
	BidPlaced            = "bid.placed"
	AuctionEndingSoon    = "auction.ending_soon"
	AuctionEnded         = "auction.ended"
	AuctionCancelled     = "auction.cancelled"
	UserRated            = "user.rated"
	ReportDecided        = "report.decided"
)

// Kinds lists all kinds of domain events.
var Kinds = []string{
	ItemCreated, ItemWithdrawn, ItemExpired, ItemRemoved, LotteryDrawn, ReservationCreated, ReservationOffered, ReservationAccepted,
	ReservationConfirmed, ReservationCancelled, ReservationCompleted, PickupDue, MessageSent, AuctionCreated, BidPlaced,
	AuctionEndingSoon, AuctionEnded, AuctionCancelled, UserRated, ReportDecided,
}

// A Detail holds what a domain event tells. Its kind determines which fields are set. It contains
// neither exact places nor secret amounts: webhooks deliver it.
type Detail struct {
	ItemID        string     `json:"itemId,omitempty"`
	Title         string     `json:"title,omitempty"`
	Category      string     `json:"category,omitempty"`
	Mode          string     `json:"mode,omitempty"`
	City          string     `json:"city,omitempty"`
	Lat           *float64   `json:"lat,omitempty"` // of the public point
	Lon           *float64   `json:"lon,omitempty"`
	UserID        string     `json:"userId,omitempty"` // who acted, or whom it concerns
	SellerID      string     `json:"sellerId,omitempty"`
	BuyerID       string     `json:"buyerId,omitempty"`
	ReservationID string     `json:"reservationId,omitempty"`
	AuctionID     string     `json:"auctionId,omitempty"`
	Amount        int64      `json:"amount,omitempty"` // the visible price
	Currency      string     `json:"currency,omitempty"`
	LeaderID      string     `json:"leaderId,omitempty"`
	OutbidID      string     `json:"outbidId,omitempty"`
	WinnerID      string     `json:"winnerId,omitempty"`
	Bids          int64      `json:"bids,omitempty"`
	Reason        string     `json:"reason,omitempty"`
	By            string     `json:"by,omitempty"`
	Deadline      *time.Time `json:"deadline,omitempty"`
	PickupTime    *time.Time `json:"pickupTime,omitempty"`
	EndsAt        *time.Time `json:"endsAt,omitempty"`
	WeightGrams   int64      `json:"weightGrams,omitempty"`
}

// sources maps the first word of a kind to the source of its events.
var sources = map[string]ecobiddb.OutboxEventSource{
	"item": ecobiddb.OutboxEventSourceItems, "lottery": ecobiddb.OutboxEventSourceItems,
	"reservation": ecobiddb.OutboxEventSourceReservations, "pickup": ecobiddb.OutboxEventSourceReservations, "message": ecobiddb.OutboxEventSourceReservations,
	"auction": ecobiddb.OutboxEventSourceAuctions, "bid": ecobiddb.OutboxEventSourceAuctions,
	"user": ecobiddb.OutboxEventSourceUsers, "report": ecobiddb.OutboxEventSourceUsers,
}

// Emit adds a domain event to a transaction, so that it exists if and only if the change does. The
// stream of the table delivers it to package events.
func (e *Env) Emit(tx *ecobiddb.Tx, kind string, detail Detail) error {
	encoded, err := json.Marshal(detail)
	if err != nil {
		return fmt.Errorf("encode an event %s: %w", kind, err)
	}
	now := e.Now()
	var subject string
	for i, char := range kind {
		if char == '.' {
			subject = kind[:i]
			break
		}
	}
	tx.EmitEvent(ecobiddb.OutboxEvent{
		EventID: access.NewULID(now), Source: sources[subject], Kind: kind, Detail: encoded,
		State: ecobiddb.OutboxEventStatePending, CreatedAt: now, ExpiresAt: now.Add(KeepEvent),
	})
	return nil
}
