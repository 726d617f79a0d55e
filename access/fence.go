package access

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// untilHeader is the header that says until when a request may be carried out, in milliseconds of Unix time. The embedded
// engine refuses later ones; other endpoints ignore it.
const untilHeader = "X-Sortkey-Until"

// A fence is the middleware of the SDK's client that compares the lease before every attempt, those of the client's own retryer
// included, and after the request is signed: a process that is frozen before the comparison sends nothing, and one that is frozen after it
// sends a signature that is as old.
type fence struct {
	lease *lease
	epoch int64
	// Made once, so that calls allocate less.
	options []func(*dynamodb.Options)
	add     []func(*middleware.Stack) error
}

// newFence returns the fence of an epoch; 0: of any.
func newFence(l *lease, epoch int64) *fence {
	f := &fence{lease: l, epoch: epoch}
	f.options = []func(*dynamodb.Options){f.install}
	f.add = []func(*middleware.Stack) error{func(stack *middleware.Stack) error { return stack.Finalize.Insert(f, "Signing", middleware.After) }}
	return f
}

// install adds the fence to the options of one call.
func (f *fence) install(o *dynamodb.Options) {
	if len(o.APIOptions) == 0 {
		o.APIOptions = f.add[:1:1]
		return
	}
	o.APIOptions = append(o.APIOptions[:len(o.APIOptions):len(o.APIOptions)], f.add...)
}

// ID returns the name of the middleware in the stack.
func (f *fence) ID() string { return f.lease.id }

// HandleFinalize sends an attempt if the lease lasts.
func (f *fence) HandleFinalize(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (
	out middleware.FinalizeOutput, metadata middleware.Metadata, err error,
) {
	request, ok := in.Request.(*smithyhttp.Request)
	if !ok {
		return out, metadata, fmt.Errorf("access: the lease cannot be compared: the request is a %T", in.Request)
	}
	g, err := f.lease.admit(ctx, f.epoch)
	if err != nil {
		if fenced, ok := errors.AsType[*FencedError](err); ok {
			own := *fenced // callers that waited for one read share its error
			own.Sent = repeated(request)
			err = &own
		}
		return out, metadata, err
	}
	// A transaction of two designs is sent under two leases. The texts have the same length.
	if other := request.Header[untilHeader]; len(other) == 0 || g.until[0] < other[0] {
		request.Header[untilHeader] = g.until[:1:1]
	}
	out, metadata, err = next.HandleFinalize(ctx, in)
	if err != nil && Late(err) {
		late := f.lease.fenced("the endpoint refused the request, because it came after the end of the lease", err)
		late.Sent = repeated(request)
		err = late
	}
	return out, metadata, err
}

// repeated reports whether an attempt is not the first one of the SDK's client, which says so in a header.
func repeated(request *smithyhttp.Request) bool {
	attempt, _, _ := strings.Cut(request.Header.Get("Amz-Sdk-Request"), ";")
	return attempt != "attempt=1"
}

// RefusesLate reports whether an endpoint refuses requests that come later than they may be carried out. It sends one, a read
// of the state row, that is too late by an hour. Migrations at other endpoints must wait for as long as these accept a signature.
func RefusesLate(ctx context.Context, api API, table string, row StateRow) (bool, error) {
	expired := func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions[:len(o.APIOptions):len(o.APIOptions)], func(stack *middleware.Stack) error {
			return stack.Build.Add(tooLate{}, middleware.After)
		})
	}
	_, err := api.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: row.Key()}, expired)
	var missing *types.ResourceNotFoundException
	switch {
	case err == nil:
		return false, nil
	case Late(err):
		return true, nil
	case errors.As(err, &missing):
		return false, fmt.Errorf("access: table %s does not exist: %w", table, err)
	}
	return false, fmt.Errorf("access: send a late request: %w", err)
}

// tooLate is a middleware that gives a request an end in the past.
type tooLate struct{}

// ID returns the name of the middleware in the stack.
func (tooLate) ID() string { return "sortkey-late" }

// HandleBuild sets the header.
func (tooLate) HandleBuild(ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler) (
	middleware.BuildOutput, middleware.Metadata, error,
) {
	if request, ok := in.Request.(*smithyhttp.Request); ok {
		request.Header.Set(untilHeader, "1")
	}
	return next.HandleBuild(ctx, in)
}
