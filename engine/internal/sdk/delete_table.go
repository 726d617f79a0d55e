package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DeleteTable runs DeleteTable on api.
func DeleteTable(ctx context.Context, api dynamo.API, in *dynamodb.DeleteTableInput) (*dynamodb.DeleteTableOutput, error) {
	return call(ctx, api, "DeleteTable", in, deleteTable)
}

func deleteTable(ctx context.Context, api dynamo.API, in *dynamodb.DeleteTableInput) (*dynamodb.DeleteTableOutput, error) {
	return mirror[dynamodb.DeleteTableOutput](ctx, in, api.DeleteTable)
}
