package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// TransactGetItems reads up to 100 items in one consistent snapshot.
func (a *API) TransactGetItems(ctx context.Context, params *dynamodb.TransactGetItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	return sdk.TransactGetItems(ctx, a.ops, params)
}

func (o *operations) TransactGetItems(ctx context.Context, in *dynamo.TransactGetItemsInput) (*dynamo.TransactGetItemsOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := request.CheckTransactGetItems(in)
	if err != nil {
		return nil, err
	}
	return o.tables.TransactGetItems(ctx, req)
}
