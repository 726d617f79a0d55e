package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// ListExports runs ListExports on api.
func ListExports(ctx context.Context, api dynamo.API, in *dynamodb.ListExportsInput) (*dynamodb.ListExportsOutput, error) {
	return call(ctx, api, "ListExports", in, listExports)
}

func listExports(ctx context.Context, api dynamo.API, in *dynamodb.ListExportsInput) (*dynamodb.ListExportsOutput, error) {
	return mirror[dynamodb.ListExportsOutput](ctx, in, api.ListExports)
}
