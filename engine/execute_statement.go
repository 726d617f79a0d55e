package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ExecuteStatement executes one PartiQL statement: a page of a SELECT, or a write of one
// item.
func (a *API) ExecuteStatement(ctx context.Context, params *dynamodb.ExecuteStatementInput, _ ...func(*dynamodb.Options)) (*dynamodb.ExecuteStatementOutput, error) {
	return sdk.ExecuteStatement(ctx, a.ops, params)
}

func (o *operations) ExecuteStatement(ctx context.Context, in *dynamo.ExecuteStatementInput) (*dynamo.ExecuteStatementOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := request.CheckExecuteStatement(in)
	if err != nil {
		return nil, err
	}
	return o.tables.ExecuteStatement(ctx, req)
}
