package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeKinesisStreamingDestination describes where the changes of a table are delivered.
func (a *API) DescribeKinesisStreamingDestination(ctx context.Context, params *dynamodb.DescribeKinesisStreamingDestinationInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeKinesisStreamingDestinationOutput, error) {
	return sdk.DescribeKinesisStreamingDestination(ctx, a.ops, params)
}

func (o *operations) DescribeKinesisStreamingDestination(_ context.Context, in *dynamo.DescribeKinesisStreamingDestinationInput) (*dynamo.DescribeKinesisStreamingDestinationOutput, error) {
	table, err := request.CheckDescribeKinesisStreamingDestination(in)
	if err != nil {
		return nil, err
	}
	return o.catalog.DescribeKinesisStreamingDestination(table)
}
