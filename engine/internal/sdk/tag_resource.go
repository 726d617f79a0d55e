package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// TagResource runs TagResource on api.
func TagResource(ctx context.Context, api dynamo.API, in *dynamodb.TagResourceInput) (*dynamodb.TagResourceOutput, error) {
	return call(ctx, api, "TagResource", in, tagResource)
}

func tagResource(ctx context.Context, api dynamo.API, in *dynamodb.TagResourceInput) (*dynamodb.TagResourceOutput, error) {
	return mirror[dynamodb.TagResourceOutput](ctx, in, api.TagResource)
}
