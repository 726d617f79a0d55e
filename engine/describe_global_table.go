package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeGlobalTable describes a legacy global table. There are none, so it always fails.
func (a *API) DescribeGlobalTable(ctx context.Context, params *dynamodb.DescribeGlobalTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeGlobalTableOutput, error) {
	return sdk.DescribeGlobalTable(ctx, a.ops, params)
}

func (o *operations) DescribeGlobalTable(_ context.Context, in *dynamo.DescribeGlobalTableInput) (*dynamo.DescribeGlobalTableOutput, error) {
	name, err := request.CheckDescribeGlobalTable(in)
	if err != nil {
		return nil, err
	}
	return nil, dynamo.Errorf(dynamo.GlobalTableNotFound, "Global table not found: Global table with name: '%s' does not exist.", name)
}
