package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func (o *operations) GetRecords(ctx context.Context, in *dynamo.GetRecordsInput) (*dynamo.GetRecordsOutput, error) {
	req, err := request.CheckGetRecords(in)
	if err != nil {
		return nil, err
	}
	return o.streams.GetRecords(ctx, req)
}
