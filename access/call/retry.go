package call

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
	"sortkey.dev/internal/wait"
)

// pause waits before a request is sent again; attempt counts the requests sent before, from
// 0. The wait is random between nothing and its bound (full jitter), so that requests that
// collided once do not collide again. It ends early with the context's error.
func pause(ctx context.Context, c *access.Client, attempt int) error {
	o := c.Options()
	longest := o.LongestWait
	if o.FirstWait <= longest>>attempt { // FirstWait<<attempt could overflow
		longest = o.FirstWait << attempt
	}
	if err := ctx.Err(); err != nil || longest <= 0 {
		return err
	}
	return wait.For(ctx, rand.N(longest))
}

// send sends one request of a call, and again while DynamoDB is busy:
//
//	out, err := send(ctx, c, k, API.GetItem, &dynamodb.GetItemInput{...})
//
// What was answered is for the caller to add to the call, what was refused send counts.
func send[In, Out any](ctx context.Context, c *access.Client, k *recorder, method func(access.API, context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), in *In) (*Out, error) {
	return sendWhile(ctx, c, k, busy, method, in)
}

// sendWhile is like send, and retries while again reports true. The lease of the client, and of others whose writes the request
// carries, is compared before every attempt.
func sendWhile[In, Out any](ctx context.Context, c *access.Client, k *recorder, again func(error) bool, method func(access.API, context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), in *In, others ...*access.Client) (*Out, error) {
	sent := false // and perhaps carried out
	for attempt := 0; ; attempt++ {
		options, err := admit(ctx, c, others)
		if err != nil {
			return nil, fencedAfter(sent, err)
		}
		out, err := method(c.API(), ctx, in, options...)
		if err == nil {
			return out, nil
		}
		k.fail()
		late := access.Late(err) // nothing was done, and the lease is renewed
		if !again(err) && !(late && attempt+1 < c.Options().Attempts) {
			return nil, fencedAfter(sent, err)
		}
		sent = sent || !late && !refused(err)
		if attempt+1 >= c.Options().Attempts {
			return nil, fmt.Errorf("gave up after %d attempts: %w", attempt+1, err)
		}
		if stopped := pause(ctx, c, attempt); stopped != nil {
			return nil, fmt.Errorf("%w while waiting after: %w", stopped, err)
		}
		k.retry()
	}
}

// admit returns the options with which a request of several clients may be sent now.
func admit(ctx context.Context, c *access.Client, others []*access.Client) ([]func(*dynamodb.Options), error) {
	options, err := c.Admit(ctx)
	for _, other := range others {
		if err != nil {
			return nil, err
		}
		var more []func(*dynamodb.Options)
		more, err = other.Admit(ctx)
		options = append(options[:len(options):len(options)], more...)
	}
	return options, err
}

// fencedAfter notes in the error of a fence whether the request may have been carried out before. An endpoint's refusal of a
// late request becomes such an error, too.
func fencedAfter(sent bool, err error) error {
	fenced, ok := errors.AsType[*access.FencedError](err)
	switch {
	case ok:
		own := *fenced // callers that waited for one read share its error
		own.Sent = own.Sent || sent
		return &own
	case access.Late(err):
		return &access.FencedError{Reason: "the endpoint refused the request, because it came too late", Sent: sent, Cause: err}
	}
	return err
}

// refused reports whether an error says that a request was not carried out: it met others, or was throttled.
func refused(err error) bool {
	switch code.Of(err) {
	case "TransactionCanceledException", "TransactionConflictException", "ProvisionedThroughputExceededException",
		"ThrottlingException", "Throttling", "RequestLimitExceeded":
		return true
	}
	return false
}

// busy reports whether an error says that nothing is wrong with a request but its time.
//
// A client of the SDK has a retryer of its own; what that gave up is not tried again. An
// API without one, such as an embedded engine's, is served here. As with the SDK, a write
// that is repeated after InternalServerError may have been done the first time.
func busy(err error) bool {
	name := code.Of(err)
	if name == "TransactionConflictException" { // a plain write met a transaction; the SDK leaves that to us
		return true
	}
	var spent *retry.MaxAttemptsError
	return code.Unavailable(name) && !errors.As(err, &spent)
}
