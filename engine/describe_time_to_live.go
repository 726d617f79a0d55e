package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// DescribeTimeToLive reports whether a table's items expire, and by which attribute.
func (a *API) DescribeTimeToLive(ctx context.Context, params *dynamodb.DescribeTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return sdk.DescribeTimeToLive(ctx, a.ops, params)
}

func (o *operations) DescribeTimeToLive(ctx context.Context, in *dynamo.DescribeTimeToLiveInput) (*dynamo.DescribeTimeToLiveOutput, error) {
	req, err := request.CheckDescribeTimeToLive(in)
	if err != nil {
		return nil, err
	}
	return o.catalog.DescribeTimeToLive(ctx, req)
}
