package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeContinuousBackups reports whether a table can be restored to a point in time,
// which no table can yet.
func (a *API) DescribeContinuousBackups(ctx context.Context, params *dynamodb.DescribeContinuousBackupsInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeContinuousBackupsOutput, error) {
	return sdk.DescribeContinuousBackups(ctx, a.ops, params)
}

func (o *operations) DescribeContinuousBackups(_ context.Context, in *dynamo.DescribeContinuousBackupsInput) (*dynamo.DescribeContinuousBackupsOutput, error) {
	table, err := request.CheckDescribeContinuousBackups(in)
	if err != nil {
		return nil, err
	}
	d, err := o.catalog.DescribeContinuousBackups(table)
	if err != nil {
		return nil, err
	}
	return &dynamo.DescribeContinuousBackupsOutput{ContinuousBackupsDescription: d}, nil
}
