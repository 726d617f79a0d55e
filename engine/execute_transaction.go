package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ExecuteTransaction executes up to 100 PartiQL statements, all of them or none. Unlike
// [DB.Client] it generates no client request token: repeating a request without a token
// writes again.
func (a *API) ExecuteTransaction(ctx context.Context, params *dynamodb.ExecuteTransactionInput, _ ...func(*dynamodb.Options)) (*dynamodb.ExecuteTransactionOutput, error) {
	return sdk.ExecuteTransaction(ctx, a.ops, params)
}

func (o *operations) ExecuteTransaction(ctx context.Context, in *dynamo.ExecuteTransactionInput) (*dynamo.ExecuteTransactionOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := request.CheckExecuteTransaction(in)
	if err != nil {
		return nil, err
	}
	if req.Token != "" {
		o.background.startMaintenance() // removes the token when it expires
	}
	return o.tables.ExecuteTransaction(ctx, req)
}
