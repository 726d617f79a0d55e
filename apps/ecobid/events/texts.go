package events

import (
	"fmt"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/internal/notify"
)

// The kinds of notifications, which people can mute.
const (
	KindNearby     = "nearby"  // a new item matches a saved search
	KindRequest    = "request" // a request for an own item, and what becomes of it
	KindPickup     = "pickup"  // confirmations, reminders, completed pickups
	KindMessage    = "message"
	KindAuction    = "auction" // outbid, ending soon, won, unsold
	KindRating     = "rating"
	KindModeration = "moderation" //
)

// Kinds lists the kinds of notifications in the order in which settings show them.
var Kinds = []string{KindNearby, KindRequest, KindPickup, KindMessage, KindAuction, KindRating, KindModeration}

// notifications returns whom an event concerns and what they are told; clock writes a time for a
// person. A person is told once of an event.
func notifications(kind string, d ecobid.Detail, clock func(person string, at *time.Time) string) []notify.Notification {
	reservation, item := "/pickups/"+d.ReservationID, "/items/"+d.ItemID
	to := func(recipient, of, title, body, link string) []notify.Notification {
		if recipient == "" {
			return nil
		}
		return []notify.Notification{{Recipient: recipient, Kind: of, Title: title, Body: body, Link: link}}
	}
	both := func(a, b []notify.Notification) []notify.Notification { return append(a, b...) }
	switch kind {
	case ecobid.ReservationCreated:
		if d.AuctionID != "" {
			return nil // AuctionEnded tells it
		}
		return to(d.SellerID, KindRequest, "Request for "+d.Title, "Answer by "+clock(d.SellerID, d.Deadline)+".", reservation)
	case ecobid.ReservationOffered:
		return both(
			to(d.BuyerID, KindRequest, d.Title+" is yours if you still want it", "Answer by "+clock(d.BuyerID, d.Deadline)+".", reservation),
			to(d.SellerID, KindRequest, d.Title+" is offered to the next person", "", reservation),
		)
	case ecobid.ReservationAccepted:
		return to(d.SellerID, KindRequest, "Request for "+d.Title, "Answer by "+clock(d.SellerID, d.Deadline)+".", reservation)
	case ecobid.ReservationConfirmed:
		return to(d.BuyerID, KindPickup, "Confirmed: "+d.Title, "Pick it up on "+clock(d.BuyerID, d.PickupTime)+". The address is on the page.", reservation)
	case ecobid.ReservationCancelled:
		return cancelled(d, reservation, to)
	case ecobid.ReservationCompleted:
		return both(
			to(d.BuyerID, KindPickup, "Enjoy "+d.Title, "How was the pickup? Rate it within 14 days.", reservation),
			to(d.SellerID, KindPickup, d.Title+" was picked up", "How was the pickup? Rate it within 14 days.", reservation),
		)
	case ecobid.PickupDue:
		return both(
			to(d.BuyerID, KindPickup, "Pickup soon: "+d.Title, "At "+clock(d.BuyerID, d.PickupTime)+".", reservation),
			to(d.SellerID, KindPickup, "Pickup soon: "+d.Title, "At "+clock(d.SellerID, d.PickupTime)+".", reservation),
		)
	case ecobid.MessageSent:
		recipient := d.BuyerID
		if d.UserID == d.BuyerID {
			recipient = d.SellerID
		}
		return to(recipient, KindMessage, "New message about "+d.Title, "", reservation)
	case ecobid.BidPlaced:
		return to(d.OutbidID, KindAuction, "You were outbid: "+d.Title, "The price is "+amount(d)+".", item)
	case ecobid.AuctionEndingSoon:
		return to(d.LeaderID, KindAuction, "Ends soon: "+d.Title, "You lead at "+amount(d)+".", item)
	case ecobid.AuctionEnded:
		if d.WinnerID == "" {
			return to(d.SellerID, KindAuction, d.Title+" was not sold", "You can list it again.", item)
		}
		return both(
			to(d.WinnerID, KindAuction, "You won "+d.Title, "For "+amount(d)+". The seller names a time for the pickup.", reservation),
			to(d.SellerID, KindAuction, d.Title+" is sold", "For "+amount(d)+". Name a time for the pickup within a day.", reservation),
		)
	case ecobid.ItemExpired:
		return to(d.SellerID, KindRequest, "An item of yours left the feed", "It was there for 30 days. You can publish it again.", item)
	case ecobid.ItemRemoved:
		return to(d.SellerID, KindModeration, d.Title+" was removed", "A moderator removed it after a report.", item)
	case ecobid.UserRated:
		return to(d.UserID, KindRating, "You have a new rating", "For "+d.Title+".", "/people/"+d.UserID)
	case ecobid.ReportDecided:
		return to(d.UserID, KindModeration, "Your report was decided", "Thank you for reporting.", "/account")
	}
	return nil
}

// cancelled tells the other side why a reservation ended; both sides if time ended it.
func cancelled(d ecobid.Detail, link string, to func(recipient, of, title, body, link string) []notify.Notification) []notify.Notification {
	gone := "It goes to another person, or is free again."
	switch {
	case d.Reason == "declined":
		return to(d.BuyerID, KindRequest, "Not this time: "+d.Title, "The giver has declined.", link)
	case d.By == "buyer":
		return to(d.SellerID, KindRequest, "Cancelled: "+d.Title, "The taker has cancelled. "+gone, link)
	case d.By == "seller":
		return to(d.BuyerID, KindRequest, "Cancelled: "+d.Title, "The giver has cancelled.", link)
	case d.Reason == "no_show":
		return append(
			to(d.BuyerID, KindPickup, "Missed: "+d.Title, "The pickup did not take place. This counts as a no-show.", link),
			to(d.SellerID, KindPickup, "Missed: "+d.Title, "The pickup did not take place. "+gone, link)...,
		)
	}
	return append(
		to(d.BuyerID, KindRequest, "No answer: "+d.Title, "The time to answer has passed.", link),
		to(d.SellerID, KindRequest, "No answer: "+d.Title, "The time to answer has passed. "+gone, link)...,
	)
}

func amount(d ecobid.Detail) string {
	return fmt.Sprintf("%d.%02d %s", d.Amount/100, d.Amount%100, d.Currency)
}
