package cli

import (
	"net"
	"net/http"
	"sync"
	"time"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// endpointPatience holds the timeouts of an endpoint: until a notice is printed, for
// connecting, and for a response.
type endpointPatience struct{ notice, connect, answer time.Duration }

// usualPatience is enough for AWS at its slowest; an endpoint that needs longer hangs.
var usualPatience = endpointPatience{notice: 2 * time.Second, connect: 5 * time.Second, answer: 30 * time.Second}

// A waitingClient is an HTTP client that says so when it has to wait.
type waitingClient struct {
	client dynamodb.HTTPClient
	notice time.Duration
	tell   func() // called by a goroutine of its own

	mu   sync.Mutex
	told time.Time
}

func newWaitingClient(patience endpointPatience, tell func()) *waitingClient {
	client := awshttp.NewBuildableClient().WithTimeout(patience.answer).
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = patience.connect })
	return &waitingClient{client: client, notice: patience.notice, tell: tell}
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
			<-said // nothing is said after the answer
		}
	}()
	return c.client.Do(r)
}

// waiting says that an answer is waited for, once for many requests: an endpoint that is
// slow is slow each time.
func (c *waitingClient) waiting() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); c.told.IsZero() || now.Sub(c.told) > time.Minute {
		c.told = now
		c.tell()
	}
}
