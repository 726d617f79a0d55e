package dynamo

import "context"

// Control is what the engine can do and DynamoDB cannot: operations for tests.
type Control interface {
	SplitShards(context.Context, *SplitShardsInput) (*SplitShardsOutput, error)
}

// SplitShardsInput is the input of SplitShards.
type SplitShardsInput struct {
	TableName *string
}

// SplitShardsOutput is the output of SplitShards.
type SplitShardsOutput struct{}
