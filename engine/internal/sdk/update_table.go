package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// UpdateTable runs UpdateTable on api.
func UpdateTable(ctx context.Context, api dynamo.API, in *dynamodb.UpdateTableInput) (*dynamodb.UpdateTableOutput, error) {
	return call(ctx, api, "UpdateTable", in, updateTable)
}

func updateTable(ctx context.Context, api dynamo.API, in *dynamodb.UpdateTableInput) (*dynamodb.UpdateTableOutput, error) {
	return mirror[dynamodb.UpdateTableOutput](ctx, in, api.UpdateTable)
}
