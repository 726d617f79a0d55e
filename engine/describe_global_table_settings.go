package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeGlobalTableSettings describes the settings of a legacy global table. There are none, so it
// always fails.
func (a *API) DescribeGlobalTableSettings(ctx context.Context, params *dynamodb.DescribeGlobalTableSettingsInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeGlobalTableSettingsOutput, error) {
	return sdk.DescribeGlobalTableSettings(ctx, a.ops, params)
}

func (o *operations) DescribeGlobalTableSettings(_ context.Context, in *dynamo.DescribeGlobalTableSettingsInput) (*dynamo.DescribeGlobalTableSettingsOutput, error) {
	name, err := request.CheckDescribeGlobalTableSettings(in)
	if err != nil {
		return nil, err
	}
	return nil, dynamo.Errorf(dynamo.GlobalTableNotFound, "Global table with name: '%s' does not exist.", name)
}
