package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func (o *operations) GetShardIterator(ctx context.Context, in *dynamo.GetShardIteratorInput) (*dynamo.GetShardIteratorOutput, error) {
	req, err := request.CheckGetShardIterator(in)
	if err != nil {
		return nil, err
	}
	return o.streams.GetShardIterator(ctx, req)
}
