package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeGlobalTable runs DescribeGlobalTable on api.
func DescribeGlobalTable(ctx context.Context, api dynamo.API, in *dynamodb.DescribeGlobalTableInput) (*dynamodb.DescribeGlobalTableOutput, error) {
	return call(ctx, api, "DescribeGlobalTable", in, describeGlobalTable)
}

func describeGlobalTable(ctx context.Context, api dynamo.API, in *dynamodb.DescribeGlobalTableInput) (*dynamodb.DescribeGlobalTableOutput, error) {
	return mirror[dynamodb.DescribeGlobalTableOutput](ctx, in, api.DescribeGlobalTable)
}
