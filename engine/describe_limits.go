package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeLimits returns the capacity limits of a new AWS account. The engine enforces
// none.
func (a *API) DescribeLimits(ctx context.Context, params *dynamodb.DescribeLimitsInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeLimitsOutput, error) {
	return sdk.DescribeLimits(ctx, a.ops, params)
}

func (o *operations) DescribeLimits(context.Context, *dynamo.DescribeLimitsInput) (*dynamo.DescribeLimitsOutput, error) {
	account, table := int64(80000), int64(40000)
	return &dynamo.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits:  &account,
		AccountMaxWriteCapacityUnits: &account,
		TableMaxReadCapacityUnits:    &table,
		TableMaxWriteCapacityUnits:   &table,
	}, nil
}
