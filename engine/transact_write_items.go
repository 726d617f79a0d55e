package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// TransactWriteItems executes up to 100 writes and condition checks, all of them or none.
// Unlike [DB.Client] it generates no client request token: repeating a request without a
// token writes again.
func (a *API) TransactWriteItems(ctx context.Context, params *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return sdk.TransactWriteItems(ctx, a.ops, params)
}

func (o *operations) TransactWriteItems(ctx context.Context, in *dynamo.TransactWriteItemsInput) (*dynamo.TransactWriteItemsOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := request.CheckTransactWriteItems(in)
	if err != nil {
		return nil, err
	}
	if req.Token != "" {
		o.background.startMaintenance() // removes the token when it expires
	}
	return o.tables.TransactWriteItems(ctx, req)
}
