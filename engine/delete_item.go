package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// DeleteItem deletes an item.
func (a *API) DeleteItem(ctx context.Context, params *dynamodb.DeleteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return sdk.DeleteItem(ctx, a.ops, params)
}

func (o *operations) DeleteItem(ctx context.Context, in *dynamo.DeleteItemInput) (*dynamo.DeleteItemOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := o.wording.CheckDeleteItem(in)
	if err != nil {
		return nil, err
	}
	return o.tables.DeleteItem(ctx, req)
}
