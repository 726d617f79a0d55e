package dynamo

import "context"

// Control has the operations for tests, which DynamoDB does not have.
type Control interface {
	SplitShards(context.Context, *SplitShardsInput) (*SplitShardsOutput, error)
}

// SplitShardsInput is the input of SplitShards.
type SplitShardsInput struct {
	TableName *string
}

// SplitShardsOutput is the output of SplitShards.
type SplitShardsOutput struct{}
