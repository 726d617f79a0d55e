package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeGlobalTableSettings runs DescribeGlobalTableSettings on api.
func DescribeGlobalTableSettings(ctx context.Context, api dynamo.API, in *dynamodb.DescribeGlobalTableSettingsInput) (*dynamodb.DescribeGlobalTableSettingsOutput, error) {
	return call(ctx, api, "DescribeGlobalTableSettings", in, describeGlobalTableSettings)
}

func describeGlobalTableSettings(ctx context.Context, api dynamo.API, in *dynamodb.DescribeGlobalTableSettingsInput) (*dynamodb.DescribeGlobalTableSettingsOutput, error) {
	return mirror[dynamodb.DescribeGlobalTableSettingsOutput](ctx, in, api.DescribeGlobalTableSettings)
}
