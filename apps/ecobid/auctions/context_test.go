package auctions_test

import "context"

// ctx is the context of bids that other goroutines place.
var ctx = context.Background()
