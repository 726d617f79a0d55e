package call

import "sortkey.dev/access"

// A Get is the request of a pattern that reads one item by its primary key.
type Get struct {
	Pattern    *access.Pattern
	Key        access.Item
	Projection string
	Names      map[string]string
	Consistent bool
	Err        error // what went wrong when the key was made; the call returns it
}

// A Query is the request of a pattern that reads a stretch of one partition, or of
// several at once.
type Query struct {
	Pattern      *access.Pattern
	KeyCondition string
	Filter       string
	Projection   string // always with Pattern.Keys in it, so that any item can be where a page ends
	Names        map[string]string
	// Requests are the queries to send: one, or one for each shard or value asked for.
	// Their answers are merged in the order of the sort key, and where that is the same in the
	// order of the requests' values. In which order they are here does not matter. One that
	// repeats the values of another is not sent.
	Requests []Request
	// Partition are the placeholders of the partition key: [":PK"]. A cursor is good only for
	// the values they have in the requests it was made for; other values, such as the time it
	// is now at the end of a range, may change from page to page.
	Partition []string
	// Between are the placeholders of the two ends of a range of the sort key, if the caller
	// gives both. Nothing lies in a range that ends before it begins, which DynamoDB refuses:
	// then nothing is sent.
	Between    [2]string
	Descending bool
	Consistent bool
	// AllAttributes fetches what a local index does not hold from the table.
	AllAttributes bool
	Limit         int   // items the pattern returns at most; 0: all. CollectAll fails if there are more
	Err           error // what went wrong when the keys were made; the call returns it
}

// A Request is what differs between the queries of one call.
type Request struct {
	Values access.Item // of the placeholders in all expressions
	// Lead is how many bytes at the beginning of the first sort key attribute are the same
	// in all items of this request: a merge compares what follows.
	Lead int
}
