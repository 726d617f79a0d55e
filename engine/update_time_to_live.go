package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// UpdateTimeToLive enables or disables the expiry of a table's items.
func (a *API) UpdateTimeToLive(ctx context.Context, params *dynamodb.UpdateTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error) {
	return sdk.UpdateTimeToLive(ctx, a.ops, params)
}

func (o *operations) UpdateTimeToLive(ctx context.Context, in *dynamo.UpdateTimeToLiveInput) (*dynamo.UpdateTimeToLiveOutput, error) {
	req, err := request.CheckUpdateTimeToLive(in)
	if err != nil {
		return nil, err
	}
	out, err := o.catalog.UpdateTimeToLive(ctx, req)
	if err == nil && req.Enabled {
		o.background.build()
	}
	return out, err
}
