package wire

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
)

// describeEndpoints passes the host of the request to the operation.
func describeEndpoints(ctx context.Context, api dynamo.API, t target, s *scanner, dst []byte) ([]byte, error) {
	in := &dynamo.DescribeEndpointsInput{}
	if err := s.readInput(in, nil); err != nil {
		return dst, err
	}
	in.Host = t.host
	out, err := api.DescribeEndpoints(ctx, in)
	if err != nil {
		return dst, err
	}
	return appendShape(dst, out), nil
}
