package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// BatchWriteItem puts and deletes up to 25 items of any tables.
func (a *API) BatchWriteItem(ctx context.Context, params *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return sdk.BatchWriteItem(ctx, a.ops, params)
}

func (o *operations) BatchWriteItem(ctx context.Context, in *dynamo.BatchWriteItemInput) (*dynamo.BatchWriteItemOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := request.CheckBatchWriteItem(in)
	if err != nil {
		return nil, err
	}
	return o.tables.BatchWriteItem(ctx, req)
}
