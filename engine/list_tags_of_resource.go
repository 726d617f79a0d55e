package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// ListTagsOfResource lists the tags of a table.
func (a *API) ListTagsOfResource(ctx context.Context, params *dynamodb.ListTagsOfResourceInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error) {
	return sdk.ListTagsOfResource(ctx, a.ops, params)
}

func (o *operations) ListTagsOfResource(_ context.Context, in *dynamo.ListTagsOfResourceInput) (*dynamo.ListTagsOfResourceOutput, error) {
	req, err := request.CheckListTagsOfResource(in)
	if err != nil {
		return nil, err
	}
	tags, err := o.catalog.ListTagsOfResource(req)
	if err != nil {
		return nil, err
	}
	return &dynamo.ListTagsOfResourceOutput{Tags: tags}, nil
}
