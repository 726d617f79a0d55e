package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/sdk"
)

// Query reads items of one partition of a table or index.
func (a *API) Query(ctx context.Context, params *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return sdk.Query(ctx, a.ops, params)
}

func (o *operations) Query(ctx context.Context, in *dynamo.QueryInput) (*dynamo.QueryOutput, error) {
	if err := dynamo.CheckUntil(ctx, o.catalog.Now); err != nil {
		return nil, err
	}
	req, err := o.wording.CheckQuery(in)
	if err != nil {
		return nil, err
	}
	return o.tables.Query(ctx, req)
}
