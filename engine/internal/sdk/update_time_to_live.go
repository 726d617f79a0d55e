package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// UpdateTimeToLive runs UpdateTimeToLive on api.
func UpdateTimeToLive(ctx context.Context, api dynamo.API, in *dynamodb.UpdateTimeToLiveInput) (*dynamodb.UpdateTimeToLiveOutput, error) {
	return call(ctx, api, "UpdateTimeToLive", in, updateTimeToLive)
}

func updateTimeToLive(ctx context.Context, api dynamo.API, in *dynamodb.UpdateTimeToLiveInput) (*dynamodb.UpdateTimeToLiveOutput, error) {
	return mirror[dynamodb.UpdateTimeToLiveOutput](ctx, in, api.UpdateTimeToLive)
}
