package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeImport runs DescribeImport on api.
func DescribeImport(ctx context.Context, api dynamo.API, in *dynamodb.DescribeImportInput) (*dynamodb.DescribeImportOutput, error) {
	return call(ctx, api, "DescribeImport", in, describeImport)
}

func describeImport(ctx context.Context, api dynamo.API, in *dynamodb.DescribeImportInput) (*dynamodb.DescribeImportOutput, error) {
	return mirror[dynamodb.DescribeImportOutput](ctx, in, api.DescribeImport)
}
