package dynamo

// GetShardIteratorInput is the input of GetShardIterator.
type GetShardIteratorInput struct {
	SequenceNumber    *string
	ShardId           *string
	ShardIteratorType string
	StreamArn         *string
}

// GetShardIteratorOutput is the output of GetShardIterator.
type GetShardIteratorOutput struct {
	ShardIterator *string
}
