package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// CreateTable creates a table; it is usable when the call returns.
func (a *API) CreateTable(ctx context.Context, params *dynamodb.CreateTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	return sdk.CreateTable(ctx, a.ops, params)
}

func (o *operations) CreateTable(ctx context.Context, in *dynamo.CreateTableInput) (*dynamo.CreateTableOutput, error) {
	req, err := request.CheckCreateTable(in)
	if err != nil {
		return nil, err
	}
	d, err := o.catalog.CreateTable(ctx, req.Definition)
	if err != nil {
		return nil, err
	}
	if req.Definition.StreamView != "" {
		o.background.startMaintenance()
	}
	return &dynamo.CreateTableOutput{TableDescription: d}, nil
}
