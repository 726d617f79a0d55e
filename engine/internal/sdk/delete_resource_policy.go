package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DeleteResourcePolicy runs DeleteResourcePolicy on api.
func DeleteResourcePolicy(ctx context.Context, api dynamo.API, in *dynamodb.DeleteResourcePolicyInput) (*dynamodb.DeleteResourcePolicyOutput, error) {
	return call(ctx, api, "DeleteResourcePolicy", in, deleteResourcePolicy)
}

func deleteResourcePolicy(ctx context.Context, api dynamo.API, in *dynamodb.DeleteResourcePolicyInput) (*dynamodb.DeleteResourcePolicyOutput, error) {
	return mirror[dynamodb.DeleteResourcePolicyOutput](ctx, in, api.DeleteResourcePolicy)
}
