package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// UpdateKinesisStreamingDestination changes the precision of the times in delivered records.
func (a *API) UpdateKinesisStreamingDestination(ctx context.Context, params *dynamodb.UpdateKinesisStreamingDestinationInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateKinesisStreamingDestinationOutput, error) {
	return sdk.UpdateKinesisStreamingDestination(ctx, a.ops, params)
}

func (o *operations) UpdateKinesisStreamingDestination(ctx context.Context, in *dynamo.UpdateKinesisStreamingDestinationInput) (*dynamo.UpdateKinesisStreamingDestinationOutput, error) {
	req, err := request.CheckUpdateKinesisStreamingDestination(in)
	if err != nil {
		return nil, err
	}
	return o.catalog.UpdateKinesisStreamingDestination(ctx, req)
}
