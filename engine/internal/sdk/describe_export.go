package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeExport runs DescribeExport on api.
func DescribeExport(ctx context.Context, api dynamo.API, in *dynamodb.DescribeExportInput) (*dynamodb.DescribeExportOutput, error) {
	return call(ctx, api, "DescribeExport", in, describeExport)
}

func describeExport(ctx context.Context, api dynamo.API, in *dynamodb.DescribeExportInput) (*dynamodb.DescribeExportOutput, error) {
	return mirror[dynamodb.DescribeExportOutput](ctx, in, api.DescribeExport)
}
