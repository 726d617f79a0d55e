package access

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// A retryPolicy says how often a request is sent, and how long to wait in between.
type retryPolicy struct {
	attempts  int           // requests in all, the first included
	base, cap time.Duration // the longest wait before the second request, and of all
}

// Ten attempts wait seven seconds at most: enough for a contended item to come free, and
// not so long that nobody waits for the answer any more.
var defaultRetry = retryPolicy{attempts: 10, base: 25 * time.Millisecond, cap: 2 * time.Second}

// WithRetries says how many times a request is sent while DynamoDB is busy, ten if not
// said, and how long to wait at most before the second one, and before any. Waits double
// and are random. What the SDK's client repeats by itself is not repeated again.
func WithRetries(attempts int, first, longest time.Duration) Option {
	return func(c *Client) {
		c.retry = retryPolicy{attempts: max(attempts, 1), base: max(first, 0), cap: max(longest, 0)}
	}
}

// pause waits before another request; attempt counts those sent before, from 0. The wait
// is random between nothing and the longest (full jitter), so that those who collided once
// do not collide again. It ends early with the context's error.
func (c *Client) pause(ctx context.Context, attempt int) error {
	longest := c.retry.cap
	if c.retry.base <= longest>>attempt { // base<<attempt could overflow
		longest = c.retry.base << attempt
	}
	if err := ctx.Err(); err != nil || longest <= 0 {
		return err
	}
	timer := time.NewTimer(rand.N(longest))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// send sends one request of a call, and again while DynamoDB is busy:
//
//	out, err := send(ctx, c, k, API.GetItem, &dynamodb.GetItemInput{...})
//
// What was answered is for the caller to add to the call, what was refused send counts.
func send[In, Out any](ctx context.Context, c *Client, k *call, method func(API, context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), in *In) (*Out, error) {
	return sendWhile(ctx, c, k, busy, method, in)
}

// sendWhile is send for a request that is worth repeating after other errors.
func sendWhile[In, Out any](ctx context.Context, c *Client, k *call, again func(error) bool, method func(API, context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), in *In) (*Out, error) {
	for attempt := 0; ; attempt++ {
		out, err := method(c.api, ctx, in)
		if err == nil {
			return out, nil
		}
		k.fail()
		if !again(err) {
			return nil, err
		}
		if attempt+1 >= c.retry.attempts {
			return nil, fmt.Errorf("gave up after %d attempts: %w", attempt+1, err)
		}
		if stopped := c.pause(ctx, attempt); stopped != nil {
			return nil, fmt.Errorf("%w while waiting after: %w", stopped, err)
		}
		k.retry()
	}
}

// busy reports whether an error says that nothing is wrong with a request but its time.
//
// A client of the SDK has a retryer of its own; what that gave up is not tried again. An
// API without one, such as an embedded engine's, is served here. As with the SDK, a write
// that is repeated after InternalServerError may have been done the first time.
func busy(err error) bool {
	switch codeOf(err) {
	case "TransactionConflictException": // a plain write met a transaction; the SDK leaves that to us
		return true
	case "ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException", "InternalServerError":
		var spent *retry.MaxAttemptsError
		return !errors.As(err, &spent)
	}
	return false
}

// codeOf is the name DynamoDB gave an error, or "".
func codeOf(err error) string {
	var coded interface {
		error
		ErrorCode() string
	}
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return ""
}
