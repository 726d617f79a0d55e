package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// GetItem reads one item.
func (a *API) GetItem(ctx context.Context, params *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return sdk.GetItem(ctx, a.ops, params)
}

func (o *operations) GetItem(ctx context.Context, in *dynamo.GetItemInput) (*dynamo.GetItemOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := o.wording.CheckGetItem(in)
	if err != nil {
		return nil, err
	}
	return o.tables.GetItem(ctx, req)
}
