package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DeleteTable deletes a table with all its items.
func (a *API) DeleteTable(ctx context.Context, params *dynamodb.DeleteTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error) {
	return sdk.DeleteTable(ctx, a.ops, params)
}

func (o *operations) DeleteTable(ctx context.Context, in *dynamo.DeleteTableInput) (*dynamo.DeleteTableOutput, error) {
	name, err := request.CheckDeleteTable(in)
	if err != nil {
		return nil, err
	}
	d, err := o.catalog.DeleteTable(ctx, name)
	if err != nil {
		return nil, err
	}
	return &dynamo.DeleteTableOutput{TableDescription: d}, nil
}
