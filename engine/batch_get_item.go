package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// BatchGetItem reads up to 100 items of any tables.
func (a *API) BatchGetItem(ctx context.Context, params *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return sdk.BatchGetItem(ctx, a.ops, params)
}

func (o *operations) BatchGetItem(ctx context.Context, in *dynamo.BatchGetItemInput) (*dynamo.BatchGetItemOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := o.wording.CheckBatchGetItem(in)
	if err != nil {
		return nil, err
	}
	return o.tables.BatchGetItem(ctx, req)
}
