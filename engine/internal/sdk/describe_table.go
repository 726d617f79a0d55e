package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeTable runs DescribeTable on api.
func DescribeTable(ctx context.Context, api dynamo.API, in *dynamodb.DescribeTableInput) (*dynamodb.DescribeTableOutput, error) {
	return call(ctx, api, "DescribeTable", in, describeTable)
}

func describeTable(ctx context.Context, api dynamo.API, in *dynamodb.DescribeTableInput) (*dynamodb.DescribeTableOutput, error) {
	return mirror[dynamodb.DescribeTableOutput](ctx, in, api.DescribeTable)
}
