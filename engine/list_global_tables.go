package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ListGlobalTables lists legacy global tables. There are none.
func (a *API) ListGlobalTables(ctx context.Context, params *dynamodb.ListGlobalTablesInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListGlobalTablesOutput, error) {
	return sdk.ListGlobalTables(ctx, a.ops, params)
}

func (o *operations) ListGlobalTables(_ context.Context, in *dynamo.ListGlobalTablesInput) (*dynamo.ListGlobalTablesOutput, error) {
	if err := request.CheckListGlobalTables(in); err != nil {
		return nil, err
	}
	return &dynamo.ListGlobalTablesOutput{GlobalTables: []dynamo.GlobalTable{}}, nil
}
