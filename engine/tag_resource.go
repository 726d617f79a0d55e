package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// TagResource adds tags to a table.
func (a *API) TagResource(ctx context.Context, params *dynamodb.TagResourceInput, _ ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error) {
	return sdk.TagResource(ctx, a.ops, params)
}

func (o *operations) TagResource(ctx context.Context, in *dynamo.TagResourceInput) (*dynamo.TagResourceOutput, error) {
	req, err := request.CheckTagResource(in)
	if err != nil {
		return nil, err
	}
	if err := o.catalog.TagResource(ctx, req); err != nil {
		return nil, err
	}
	return &dynamo.TagResourceOutput{}, nil
}
