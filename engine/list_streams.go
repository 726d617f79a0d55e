package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func (o *operations) ListStreams(ctx context.Context, in *dynamo.ListStreamsInput) (*dynamo.ListStreamsOutput, error) {
	req, err := request.CheckListStreams(in)
	if err != nil {
		return nil, err
	}
	return o.streams.ListStreams(ctx, req)
}
