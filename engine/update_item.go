package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// UpdateItem changes attributes of an item, and creates the item if it does not exist.
func (a *API) UpdateItem(ctx context.Context, params *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return sdk.UpdateItem(ctx, a.ops, params)
}

func (o *operations) UpdateItem(ctx context.Context, in *dynamo.UpdateItemInput) (*dynamo.UpdateItemOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := o.wording.CheckUpdateItem(in)
	if err != nil {
		return nil, err
	}
	return o.tables.UpdateItem(ctx, req)
}
