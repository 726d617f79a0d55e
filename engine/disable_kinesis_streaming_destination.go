package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DisableKinesisStreamingDestination stops delivering a table's changes to a Kinesis stream.
func (a *API) DisableKinesisStreamingDestination(ctx context.Context, params *dynamodb.DisableKinesisStreamingDestinationInput, _ ...func(*dynamodb.Options)) (*dynamodb.DisableKinesisStreamingDestinationOutput, error) {
	return sdk.DisableKinesisStreamingDestination(ctx, a.ops, params)
}

func (o *operations) DisableKinesisStreamingDestination(ctx context.Context, in *dynamo.DisableKinesisStreamingDestinationInput) (*dynamo.DisableKinesisStreamingDestinationOutput, error) {
	req, err := request.CheckDisableKinesisStreamingDestination(in)
	if err != nil {
		return nil, err
	}
	return o.catalog.DisableKinesisStreamingDestination(ctx, req)
}
