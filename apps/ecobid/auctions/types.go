package auctions

import "sortkey.dev/apps/ecobid/ecobiddb"

// The types of auctions for doors, which do not import the database.
type (
	Auction  = ecobiddb.Auction
	Accepted = ecobiddb.Bid // an accepted bid of the history
)

// StatusActive is the state of an auction that accepts bids.
const StatusActive = ecobiddb.AuctionStatusActive
