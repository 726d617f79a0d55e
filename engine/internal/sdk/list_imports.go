package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// ListImports runs ListImports on api.
func ListImports(ctx context.Context, api dynamo.API, in *dynamodb.ListImportsInput) (*dynamodb.ListImportsOutput, error) {
	return call(ctx, api, "ListImports", in, listImports)
}

func listImports(ctx context.Context, api dynamo.API, in *dynamodb.ListImportsInput) (*dynamodb.ListImportsOutput, error) {
	return mirror[dynamodb.ListImportsOutput](ctx, in, api.ListImports)
}
