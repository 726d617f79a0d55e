package dynamo

import "time"

// GetShardIteratorInput is the input of GetShardIterator.
type GetShardIteratorInput struct {
	SequenceNumber    *string
	ShardId           *string
	ShardIteratorType string
	StreamArn         *string
	Timestamp         *time.Time
}

// GetShardIteratorOutput is the output of GetShardIterator.
type GetShardIteratorOutput struct {
	ShardIterator *string
}
