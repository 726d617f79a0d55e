package engine

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func (o *operations) DescribeStream(ctx context.Context, in *dynamo.DescribeStreamInput) (*dynamo.DescribeStreamOutput, error) {
	req, err := request.CheckDescribeStream(in)
	if err != nil {
		return nil, err
	}
	return o.streams.DescribeStream(ctx, req)
}
