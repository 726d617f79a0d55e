package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// DescribeBulkOperation tells how far a bulk operation has come. The SDK does not have it yet, so only the HTTP
// door does.
func (o *operations) DescribeBulkOperation(_ context.Context, in *dynamo.DescribeBulkOperationInput) (*dynamo.DescribeBulkOperationOutput, error) {
	arn, err := request.CheckDescribeBulkOperation(in)
	if err != nil {
		return nil, err
	}
	d, err := o.bulk.Describe(arn)
	if err != nil {
		return nil, err
	}
	return &dynamo.DescribeBulkOperationOutput{BulkOperationDescription: d}, nil
}
