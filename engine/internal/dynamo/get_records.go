package dynamo

import "time"

// GetRecordsInput is the input of GetRecords.
type GetRecordsInput struct {
	Limit         *int32
	ShardIterator *string
}

// GetRecordsOutput is the output of GetRecords. At the end of a closed shard
// there is no next iterator.
type GetRecordsOutput struct {
	NextShardIterator *string
	Records           []Record
}

// A Record is one change of one item. Images that the stream does not include are nil.
type Record struct {
	EventID        string
	EventName      string // INSERT, MODIFY or REMOVE
	AwsRegion      string
	Created        time.Time
	Keys           Item
	NewImage       Item
	OldImage       Item
	SequenceNumber string
	SizeBytes      int64
	StreamViewType string
	ByService      bool // the service deleted the item because it had expired
}

// Constant fields of records.
const (
	EventSource        = "aws:dynamodb"
	EventVersion       = "1.1"
	ServicePrincipalID = "dynamodb.amazonaws.com"
	ServiceType        = "Service"
)
