package request

import "sortkey.dev/engine/internal/dynamo"

// GetRecords is a checked GetRecordsInput.
type GetRecords struct {
	Iterator string // not empty; package stream decodes it
	Limit    int    // 1 to 1000
}

// maxShardIterator is the maximum length of an iterator.
const maxShardIterator = 2048

// CheckGetRecords checks the input of GetRecords.
func CheckGetRecords(in *dynamo.GetRecordsInput) (*GetRecords, error) {
	var v violations
	if in.ShardIterator == nil {
		v.missing("shardIterator")
	} else {
		v.length(1, maxShardIterator, *in.ShardIterator, "shardIterator")
	}
	limit := v.limit(in.Limit, dynamo.MaxRecords)
	if err := v.err(); err != nil {
		return nil, err
	}
	return &GetRecords{Iterator: *in.ShardIterator, Limit: limit}, nil
}
