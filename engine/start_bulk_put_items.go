package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// StartBulkPutItems begins to put the items of many files into a table. The SDK does not have it yet, so only the HTTP
// door does.
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
