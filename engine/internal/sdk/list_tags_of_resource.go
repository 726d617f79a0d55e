package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// ListTagsOfResource runs ListTagsOfResource on api.
func ListTagsOfResource(ctx context.Context, api dynamo.API, in *dynamodb.ListTagsOfResourceInput) (*dynamodb.ListTagsOfResourceOutput, error) {
	return call(ctx, api, "ListTagsOfResource", in, listTagsOfResource)
}

func listTagsOfResource(ctx context.Context, api dynamo.API, in *dynamodb.ListTagsOfResourceInput) (*dynamodb.ListTagsOfResourceOutput, error) {
	out, err := mirror[dynamodb.ListTagsOfResourceOutput](ctx, in, api.ListTagsOfResource)
	if err != nil {
		return nil, err
	}
	out.Tags = nonNil(out.Tags)
	return out, nil
}
