package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// UntagResource removes tags from a table.
func (a *API) UntagResource(ctx context.Context, params *dynamodb.UntagResourceInput, _ ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error) {
	return sdk.UntagResource(ctx, a.ops, params)
}

func (o *operations) UntagResource(ctx context.Context, in *dynamo.UntagResourceInput) (*dynamo.UntagResourceOutput, error) {
	req, err := request.CheckUntagResource(in)
	if err != nil {
		return nil, err
	}
	if err := o.catalog.UntagResource(ctx, req); err != nil {
		return nil, err
	}
	return &dynamo.UntagResourceOutput{}, nil
}
