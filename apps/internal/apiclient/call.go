package apiclient

import (
	"context"

	"sortkey.dev/apps/internal/operation"
)

// A Sender sends requests: a *Transport or a *Session.
type Sender interface {
	Send(ctx context.Context, r Request) error
}

// Call calls an operation. An operation that takes an idempotency key gets that of the context, unless in has one.
func Call[In, Out any](ctx context.Context, s Sender, o operation.Operation[In, Out], in In) (Out, error) {
	var out Out
	call := o.Request(in)
	r := Request{Method: o.Method, Path: call.Path, Header: call.Header, Body: call.Body}
	if content, ok := call.Body.(operation.Content); ok {
		r.Body, r.Media = content.Content, content.Media
	}
	if key := Key(ctx); call.Keyed && key != "" {
		r.Header.Set(operation.HeaderKey, key)
	}
	switch target := any(&out).(type) {
	case *operation.None:
	case *operation.File:
		r.Out = (*[]byte)(target)
	default:
		r.Out = target
	}
	return out, s.Send(ctx, r)
}

// Do calls an operation without a response.
func Do[In any](ctx context.Context, s Sender, o operation.Operation[In, operation.None], in In) error {
	_, err := Call(ctx, s, o, in)
	return err
}
