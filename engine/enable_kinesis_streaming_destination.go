package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/sdk"
)

// EnableKinesisStreamingDestination starts delivering the changes of a table to the file in
// [Options.KinesisDir] that is named after the Kinesis stream. Without that folder the
// destination is described as ENABLE_FAILED.
func (a *API) EnableKinesisStreamingDestination(ctx context.Context, params *dynamodb.EnableKinesisStreamingDestinationInput, _ ...func(*dynamodb.Options)) (*dynamodb.EnableKinesisStreamingDestinationOutput, error) {
	return sdk.EnableKinesisStreamingDestination(ctx, a.ops, params)
}

func (o *operations) EnableKinesisStreamingDestination(ctx context.Context, in *dynamo.EnableKinesisStreamingDestinationInput) (*dynamo.EnableKinesisStreamingDestinationOutput, error) {
	req, err := request.CheckEnableKinesisStreamingDestination(in)
	if err != nil {
		return nil, err
	}
	out, err := o.catalog.EnableKinesisStreamingDestination(ctx, req, o.sinks.Reason(req.StreamARN))
	if err == nil {
		o.background.deliver()
	}
	return out, err
}
