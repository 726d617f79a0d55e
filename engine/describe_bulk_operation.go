package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// DescribeBulkOperation reports the status and progress of a bulk operation. It is available
// over HTTP only, because the SDK does not have it yet.
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
