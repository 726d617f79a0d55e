package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// CancelBulkOperation lets a bulk operation stop. The SDK does not have it yet, so only the HTTP
// door does.
func (o *operations) CancelBulkOperation(_ context.Context, in *dynamo.CancelBulkOperationInput) (*dynamo.CancelBulkOperationOutput, error) {
	arn, err := request.CheckCancelBulkOperation(in)
	if err != nil {
		return nil, err
	}
	return o.bulk.Cancel(arn)
}
