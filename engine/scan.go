package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// Scan reads all items of a table or index.
func (a *API) Scan(ctx context.Context, params *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return sdk.Scan(ctx, a.ops, params)
}

func (o *operations) Scan(ctx context.Context, in *dynamo.ScanInput) (*dynamo.ScanOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := request.CheckScan(in)
	if err != nil {
		return nil, err
	}
	return o.tables.Scan(ctx, req)
}
