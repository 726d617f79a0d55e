package dynamo

import "time"

// DescribeStreamInput is the input of DescribeStream.
type DescribeStreamInput struct {
	ExclusiveStartShardId *string
	Limit                 *int32
	ShardFilter           *ShardFilter
	StreamArn             *string
}

// A ShardFilter selects shards: with CHILD_SHARDS the children of a shard.
type ShardFilter struct {
	ShardId *string
	Type    string
}

// DescribeStreamOutput is the output of DescribeStream.
type DescribeStreamOutput struct {
	StreamDescription *StreamDescription
}

// StreamDescription describes a stream and a page of its shards.
type StreamDescription struct {
	CreationRequestDateTime *time.Time
	KeySchema               []KeySchemaElement
	LastEvaluatedShardId    *string
	Shards                  []Shard
	StreamArn               *string
	StreamLabel             *string
	StreamStatus            string
	StreamViewType          string
	TableName               *string
}

// A Shard is one part of a stream. An open shard has no ending sequence number.
type Shard struct {
	ParentShardId       *string
	SequenceNumberRange *SequenceNumberRange
	ShardId             *string
}

// SequenceNumberRange is the range of sequence numbers of a shard.
type SequenceNumberRange struct {
	EndingSequenceNumber   *string
	StartingSequenceNumber *string
}
