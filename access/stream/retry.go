package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
	"sortkey.dev/access/internal/lease"
)

const (
	firstBackoff = 100 * time.Millisecond
	lastBackoff  = 10 * time.Second
	// requestAttempts is the number of attempts of a request, each with the SDK's own retries.
	requestAttempts = 8
	// lastWrites is the time that the writes may take with which a shard is released.
	lastWrites = 10 * time.Second
)

// errLost says that another process has the lease of a shard now.
var errLost = lease.ErrLost

// backoff returns how long to wait after an attempt: random up to a limit that doubles, so
// that requests that failed together are not sent again together.
func backoff(attempt int) time.Duration {
	limit := min(firstBackoff<<min(attempt-1, 20), lastBackoff)
	return limit/2 + rand.N(limit/2)
}

// try sends a request again while its errors are temporary.
func (c *Consumer) try(ctx context.Context, what string, request func(context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := request(ctx)
		switch {
		case err == nil, errors.Is(err, errLost):
			return err
		case attempt == requestAttempts, ctx.Err() != nil, !temporary(err), c.Sleep(ctx, backoff(attempt)) != nil:
			return fmt.Errorf("stream: %s: %s: %w", c.title(), what, err)
		}
	}
}

// title returns the name of a consumer for errors. A consumer without a name reads for a tail.
func (c *Consumer) title() string {
	if c.Name == "" {
		return "tail of table " + c.Table
	}
	return "consumer " + c.Name
}

// temporary reports whether the same request may succeed later. An error without a code did
// not come from DynamoDB: the connection failed.
func temporary(err error) bool {
	return code.Of(err) == "" || access.Unavailable(err) || access.Contended(err)
}

func is[E error](err error) bool {
	var wanted E
	return errors.As(err, &wanted)
}

func conditionFailed(err error) bool { return is[*types.ConditionalCheckFailedException](err) }
func iteratorExpired(err error) bool { return is[*streamtypes.ExpiredIteratorException](err) }
func dataTrimmed(err error) bool     { return is[*streamtypes.TrimmedDataAccessException](err) }
func shardGone(err error) bool       { return is[*streamtypes.ResourceNotFoundException](err) }

func refused(err error) bool { return code.Of(err) == "ValidationException" }
