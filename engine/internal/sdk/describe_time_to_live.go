package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeTimeToLive runs DescribeTimeToLive on api.
func DescribeTimeToLive(ctx context.Context, api dynamo.API, in *dynamodb.DescribeTimeToLiveInput) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return call(ctx, api, "DescribeTimeToLive", in, describeTimeToLive)
}

func describeTimeToLive(ctx context.Context, api dynamo.API, in *dynamodb.DescribeTimeToLiveInput) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return mirror[dynamodb.DescribeTimeToLiveOutput](ctx, in, api.DescribeTimeToLive)
}
