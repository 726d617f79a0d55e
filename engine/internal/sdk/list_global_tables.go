package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// ListGlobalTables runs ListGlobalTables on api.
func ListGlobalTables(ctx context.Context, api dynamo.API, in *dynamodb.ListGlobalTablesInput) (*dynamodb.ListGlobalTablesOutput, error) {
	return call(ctx, api, "ListGlobalTables", in, listGlobalTables)
}

func listGlobalTables(ctx context.Context, api dynamo.API, in *dynamodb.ListGlobalTablesInput) (*dynamodb.ListGlobalTablesOutput, error) {
	return mirror[dynamodb.ListGlobalTablesOutput](ctx, in, api.ListGlobalTables)
}
