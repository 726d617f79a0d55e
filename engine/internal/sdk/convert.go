package sdk

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
)

// The operations on items are converted by hand, parameter by parameter: they
// are frequent, and the copying by name of mirror would be too slow. The SDK has
// types of its own for every operation, so each one lists its parameters, also
// where the engine's shapes share them.

// converted makes an operation on items of its three steps.
func converted[SDKIn, SDKOut, In, Out any](
	encode func(*encoder, *SDKIn) *In,
	run func(dynamo.API, context.Context, *In) (*Out, error),
	decode func(*Out) *SDKOut,
) operation[SDKIn, SDKOut] {
	return func(ctx context.Context, api dynamo.API, in *SDKIn) (*SDKOut, error) {
		e := newEncoder()
		request := encode(e, in)
		e.release()
		out, err := run(api, ctx, request)
		if err != nil {
			return nil, err
		}
		return decode(out), nil
	}
}
