package ecobid

import (
	"context"
	"time"

	"sortkey.dev/apps/internal/limits"
)

// How often a person may do what reaches other people or fills the disk, by every door. They are far above what
// a person does who clears a flat.
var (
	LimitUploads  = limits.Limit{Name: "uploads", Most: 100, Window: time.Hour}
	LimitItems    = limits.Limit{Name: "items", Most: 60, Window: 24 * time.Hour}
	LimitRequests = limits.Limit{Name: "requests", Most: 60, Window: 24 * time.Hour} // reservations, queues and lotteries
	LimitBids     = limits.Limit{Name: "bids", Most: 120, Window: 10 * time.Minute}  // and changes of the own maximum
	LimitMessages = limits.Limit{Name: "messages", Most: 120, Window: time.Hour}
	LimitReports  = limits.Limit{Name: "reports", Most: 30, Window: 24 * time.Hour}
)

// Allow counts a use of a limit by a person, and refuses it if there were too many.
func (e *Env) Allow(ctx context.Context, limit limits.Limit, userID string) error {
	_, err := e.Limits.Allow(ctx, limit, userID)
	return err
}

// Times of reservations.
const (
	AnswerWithin   = 24 * time.Hour // for the seller's answer, and for the winner of a draw or a late offer
	QueueHold      = 4 * time.Hour  // for the next person of a queue
	PickupGrace    = 24 * time.Hour // after the pickup time, before it counts as a no-show
	CompleteAfter  = 48 * time.Hour // after one side has confirmed the pickup
	PickupReminder = 2 * time.Hour  // before the pickup time
	RateWithin     = 14 * 24 * time.Hour
	// PlaceAfter is the time after completion for which the counterpart can read the exact place.
	PlaceAfter = 7 * 24 * time.Hour
	// MaxPickupAhead bounds the pickup time.
	MaxPickupAhead = 30 * 24 * time.Hour
)

// Retention.
const (
	KeepCompleted = 90 * 24 * time.Hour
	KeepEvent     = 7 * 24 * time.Hour
	KeepReport    = 2 * 365 * 24 * time.Hour
	// KeepUnused is the time after which a photo that no item uses is deleted.
	KeepUnused = 24 * time.Hour
	// ListedFor is the time after which an item without a taker leaves the feeds.
	ListedFor = 30 * 24 * time.Hour
)

// Numbers.
const (
	MaxActiveReservations = 5
	MaxPhotos             = 5
	MaxFavourites         = 200
	MaxSearches           = 20
	MaxBlocks             = 200
	MaxEntries            = 200
	MaxPage               = 100
	DefaultPage           = 20
	MinStars, MaxStars    = 1, 5
)

// Amounts in minor units.
const (
	MinMinBid = 500
	MaxMinBid = 5000
	// MaxAmount bounds what a person can bid by mistake.
	MaxAmount = 1_000_000
)

// Hours of auctions and lotteries.
const (
	ShortAuction   = 24
	LongAuction    = 48
	MinEntryHours  = 3
	MaxEntryHours  = 12
	UsualEntry     = 6
	EndingSoon     = 15 * time.Minute // before the end, bidders are reminded
	MaxWeightGrams = 1_000_000
)

// Radii lists the radii of searches in kilometres; DefaultRadius is used if none is given.
var Radii = []int{1, 5, 10, 25}

// DefaultRadius is the radius of a search that gives none, in kilometres.
const DefaultRadius = 5

// Lengths of texts in characters.
const (
	MinTitle, MaxTitle = 3, 100
	MaxDescription     = 1000
	MaxMessage         = 500
	MaxComment         = 500
	MaxAddress         = 200
	MinName, MaxName   = 3, 30
	MaxCity            = 60
	MaxReason, MaxNote = 60, 500
	MaxWords           = 60
)
