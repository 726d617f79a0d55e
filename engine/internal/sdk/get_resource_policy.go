package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// GetResourcePolicy runs GetResourcePolicy on api.
func GetResourcePolicy(ctx context.Context, api dynamo.API, in *dynamodb.GetResourcePolicyInput) (*dynamodb.GetResourcePolicyOutput, error) {
	return call(ctx, api, "GetResourcePolicy", in, getResourcePolicy)
}

func getResourcePolicy(ctx context.Context, api dynamo.API, in *dynamodb.GetResourcePolicyInput) (*dynamodb.GetResourcePolicyOutput, error) {
	return mirror[dynamodb.GetResourcePolicyOutput](ctx, in, api.GetResourcePolicy)
}
