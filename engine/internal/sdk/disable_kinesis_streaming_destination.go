package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DisableKinesisStreamingDestination runs DisableKinesisStreamingDestination on api.
func DisableKinesisStreamingDestination(ctx context.Context, api dynamo.API, in *dynamodb.DisableKinesisStreamingDestinationInput) (*dynamodb.DisableKinesisStreamingDestinationOutput, error) {
	return call(ctx, api, "DisableKinesisStreamingDestination", in, disableKinesisStreamingDestination)
}

func disableKinesisStreamingDestination(ctx context.Context, api dynamo.API, in *dynamodb.DisableKinesisStreamingDestinationInput) (*dynamodb.DisableKinesisStreamingDestinationOutput, error) {
	return mirror[dynamodb.DisableKinesisStreamingDestinationOutput](ctx, in, api.DisableKinesisStreamingDestination)
}
