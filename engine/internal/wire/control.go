package wire

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
)

// controlInterface is the interface of the operations that DynamoDB does not have:
//
//	X-Amz-Target: Sortkey.SplitShards
const controlInterface = "Sortkey"

// controls maps the full targets of the control interface to their operations.
var controls = map[string]operation{
	controlInterface + ".SplitShards": control(dynamo.Control.SplitShards),
}

// control returns an operation that only an API with [dynamo.Control] has.
func control[In, Out any](call func(dynamo.Control, context.Context, *In) (*Out, error)) operation {
	return func(ctx context.Context, api dynamo.API, t target, s *scanner, dst []byte) ([]byte, error) {
		c, ok := api.(dynamo.Control)
		if !ok {
			return dst, dynamo.Refusal(t.operation)
		}
		run := tables(func(_ dynamo.API, ctx context.Context, in *In) (*Out, error) { return call(c, ctx, in) })
		return run(ctx, api, t, s, dst)
	}
}
