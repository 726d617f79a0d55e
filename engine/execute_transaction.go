package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ExecuteTransaction carries out up to 100 statements of PartiQL, all of them or none. It
// makes up no client request token, which [DB.Client] does: repeating a request without
// one writes again.
func (a *API) ExecuteTransaction(ctx context.Context, params *dynamodb.ExecuteTransactionInput, _ ...func(*dynamodb.Options)) (*dynamodb.ExecuteTransactionOutput, error) {
	return sdk.ExecuteTransaction(ctx, a.ops, params)
}

func (o *operations) ExecuteTransaction(ctx context.Context, in *dynamo.ExecuteTransactionInput) (*dynamo.ExecuteTransactionOutput, error) {
	req, err := request.CheckExecuteTransaction(in)
	if err != nil {
		return nil, err
	}
	if req.Token != "" {
		o.background.keepHouse() // which forgets the token in time
	}
	return o.tables.ExecuteTransaction(ctx, req)
}
