package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ListTables lists the names of the tables.
func (a *API) ListTables(ctx context.Context, params *dynamodb.ListTablesInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListTablesOutput, error) {
	return sdk.ListTables(ctx, a.ops, params)
}

func (o *operations) ListTables(_ context.Context, in *dynamo.ListTablesInput) (*dynamo.ListTablesOutput, error) {
	req, err := request.CheckListTables(in)
	if err != nil {
		return nil, err
	}
	return o.catalog.ListTables(req.Start, req.Limit)
}
