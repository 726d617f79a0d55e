package ecobid

import "sortkey.dev/apps/internal/live"

// AuctionTopic is the topic of hints about an auction.
func AuctionTopic(id string) live.Topic { return live.Topic("auction " + id) }

// ItemTopic is the topic of hints about an item.
func ItemTopic(id string) live.Topic { return live.Topic("item " + id) }

// PersonTopic is the topic of hints about the reservations of a person.
func PersonTopic(id string) live.Topic { return live.Topic("person " + id) }

// MessagesTopic is the topic of hints about the messages of a reservation.
func MessagesTopic(reservationID string) live.Topic { return live.Topic("messages " + reservationID) }
