// Package retrytest says when a client of the AWS SDK in a test sends a request again. Only tests import it; programs keep the SDK's own
// retries.
package retrytest

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// BrokenConnections sends a request again if its connection broke, and for nothing else: errors of the service must be seen. The
// SDK closes the body of a request when the response begins; on a busy machine net/http may not have noticed yet that it has sent all
// of it, and then drops the connection.
var BrokenConnections aws.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
	o.MaxAttempts = 5
	o.Retryables = []retry.IsErrorRetryable{retry.RetryableConnectionError{}}
	o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	o.RateLimiter = ratelimit.None
})
