package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// PutItem creates or replaces an item.
func (a *API) PutItem(ctx context.Context, params *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return sdk.PutItem(ctx, a.ops, params)
}

func (o *operations) PutItem(ctx context.Context, in *dynamo.PutItemInput) (*dynamo.PutItemOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := o.wording.CheckPutItem(in)
	if err != nil {
		return nil, err
	}
	return o.tables.PutItem(ctx, req)
}
