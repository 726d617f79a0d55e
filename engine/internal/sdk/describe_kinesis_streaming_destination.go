package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeKinesisStreamingDestination runs DescribeKinesisStreamingDestination on api.
func DescribeKinesisStreamingDestination(ctx context.Context, api dynamo.API, in *dynamodb.DescribeKinesisStreamingDestinationInput) (*dynamodb.DescribeKinesisStreamingDestinationOutput, error) {
	return call(ctx, api, "DescribeKinesisStreamingDestination", in, describeKinesisStreamingDestination)
}

func describeKinesisStreamingDestination(ctx context.Context, api dynamo.API, in *dynamodb.DescribeKinesisStreamingDestinationInput) (*dynamodb.DescribeKinesisStreamingDestinationOutput, error) {
	return mirror[dynamodb.DescribeKinesisStreamingDestinationOutput](ctx, in, api.DescribeKinesisStreamingDestination)
}
