package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// PutResourcePolicy runs PutResourcePolicy on api.
func PutResourcePolicy(ctx context.Context, api dynamo.API, in *dynamodb.PutResourcePolicyInput) (*dynamodb.PutResourcePolicyOutput, error) {
	return call(ctx, api, "PutResourcePolicy", in, putResourcePolicy)
}

func putResourcePolicy(ctx context.Context, api dynamo.API, in *dynamodb.PutResourcePolicyInput) (*dynamodb.PutResourcePolicyOutput, error) {
	return mirror[dynamodb.PutResourcePolicyOutput](ctx, in, api.PutResourcePolicy)
}
