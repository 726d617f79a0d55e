package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// UpdateTable changes the settings of a table.
func (a *API) UpdateTable(ctx context.Context, params *dynamodb.UpdateTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	return sdk.UpdateTable(ctx, a.ops, params)
}

func (o *operations) UpdateTable(ctx context.Context, in *dynamo.UpdateTableInput) (*dynamo.UpdateTableOutput, error) {
	req, err := request.CheckUpdateTable(in)
	if err != nil {
		return nil, err
	}
	d, err := o.catalog.UpdateTable(ctx, req)
	if err != nil {
		return nil, err
	}
	switch {
	case req.CreateIndex != nil || req.CreateVector != nil:
		o.background.build()
	case req.Stream != nil:
		o.background.startMaintenance()
	}
	return &dynamo.UpdateTableOutput{TableDescription: d}, nil
}
