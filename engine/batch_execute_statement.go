package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// BatchExecuteStatement executes up to 25 PartiQL statements independently of each other.
func (a *API) BatchExecuteStatement(ctx context.Context, params *dynamodb.BatchExecuteStatementInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchExecuteStatementOutput, error) {
	return sdk.BatchExecuteStatement(ctx, a.ops, params)
}

func (o *operations) BatchExecuteStatement(ctx context.Context, in *dynamo.BatchExecuteStatementInput) (*dynamo.BatchExecuteStatementOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := request.CheckBatchExecuteStatement(in)
	if err != nil {
		return nil, err
	}
	return o.tables.BatchExecuteStatement(ctx, req)
}
