package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/engine/internal/dynamo"
)

func getShardIterator(ctx context.Context, api dynamo.API, in *dynamodbstreams.GetShardIteratorInput) (*dynamodbstreams.GetShardIteratorOutput, error) {
	return mirror[dynamodbstreams.GetShardIteratorOutput](ctx, in, api.GetShardIterator)
}
