package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// EnableKinesisStreamingDestination runs EnableKinesisStreamingDestination on api.
func EnableKinesisStreamingDestination(ctx context.Context, api dynamo.API, in *dynamodb.EnableKinesisStreamingDestinationInput) (*dynamodb.EnableKinesisStreamingDestinationOutput, error) {
	return call(ctx, api, "EnableKinesisStreamingDestination", in, enableKinesisStreamingDestination)
}

func enableKinesisStreamingDestination(ctx context.Context, api dynamo.API, in *dynamodb.EnableKinesisStreamingDestinationInput) (*dynamodb.EnableKinesisStreamingDestinationOutput, error) {
	return mirror[dynamodb.EnableKinesisStreamingDestinationOutput](ctx, in, api.EnableKinesisStreamingDestination)
}
