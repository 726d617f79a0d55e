package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// StartBulkPutItems starts to put the items of many files into a table. It is available over
// HTTP only, because the SDK does not have it yet.
func (o *operations) StartBulkPutItems(ctx context.Context, in *dynamo.StartBulkPutItemsInput) (*dynamo.StartBulkPutItemsOutput, error) {
	req, err := request.CheckStartBulkPutItems(in)
	if err != nil {
		return nil, err
	}
	d, run, err := o.bulk.Start(ctx, req)
	if err != nil {
		return nil, err
	}
	if run != nil {
		o.background.bulk(run)
	}
	return &dynamo.StartBulkPutItemsOutput{BulkOperationDescription: d}, nil
}
