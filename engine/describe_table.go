package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeTable describes a table.
func (a *API) DescribeTable(ctx context.Context, params *dynamodb.DescribeTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	return sdk.DescribeTable(ctx, a.ops, params)
}

func (o *operations) DescribeTable(_ context.Context, in *dynamo.DescribeTableInput) (*dynamo.DescribeTableOutput, error) {
	name, err := request.CheckDescribeTable(in)
	if err != nil {
		return nil, err
	}
	d, err := o.catalog.DescribeTable(name)
	if err != nil {
		return nil, err
	}
	return &dynamo.DescribeTableOutput{Table: d}, nil
}
