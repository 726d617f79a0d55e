package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// UntagResource runs UntagResource on api.
func UntagResource(ctx context.Context, api dynamo.API, in *dynamodb.UntagResourceInput) (*dynamodb.UntagResourceOutput, error) {
	return call(ctx, api, "UntagResource", in, untagResource)
}

func untagResource(ctx context.Context, api dynamo.API, in *dynamodb.UntagResourceInput) (*dynamodb.UntagResourceOutput, error) {
	return mirror[dynamodb.UntagResourceOutput](ctx, in, api.UntagResource)
}
