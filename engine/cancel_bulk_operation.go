package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// CancelBulkOperation cancels a bulk operation. It is available over HTTP only, because the
// SDK does not have it yet.
func (o *operations) CancelBulkOperation(_ context.Context, in *dynamo.CancelBulkOperationInput) (*dynamo.CancelBulkOperationOutput, error) {
	arn, err := request.CheckCancelBulkOperation(in)
	if err != nil {
		return nil, err
	}
	return o.bulk.Cancel(arn)
}
