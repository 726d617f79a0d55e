package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// ListBulkOperations lists bulk operations. It is available over HTTP only, because the SDK
// does not have it yet.
func (o *operations) ListBulkOperations(_ context.Context, in *dynamo.ListBulkOperationsInput) (*dynamo.ListBulkOperationsOutput, error) {
	req, err := request.CheckListBulkOperations(in)
	if err != nil {
		return nil, err
	}
	return o.bulk.List(req), nil
}
