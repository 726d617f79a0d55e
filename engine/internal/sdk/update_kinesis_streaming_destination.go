package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// UpdateKinesisStreamingDestination runs UpdateKinesisStreamingDestination on api.
func UpdateKinesisStreamingDestination(ctx context.Context, api dynamo.API, in *dynamodb.UpdateKinesisStreamingDestinationInput) (*dynamodb.UpdateKinesisStreamingDestinationOutput, error) {
	return call(ctx, api, "UpdateKinesisStreamingDestination", in, updateKinesisStreamingDestination)
}

func updateKinesisStreamingDestination(ctx context.Context, api dynamo.API, in *dynamodb.UpdateKinesisStreamingDestinationInput) (*dynamodb.UpdateKinesisStreamingDestinationOutput, error) {
	return mirror[dynamodb.UpdateKinesisStreamingDestinationOutput](ctx, in, api.UpdateKinesisStreamingDestination)
}
