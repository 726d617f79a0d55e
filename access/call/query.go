package call

import "sortkey.dev/access"

// A Get is the request of a pattern that reads one item by its primary key.
type Get struct {
	Pattern    *access.Pattern
	Key        access.Item
	Known      access.Item // attributes of the item that the call knows, as of an Action
	Projection string
	Names      map[string]string
	Consistent bool
	Err        error // of making the key; the call returns it
}

// Gets is the request of a pattern that reads several items by their primary keys.
type Gets struct {
	Pattern    *access.Pattern
	Keys       []access.Item
	Known      []access.Item // nil, or for each key the attributes of the item that the call knows
	Projection string        // always with the key attributes in it, by which answers are told apart
	Names      map[string]string
	Consistent bool
	Err        error // of making the keys; the call returns it
}

// A Query is the request of a pattern that reads a range of one partition, or of several at
// the same time. Without a KeyCondition it is a scan of the whole table or index, in no order.
type Query struct {
	Pattern      *access.Pattern
	KeyCondition string
	Filter       string
	Projection   string // always with Pattern.Keys in it, so that any item can be where a page ends
	Names        map[string]string
	// Requests lists the queries to send: one, or one for each shard or value. Their items are
	// merged in the order of the sort key, and equal keys in the order of the requests' values.
	// The order of Requests does not matter. A request that repeats the values of another is
	// not sent.
	Requests []Request
	// Partition lists the placeholders of the partition key: [":PK"]. A cursor is valid only for
	// the values they have in the requests it was made for; other values, such as the current
	// time at the end of a range, may change from page to page.
	Partition []string
	// Between holds the placeholders of the two ends of a range of the sort key, if the caller
	// gives both. A range that ends before it begins is empty. DynamoDB refuses it, so nothing
	// is sent.
	Between    [2]string
	Descending bool
	Consistent bool
	// AllAttributes fetches what a local index does not hold from the table.
	AllAttributes bool
	Segments      int   // of a scan: the parts that are read at the same time; 0 and 1: one
	Limit         int   // items the pattern returns at most; 0: all. CollectAll fails if there are more
	Err           error // of making the keys; the call returns it
}

// A Request holds the values in which the queries of one call differ.
type Request struct {
	Values access.Item // of the placeholders in all expressions
	// Lead is the number of leading bytes of the first sort key attribute that are the same
	// in all items of this request: a merge compares what follows.
	Lead int

	segment int // of a scan
}

// scans reports whether the query is a scan.
func (q *Query) scans() bool { return q.KeyCondition == "" }
