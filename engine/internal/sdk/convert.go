package sdk

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
)

// The operations on items are converted by hand, parameter by parameter: they
// are frequent, and mirror's copying by name would be too slow. The SDK has
// its own types for every operation, so each one lists its parameters, even
// where the engine's shapes share them.

// converted returns an operation on items that runs its three steps.
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
