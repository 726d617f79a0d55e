package cli

import (
	"net"
	"net/http"
	"sync"
	"time"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// endpointTimeouts holds the timeouts of an endpoint: until a notice is printed, for
// connecting, and for a response.
type endpointTimeouts struct{ notice, connect, answer time.Duration }

// defaultTimeouts is enough for AWS at its slowest; an endpoint that needs longer hangs.
var defaultTimeouts = endpointTimeouts{notice: 2 * time.Second, connect: 5 * time.Second, answer: 30 * time.Second}

// A waitingClient is an HTTP client that reports long waits.
type waitingClient struct {
	client dynamodb.HTTPClient
	notice time.Duration
	tell   func() // called by its own goroutine

	mu   sync.Mutex
	told time.Time
}

func newWaitingClient(timeouts endpointTimeouts, tell func()) *waitingClient {
	client := awshttp.NewBuildableClient().WithTimeout(timeouts.answer).
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = timeouts.connect })
	return &waitingClient{client: client, notice: timeouts.notice, tell: tell}
}

// Do sends one request.
func (c *waitingClient) Do(r *http.Request) (*http.Response, error) {
	said := make(chan struct{})
	timer := time.AfterFunc(c.notice, func() {
		defer close(said)
		c.waiting()
	})
	defer func() {
		if !timer.Stop() {
			<-said // nothing is printed after the response
		}
	}()
	return c.client.Do(r)
}

// waiting reports a long wait, once for many requests: a slow endpoint is slow for each of
// them.
func (c *waitingClient) waiting() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); c.told.IsZero() || now.Sub(c.told) > time.Minute {
		c.told = now
		c.tell()
	}
}
