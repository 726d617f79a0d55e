package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// UpdateContinuousBackups disables point-in-time recovery. Enabling it is not supported yet
// and returns an UnknownOperationException.
func (a *API) UpdateContinuousBackups(ctx context.Context, params *dynamodb.UpdateContinuousBackupsInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateContinuousBackupsOutput, error) {
	return sdk.UpdateContinuousBackups(ctx, a.ops, params)
}

func (o *operations) UpdateContinuousBackups(_ context.Context, in *dynamo.UpdateContinuousBackupsInput) (*dynamo.UpdateContinuousBackupsOutput, error) {
	req, err := request.CheckUpdateContinuousBackups(in)
	if err != nil {
		return nil, err
	}
	d, err := o.catalog.DescribeContinuousBackups(req.Table)
	if err != nil {
		return nil, err
	}
	if req.Enabled {
		return nil, dynamo.Refusal("UpdateContinuousBackups")
	}
	return &dynamo.UpdateContinuousBackupsOutput{ContinuousBackupsDescription: d}, nil
}
