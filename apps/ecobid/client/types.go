package client

import (
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/internal/operation"
)

// A List is a page of a list.
type List[T any] = operation.List[T]

// The types of requests and responses.
type (
	Auction         = contract.Auction
	AuctionSettings = contract.AuctionSettings
	Bid             = contract.Bid
	BidReceipt      = contract.BidReceipt
	BlockedUser     = contract.BlockedUser
	Card            = contract.Card
	Confirmation    = contract.Confirmation
	Copy            = contract.Copy
	Delivery        = contract.Delivery
	Device          = contract.Device
	Devices         = contract.Devices
	Draw            = contract.Draw
	Entry           = contract.Entry
	ExactLocation   = contract.ExactLocation
	Favourite       = contract.Favourite
	Impact          = contract.Impact
	ImpactFactor    = contract.ImpactFactor
	ImpactMonth     = contract.ImpactMonth
	Item            = contract.Item
	Joined          = contract.Joined
	Location        = contract.Location
	Message         = contract.Message
	Nearby          = contract.Nearby
	NewAuction      = contract.NewAuction
	NewDevice       = contract.NewDevice
	NewItem         = contract.NewItem
	NewRating       = contract.NewRating
	NewWebhook      = contract.NewWebhook
	Notification    = contract.Notification
	Photo           = contract.Photo
	Place           = contract.Place
	Preferences     = contract.Preferences
	Profile         = contract.Profile
	ProfileChange   = contract.ProfileChange
	Publication     = contract.Publication
	Query           = contract.Query
	QuietHours      = contract.QuietHours
	Rating          = contract.Rating
	Registration    = contract.Registration
	Reservation     = contract.Reservation
	Search          = contract.Search
	Uploaded        = contract.Uploaded
	Webhook         = contract.Webhook
)
